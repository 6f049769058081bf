"""The order reader (interface first; the reading itself follows)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from entente.board.engine import Board
from entente.board.types import Order, Power
from entente.errors import OrderError


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
    is_void: bool = False
    """True for an order that was deliberately submitted although it cannot work."""


@dataclass(frozen=True, slots=True)
class Reading:
    """All lines read: a verdict each, and the orders that result."""

    verdicts: tuple[LineVerdict, ...]
    orders: tuple[Order, ...]
    """At most one a unit, a later line having replaced an earlier one; never more builds or disbands than allowed."""


def read_orders(board: Board, power: Power, text: str | Sequence[str]) -> Reading:
    """Read a power's orders, a line each."""
    raise NotImplementedError
