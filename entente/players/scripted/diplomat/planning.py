"""Orders around commitments: the plan, what another one would cost it, and when a friend is worth more as prey."""

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
from entente.players.scripted.diplomat.view import View
from entente.players.scripted.movement import plan_movement
from entente.players.scripted.values import Values, reached_by
from entente.press.commitments import Commitment
from entente.press.messages import LASTING, CommitmentKind, Statement
from entente.press.terms import BY_ORDER

LEADER_CENTERS = 15
"""A friend of that size is about to win alone."""
STAB_GAIN = 2
"""Centers to be had within two phases for which a disloyal player stabs."""


@dataclass(frozen=True, slots=True)
class Constraints:
    """What the plan must respect."""

    friends: tuple[Power, ...]
    closed: frozenset[Province]
    """Not to be entered: the land of friends, and demilitarized zones."""
    owed: Mapping[Unit, Order]
    """Orders that were agreed, or told to somebody."""


def _constraints(
    view: View, friends: Iterable[Power], agreed: Iterable[Commitment], stated: Iterable[Commitment]
) -> Constraints:
    """What these friends and commitments, and what was told of own orders, demand of the plan."""
    friends, agreed = tuple(friends), tuple(agreed)
    zones = (place for commitment in agreed for place in commitment.locations)
    land = frozenset(zones).union(*(view.land(friend) for friend in friends))
    by_me = [c for c in agreed if c.kind in BY_ORDER and c.bound == (view.me,)]
    return Constraints(friends, land, _by_unit(c.order for c in (*stated, *by_me)))


def current_constraints(view: View) -> Constraints:
    """What everything agreed so far demands."""
    return _constraints(view, view.friends, view.commitments, view.stated)


def constraints_without(view: View, stabbed: Collection[Power]) -> Constraints:
    """The same, with nothing left of what binds to the powers that are about to be stabbed."""
    friends = [friend for friend in view.friends if friend not in stabbed]
    agreed, stated = (
        [c for c in commitments if c.other(view.me) not in stabbed]
        for commitments in (view.commitments, view.stated)
    )
    return _constraints(view, friends, agreed, stated)


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


def make_plan(view: View, constraints: Constraints, *, afresh: bool = False) -> dict[Unit, Order]:
    """An order for each own unit: the saved plan of this phase, bent only where the constraints demand it.

    `afresh` keeps nothing but what is owed.
    """
    values = view.values(constraints.friends)
    units = view.position.units[view.me]
    owed = {unit: order for unit, order in constraints.owed.items() if unit in units}
    saved = _by_unit(view.memory.plan) if view.memory.plan_phase == str(view.position.phase) else {}
    fixed = owed if afresh else owed | _still_good(saved, owed, constraints.closed)
    rng = random.Random(f"{view.bundle.seed}:plan")
    return plan_movement(view.chart, values, units, rng, closed=constraints.closed, fixed=fixed)


def _still_good(
    saved: Mapping[Unit, Order], owed: Mapping[Unit, Order], closed: frozenset[Province]
) -> dict[Unit, Order]:
    """The saved orders that respect the constraints and still make sense beside what is owed."""
    kept = {u: o for u, o in saved.items() if u not in owed and _end(o) not in closed}
    while True:
        plan = {**kept, **owed}
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


def conflicts(view: View, constraints: Constraints, proposal: Statement, partner: Power) -> bool:
    """True when the proposal cannot be kept beside what binds already."""
    match proposal.kind:
        case CommitmentKind.SUPPORT | CommitmentKind.ORDER:
            return _order_conflicts(view, constraints, parse_order(proposal.order))
        case CommitmentKind.DMZ:
            closing = frozenset(proposal.locations)
            if closing & view.land(view.me):
                return True
        case CommitmentKind.PEACE | CommitmentKind.ALLIANCE:
            closing = view.land(partner)
    return any(target_of(order) in closing for order in constraints.owed.values())


def _order_conflicts(view: View, constraints: Constraints, order: Order) -> bool:
    if isinstance(order, Waive) or constraints.owed.get(order.unit, order) != order:
        return True
    target = target_of(order)
    return target in constraints.closed or (isinstance(order, SupportMove) and target in view.land(view.me))


def target_of(order: Order) -> Province | None:
    """Where the order brings a unit, its own or another's."""
    match order:
        case Move() | SupportMove() | Convoy():
            return order.to[:3]
        case _:
            return None


def loss(view: View, constraints: Constraints, proposal: Statement, partner: Power) -> float:
    """The share of the plan's worth that honouring the proposal costs; 0 for what costs nothing.

    Both plans are made without chance and weighed by values that spare nobody.
    """
    then = constraints_with(view, constraints, proposal, partner)
    values = view.values()
    before, after = (_worth(_best_plan(view, c), values) for c in (constraints, then))
    return (before - after) / before if before > 0 else 0.0


def constraints_with(
    view: View, constraints: Constraints, proposal: Statement, partner: Power
) -> Constraints:
    """The constraints with what a partner has proposed, or is proposed, for me or for both."""
    friends, closed, owed = constraints.friends, constraints.closed, constraints.owed
    if proposal.kind in LASTING:
        everybody = tuple(dict.fromkeys((*friends, partner)))
        return Constraints(everybody, closed | view.land(partner), owed)
    if proposal.kind is CommitmentKind.DMZ:
        return Constraints(friends, closed | frozenset(proposal.locations), owed)
    return Constraints(friends, closed, {**owed, **_by_unit([proposal.order])})


def _best_plan(view: View, constraints: Constraints) -> dict[Unit, Order]:
    values = view.values(constraints.friends)
    units = view.position.units[view.me]
    return plan_movement(view.chart, values, units, None, closed=constraints.closed, fixed=constraints.owed)


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
