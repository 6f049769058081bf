"""A search for a movement phase's orders: one step of best response to what the others are likely to do.

The others are taken to play as DumbBot does, and a few of their replies are drawn. Whole plans of DumbBot's are held
against each of them; a good one is then changed, one unit or one supported move at a time, for as long as a change
is worth more on average. No convoys are ordered, nor expected.
"""

import asyncio
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from entente.board.melee import Intent, fight, intent_of
from entente.board.types import (
    Hold,
    Move,
    Order,
    Position,
    Power,
    Province,
    SupportHold,
    SupportMove,
    Unit,
)
from entente.players.scripted.movement import plan_movement
from entente.players.scripted.prospects import Ending, Prospects
from entente.players.scripted.values import chart_of, value_maps

T = TypeVar("T")

Plan = Mapping[Unit, Order]
"""An order for each of the power's units, in the position's order."""

REPLIES = 6
"""Joint replies of the others that are drawn."""
OPENINGS = 12
"""DumbBot's plans that are drawn to begin with, beside the one of its first choices."""
PASSES = 2
"""How often each unit is looked at again, at most."""
_SPARE_OPENINGS = 2
"""Openings that are improved beyond the plans that are wanted: some come to the same aims."""


@dataclass(frozen=True, slots=True)
class Forecast:
    """A plan, and what came of it."""

    plan: Plan
    worth: float
    """The mean over the replies, in centers."""
    endings: tuple[Ending, ...]
    """One for each reply."""


class Search:
    """One power's search in one movement phase; the same position and seed give the same forecasts."""

    def __init__(self, position: Position, power: Power, rng: random.Random) -> None:
        self._rng = rng
        self._chart = chart_of(position.map_name)
        self._units = position.units[power]
        self._owners = {unit.province: p for p, units in position.units.items() for unit in units}
        self._values = value_maps(position, power)
        self._prospects = Prospects(position, power, self._values)
        self._replies = self._draw_replies(position, power)

    def _draw_replies(self, position: Position, power: Power) -> list[dict[Province, Intent]]:
        replies: list[dict[Province, Intent]] = [{} for _ in range(REPLIES)]
        for other, units in position.units.items():
            if other != power and units:
                values = value_maps(position, other)
                for reply in replies:
                    reply |= _intents(plan_movement(self._chart, values, units, self._rng))
        return replies

    def openings(self) -> list[Forecast]:
        """DumbBot's plans, no two the same, the best first."""
        plans = [plan_movement(self._chart, self._values, self._units, None)]
        for _ in range(OPENINGS):
            plan = plan_movement(self._chart, self._values, self._units, self._rng)
            if plan not in plans:
                plans.append(plan)
        return _best_first(map(self.forecast, plans))

    def improve(self, best: Forecast) -> Iterator[Forecast]:
        """The forecast, and then the best one found so far each time that a unit was looked at."""
        yield best
        for _ in range(PASSES):
            before = best
            for unit in self._units:
                for change in self._changes(unit, best.plan):
                    changed = self.forecast({**best.plan, **change})
                    if changed.worth > best.worth:
                        best = changed
                yield best
            if best is before:
                return

    def proposals(self, count: int) -> Iterator[tuple[Forecast, ...]]:
        """Nothing while it searches, and then so many plans, no two with the same aims, the best first.

        There are fewer where the power has hardly anything to choose from.
        """
        found: list[Forecast] = []
        for opening in self.openings()[: count + _SPARE_OPENINGS]:
            best = opening
            for best in self.improve(opening):  # noqa: B007 - the last one is what is wanted
                yield ()
            found.append(best)
        if len(_by_aims(found)) < count:
            plan = max(found, key=lambda forecast: forecast.worth).plan
            for unit in self._units:
                yield ()
                found += (self.forecast({**plan, **change}) for change in self._changes(unit, plan))
        yield tuple(_by_aims(found))[:count]

    def forecast(self, plan: Plan) -> Forecast:
        """What comes of the plan against each reply."""
        mine = _intents(plan)
        endings = tuple(
            self._prospects.ending(plan, fight(self._owners, reply | mine)) for reply in self._replies
        )
        return Forecast(plan, sum([self._prospects.worth(each) for each in endings]) / len(endings), endings)

    def _changes(self, unit: Unit, plan: Plan) -> Iterator[Plan]:
        """Other orders for the unit, and its moves with the support of another one."""
        yield {unit: Hold(unit)}
        for goal in self._chart.goals.get(unit, ()):
            move = Move(unit, goal.location)
            yield {unit: move}
            for other in self._units:
                if other != unit and goal.province in self._chart.reach.get(other, ()):
                    yield {unit: move, other: SupportMove(other, unit, goal.province)}
        near = self._chart.reach.get(unit, ())
        for other, order in plan.items():
            goal = order.to[:3] if isinstance(order, Move) else other.province
            if other != unit and goal in near:
                yield {
                    unit: SupportMove(unit, other, goal)
                    if isinstance(order, Move)
                    else SupportHold(unit, other)
                }


def _best_first(forecasts: Iterable[Forecast]) -> list[Forecast]:
    return sorted(forecasts, key=lambda forecast: -forecast.worth)


def _by_aims(forecasts: Iterable[Forecast]) -> list[Forecast]:
    """Of those with the same aims the best one, the best first."""
    found: list[Forecast] = []
    for forecast in _best_first(forecasts):
        if all(_aims(forecast.plan) != _aims(other.plan) for other in found):
            found.append(forecast)
    return found


def _aims(plan: Plan) -> set[Province]:
    """Where the units are to be, whichever of them goes and which supports it."""
    return {intent.to or intent.against or at for at, intent in _intents(plan).items()}


def _intents(plan: Plan) -> dict[Province, Intent]:
    return {unit.province: intent_of(order) for unit, order in plan.items()}


async def settled(steps: Iterator[T]) -> T:
    """The last of the steps; other tasks run between two of them, which take some milliseconds each."""
    last = next(steps)
    for last in steps:  # noqa: B007 - the last one is what is wanted
        await asyncio.sleep(0)
    return last
