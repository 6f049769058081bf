"""Whether orders kept a word: what a power had at stake in a phase, and which order went against an agreement."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from entente.board.types import (
    Convoy,
    Location,
    Move,
    Order,
    OrderResult,
    Power,
    Province,
    SupportMove,
    Unit,
    Waive,
)
from entente.press.messages import CommitmentKind

LASTING = frozenset({CommitmentKind.PEACE, CommitmentKind.ALLIANCE})
MUTUAL = LASTING | {CommitmentKind.DMZ}
"""What binds both sides, whoever proposed it."""


class Pledge(Protocol):
    """What was agreed: a `Commitment`, or a player's own note of one."""

    @property
    def kind(self) -> CommitmentKind:
        """What was agreed."""
        ...

    @property
    def locations(self) -> tuple[Location, ...]:
        """What stays empty, for a DMZ."""
        ...

    @property
    def order(self) -> str:
        """The canonical order, for a support or an order."""
        ...


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a power had at stake when the orders were given."""

    power: Power
    land: frozenset[Province]
    """Own centers, and where own units meant to stay."""
    targets: frozenset[Province]
    """Where own units meant to go."""
    units: frozenset[Unit]

    @classmethod
    def of(cls, power: Power, centers: Iterable[Province], results: Sequence[OrderResult]) -> "Grounds":
        """The power's grounds in an adjudicated movement phase."""
        mine = [result.order for result in results if result.power == power]
        targets = frozenset(order.to[:3] for order in mine if isinstance(order, Move))
        stayed = [order.unit.province for order in mine if not isinstance(order, Move | Waive)]
        units = frozenset(order.unit for order in mine if not isinstance(order, Waive))
        return cls(power, frozenset([*centers, *stayed]), targets, units)


def is_attack(order: Order, grounds: Grounds) -> bool:
    """True for a move into a power's land, and for help to a stranger's."""
    match order:
        case Move():
            return order.to[:3] in grounds.land
        case SupportMove():
            return order.to in grounds.land and order.supported not in grounds.units
        case Convoy():
            return order.to in grounds.land and order.army not in grounds.units
        case _:
            return False


def breach(pledge: Pledge, orders: Sequence[Order], grounds: Grounds) -> str | None:
    """The order by which these orders of one side break its word to the power with these grounds; None: kept.

    Of an attack with support it is the move. For an order that was promised and not given it is what the unit did
    instead, or `no such order`.
    """
    if pledge.kind in LASTING:
        attacks = [order for order in orders if is_attack(order, grounds)]
        return _first(sorted(attacks, key=lambda order: not isinstance(order, Move)))
    if pledge.kind is CommitmentKind.DMZ:
        closed = {location[:3] for location in pledge.locations}
        return _first(order for order in orders if isinstance(order, Move) and order.to[:3] in closed)
    given = [str(order) for order in orders]
    if pledge.order in given:
        return None
    unit = f"{' '.join(pledge.order.split()[:2])} "
    return next((order for order in given if order.startswith(unit)), "no such order")


def _first(orders: Iterable[Order]) -> str | None:
    return next(map(str, orders), None)
