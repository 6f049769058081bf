"""What each place is worth to a power: the value maps of DumbBot (David Norman, 2002-03).

A *node* is a unit as it would stand somewhere: `A PAR`, `F SPA/NC`. Nodes are joined where that
kind of unit can move at once without a convoy. All that depends on the map alone is kept in a
chart, built once a process and map; the value maps of a power are built once a turn.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from entente.board.engine import load_geography
from entente.board.types import Phase, Position, Power, Province, Season, Unit

DEPTH = 10
"""Proximity maps, the first one included: nothing further away than nine moves counts."""


@dataclass(frozen=True, slots=True)
class Weighting:
    """How a season weighs attack against defence, and near against far."""

    attack: int
    defence: int
    depths: tuple[int, ...]


_NEAR_FIRST = (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1)
_WEIGHTINGS = {
    # Spring wants to stand next to a center, fall in it, since ownership is counted after fall.
    Season.SPRING: Weighting(700, 300, (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1)),
    Season.FALL: Weighting(600, 400, _NEAR_FIRST),
    Season.WINTER: Weighting(700, 300, _NEAR_FIRST),
}


def weighting_of(phase: Phase) -> Weighting:
    """The phase's weights; retreats are weighed as the season they follow."""
    return _WEIGHTINGS[phase.season]


def power_size(centers: int) -> int:
    """What each center of a power of that size is worth: n² + 4n + 16.

    >>> [power_size(n) for n in (0, 3, 4, 12)]
    [16, 37, 48, 208]
    """
    return centers * centers + 4 * centers + 16


@dataclass(frozen=True, slots=True)
class Chart:
    """A map as nodes and neighbours, by number for speed."""

    nodes: tuple[Unit, ...]
    provinces: tuple[Province, ...]
    """The province of each node."""
    near: tuple[tuple[int, ...], ...]
    """Neighbouring nodes, one for each province that can be entered on one coast only."""
    forks: tuple[tuple[tuple[int, ...], ...], ...]
    """Neighbouring nodes by province, where a fleet may choose between coasts."""
    goals: Mapping[Unit, tuple[Unit, ...]]
    """The nodes that can be reached from a node in one move."""
    reach: Mapping[Unit, tuple[Province, ...]]
    """The provinces that can be reached from a node in one move, alphabetical."""


@lru_cache(maxsize=16)
def chart_of(map_name: str) -> Chart:
    """The map's chart, built once a process."""
    borders = load_geography(map_name).borders
    nodes = tuple(Unit(kind, location) for kind, location in borders)
    number = {node: i for i, node in enumerate(nodes)}
    goals = {node: tuple(Unit(node.kind, to) for to in borders[node]) for node in nodes}
    groups = [_by_province(goals[node], number) for node in nodes]
    return Chart(
        nodes=nodes,
        provinces=tuple(node.province for node in nodes),
        near=tuple(tuple(g[0] for g in group if len(g) == 1) for group in groups),
        forks=tuple(tuple(g for g in group if len(g) > 1) for group in groups),
        goals=goals,
        reach={node: tuple(dict.fromkeys(goal.province for goal in goals[node])) for node in nodes},
    )


def _by_province(goals: Iterable[Unit], number: Mapping[Unit, int]) -> list[tuple[int, ...]]:
    groups: dict[Province, list[int]] = {}
    for goal in goals:
        groups.setdefault(goal.province, []).append(number[goal])
    return [tuple(group) for group in groups.values()]


def reached_by(position: Position, power: Power) -> Counter[Province]:
    """How many of the power's units stand in, or can move at once into, each province."""
    reach = chart_of(position.map_name).reach
    count: Counter[Province] = Counter()
    for unit in position.units[power]:
        count[unit.province] += 1
        count.update(reach.get(unit, ()))
    return count


