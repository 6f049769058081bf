"""DumbBot's movement orders: each unit walks to the best place that no other own unit is in the way of.

Units are ordered one by one. A unit whose goal is held by an own unit without an order waits for
that one; a goal that is contested by an enemy and taken by an own unit is supported instead.
No convoys are ordered.
"""

import random
from collections import deque
from collections.abc import Mapping, Sequence

from entente.board.types import Hold, Move, Order, Province, SupportHold, SupportMove, Unit
from entente.players.scripted.values import Chart, Values
from entente.players.scripted.walk import walk

NO_ORDERS: Mapping[Unit, Order] = {}


def plan_movement(
    chart: Chart,
    values: Values,
    units: Sequence[Unit],
    rng: random.Random | None,
    *,
    closed: frozenset[Province] = frozenset(),
    fixed: Mapping[Unit, Order] = NO_ORDERS,
) -> dict[Unit, Order]:
    """One order for each unit, in the order of `units`.

    `closed` provinces are not entered, and are left where another place can be reached. Orders in
    `fixed` stand as they are and the rest is planned around them. Without an `rng` every unit takes
    its best choice, in the order given: the same plan whenever it is asked for.
    """
    planner = _Planner(chart, values, units, rng, closed, fixed)
    planner.order_all()
    planner.use_wasted_holds()
    return {unit: planner.orders[unit] for unit in units}


class _Planner:
    """The state of one plan while it is made."""

    def __init__(
        self,
        chart: Chart,
        values: Values,
        units: Sequence[Unit],
        rng: random.Random | None,
        closed: frozenset[Province],
        fixed: Mapping[Unit, Order],
    ) -> None:
        self.chart = chart
        self.values = values
        self.rng = rng
        self.closed = closed
        self.orders: dict[Unit, Order] = dict(fixed)
        self.fixed = frozenset(fixed)
        self.standing = {unit.province: unit for unit in units}
        self.entering = {order.to[:3]: order for order in fixed.values() if isinstance(order, Move)}
        self.waits_for: dict[Unit, Unit] = {}
        self.queue = deque(unit for unit in units if unit not in fixed)
        if rng is not None:
            rng.shuffle(self.queue)

    def order_all(self) -> None:
        """Give every unit a first order."""
        while self.queue:
            unit = self.queue.popleft()
            order = self._decide(unit)
            if order is None:
                continue
            self.orders[unit] = order
            if isinstance(order, Move):
                self.entering[order.to[:3]] = order
            waiting = [other for other, awaited in self.waits_for.items() if awaited == unit]
            for other in waiting:
                del self.waits_for[other]
            self.queue.extendleft(reversed(waiting))

    def _decide(self, unit: Unit) -> Order | None:
        """The unit's order, or None when it has begun to wait for another of ours."""
        options = self._options(unit)
        while options:
            _, goal = options.pop(walk([value for value, _ in options], self.rng))
            occupant = self.standing.get(goal.province)
            if occupant not in (None, unit) and occupant not in self.orders:
                self.waits_for[unit] = occupant
                return None
            order = self._order_to(unit, goal)
            if order is not None:
                return order
        return Hold(unit)

    def _options(self, unit: Unit) -> list[tuple[float, Unit]]:
        """Where the unit may try to be, with what that is worth, best first."""
        goals = [goal for goal in self.chart.goals.get(unit, ()) if self._may_enter(unit, goal)]
        options = [(self.values.of(goal), goal) for goal in goals]
        if unit.province not in self.entering and unit.province not in self.closed:
            options.append((self.values.of(unit) + 1, unit))
        return sorted(options, key=lambda option: (-option[0], option[1].location))

    def _may_enter(self, unit: Unit, goal: Unit) -> bool:
        if goal.province in self.closed:
            return False
        occupant = self.standing.get(goal.province)
        return occupant is None or not (self._awaits(occupant, unit) or self._swaps(occupant, unit))

    def _awaits(self, waiting: Unit, unit: Unit) -> bool:
        """True when the first waits for the second, be it through others: waiting back would be a circle."""
        awaited: Unit | None = waiting
        while awaited is not None and awaited != unit:
            awaited = self.waits_for.get(awaited)
        return awaited == unit

    def _swaps(self, occupant: Unit, unit: Unit) -> bool:
        order = self.orders.get(occupant)
        return isinstance(order, Move) and order.to[:3] == unit.province

    def _order_to(self, unit: Unit, goal: Unit) -> Order | None:
        """The order by which the unit serves that goal, or None when it is of no use there."""
        if goal == unit:
            return Hold(unit)
        rivals = self.values.competition.get(goal.province, 0)
        occupant = self.standing.get(goal.province)
        if occupant is not None and not isinstance(self.orders[occupant], Move):
            return SupportHold(unit, occupant) if rivals > 1 else None
        comrade = self.entering.get(goal.province)
        if comrade is not None:
            return SupportMove(unit, comrade.unit, goal.province) if rivals > 0 else None
        return Move(unit, goal.location)

    def use_wasted_holds(self) -> None:
        """Turn each hold into the most valuable support there is for it."""
        for unit, order in self.orders.items():
            if isinstance(order, Hold) and unit not in self.fixed:
                supports = self._supports(unit)
                if supports:
                    self.orders[unit] = max(supports, key=lambda support: (support[0], str(support[1])))[1]

    def _supports(self, unit: Unit) -> list[tuple[float, Order]]:
        found: list[tuple[float, Order]] = []
        competition = self.values.competition
        for province in self.chart.reach.get(unit, ()):
            comrade, occupant = self.entering.get(province), self.standing.get(province)
            if comrade is not None and competition.get(province, 0) > 0:
                value = self.values.of(Unit(comrade.unit.kind, comrade.to))
                found.append((value, SupportMove(unit, comrade.unit, province)))
            if occupant is None or isinstance(self.orders[occupant], Move):
                continue
            if competition.get(province, 0) > 1:
                found.append((self.values.of(occupant), SupportHold(unit, occupant)))
        return found
