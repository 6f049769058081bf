"""Press: a message, and the typed commitments that may stand beside its words.

Press is data about what somebody said. Nothing here decides who may read it: that is
`entente.press.mailbox`, and only that.
"""

from enum import StrEnum
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict

from entente.board.types import Location, Power

BROADCAST = "BROADCAST"
"""The recipient of a public message: every power reads it, and so does the public."""

MessageId: TypeAlias = str
"""`S1901M.1.FRANCE.0`: phase, round, sender, and the sender's n-th message of that round; unique within a game."""


class MessageType(StrEnum):
    """What a message is meant as, by its sender's own word."""

    PROPOSAL = "PROPOSAL"
    ACCEPTANCE = "ACCEPTANCE"
    REFUSAL = "REFUSAL"
    QUERY = "QUERY"
    INFO = "INFO"
    WARNING = "WARNING"
    CHAT = "CHAT"


class CommitmentKind(StrEnum):
    """What a power binds itself, or asks another, to do."""

    PEACE = "peace"
    """Neither attacks a center or unit of the other."""
    ALLIANCE = "alliance"
    """Peace, and help against others."""
    DMZ = "dmz"
    """Neither enters `locations`."""
    SUPPORT = "support"
    """The `by` power's unit gives the support in `order`."""
    ORDER = "order"
    """The `by` power will give `order` in this phase."""


class Act(StrEnum):
    """What the sender does with the commitment."""

    PROPOSE = "propose"
    ACCEPT = "accept"
    REFUSE = "refuse"
    STATE = "state"


class Commitment(BaseModel):
    """One typed commitment beside a message's words; the words are for people, this is for programs."""

    model_config = ConfigDict(frozen=True)

    kind: CommitmentKind
    act: Act
    by: Power
    """Who would have to do it; for peace, alliance and DMZ both sides would, and this is the sender."""
    locations: tuple[Location, ...] = ()
    order: str = ""
    """The canonical order, for support and order statements."""


class Message(BaseModel):
    """A message as it is kept and as its readers see it."""

    model_config = ConfigDict(frozen=True)

    id: MessageId
    phase: str
    """The phase in which it was sent, `S1901M`."""
    round: int
    """The negotiation round in which it was sent, from 1; it is read from round + 1 on."""
    sender: Power
    recipient: Power
    """A power, or BROADCAST."""
    message_type: MessageType
    content: str
    commitments: tuple[Commitment, ...] = ()
    reply_to: MessageId | None = None
