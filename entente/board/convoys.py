"""Which chains the fleets on the board form, whatever they are ordered."""

from collections.abc import Mapping

from entente.board.geography import Geography, Terrain
from entente.board.types import Position, Province, UnitKind

_Waters = Mapping[Province, frozenset[Province]]
"""What each sea with a fleet in it borders on."""


def is_on_chain(
    position: Position, geography: Geography, fleet: Province, start: Province, goal: Province
) -> bool:
    """True when the fleet's sea lies on some chain between the two coasts, be it a detour.

    By Menger's theorem it does when no single place parts it from both of them.
    """
    waters = _waters(position, geography)
    if fleet not in waters or start == goal:
        return False
    return all(
        _touches(_without(waters, place), fleet, {start, goal} - {place})
        for place in (waters.keys() - {fleet}) | {start, goal}
    )


def _waters(position: Position, geography: Geography) -> _Waters:
    fleets = (unit for units in position.units.values() for unit in units if unit.kind is UnitKind.FLEET)
    return {
        unit.province: frozenset(goal[:3] for goal in geography.neighbours(unit))
        for unit in fleets
        if geography.terrain[unit.province] is Terrain.SEA
    }


def _without(waters: _Waters, place: Province) -> _Waters:
    return {sea: around for sea, around in waters.items() if sea != place}


def _touches(waters: _Waters, fleet: Province, coasts: set[Province]) -> bool:
    """True when a chain of fleets leads from this one to one of the coasts."""
    reached = [fleet]
    for sea in reached:
        reached += [other for other in waters[sea] if other in waters and other not in reached]
    return any(coasts & waters[sea] for sea in reached)
