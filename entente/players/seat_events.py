"""What happens at one power's seat: press, the board, the phases and the game's own words, in the order it read them.

Nothing of it is stored or sent: `entente.players.lived` derives it from the journal's turns and phases.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import JsonValue

from entente.board.types import Power
from entente.players.actions import Action

SYSTEM = "SYSTEM"
"""The sender of what no power has said."""
ALL = "ALL"
"""The recipient of what every seat is told."""


class SeatEventKind(StrEnum):
    """What an event is."""

    PRESS = "PRESS"
    """A message that the power can read, its own among them; the payload is the message."""
    BOARD_STATE = "BOARD_STATE"
    """The position of a phase that begins."""
    PHASE_CHANGE = "PHASE_CHANGE"
    """A phase was adjudicated and another begins; the payload has all orders with their results."""
    SYSTEM = "SYSTEM"
    """The game's own word; the payload's `status` is a Status."""


class Status(StrEnum):
    """What the game tells a seat; all but the first are the owner's alone to know."""

    ORDERS_SUBMITTED = "ORDERS_SUBMITTED"
    """Another power has given orders, or other orders than before; never which."""
    ORDERS_READ = "ORDERS_READ"
    """The power's own orders line by line: taken, repaired, rejected."""
    ORDERS_REFUSED = "ORDERS_REFUSED"
    """Orders that came while press alone was wanted; none of them was read."""
    MESSAGE_REFUSED = "MESSAGE_REFUSED"
    MEMORY_KEPT = "MEMORY_KEPT"
    VOTE_COUNTED = "VOTE_COUNTED"
    NOTICE = "NOTICE"
    """Anything else that was not done quite as the power said."""
    DIARY_FOLDED = "DIARY_FOLDED"
    """What the power's own fold of its diary has put into its memory."""


@dataclass(frozen=True, slots=True)
class SeatEvent:
    """One event, as it reached one seat."""

    kind: SeatEventKind
    payload: Mapping[str, JsonValue]
    sender: str
    """A power, or SYSTEM."""
    recipient: str
    """A power, or ALL."""
    at: float | None = None
    """When it was committed, in seconds since 1970, UTC; None for the first position, and in games of before such times
    were kept."""


@dataclass(frozen=True, slots=True)
class SeatTurn:
    """One of the power's own turns, behind what it had heard when it was asked."""

    heard: tuple[SeatEvent, ...]
    """Since its turn before, in the journal's order."""
    said: tuple[tuple[Action, SeatEvent], ...]
    """What it did, each with its echo."""
    wants_orders: bool
    """True when only orders were wanted of it."""
    thinking: str = ""
    """What its language model wrote before its calls."""


@dataclass(frozen=True, slots=True)
class SeatPhase:
    """One phase as a power has lived it; two with one key are the same, since what was adjudicated never changes."""

    key: tuple[str, str, Power]
    """Game, id of the phase's record and power; the id is empty for the phase in play, which does change."""
    name: str = field(compare=False)
    """`S1901M`."""
    opening: tuple[SeatEvent, ...] = field(compare=False)
    turns: tuple[SeatTurn, ...] = field(compare=False)
    unread: tuple[SeatEvent, ...] = field(compare=False)
    """What came after its last turn had begun."""

    def events(self) -> Iterator[SeatEvent]:
        """Everything that reached the seat, in the order in which it read it."""
        yield from self.opening
        for turn in self.turns:
            yield from turn.heard
            yield from (echo for _, echo in turn.said)
        yield from self.unread
