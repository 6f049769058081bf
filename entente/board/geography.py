"""What never changes on a map: provinces, coasts, borders, homes and names.

Built once a process and map by `entente.board.engine.load_geography`; knows no position.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from entente.board.types import Location, Phase, Power, Province, Unit, UnitKind


class Terrain(StrEnum):
    """Which units may stand in a province."""

    INLAND = "inland"
    COAST = "coast"
    SEA = "sea"


@dataclass(frozen=True, slots=True)
class Geography:
    """One map."""

    map_name: str
    powers: tuple[Power, ...]
    """In the map's own order, which is the order of everything that is listed by power."""
    terrain: Mapping[Province, Terrain]
    """All provinces, alphabetical."""
    names: Mapping[Province, str]
    """`{'PAR': 'Paris', …}`, every province."""
    coasts: Mapping[Province, tuple[Location, ...]]
    """The named coasts of the provinces that have any: `{'SPA': ('SPA/NC', 'SPA/SC')}`."""
    centers: tuple[Province, ...]
    """All supply centers, alphabetical."""
    homes: Mapping[Power, tuple[Province, ...]]
    builds_anywhere: bool
    """True where a power builds in any center that it owns, not only in its homes."""
    start_units: Mapping[Power, tuple[Unit, ...]]
    victory_centers: int
    """So many centers win alone: 18 on the standard map."""
    first_phase: Phase
    aliases: Mapping[str, Location]
    """Full names and accepted abbreviations, in capitals, to locations: `{'PARIS': 'PAR', 'MID': 'MAO'}`."""
    borders: Mapping[tuple[UnitKind, Location], tuple[Location, ...]]
    """Where a unit standing there may go in one move without a convoy, alphabetical; a fleet's goals carry their
    coast where there is one to choose, an army's never do. Only places where that kind may stand are keys."""

    def has(self, location: Location) -> bool:
        """True for a province of the map, or a coast of it."""
        return location in self.terrain or location in self.coasts.get(location[:3], ())

    def neighbours(self, unit: Unit) -> tuple[Location, ...]:
        """Where the unit may go in one move without a convoy, alphabetical."""
        return self.borders.get((unit.kind, unit.location), ())

    def can_reach(self, unit: Unit, province: Province) -> bool:
        """True when the unit may move, and so may give support, into the province, on any coast."""
        return any(goal[:3] == province for goal in self.neighbours(unit))
