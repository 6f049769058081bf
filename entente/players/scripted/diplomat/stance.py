"""What the others' orders say about them: a number for each power, from adjudicated orders alone.

Words change no stance. Commitments do, once it is seen whether they were kept.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from entente.board.types import Convoy, Move, Order, OrderResult, Power, SupportHold, SupportMove
from entente.press.keeping import Grounds, is_attack
from entente.press.messages import CommitmentKind

ALLY, FOE, ENEMY = 1.0, -0.5, -2.5
"""Above ALLY it asks and gives help; at or below FOE it offers nothing, at or below ENEMY it agrees to nothing."""

PEACEFUL_NEIGHBOUR = 2.0
KEPT = {CommitmentKind.PEACE: 0.5, CommitmentKind.DMZ: 0.5}
"""What a kept commitment earns; every other kind earns 1."""
BROKEN = -2.0


class Faith(NamedTuple):
    """Whether somebody did what it had to do in a movement phase."""

    partner: Power
    kind: CommitmentKind
    was_kept: bool


@dataclass(frozen=True, slots=True)
class Judgement:
    """What came of the latest movement phase."""

    stances: Mapping[Power, float]
    helped: Mapping[Power, Order]
    """Who supported or convoyed a unit of ours, and one such order."""


def judge(
    stances: Mapping[Power, float],
    grounds: Grounds,
    results: Sequence[OrderResult],
    neighbours: Collection[Power],
    faith: Iterable[Faith],
    keeps: float,
) -> Judgement:
    """New stances after a movement phase; `keeps` is the share of the old ones that remains."""
    theirs: dict[Power, list[Order]] = {}
    for result in results:
        if result.power != grounds.power:
            theirs.setdefault(result.power, []).append(result.order)
    stances = {
        power: round(keeps * stances.get(power, 0.0) + _deeds(orders, grounds, power in neighbours), 3)
        for power, orders in theirs.items()
    }
    for partner, kind, was_kept in faith:
        if partner in stances:
            change = KEPT.get(kind, 1.0) if was_kept else BROKEN
            stances[partner] = round(stances[partner] + change, 3)
    helped = {power: order for power, orders in theirs.items() for order in orders if _helps(order, grounds)}
    return Judgement(stances, helped)


def _deeds(orders: Sequence[Order], grounds: Grounds, is_neighbour: bool) -> float:
    """What a power's orders of one phase add to its stance."""
    is_peaceful = is_neighbour and not is_hostile(orders, grounds)
    return sum(_weight(order, grounds) for order in orders) + PEACEFUL_NEIGHBOUR * is_peaceful


def is_hostile(orders: Iterable[Order], grounds: Grounds) -> bool:
    """True when any of the orders is an attack."""
    return any(is_attack(order, grounds) for order in orders)


def _weight(order: Order, grounds: Grounds) -> float:
    """What one order of theirs adds to the stance."""
    if is_attack(order, grounds):
        return -1.0
    if _helps(order, grounds):
        return 1.0
    match order:
        case Move() | SupportMove():
            return -0.5 if order.to[:3] in grounds.targets else 0.0
        case SupportHold():
            return -0.5 if order.supported.province in grounds.targets else 0.0
        case _:
            return 0.0


def _helps(order: Order, grounds: Grounds) -> bool:
    match order:
        case SupportMove() | SupportHold():
            return order.supported in grounds.units
        case Convoy():
            return order.army in grounds.units
        case _:
            return False
