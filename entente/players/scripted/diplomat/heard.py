"""What a message was taken for."""

from dataclasses import dataclass
from enum import StrEnum

from entente.board.types import Power, Province
from entente.press.commitments import Commitment
from entente.press.messages import CommitmentKind, Message, Statement


class Sense(StrEnum):
    """What a message is, as far as this player can tell."""

    PROPOSAL = "proposal"
    """It asks for, or offers, a commitment."""
    IMPOSSIBLE = "impossible"
    """It asks for a support that no unit can give."""
    LEAVE = "leave"
    """It asks that a unit of mine goes away from where it stands."""
    ACCEPT = "accept"
    REFUSE = "refuse"
    UNCLEAR = "unclear"
    """It says yes or no where several proposals are open, and not to which."""
    STATEMENT = "statement"
    THREAT = "threat"
    COMPLAINT = "complaint"
    QUESTION = "question"
    THANKS = "thanks"
    CHAT = "chat"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Heard:
    """A message and what was made of it."""

    message: Message
    sense: Sense
    proposals: tuple[Statement, ...] = ()
    """What it proposes, in canonical words."""
    is_typed: bool = False
    """True for what was typed, and stands in the ledger; false for what was read from the words."""
    accepts: tuple[Commitment, ...] = ()
    """The open proposals of mine that it says yes to in words."""
    refuses: tuple[Commitment, ...] = ()
    ends: frozenset[CommitmentKind] = frozenset()
    """Kinds of standing agreement that it calls off."""
    places: tuple[Province, ...] = ()
    """The provinces that it names."""
    about: Power = ""
    """The third power that it asks about, or names."""
    is_against_me: bool = False
    """True for a question whether I am to be feared."""
