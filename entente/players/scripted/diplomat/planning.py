"""Orders around deals: the plan, what a deal would cost it, and when a friend is worth more as prey."""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from entente.board.types import (
    Convoy,
    Move,
    Order,
    Power,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
    parse_order,
)
from entente.errors import OrderSyntaxError
from entente.players.scripted.diplomat.deals import Deal
from entente.players.scripted.diplomat.view import View
from entente.players.scripted.movement import plan_movement
from entente.players.scripted.values import Values, reached_by
from entente.press.keeping import LASTING
from entente.press.messages import Act, Commitment, CommitmentKind

LEADER_CENTERS = 15
"""A friend of that size is about to win alone."""
STAB_GAIN = 2
"""Centers to be had within two phases for which a disloyal player stabs."""

_BY_ORDER = frozenset({CommitmentKind.SUPPORT, CommitmentKind.ORDER})


@dataclass(frozen=True, slots=True)
class Bonds:
    """What the plan must respect."""

    friends: tuple[Power, ...]
    closed: frozenset[Province]
    """Not to be entered: the land of friends, and demilitarized zones."""
    promised: Mapping[Unit, Order]


def bonds_of(
    view: View, friends: Iterable[Power], deals: Iterable[Deal], stabbed: Collection[Power] = ()
) -> Bonds:
    """The bonds that these friends and deals, and what was said of own orders, lay on the plan."""
    friends, deals = tuple(friends), tuple(deals)
    zones = (place for deal in deals if deal.kind is CommitmentKind.DMZ for place in deal.locations)
    land = frozenset(zones).union(*(view.land(friend) for friend in friends))
    by_me = [deal.order for deal in deals if deal.kind in _BY_ORDER and deal.by == view.me]
    return Bonds(friends, land, _by_unit([*_stated(view, stabbed), *by_me]))


def current_bonds(view: View) -> Bonds:
    """The bonds of everything agreed so far."""
    return bonds_of(view, view.friends, view.deals)


def bonds_without(view: View, stabbed: Collection[Power]) -> Bonds:
    """The same, with nothing left of what binds to the powers that are about to be stabbed."""
    friends = [friend for friend in view.friends if friend not in stabbed]
    deals = [deal for deal in view.deals if deal.partner not in stabbed]
    return bonds_of(view, friends, deals, stabbed)


def _stated(view: View, stabbed: Collection[Power]) -> list[str]:
    return [
        commitment.order
        for message in view.bundle.sent
        for commitment in message.commitments
        if commitment.act is Act.STATE and commitment.by == view.me and message.recipient not in stabbed
    ]


def _by_unit(texts: Iterable[str]) -> dict[Unit, Order]:
    orders: dict[Unit, Order] = {}
    for text in texts:
        try:
            order = parse_order(text)
        except OrderSyntaxError:
            continue
        if not isinstance(order, Waive):
            orders[order.unit] = order
    return orders


def make_plan(view: View, bonds: Bonds, *, afresh: bool = False) -> dict[Unit, Order]:
    """An order for each own unit: the saved plan of this phase, bent only where bonds demand it.

    `afresh` keeps nothing but what was promised.
    """
    values = view.values(bonds.friends)
    units = view.position.units[view.me]
    promised = {unit: order for unit, order in bonds.promised.items() if unit in units}
    saved = _by_unit(view.memory.plan) if view.memory.plan_phase == str(view.position.phase) else {}
    fixed = promised if afresh else promised | _still_good(saved, promised, bonds.closed)
    rng = random.Random(f"{view.bundle.seed}:plan")
    return plan_movement(view.chart, values, units, rng, closed=bonds.closed, fixed=fixed)


def _still_good(
    saved: Mapping[Unit, Order], promised: Mapping[Unit, Order], closed: frozenset[Province]
) -> dict[Unit, Order]:
    """The saved orders that break no bond and still make sense beside what was promised."""
    kept = {u: o for u, o in saved.items() if u not in promised and _end(o) not in closed}
    while True:
        plan = {**kept, **promised}
        misfits = [unit for unit, order in kept.items() if not _fits(order, plan, saved)]
        if not misfits:
            return kept
        for unit in misfits:
            del kept[unit]


def _end(order: Order) -> Province | None:
    """Where the unit would be afterwards."""
    if isinstance(order, Move):
        return order.to[:3]
    return None if isinstance(order, Waive) else order.unit.province


