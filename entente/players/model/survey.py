"""What a position looks like from every province: made once a board, for all powers that are asked about it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from entente.board.engine import Board
from entente.board.geography import Geography
from entente.board.types import Power, Province, Unit

NOBODY = "nobody"
"""The owner of a supply center that nobody has."""


@dataclass(frozen=True, slots=True)
class Survey:
    """Lookup tables of one position; holds nothing that keeps its board alive."""

    geography: Geography
    occupants: Mapping[Province, tuple[Unit, Power]]
    owners: Mapping[Province, Power]
    """Of owned supply centers; those of nobody are left out."""
    reachers: Mapping[Province, tuple[tuple[Unit, Power], ...]]
    """Who may move into a province at once, without a convoy, in the position's order."""
    texts: dict[tuple[Power, bool, bool], str] = field(default_factory=dict[tuple[Power, bool, bool], str])
    """What was written of the position, by power and whether it is short or bare: a power is asked several times in a
    phase."""
    threatened: dict[Power, dict[Province, list[str]]] = field(
        default_factory=dict[Power, dict[Province, list[str]]]
    )
    """Which centers of a power others can enter, kept for the same reason."""

    def occupied(self, province: Province, viewer: Power) -> str:
        """Who stands there: `empty`, `your F`, `A GERMANY`, and the coast where there are two: `F/SC ITALY`."""
        if province not in self.occupants:
            return "empty"
        unit, power = self.occupants[province]
        stands = f"{unit.kind.value}{unit.location[3:]}"
        return f"your {stands}" if power == viewer else f"{stands} {power}"

    def named(self, whose: tuple[Unit, Power], viewer: Power) -> str:
        """A unit and whose it is."""
        unit, power = whose
        return f"your {unit}" if power == viewer else f"{unit} {power}"

    def center(self, province: Province, viewer: Power) -> str:
        """Whose supply center it is: empty for none, `your center`, `nobody's center`, `GERMANY's center`."""
        if province not in self.geography.centers:
            return ""
        owner = self.owners.get(province, NOBODY)
        return "your center" if owner == viewer else f"{owner}'s center"

    def owner(self, unit: Unit) -> Power:
        """Whose unit it is."""
        return self.occupants[unit.province][1]

    def foreign_reachers(self, province: Province, viewer: Power) -> list[str]:
        """Other powers' units that may move there at once, `["A MUN GERMANY", "F LON ENGLAND"]`."""
        return [f"{unit} {power}" for unit, power in self.reachers.get(province, ()) if power != viewer]


_SURVEYS: WeakKeyDictionary[Board, Survey] = WeakKeyDictionary()


def survey(board: Board) -> Survey:
    """The board's tables, made at the first call for it."""
    if board not in _SURVEYS:
        _SURVEYS[board] = _made(board)
    return _SURVEYS[board]


def _made(board: Board) -> Survey:
    at, geography = board.position, board.geography
    units = [(unit, power) for power in board.powers for unit in at.units[power]]
    reachers: dict[Province, list[tuple[Unit, Power]]] = {}
    for unit, power in units:
        for province in dict.fromkeys(goal[:3] for goal in geography.neighbours(unit)):
            reachers.setdefault(province, []).append((unit, power))
    return Survey(
        geography=geography,
        occupants={unit.province: (unit, power) for unit, power in units},
        owners={center: power for power in board.powers for center in at.centers[power]},
        reachers={province: tuple(found) for province, found in reachers.items()},
    )
