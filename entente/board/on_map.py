"""Whether a position is one of its map: the engine takes any name, and fails over it later, or never.

Whether it can be reached by play is not asked.
"""

from collections import Counter
from collections.abc import Iterable

from entente.board.geography import Geography
from entente.board.types import Position
from entente.errors import BadSnapshot


def check_on_map(position: Position, geography: Geography) -> None:
    """Raise BadSnapshot for a unit, retreat, center or colour where the map has none, and for one that is twice."""
    in_place = [unit for units in position.units.values() for unit in units]
    dislodged = [unit for units in position.dislodged.values() for unit in units]
    if not geography.borders.keys() >= {(unit.kind, unit.location) for unit in (*in_place, *dislodged)}:
        raise BadSnapshot("A position of its map was wanted and a unit stands where it cannot.")
    retreats = [goal for units in position.dislodged.values() for goals in units.values() for goal in goals]
    owned = [center for centers in position.centers.values() for center in centers]
    colours = [place for places in position.influence.values() for place in places]
    if not (all(map(geography.has, [*retreats, *colours])) and {*geography.centers}.issuperset(owned)):
        raise BadSnapshot("A position of its map was wanted and it names a place that the map has not.")
    for places in (
        [unit.province for unit in in_place],
        [unit.province for unit in dislodged],
        owned,
        colours,
    ):
        if not _are_apart(places):
            raise BadSnapshot("A position of its map was wanted and a place in it is two powers'.")


def _are_apart(places: Iterable[str]) -> bool:
    return max(Counter(places).values(), default=1) == 1
