"""What the reader makes of a line: taken as it stands, repaired, or rejected with the reason."""

from dataclasses import dataclass
from enum import StrEnum

from entente.board.types import Order, Unit, unit_of
from entente.errors import OrderError

SHOWN_CHARACTERS = 200
"""So much of a line is given back with its verdict."""


class Verdict(StrEnum):
    """What the reader made of a line."""

    OK = "ok"
    REPAIRED = "repaired"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class LineVerdict:
    """The reader's answer to one line."""

    line: str
    """The text as it came, shortened to 200 characters."""
    verdict: Verdict
    order: Order | None
    """The order that was read; None when rejected."""
    note: str = ""
    """What was repaired, or why the line was rejected; empty when ok."""
    nearest: str | None = None
    """For a rejected line the nearest legal order, where there is one."""
    error: OrderError | None = None
    """For a rejected line the reason as an error: not an order, illegal, or ambiguous; None when all that befell it
    was a later line for the same unit, since nothing in it needs mending."""
    is_void: bool = False
    """True for an order that was deliberately submitted although it cannot work."""


@dataclass(slots=True)
class Answer:
    """A verdict that a later line may still overturn."""

    verdict: LineVerdict
    count: int = 1
    """How often the order stands; more than once only for `WAIVE 2`."""
    unknown: str = ""
    """The word that makes a rejected line none, if that was it."""

    @property
    def unit(self) -> Unit | None:
        """The unit that is ordered; None for a waive and for what was rejected."""
        return unit_of(self.verdict.order) if self.verdict.order else None


def rejected(error: OrderError, shown: str, nearest: str | None) -> LineVerdict:
    """The verdict on a line that this is wrong with, which the error is told too."""
    error.line, error.nearest = shown, nearest
    return LineVerdict(shown, Verdict.REJECTED, None, str(error), nearest, error)