def _fits(order: Order, plan: Mapping[Unit, Order], saved: Mapping[Unit, Order]) -> bool:
    """True when the order still has its supported unit, and the place it ends in to itself."""
    if isinstance(order, SupportMove) and order.supported in saved:
        return _end(plan.get(order.supported, order)) == order.to
    if isinstance(order, SupportHold) and order.supported in saved:
        return _end(plan.get(order.supported, order)) == order.supported.province
    return sum(_end(other) == _end(order) for other in plan.values()) == 1


def conflicts(view: View, bonds: Bonds, commitment: Commitment, partner: Power) -> bool:
    """True when the commitment cannot be kept beside what binds already."""
    match commitment.kind:
        case CommitmentKind.SUPPORT | CommitmentKind.ORDER:
            return _order_conflicts(view, bonds, parse_order(commitment.order))
        case CommitmentKind.DMZ:
            closing = frozenset(commitment.locations)
            if closing & view.land(view.me):
                return True
        case CommitmentKind.PEACE | CommitmentKind.ALLIANCE:
            closing = view.land(partner)
    return any(target_of(order) in closing for order in bonds.promised.values())


def _order_conflicts(view: View, bonds: Bonds, order: Order) -> bool:
    if isinstance(order, Waive) or bonds.promised.get(order.unit, order) != order:
        return True
    target = target_of(order)
    return target in bonds.closed or (isinstance(order, SupportMove) and target in view.land(view.me))


def target_of(order: Order) -> Province | None:
    """Where the order brings a unit, its own or another's."""
    match order:
        case Move() | SupportMove() | Convoy():
            return order.to[:3]
        case _:
            return None


def loss(view: View, bonds: Bonds, commitment: Commitment, partner: Power) -> float:
    """The share of the plan's worth that honouring the commitment costs; 0 for what costs nothing.

    Both plans are made without chance and weighed by values that spare nobody.
    """
    then = bonds_with(view, bonds, commitment, partner)
    values = view.values()
    before, after = (_worth(_best_plan(view, b), values) for b in (bonds, then))
    return (before - after) / before if before > 0 else 0.0


def bonds_with(view: View, bonds: Bonds, commitment: Commitment, partner: Power) -> Bonds:
    """The bonds with one more commitment to a partner, of mine or of both."""
    if commitment.kind in LASTING:
        friends = tuple(dict.fromkeys((*bonds.friends, partner)))
        return Bonds(friends, bonds.closed | view.land(partner), bonds.promised)
    if commitment.kind is CommitmentKind.DMZ:
        return Bonds(bonds.friends, bonds.closed | frozenset(commitment.locations), bonds.promised)
    return Bonds(bonds.friends, bonds.closed, {**bonds.promised, **_by_unit([commitment.order])})


def _best_plan(view: View, bonds: Bonds) -> dict[Unit, Order]:
    values = view.values(bonds.friends)
    units = view.position.units[view.me]
    return plan_movement(view.chart, values, units, None, closed=bonds.closed, fixed=bonds.promised)


def _worth(plan: Mapping[Unit, Order], values: Values) -> float:
    """The worth of where the plan's units are or help own units to be; help to others counts as staying."""
    total = 0.0
    for unit, order in plan.items():
        match order:
            case Move():
                total += values.of(Unit(unit.kind, order.to))
            case SupportMove() if isinstance(supported := plan.get(order.supported), Move):
                total += values.of(Unit(order.supported.kind, supported.to))
            case _:
                total += values.of(unit)
    return total


def takeable(view: View, victim: Power) -> int:
    """About how many of the victim's centers own units could take within two phases."""
    theirs, mine = reached_by(view.position, victim), Counter[Province]()
    attackers = 0
    for unit in view.position.units[view.me]:
        two_steps = _two_steps(view, unit)
        mine.update(two_steps)
        attackers += any(center in two_steps for center in view.position.centers[victim])
    open_centers = sum(mine[center] > theirs[center] for center in view.position.centers[victim])
    return min(open_centers, attackers)


def _two_steps(view: View, unit: Unit) -> frozenset[Province]:
    goals = view.chart.goals
    near = [unit, *goals.get(unit, ())]
    return frozenset(goal.province for first in near for goal in (first, *goals.get(first, ())))


def victims(view: View) -> frozenset[Power]:
    """The friends that this player stabs now: those worth it, unless its loyalty holds it back."""
    loyalty = view.personality.loyalty
    rng = random.Random(f"{view.bundle.seed}:stab")
    draws = {friend: rng.random() for friend in view.friends}
    return frozenset(f for f, draw in draws.items() if draw >= loyalty and _is_prey(view, f))


def _is_prey(view: View, friend: Power) -> bool:
    return (
        view.has_only_friends
        or len(view.position.centers[friend]) >= LEADER_CENTERS
        or takeable(view, friend) >= STAB_GAIN
    )
