"""How a movement phase ends for one power, and what it makes of that, in centers."""

from collections.abc import Mapping
from typing import NamedTuple

from entente.board.engine import load_geography
from entente.board.melee import Fray
from entente.board.types import Move, Order, Position, Power, Province, Season, Unit
from entente.players.scripted.values import Values, chart_of

CENTER = 1.0
"""A center won or lost when fall ends."""
THREATENED = 0.5
"""An own center in which an enemy stands after spring."""
BEATEN = 0.5
"""An own unit that was dislodged: it goes where it was not meant to be, or nowhere."""
BEATING = 0.3
"""An enemy's unit that was dislodged."""


class Ending(NamedTuple):
    """What stands where after the phase, as far as it matters to the power."""

    standing: tuple[Unit, ...]
    """Its units that were not dislodged, where they stand now."""
    taken: tuple[Province, ...]
    """Centers of others and of nobody in which they stand."""
    invaded: tuple[Province, ...]
    """Its own centers in which others stand."""
    beaten: tuple[Province, ...]
    """Where its units were dislodged."""
    beating: tuple[Province, ...]
    """Where others' units were dislodged."""


class Prospects:
    """One power's view of the ends of a movement phase.

    Where a unit ends is worth DumbBot's value of the place, as a share of the best place in reach of any own unit.
    """

    def __init__(self, position: Position, power: Power, values: Values) -> None:
        goals = chart_of(position.map_name).goals
        units = position.units[power]
        reachable = [values.of(node) for unit in units for node in (unit, *goals.get(unit, ()))]
        scale = max(reachable, default=0.0) or 1.0
        self._shares = {node: value / scale for node, value in values.nodes.items()}
        self._own = position.centers[power]
        self._wanted = frozenset(load_geography(position.map_name).centers) - frozenset(self._own)
        self._mine = frozenset(unit.province for unit in units)
        self._strangers = {u.province for p, some in position.units.items() if p != power for u in some}
        self._is_fall = position.phase.season is Season.FALL

    def ending(self, plan: Mapping[Unit, Order], fray: Fray) -> Ending:
        """How the phase ends, in which the power's units, all of them, did as planned."""
        moved, dislodged = fray.moved, fray.dislodged
        standing = tuple(
            Unit(unit.kind, order.to) if isinstance(order, Move) and unit.province in moved else unit
            for unit, order in plan.items()
            if unit.province not in dislodged
        )
        entered = {to for at, to in moved.items() if at in self._strangers}
        stayed = self._strangers - moved.keys() - dislodged.keys()
        return Ending(
            standing=standing,
            taken=tuple(unit.province for unit in standing if unit.province in self._wanted),
            invaded=tuple(center for center in self._own if center in entered or center in stayed),
            beaten=tuple(at for at in dislodged if at in self._mine),
            beating=tuple(at for at in dislodged if at in self._strangers),
        )

    def worth(self, ending: Ending) -> float:
        """What the ending is worth, to be compared with other endings of the same phase."""
        places = sum([self._shares.get(unit, 0.0) for unit in ending.standing])
        centers = len(ending.taken) * CENTER if self._is_fall else 0.0
        dangers = len(ending.invaded) * (CENTER if self._is_fall else THREATENED)
        return places + centers - dangers + len(ending.beating) * BEATING - len(ending.beaten) * BEATEN
