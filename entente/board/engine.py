"""The `diplomacy` engine behind types of ours: the only module that imports it.

Why each guard is here is measured in docs/engine.md. Three habits keep the engine safe: a
position is restored into a fresh `Game` every time (a used or copied one keeps stale caches),
orders reach it one by one in canonical form, and whatever it hands out is sorted, since its own
order follows the hash seed.
"""

# The engine has no annotations. Every value that leaves this module is turned into a type of ours.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import logging
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

import diplomacy

from entente.board.geography import Geography, Terrain
from entente.board.types import (
    Adjudication,
    Hold,
    Location,
    Order,
    OrderResult,
    Outcome,
    Phase,
    Position,
    Power,
    Unit,
    UnitKind,
    parse_order,
)
from entente.errors import BadSnapshot, UnknownMap, UnknownPower

SAFE_MAPS = (
    "standard",
    "standard_age_of_empires",
    "standard_age_of_empires_2",
    "standard_fleet_rome",
    "standard_france_austria",
    "standard_germany_italy",
    "ancmed",
    "ancmed_age",
    "modern",
    "pure",
)
"""Maps that load at once. The engine's others take 10 to 147 s and leave a cache that slows every later start."""

_RULES = ["IGNORE_ERRORS", "POWER_CHOICE"]

# The engine's import hangs a coloured handler on this logger; what it has to say reaches people as our errors.
logging.getLogger("diplomacy").handlers.clear()


class _Game(diplomacy.Game):  # pyright: ignore[reportUntypedBaseClass] - the engine has no annotations
    """The engine's game, judging phases only: who has won is `entente.board.victory`'s business."""

    def _determine_win(self, last_year: object) -> None:
        """Never end the game: a restored position has no last year, which the engine's own rule needs."""


_parse = lru_cache(maxsize=65536)(parse_order)


def _new_game(map_name: str) -> Any:
    if map_name not in SAFE_MAPS:
        raise UnknownMap(
            f"A map of {', '.join(SAFE_MAPS)} was wanted and {map_name!r} came; no board was set up."
        )
    return _Game(map_name=map_name, rules=_RULES)


@lru_cache(maxsize=len(SAFE_MAPS))
def load_geography(map_name: str) -> Geography:
    """The map's geography, built once a process; raises UnknownMap."""
    game = _new_game(map_name)
    chart = game.map
    provinces = sorted({location[:3].upper() for location in chart.locs})
    locations = sorted({location.upper() for location in chart.locs})
    terrain = {
        p: {"LAND": Terrain.INLAND, "WATER": Terrain.SEA}.get(chart.area_type(p), Terrain.COAST)
        for p in provinces
    }
    full_names = {code: name for name, code in sorted(chart.loc_name.items(), reverse=True)}
    borders = {
        (kind, location): goals
        for kind in UnitKind
        for location in locations
        if (goals := tuple(goal for goal in locations if chart.abuts(kind.value, location, "-", goal)))
    }
    return Geography(
        map_name=map_name,
        powers=tuple(game.powers),
        terrain=terrain,
        names={p: full_names.get(p, p).title() for p in provinces},
        coasts={
            p: coasts
            for p in provinces
            if (coasts := tuple(loc for loc in locations if loc.startswith(f"{p}/")))
        },
        centers=tuple(sorted(chart.scs)),
        homes={power: tuple(chart.homes[power]) for power in game.powers},
        start_units={p: tuple(Unit.parse(u) for u in power.units) for p, power in game.powers.items()},
        victory_centers=int(game.win),
        first_phase=Phase.parse(game.get_current_phase()),
        aliases={name.upper(): code.upper() for name, code in chart.loc_name.items()},
        borders=borders,
    )