def attack_values(position: Position, power: Power, friends: Iterable[Power] = ()) -> dict[Province, int]:
    """The worth of every center that is not the power's own; those of friends are worth nothing.

    All centers of nobody count as those of one power, which makes them the best targets of the
    first years: a port that leaves this out wins a third of its games where this one wins most.
    """
    spared = {power, *friends}
    sizes = {p: power_size(len(centers)) for p, centers in position.centers.items()}
    owner = {center: p for p, centers in position.centers.items() for center in centers}
    centers = load_geography(position.map_name).centers
    unowned = power_size(sum(center not in owner for center in centers))
    return {
        center: sizes[owner[center]] if center in owner else unowned
        for center in centers
        if owner.get(center) not in spared
    }


def defence_values(
    position: Position, power: Power, reached: Mapping[Power, Mapping[Province, int]]
) -> dict[Province, int]:
    """For each own center that an enemy can enter at once, the size of the largest such enemy."""
    sizes = {enemy: power_size(len(position.centers[enemy])) for enemy in reached}
    worst = {
        center: max((sizes[enemy] for enemy, count in reached.items() if center in count), default=0)
        for center in position.centers[power]
    }
    return {center: size for center, size in worst.items() if size}


def proximity_maps(chart: Chart, worth: Mapping[Province, int]) -> list[list[float]]:
    """Ten maps over the chart's nodes: worth itself, then its spread over one to nine moves."""
    level: list[float] = [float(worth.get(province, 0)) for province in chart.provinces]
    levels = [level]
    for _ in range(DEPTH - 1):
        level = _spread(chart, level)
        levels.append(level)
    return levels


def _spread(chart: Chart, level: list[float]) -> list[float]:
    spread: list[float] = []
    for own, near, forks in zip(level, chart.near, chart.forks, strict=True):
        total = own
        for i in near:
            total += level[i]
        for fork in forks:
            total += max([level[i] for i in fork])
        spread.append(total / 5)
    return spread


@dataclass(frozen=True, slots=True)
class Values:
    """What a power makes of a position before it orders."""

    nodes: Mapping[Unit, float]
    """The worth of sending a unit there, by node."""
    strength: Mapping[Province, int]
    """Own units that stand in the province or can move into it; absent for none."""
    competition: Mapping[Province, int]
    """The most units that any one enemy has in or next to the province; absent for none."""

    def of(self, node: Unit) -> float:
        """The node's worth; 0 for a place that no unit of its kind can leave."""
        return self.nodes.get(node, 0.0)


def value_maps(position: Position, power: Power, friends: Iterable[Power] = ()) -> Values:
    """The power's value maps for the position's phase; friends are neither targets nor dangers."""
    spared = {power, *friends}
    chart = chart_of(position.map_name)
    reached = {enemy: reached_by(position, enemy) for enemy in position.units if enemy not in spared}
    strength, competition = reached_by(position, power), _strongest(reached)
    weights = weighting_of(position.phase)
    attack = attack_values(position, power, friends)
    defence = defence_values(position, power, reached)
    worth = {center: value * weights.attack for center, value in attack.items()}
    worth |= {center: value * weights.defence for center, value in defence.items()}
    if position.phase.season is Season.WINTER:
        ties = {center: 1000 * value for center, value in defence.items()}
    else:
        ties = {p: 1000 * (strength[p] - competition.get(p, 0)) for p in {*strength, *competition}}
    near = _weighted_sum(proximity_maps(chart, worth), weights.depths)
    nodes = {node: value + ties.get(node.province, 0) for node, value in zip(chart.nodes, near, strict=True)}
    return Values(nodes, strength, competition)


def _strongest(reached: Mapping[Power, Mapping[Province, int]]) -> dict[Province, int]:
    most: dict[Province, int] = {}
    for counts in reached.values():
        for province, count in counts.items():
            if count > most.get(province, 0):
                most[province] = count
    return most


def _weighted_sum(levels: list[list[float]], weights: tuple[int, ...]) -> list[float]:
    return [
        sum([w * x for w, x in zip(weights, column, strict=True)]) for column in zip(*levels, strict=True)
    ]
