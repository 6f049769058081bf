"""What prompts say of a map that never changes: its table of borders, and the shortest ways on it.

Everything here is made once a process and map, since half of a peer's CPU went into making it for each prompt.
"""

from collections.abc import Mapping
from functools import cache, lru_cache

from entente.board.engine import load_geography
from entente.board.geography import Geography
from entente.board.maps import SAFE_MAPS
from entente.board.types import Location, Province, Unit, UnitKind


@lru_cache(maxsize=len(SAFE_MAPS))
def map_table(map_name: str) -> str:
    """Every province on a line: code, name, whose home center, and where armies and fleets go from it.

    Whether it is land, coast or sea can be seen from who goes there.
    """
    geography = load_geography(map_name)
    return "\n".join(_province_line(geography, province) for province in geography.terrain)


@lru_cache(maxsize=len(SAFE_MAPS))
def map_names(map_name: str) -> str:
    """Every province's code and name, and whose home center it is, without borders: for small models."""
    geography = load_geography(map_name)
    return ", ".join(_named(geography, province) for province in geography.terrain)


@cache
def ways(map_name: str, kind: UnitKind, location: Location) -> Mapping[Province, tuple[Province, ...]]:
    """The shortest way from the location to each province that such a unit can get to, without convoys.

    A way has the provinces entered, the goal last; nearer provinces come first. At most a few hundred of these
    tables exist for a map, and each has fewer entries than the map has provinces.
    """
    borders = load_geography(map_name).borders
    found: dict[Province, tuple[Province, ...]] = {}
    seen, edge = {location}, [(location, ())]
    while edge:
        ahead: list[tuple[Location, tuple[Province, ...]]] = []
        for place, way in edge:
            for goal in borders.get((kind, place), ()):
                if goal in seen:
                    continue
                seen.add(goal)
                here = (*way, goal[:3])
                found.setdefault(goal[:3], here)
                ahead.append((goal, here))
        edge = ahead
    found.pop(location[:3], None)
    return found


def way_of(map_name: str, unit: Unit) -> Mapping[Province, tuple[Province, ...]]:
    """The shortest ways of a unit from where it stands."""
    return ways(map_name, unit.kind, unit.location)


def _province_line(geography: Geography, province: Province) -> str:
    goals = [_goals(geography, "A", province)]
    goals += [
        _goals(geography, f"F{place[3:]}", place) for place in geography.coasts.get(province, (province,))
    ]
    return f"{_named(geography, province)}: {'; '.join(filter(None, goals))}"


def _named(geography: Geography, province: Province) -> str:
    """`PAR Paris *FRANCE`."""
    home = next((power for power, homes in geography.homes.items() if province in homes), "")
    center = f" *{home}" if province in geography.centers else ""
    return f"{province} {geography.names[province]}{center}"


def _goals(geography: Geography, label: str, location: Location) -> str:
    goals = geography.borders.get((UnitKind(label[0]), location), ())
    return f"{label} {' '.join(goals)}" if goals else ""
