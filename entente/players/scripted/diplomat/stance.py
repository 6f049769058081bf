"""What the others' orders say about them: a number for each power, from adjudicated orders alone.

Words change no stance. Deals do, once it is seen whether they were kept.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from entente.board.types import (
    Convoy,
    Move,
    Order,
    OrderResult,
    Power,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
)
from entente.players.scripted.diplomat.deals import LASTING, Deal
from entente.press.messages import CommitmentKind

ALLY, FOE, ENEMY = 1.0, -0.5, -2.5
"""Above ALLY it asks and gives help; at or below FOE it offers nothing, at or below ENEMY it agrees to nothing."""

PEACEFUL_NEIGHBOUR = 2.0
KEPT = {CommitmentKind.PEACE: 0.5, CommitmentKind.DMZ: 0.5}
"""What a kept deal earns; every other kind earns 1."""
BROKEN = -2.0


@dataclass(frozen=True, slots=True)
class Judgement:
    """What came of the latest movement phase."""

    stances: Mapping[Power, float]
    broken: Mapping[Power, Deal]
    """Who broke a deal, and which."""
    helped: Mapping[Power, Order]
    """Who supported or convoyed a unit of ours, and one such order."""


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a power had at stake when the orders were given."""

    power: Power
    land: frozenset[Province]
    """Own centers, and where own units meant to stay."""
    targets: frozenset[Province]
    """Where own units meant to go."""

    @classmethod
    def of(cls, power: Power, centers: Iterable[Province], results: Sequence[OrderResult]) -> "Grounds":
        """The power's grounds in an adjudicated movement phase."""
        mine = [result.order for result in results if result.power == power]
        targets = frozenset(order.to[:3] for order in mine if isinstance(order, Move))
        stayed = [order.unit.province for order in mine if not isinstance(order, Move | Waive)]
        return cls(power, frozenset([*centers, *stayed]), targets)


def judge(
    stances: Mapping[Power, float],
    grounds: Grounds,
    results: Sequence[OrderResult],
    neighbours: Collection[Power],
    deals: Iterable[Deal],
    keeps: float,
) -> Judgement:
    """New stances after a movement phase; `keeps` is the share of the old ones that remains."""
    deals = tuple(deals)
    moved: dict[Power, float] = {}
    broken: dict[Power, Deal] = {}
    helped: dict[Power, Order] = {}
    own_units = frozenset(
        r.order.unit for r in results if r.power == grounds.power and not isinstance(r.order, Waive)
    )
    for power in dict.fromkeys([*stances, *neighbours, *(r.power for r in results)]):
        orders = [result.order for result in results if result.power == power]
        if power == grounds.power or not orders:
            continue
        is_hostile = any(is_attack(order, grounds, own_units) for order in orders)
        change = sum(_weight(order, grounds, own_units) for order in orders)
        if power in neighbours and not is_hostile:
            change += PEACEFUL_NEIGHBOUR
        for deal in deals:
            if deal.partner == power:
                kept = _was_kept(deal, orders, is_hostile)
                change += KEPT.get(deal.kind, 1.0) if kept else BROKEN
                if not kept:
                    broken[power] = deal
        help_given = next((order for order in orders if _helps(order, own_units)), None)
        if help_given is not None:
            helped[power] = help_given
        moved[power] = round(keeps * stances.get(power, 0.0) + change, 3)
    return Judgement(moved, broken, helped)


def is_attack(order: Order, grounds: Grounds, own_units: Collection[Unit]) -> bool:
    """True for a move into our land, and for help to a stranger's."""
    match order:
        case Move():
            return order.to[:3] in grounds.land
        case SupportMove():
            return order.to in grounds.land and order.supported not in own_units
        case Convoy():
            return order.to in grounds.land and order.army not in own_units
        case _:
            return False


def _weight(order: Order, grounds: Grounds, own_units: Collection[Unit]) -> float:
    """What one order of theirs adds to the stance."""
    if is_attack(order, grounds, own_units):
        return -1.0
    if _helps(order, own_units):
        return 1.0
    match order:
        case Move() | SupportMove():
            return -0.5 if order.to[:3] in grounds.targets else 0.0
        case SupportHold():
            return -0.5 if order.supported.province in grounds.targets else 0.0
        case _:
            return 0.0


def _helps(order: Order, own_units: Collection[Unit]) -> bool:
    match order:
        case SupportMove() | SupportHold():
            return order.supported in own_units
        case Convoy():
            return order.army in own_units
        case _:
            return False


def _was_kept(deal: Deal, orders: Sequence[Order], is_hostile: bool) -> bool:
    if deal.kind in LASTING:
        return not is_hostile
    if deal.kind is CommitmentKind.DMZ:
        return not any(isinstance(order, Move) and order.to[:3] in deal.locations for order in orders)
    return deal.by != deal.partner or deal.order in {str(order) for order in orders}
