"""What a power can do in a position, spelled out for a model that does not know the map by heart.

For each of its units: where it stands, the legal moves with who is there and who else can come, the legal
supports and convoys word by word, and what lies nearest. Models' illegal orders are nearly all supports to
provinces that the unit cannot reach, so none of them is left to be worked out.
"""

from collections.abc import Iterable, Sequence
from itertools import islice

from entente.board.engine import Board
from entente.board.types import (
    Build,
    Convoy,
    Disband,
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
from entente.players.model.survey import Survey, survey

NEAREST = 3
"""So many foreign units, and so many centers to win, are named for each unit."""


def situation(board: Board, power: Power) -> str:
    """The power's own side of the position, some lines for each unit that it may order; kept as long as the board."""
    seen = survey(board)
    if power not in seen.texts:
        writer = {
            PhaseKind.MOVEMENT: _movement,
            PhaseKind.RETREATS: _retreats,
            PhaseKind.ADJUSTMENTS: _adjustments,
        }[board.phase.kind]
        seen.texts[power] = writer(board, power, seen)
    return seen.texts[power]


def _movement(board: Board, power: Power, seen: Survey) -> str:
    # By province: the engine files the orders of a fleet on a named coast under the province.
    legal = {location[:3]: orders for location, orders in board.legal_orders[power].items()}
    blocks = [
        _unit_block(board.position.map_name, power, unit, legal.get(unit.province, ()), seen)
        for unit in board.position.units[power]
    ]
    return "\n".join(blocks) or "You have no units."


def _unit_block(map_name: str, power: Power, unit: Unit, legal: Sequence[Order], seen: Survey) -> str:
    lines = [
        _stand(power, unit, seen),
        *_moves(power, legal, seen),
        _listed("by convoy", _via(legal)),
        _listed("supports", _supports(power, legal, seen)),
        _listed("supports for others", _foreign_supports(power, legal, seen)),
        _listed("convoys", _convoys(legal)),
        _listed("next units", _nearest_units(map_name, power, unit, seen)),
        _listed("next centers", _nearest_centers(map_name, power, unit, seen)),
    ]
    return "\n".join(filter(None, lines))


def _stand(power: Power, unit: Unit, seen: Survey) -> str:
    """`A PAR (inland, own center), in reach of A BUR GERMANY`."""
    province = unit.province
    center = seen.center(province, power)
    kind = seen.geography.terrain[province].value
    threats = seen.foreign_reachers(province, power)
    return f"{unit} ({kind}{center and f', {center}'}){threats and f', in reach of {threats}'}"


def _moves(power: Power, legal: Iterable[Order], seen: Survey) -> list[str]:
    """A line for each legal move, ` - BUR empty; can come: A MUN GERMANY`."""
    goals = [order.to for order in legal if isinstance(order, Move) and not order.via_convoy]
    return [f" - {goal} {_facts(power, goal[:3], seen)}" for goal in goals]


def _facts(power: Power, province: Province, seen: Survey) -> str:
    center = seen.center(province, power)
    comers = seen.foreign_reachers(province, power)
    stands = seen.occupied(province, power)
    return f"{stands}{center and f', {center}'}{comers and f'; can come: {comers}'}"


def _via(legal: Iterable[Order]) -> list[str]:
    goals = [order.to for order in legal if isinstance(order, Move) and order.via_convoy]
    return [f"- {' / '.join(goals)} VIA"] if goals else []


def _supports(power: Power, legal: Iterable[Order], seen: Survey) -> list[str]:
    return [
        _support(order)
        for order in legal
        if isinstance(order, SupportHold | SupportMove) and _owner(order.supported, seen) == power
    ]


def _foreign_supports(power: Power, legal: Iterable[Order], seen: Survey) -> list[str]:
    """By power, the goals of one unit together: `ITALY S A NAP, S A NAP - ROM / TUN`."""
    found: dict[Power, dict[str, str]] = {}
    for order in legal:
        if isinstance(order, SupportHold | SupportMove) and (owner := _owner(order.supported, seen)) != power:
            base, _, goal = _support(order).partition(" - ")
            start = f"{base} - " if goal else base
            some = found.setdefault(owner, {})
            some[start] = f"{some[start]} / {goal}" if start in some else f"{start}{goal}"
    return [f"{owner} {', '.join(some.values())}" for owner, some in found.items()]


def _support(order: SupportHold | SupportMove) -> str:
    return str(order).split(" ", 2)[2]


def _owner(unit: Unit, seen: Survey) -> Power:
    return seen.occupants[unit.province][1]


def _convoys(legal: Iterable[Order]) -> list[str]:
    goals: dict[Unit, list[Province]] = {}
    for order in legal:
        if isinstance(order, Convoy):
            goals.setdefault(order.army, []).append(order.to)
    return [f"C {army} - {' / '.join(to)}" for army, to in goals.items()]


def _nearest_units(map_name: str, power: Power, unit: Unit, seen: Survey, *, above: int = 1) -> list[str]:
    found = (
        (seen.named(seen.occupants[province], power), way)
        for province, way in way_of(map_name, unit).items()
        if province in seen.occupants and seen.occupants[province][1] != power
    )
    return _with_ways(found, above)


def _nearest_centers(map_name: str, power: Power, unit: Unit, seen: Survey) -> list[str]:
    found = (
        (f"{province} {seen.owners.get(province, 'free')}", way)
        for province, way in way_of(map_name, unit).items()
        if province in seen.geography.centers and seen.owners.get(province) != power
    )
    return _with_ways(found, 1)


def _with_ways(found: Iterable[tuple[str, Sequence[Province]]], above: int) -> list[str]:
    """Of the nearest three those that are more than so many moves away: the moves of a unit show what is next to it.

    `A MUN GERMANY 2 by BUR`: two moves, and the provinces on the way.
    """
    return [
        f"{name} {len(way)}{' by ' if way[:-1] else ''}{' '.join(way[:-1])}"
        for name, way in islice(found, NEAREST)
        if len(way) > above
    ]


def _listed(label: str, words: Sequence[str]) -> str:
    return f" {label}: {', '.join(words)}" if words else ""


def _retreats(board: Board, power: Power, seen: Survey) -> str:
    lines: list[str] = []
    for unit, goals in board.position.dislodged[power].items():
        lines.append(f"{unit} is dislodged by {seen.occupied(unit.province, power)}; it may")
        lines += [f" R {goal} {_facts(power, goal[:3], seen)}" for goal in goals]
        lines.append(" D (disband)")
    return "\n".join(lines) or "You have nothing to retreat."


def _adjustments(board: Board, power: Power, seen: Survey) -> str:
    count = board.builds[power]
    legal = board.all_orders(power)
    if count > 0:
        builds = ", ".join(str(order) for order in legal if isinstance(order, Build))
        return f"You may build {count}. Legal: {builds}, or WAIVE for a build that you do without."
    disbands = [order for order in legal if isinstance(order, Disband)]
    if not disbands:
        return "You have nothing to build or disband."
    lines = [f" {order} {_last_stand(board, power, order.unit, seen)}" for order in disbands]
    return "\n".join([f"You must disband {-count} of these.", *lines])


def _last_stand(board: Board, power: Power, unit: Unit, seen: Survey) -> str:
    """What is known of a unit that may be disbanded: the center under it and the nearest foreign units."""
    near = _nearest_units(board.position.map_name, power, unit, seen, above=0)
    facts = [seen.center(unit.province, power) or "no center", _listed("next units", near).strip()]
    return ", ".join(filter(None, facts))
