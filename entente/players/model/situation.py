"""What a power can do in a position, spelled out for a model that does not know the map by heart.

Each legal order stands on a line of its own, whole, so that it can be copied as it is; behind a colon stands what
there is to know of it. Models' illegal orders are nearly all supports to provinces that the unit cannot reach, so
nothing is left to be put together.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from entente.board.engine import Board
from entente.board.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    PhaseKind,
    Power,
    Province,
    SupportHold,
    SupportMove,
    Unit,
)
from entente.players.model.chart import way_of
from entente.players.model.survey import NOBODY, Survey, survey

NEAREST = 3
"""So many foreign units, and so many centers to win, are named for each unit."""


def situation(board: Board, power: Power, *, short: bool = False, bare: bool = False) -> str:
    """The power's own side of the position, some lines for each unit that it may order; kept as long as the board.

    A `short` one leaves out supports and convoys of others' units, and most of what there is to know of an order; one
    that is `bare` too leaves out supports against which no other unit stands near.
    """
    seen = survey(board)
    key = (power, short, bare)
    if key not in seen.texts:
        seen.texts[key] = _written(board, power, seen, short, bare)
    return seen.texts[key]


def _written(board: Board, power: Power, seen: Survey, short: bool, bare: bool) -> str:
    match board.phase.kind:
        case PhaseKind.MOVEMENT if short:
            return _short_movement(board, power, seen, bare)
        case PhaseKind.MOVEMENT:
            return _movement(board, power, seen)
        case PhaseKind.RETREATS:
            return _retreats(board, power, seen)
        case PhaseKind.ADJUSTMENTS:
            return _adjustments(board, power, seen)


def _short_movement(board: Board, power: Power, seen: Survey, bare: bool) -> str:
    """Under each unit its orders, with who is at the goal of a move and whose center that is."""
    legal, lines, left_out = _legal(board, power), list[str](), 0
    for unit in board.position.units[power]:
        own = [order for order in legal[unit.province] if _is_own(power, order, seen)]
        told = [order for order in own if not bare or _is_of_use(power, order, seen)]
        left_out += len(own) - len(told)
        lines += (str(unit), *(_short_line(power, order, seen) for order in told))
    if left_out:
        lines.append(f"(Left out: {left_out} supports against which nobody's unit stands near.)")
    return "\n".join(lines) or "You have no units."


def _is_own(power: Power, order: Order, seen: Survey) -> bool:
    """False for what helps another power's unit."""
    match order:
        case SupportHold() | SupportMove():
            return seen.owner(order.supported) == power
        case Convoy():
            return seen.owner(order.army) == power
        case _:
            return True


def _is_of_use(power: Power, order: Order, seen: Survey) -> bool:
    """False for a support where no other power's unit stands, or could move to at once without a convoy."""
    match order:
        case SupportMove():
            goal = order.to[:3]
        case SupportHold():
            goal = order.supported.province
        case _:
            return True
    is_foreign = goal in seen.occupants and seen.occupants[goal][1] != power
    return is_foreign or bool(seen.foreign_reachers(goal, power))


def _short_line(power: Power, order: Order, seen: Survey) -> str:
    if not isinstance(order, Move):
        return _line(order)
    goal = order.to[:3]
    stands = seen.occupied(goal, power) if goal in seen.occupants else ""
    return _line(order, ", ".join(filter(None, [stands, seen.center(goal, power)])))


def _movement(board: Board, power: Power, seen: Survey) -> str:
    legal = _legal(board, power)
    helpers = _helpers(board.all_orders(power))
    blocks = [
        _unit_block(board.position.map_name, power, unit, legal[unit.province], helpers, seen)
        for unit in board.position.units[power]
    ]
    return "\n".join(blocks) or "You have no units."


def _legal(board: Board, power: Power) -> Mapping[Province, Sequence[Order]]:
    # By province: the engine files the orders of a fleet on a named coast under the province.
    return {location[:3]: orders for location, orders in board.legal_orders[power].items()}


_Helpers = Mapping[tuple[Unit, Province | None], Sequence[Unit]]
"""Own units that can support a unit's move, or to None its holding."""


def _helpers(orders: Iterable[Order]) -> _Helpers:
    found: dict[tuple[Unit, Province | None], list[Unit]] = {}
    for order in orders:
        if isinstance(order, SupportMove):
            found.setdefault((order.supported, order.to), []).append(order.unit)
        elif isinstance(order, SupportHold):
            found.setdefault((order.supported, None), []).append(order.unit)
    return found


def _unit_block(
    map_name: str, power: Power, unit: Unit, legal: Sequence[Order], helpers: _Helpers, seen: Survey
) -> str:
    """The unit, then its hold, moves, supports and convoys, then what lies beyond its neighbors."""
    lines = [
        _stand(power, unit, seen),
        *(_line(order, _support_of(unit, None, helpers)) for order in legal if isinstance(order, Hold)),
        *(_move(power, order, helpers, seen) for order in legal if isinstance(order, Move)),
        *(_line(order, _ally(power, order, seen)) for order in _by_owner(power, legal, seen)),
        *(_line(order) for order in legal if isinstance(order, Convoy)),
        _listed("units beyond", _nearest_units(map_name, power, unit, seen)),
        _listed("centers beyond", _nearest_centers(map_name, power, unit, seen)),
    ]
    return "\n".join(filter(None, lines))