class Board:
    """One position with everything that can be asked of it. It never changes; judging it gives another one."""

    def __init__(self, position: Position) -> None:
        self.position = position

    @classmethod
    def start(cls, map_name: str = "standard") -> "Board":
        """The map's opening position; raises UnknownMap."""
        return cls(_position(_new_game(map_name), map_name))

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any]) -> "Board":
        """The board of a `snapshot()`; whatever is played on it goes as it would have; raises BadSnapshot."""
        try:
            return cls(_read_snapshot(snapshot))
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise BadSnapshot(f"A stored position was wanted and it cannot be read ({error!r}).") from error

    def snapshot(self) -> dict[str, Any]:
        """The position as a small JSON object, about 1.4 KB, in a fixed order."""
        at = self.position
        return {
            "map": at.map_name,
            "phase": str(at.phase),
            "units": {power: [str(unit) for unit in units] for power, units in at.units.items()},
            "dislodged": {
                power: {str(unit): list(options) for unit, options in units.items()}
                for power, units in at.dislodged.items()
                if units
            },
            "centers": {power: list(centers) for power, centers in at.centers.items()},
            "influence": {power: list(places) for power, places in at.influence.items()},
        }

    @property
    def phase(self) -> Phase:
        """The phase that is about to be ordered."""
        return self.position.phase

    @cached_property
    def geography(self) -> Geography:
        """The map that it is played on."""
        return load_geography(self.position.map_name)

    @property
    def powers(self) -> tuple[Power, ...]:
        """All powers of the map, eliminated ones too, in the map's order."""
        return self.geography.powers

    @property
    def survivors(self) -> tuple[Power, ...]:
        """Powers that still have a unit, in place or dislodged, or a supply center."""
        at = self.position
        return tuple(p for p in self.powers if at.units[p] or at.dislodged[p] or at.centers[p])

    @property
    def to_order(self) -> tuple[Power, ...]:
        """Powers that have something to order in this phase."""
        return tuple(power for power in self.powers if self.legal_orders[power])

    @cached_property
    def builds(self) -> Mapping[Power, int]:
        """In adjustments, units to build (free homes bound it) or, negative, to disband; 0 in other phases."""
        counts = self._game.get_state()["builds"]
        return {power: int(counts[power]["count"]) for power in self.powers}

    @cached_property
    def legal_orders(self) -> Mapping[Power, Mapping[Location, tuple[Order, ...]]]:
        """Every legal order by power and by the location ordered, sorted; powers with nothing to order map to {}.

        In adjustments a building power finds its builds under each free home and WAIVE under each of them too.
        """
        return _legal_orders(self._game, self.powers)

    def check_power(self, power: str) -> Power:
        """The power's name as the map spells it, from any case; raises UnknownPower."""
        name = power.strip().upper()
        if name not in self.powers:
            raise UnknownPower(f"A power of {', '.join(self.powers)} was wanted and {power!r} came.")
        return name

    def adjudicate(self, orders: Mapping[Power, Sequence[Order]]) -> Adjudication:
        """The phase judged, with a result and its reason for every order.

        Orders must be legal ones, one a unit; units without one hold, disband or waive, marked as default.
        """
        game = _restore(self.position)
        return _process(game, self, orders)

    @cached_property
    def _game(self) -> Any:
        return _restore(self.position)


def _position(game: Any, map_name: str) -> Position:
    powers = game.powers
    return Position(
        map_name=map_name,
        phase=Phase.parse(game.get_current_phase()),
        units={name: tuple(Unit.parse(u) for u in power.units) for name, power in powers.items()},
        dislodged={
            name: {Unit.parse(u): tuple(sorted(options)) for u, options in power.retreats.items()}
            for name, power in powers.items()
        },
        centers={name: tuple(power.centers) for name, power in powers.items()},
        influence={name: tuple(power.influence) for name, power in powers.items()},
    )


def _read_snapshot(snapshot: Mapping[str, Any]) -> Position:
    powers = load_geography(snapshot["map"]).powers
    return Position(
        map_name=snapshot["map"],
        phase=Phase.parse(snapshot["phase"]),
        units={p: tuple(Unit.parse(u) for u in snapshot["units"][p]) for p in powers},
        dislodged={
            p: {Unit.parse(u): tuple(to) for u, to in snapshot["dislodged"].get(p, {}).items()} for p in powers
        },
        centers={p: tuple(snapshot["centers"][p]) for p in powers},
        influence={p: tuple(snapshot["influence"][p]) for p in powers},
    )


def _restore(position: Position) -> Any:
    game = _new_game(position.map_name)
    game.set_state(
        {
            "name": str(position.phase),
            "units": {
                power: [str(u) for u in units] + [f"*{u}" for u in position.dislodged[power]]
                for power, units in position.units.items()
            },
            "retreats": {
                power: {str(u): list(to) for u, to in units.items()} for power, units in position.dislodged.items()
            },
            "centers": {power: list(centers) for power, centers in position.centers.items()},
            "influence": {power: list(places) for power, places in position.influence.items()},
        }
    )
    return game


def _legal_orders(game: Any, powers: Iterable[Power]) -> dict[Power, dict[Location, tuple[Order, ...]]]:
    possible = game.get_all_possible_orders()
    return {
        power: {
            location: tuple(dict.fromkeys(_parse(text) for text in sorted(possible[location])))
            for location in sorted(game.get_orderable_locations(power))
            if possible[location]
        }
        for power in powers
    }


def _process(game: Any, board: Board, orders: Mapping[Power, Sequence[Order]]) -> Adjudication:
    for power, given in orders.items():
        if given:
            game.set_orders(power, [str(order) for order in given], expand=False)
    game.process()
    results = tuple(
        OrderResult(power, order, (Outcome.SUCCEEDED,), "")
        for power in board.powers
        for order in orders.get(power, [Hold(u) for u in board.position.units[power]])
    )
    return Adjudication(board.position, results, _position(game, board.position.map_name))
