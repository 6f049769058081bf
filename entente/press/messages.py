"""Press: a message, and what it says about commitments in typed form beside its words.

Press is data about what somebody said. Nothing here decides who may read it: that is
`entente.press.mailbox`, and only that. What a statement amounts to is `entente.press.ledger`'s business.
"""

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import TypeAlias

from pydantic import BaseModel

from entente.board.types import Location, Power

BROADCAST = "BROADCAST"
"""The recipient of a public message: every power reads it, and so does the public."""

MessageId: TypeAlias = str
"""`S1901M.FRANCE.ITALY.0`: its phase, sender and recipient, and how many the one had sent the other in that phase
before; unique within a game. It counts only what all its readers have read. Older games have `S1901M.1.FRANCE.0`."""

_ID = re.compile(r"[SFW]\d{4}[MRA]\.(?:\d+|[A-Z]{1,9})\.[A-Z]{1,9}\.\d+", re.ASCII)
"""No power of any map has a longer name than BROADCAST; a sentence has, whatever stands between its words."""


def is_message_id(text: str) -> bool:
    """True for what an id can be, and for no other words."""
    return _ID.fullmatch(text) is not None


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
    """What is committed to."""

    PEACE = "peace"
    """Neither attacks a center or unit of the other."""
    ALLIANCE = "alliance"
    """Peace, and help against others; whether it is kept is a matter of the peace alone."""
    DMZ = "dmz"
    """Neither orders a unit into `locations`."""
    SUPPORT = "support"
    """The `by` power's unit gives the support in `order`."""
    ORDER = "order"
    """The `by` power gives `order`."""


LASTING = frozenset({CommitmentKind.PEACE, CommitmentKind.ALLIANCE})
"""Kinds by which neither side attacks the other."""

MUTUAL = LASTING | {CommitmentKind.DMZ}
"""Kinds that bind both sides once they are agreed, whoever proposed them."""


class Act(StrEnum):
    """What a statement does."""

    PROPOSE = "propose"
    """Asks for a commitment, or offers one; binds nobody until it is accepted."""
    ACCEPT = "accept"
    REFUSE = "refuse"
    """Refuses a proposal, withdraws an own one, or calls off what was accepted or stated."""
    STATE = "state"
    """Commits the sender alone, at once and without an answer."""


class Statement(BaseModel, frozen=True):
    """What a message says about one commitment, typed; the words beside it are for people, this is for programs.

    An answer needs `kind` and `act` alone: the rest is that of the proposal which the message replies to.
    """

    kind: CommitmentKind
    act: Act
    by: Power = ""
    """Who would do it, for support and order; empty: the unit's owner, where the order names a unit of either side,
    and else the sender. Of no meaning for the other kinds, which both sides keep."""
    locations: tuple[Location, ...] = ()
    """What stays empty, for a DMZ."""
    order: str = ""
    """The order, for support and order."""
    term: str = ""
    """A phase (`F1901M`): the phase of the order, or the last one of a peace, alliance or DMZ, for which a year
    (`1902`) will do too. Empty: `entente.press.terms` says which."""


class Message(BaseModel, frozen=True):
    """A message as it is kept and as its readers see it."""

    id: MessageId
    phase: str
    """The phase in which it was sent, `S1901M`."""
    round: int
    """The negotiation round in which it was sent, from 1; it is read from round + 1 on. 1 where it is read at once."""
    sender: Power
    recipient: Power
    """A power, or BROADCAST."""
    message_type: MessageType
    content: str
    commitments: tuple[Statement, ...] = ()
    """What it says about commitments."""
    reply_to: MessageId | None = None
    also_to: tuple[Power, ...] = ()
    """Other powers that the sender wrote the same words to with it, as every one of them is told."""

    @property
    def to(self) -> str:
        """`ENGLAND, GERMANY`, or `all`: whom it goes to, as its readers are told."""
        return "all" if self.recipient == BROADCAST else ", ".join((self.recipient, *self.also_to))


def message_id(phase: str, sender: Power, recipient: Power, said: Iterable[Message]) -> MessageId:
    """The id of the sender's next message to the recipient, with what it has `said` in the phase before."""
    number = sum(message.recipient == recipient for message in said)
    return f"{phase}.{sender}.{'ALL' if recipient == BROADCAST else recipient}.{number}"