def _line(order: Order, *facts: str) -> str:
    told = "; ".join(filter(None, facts))
    return f" {order}: {told}" if told else f" {order}"


def _stand(power: Power, unit: Unit, seen: Survey) -> str:
    """`A PAR (inland, your center); can attack it: A BUR GERMANY`."""
    province = unit.province
    center = seen.center(province, power)
    kind = seen.geography.terrain[province].value
    return f"{unit} ({kind}{center and f', {center}'}){_reach(power, province, seen, 'can attack it')}"


def _move(power: Power, order: Move, helpers: _Helpers, seen: Survey) -> str:
    goal = order.to[:3]
    return _line(order, f"{_facts(power, goal, seen)}{_tail(_support_of(order.unit, goal, helpers))}")


def _tail(told: str) -> str:
    return f"; {told}" if told else ""


def _support_of(unit: Unit, goal: Province | None, helpers: _Helpers) -> str:
    """`support: A MAR, F BRE`, of one's own; empty for none."""
    own = ", ".join(map(str, helpers.get((unit, goal), ())))
    return f"support: {own}" if own else ""


def _facts(power: Power, province: Province, seen: Survey) -> str:
    """`empty, ITALY's center; can come: A VEN ITALY`."""
    center = seen.center(province, power)
    rivals = _reach(power, province, seen, "can come")
    return f"{seen.occupied(province, power)}{center and f', {center}'}{rivals}"


def _reach(power: Power, province: Province, seen: Survey, words: str) -> str:
    comers = seen.foreign_reachers(province, power)
    return f"; {words}: {', '.join(comers)}" if comers else ""


def _by_owner(power: Power, legal: Iterable[Order], seen: Survey) -> list[SupportHold | SupportMove]:
    """The supports, of one's own units before those of others."""
    supports = [order for order in legal if isinstance(order, SupportHold | SupportMove)]
    return sorted(supports, key=lambda order: seen.owner(order.supported) != power)


def _ally(power: Power, order: SupportHold | SupportMove, seen: Survey) -> str:
    """Whose unit is supported, where that is another power's."""
    owner = seen.owner(order.supported)
    return "" if owner == power else f"for {owner}"


def _nearest_units(map_name: str, power: Power, unit: Unit, seen: Survey, *, above: int = 1) -> list[str]:
    found = (
        (seen.named(seen.occupants[province], power), way)
        for province, way in way_of(map_name, unit).items()
        if province in seen.occupants and seen.occupants[province][1] != power
    )
    return _with_ways(found, above)


def _nearest_centers(map_name: str, power: Power, unit: Unit, seen: Survey) -> list[str]:
    found = (
        (f"{province} ({seen.owners.get(province, NOBODY)})", way)
        for province, way in way_of(map_name, unit).items()
        if province in seen.geography.centers and seen.owners.get(province) != power
    )
    return _with_ways(found, 1)


def _with_ways(found: Iterable[tuple[str, Sequence[Province]]], above: int) -> list[str]:
    """Of the nearest three those that are more than so many moves away: the moves of a unit show what is next to it.

    `A MUN GERMANY in 2 moves by BUR`: the provinces on the way behind `by`.
    """
    return [
        f"{name} in {len(way)} move{'s' * (len(way) > 1)}{' by ' if way[:-1] else ''}{' '.join(way[:-1])}"
        for name, way in islice(found, NEAREST)
        if len(way) > above
    ]


def _listed(label: str, words: Sequence[str]) -> str:
    return f" {label}: {', '.join(words)}" if words else ""


def _retreats(board: Board, power: Power, seen: Survey) -> str:
    lines: list[str] = []
    for unit, goals in board.position.dislodged[power].items():
        attacker, owner = seen.occupants[unit.province]
        lines.append(f"{unit} was dislodged: {attacker} {owner} stands there now.")
        lines += [f" {unit} R {goal}: {_facts(power, goal[:3], seen)}" for goal in goals]
        lines.append(f" {unit} D: disband it")
    return "\n".join(lines) or "You have nothing to retreat."


def _adjustments(board: Board, power: Power, seen: Survey) -> str:
    count = board.builds[power]
    legal = board.all_orders(power)
    if count > 0:
        builds = [f" {order}" for order in legal if isinstance(order, Build)]
        units = "unit" if count == 1 else "units, each in another center"
        return "\n".join([f"You may build {count} {units}.", *builds, " WAIVE: do without one build"])
    disbands = [order for order in legal if isinstance(order, Disband)]
    if not disbands:
        return "You have nothing to build or disband."
    lines = [f" {order}: {_last_stand(board, power, order.unit, seen)}" for order in disbands]
    return "\n".join([f"You must disband {-count} of these {len(lines)}.", *lines])


def _last_stand(board: Board, power: Power, unit: Unit, seen: Survey) -> str:
    """What is known of a unit that may be disbanded: the center under it and the nearest foreign units."""
    near = _nearest_units(board.position.map_name, power, unit, seen, above=0)
    facts = [seen.center(unit.province, power) or "no center", _listed("nearest units", near).strip()]
    return "; ".join(filter(None, facts))
