"""The `diplomacy` engine behind types of ours: the only module that imports it.

Why each guard is here is measured in docs/engine.md. Three habits keep the engine safe: a
position is restored into a fresh `Game` every time (a used or copied one keeps stale caches),
orders reach it one by one in canonical form, and whatever it hands out is sorted, since its own
order follows the hash seed.
"""

# The engine has no annotations. Every value that leaves this module is turned into a type of ours.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import logging
import warnings
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from entente.board.causes import Situation
from entente.board.geography import Geography, Terrain
from entente.board.guards import Guards
from entente.board.maps import SAFE_MAPS
from entente.board.on_map import check_on_map
from entente.board.reasons import (
    Contender,
    Rulings,
    Tables,
    adjustment_results,
    movement_results,
    retreat_results,
)
from entente.board.rulings import Ruling, last_orders, screen_adjustments, screen_by_unit
from entente.board.types import (
    Adjudication,
    Location,
    Order,
    Phase,
    PhaseKind,
    Position,
    Power,
    Unit,
    UnitKind,
    parse_order,
)
from entente.errors import BadSnapshot, BoardError, UnknownMap, UnknownPower

with warnings.catch_warnings():
    # It leaves a file open while it is imported, and from Python 3.12 on its tornado is deprecated.
    warnings.simplefilter("ignore")
    import diplomacy
    from diplomacy.engine.renderer import Renderer

_RULES = ["IGNORE_ERRORS", "POWER_CHOICE"]

# The engine's import hangs a coloured handler on this logger; what it has to say reaches people as our errors.
logging.getLogger("diplomacy").handlers.clear()


class GuardedGame(Guards, diplomacy.Game):  # pyright: ignore[reportUntypedBaseClass] - it has no annotations
    """The engine's game with its adjudication repaired."""


class _Game(GuardedGame):
    """It adjudicates phases only: who has won is `entente.board.victory`'s business."""

    def _determine_win(self, last_year: object) -> None:
        """Never end the game: a restored position has no last year, which the engine's own rule needs."""

    def update_hash(self, *_: object, **__: object) -> None:
        """Keep no hash of the position: nothing here reads it, and it takes a sixth of a game's time."""


class QuickMap(diplomacy.Map):  # pyright: ignore[reportUntypedBaseClass]
    """The engine's map, told at once which places are apart: it asks that of 40,000 pairs, for 60 ms of every start."""

    def build_cache(self) -> None:
        """As the engine does, with what borders on what at hand."""
        self._near = {
            place.upper(): {near.upper()[:3] for near in self.abut_list(place.upper())} for place in self.locs
        }
        super().build_cache()

    def _abuts(self, unit_type: str, unit_loc: str, order_type: str, other_loc: str) -> Any:
        return other_loc[:3] in self._near[unit_loc] and super()._abuts(
            unit_type, unit_loc, order_type, other_loc
        )


_TERRAIN = {"LAND": Terrain.INLAND, "WATER": Terrain.SEA, "COAST": Terrain.COAST, "PORT": Terrain.COAST}


def _new_game(map_name: str) -> Any:
    if map_name not in SAFE_MAPS:
        raise UnknownMap(
            f"A map of {', '.join(SAFE_MAPS)} was wanted and {map_name!r} came; no board was set up."
        )
    QuickMap(map_name)  # the engine keeps each map that was made, and takes it from there
    return _Game(map_name=map_name, rules=_RULES)


@lru_cache(maxsize=len(SAFE_MAPS))
def load_geography(map_name: str) -> Geography:
    """The map's geography, built once a process; raises UnknownMap."""
    game = _new_game(map_name)
    chart = game.map
    locations = sorted({loc.upper() for loc in chart.locs if chart.area_type(loc) != "SHUT"})
    provinces = sorted({location[:3] for location in locations})
    full_names = {code.upper(): name for name, code in sorted(chart.loc_name.items(), reverse=True)}
    return Geography(
        map_name=map_name,
        powers=tuple(game.powers),
        terrain={p: _TERRAIN[chart.area_type(p)] for p in provinces},
        names={p: full_names.get(p, p).title() for p in provinces},
        coasts={
            p: coasts
            for p in provinces
            if (coasts := tuple(loc for loc in locations if loc.startswith(f"{p}/")))
        },
        centers=tuple(sorted(chart.scs)),
        homes={power: tuple(chart.homes[power]) for power in game.powers},
        builds_anywhere="BUILD_ANY" in game.rules,
        start_units={p: tuple(Unit.parse(u) for u in power.units) for p, power in game.powers.items()},
        victory_centers=int(game.win),
        first_phase=Phase.parse(game.get_current_phase()),
        aliases=_aliases({**chart.aliases, **chart.loc_name}, locations),
        borders={
            (kind, location): goals
            for kind in UnitKind
            for location in locations
            if (goals := tuple(goal for goal in locations if chart.abuts(kind.value, location, "-", goal)))
        },
    )


@lru_cache(maxsize=len(SAFE_MAPS))
def _renderer(map_name: str) -> Any:
    """The engine's renderer of a map, made once: it reads the map's picture, for longer than it draws into it."""
    return Renderer(_new_game(map_name))


def _aliases(words: Mapping[str, str], locations: Sequence[Location]) -> dict[str, Location]:
    """The map file's names and abbreviations as people write them; its backslash stands for a lost OF."""
    known = set(locations)
    readable = {
        word.replace("\\", "OF").replace("( ", "(").replace(" )", ")"): code.upper()
        for word, code in words.items()
    }
    return {word: code for word, code in sorted(readable.items()) if code in known and word[-1] not in "/\\"}


class Drawing(NamedTuple):
    """A drawing, and where units stand in it."""

    svg: str
    units: Mapping[Location, tuple[float, float]]
    """The middle of a unit, by location."""
    dislodged: Mapping[Location, tuple[float, float]]
    """The same of a unit that was dislodged."""
    unit_width: float


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
        except (KeyError, ValueError, TypeError, AttributeError, BoardError) as error:
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
        return self.position.survivors

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

    @cached_property
    def orders_by_text(self) -> Mapping[Power, Mapping[str, Order]]:
        """Every legal order by power and by its text: each message of a phase is held against them."""
        return {power: {str(order): order for order in self.all_orders(power)} for power in self.powers}

    def all_orders(self, power: Power) -> tuple[Order, ...]:
        """Every legal order of the power once, by the location ordered."""
        return tuple(dict.fromkeys(o for orders in self.legal_orders[power].values() for o in orders))

    def situation(self, power: Power) -> Situation:
        """What `entente.board.causes` wants to know to say why an order of the power is illegal."""
        return Situation(power, self.position, self.geography)

    def check_power(self, power: str) -> Power:
        """The power's name as the map spells it, from any case; raises UnknownPower."""
        name = power.strip().upper()
        if name not in self.powers:
            raise UnknownPower(
                f"A power of {', '.join(self.powers)} was wanted and {power!r} came; nothing was done."
            )
        return name

    def adjudicate(self, orders: Mapping[Power, Sequence[Order]]) -> Adjudication:
        """The phase adjudicated, with a result and its reason for every order.

        Units without an order hold, disband or waive, which is marked as default. An order that cannot be played
        here comes back as void with its flaw, and its unit is treated as having none. Of several orders for one
        unit the last is played.
        """
        for power in orders:
            self.check_power(power)
        adjudicate = {
            PhaseKind.MOVEMENT: _adjudicate_movement,
            PhaseKind.RETREATS: _adjudicate_retreats,
            PhaseKind.ADJUSTMENTS: _adjudicate_adjustments,
        }[self.phase.kind]
        return adjudicate(self, {power: orders[power] for power in self.powers if orders.get(power)})

    def draw(self, orders: Mapping[Power, Sequence[Order]] | None = None) -> Drawing:
        """The engine's drawing of the position and of orders, as it comes; see `entente.board.render`."""
        game = _restore(self.position)
        for power, given in (orders or {}).items():
            _submit(game, power, given)
        renderer = copy(_renderer(self.position.map_name))
        renderer.game = game
        svg = str(renderer.render(incl_orders=orders is not None, incl_abbrev=True))
        height, width = map(float, renderer.metadata["symbol_size"]["Army"])
        units, dislodged = (
            {
                location: (float(places[kind][0]) + width / 2, float(places[kind][1]) + height / 2)
                for location, places in renderer.metadata["coord"].items()
            }
            for kind in ("unit", "disl")
        )
        return Drawing(svg, units, dislodged, width)

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
    geography = load_geography(snapshot["map"])
    powers = geography.powers
    for table in ("units", "dislodged", "centers", "influence"):
        if not snapshot[table].keys() <= {*powers}:
            raise BadSnapshot(f"The powers of the map were wanted in {table} and another came.")
    position = Position(
        map_name=snapshot["map"],
        phase=Phase.parse(snapshot["phase"]),
        units={p: tuple(Unit.parse(u) for u in snapshot["units"][p]) for p in powers},
        dislodged={
            p: {Unit.parse(u): tuple(to) for u, to in snapshot["dislodged"].get(p, {}).items()}
            for p in powers
        },
        centers={p: tuple(snapshot["centers"][p]) for p in powers},
        influence={p: tuple(snapshot["influence"][p]) for p in powers},
    )
    check_on_map(position, geography)
    return position


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
                power: {str(u): list(to) for u, to in units.items()}
                for power, units in position.dislodged.items()
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
            location: tuple(dict.fromkeys(parse_order(text) for text in sorted(possible[location])))
            for location in sorted(game.get_orderable_locations(power))
            if possible[location]
        }
        for power in powers
    }


def _submit(game: Any, power: Power, orders: Sequence[Order]) -> None:
    game.set_orders(power, [str(order) for order in orders], expand=False)


def _adjudicate_movement(board: Board, orders: Mapping[Power, Sequence[Order]]) -> Adjudication:
    game = _restore(board.position)
    rulings: dict[Power, tuple[Ruling, ...]] = {}
    for power, given in orders.items():
        # An order that it refuses would leave an earlier one for the same unit in force.
        _submit(game, power, [*last_orders(given).values()])
        taken = {f"{unit} {rest}" for unit, rest in game.powers[power].orders.items()}
        legal = {order for order in given if str(order) in taken}
        rulings[power] = screen_by_unit(given, legal, board.situation(power))
    codes = game.process().results
    after = _position(game, board.position.map_name)
    return Adjudication(
        board.position, movement_results(board.position, after, rulings, _tables(game, codes)), after
    )


def _tables(game: Any, codes: Mapping[str, Sequence[Any]]) -> Tables:
    """What the resolution left in the game, which no later step has touched."""
    unit = lru_cache(maxsize=None)(Unit.parse)
    return Tables(
        codes={unit(u): frozenset(code.message for code in found) for u, found in codes.items()},
        combat={
            province: [
                Contender(unit(u), strength, len(uncounted))
                for strength, contenders in conflicts.items()
                for u, uncounted in contenders
            ]
            for province, conflicts in game.combat.items()
        },
        strengths={unit(u): 1 + supports for u, (supports, _) in game.supports.items()},
        dislodged={unit(u): province[:3] for u, province in game.dislodged.items()},
        routed=frozenset(unit(u) for u in game.convoy_paths),
        convoyed=frozenset(unit(u) for u, paths in game.convoy_paths.items() if paths),
    )


def _adjudicate_retreats(board: Board, orders: Mapping[Power, Sequence[Order]]) -> Adjudication:
    rulings = {
        power: screen_by_unit(given, board.all_orders(power), board.situation(power))
        for power, given in orders.items()
    }
    after = _play(board, rulings)
    return Adjudication(board.position, retreat_results(board.position, after, rulings), after)


def _adjudicate_adjustments(board: Board, orders: Mapping[Power, Sequence[Order]]) -> Adjudication:
    rulings = {
        power: screen_adjustments(given, board.all_orders(power), board.builds[power], board.situation(power))
        for power, given in orders.items()
    }
    after = _play(board, rulings)
    return Adjudication(
        board.position, adjustment_results(board.position, after, rulings, board.builds), after
    )


def _play(board: Board, rulings: Rulings) -> Position:
    game = _restore(board.position)
    for power, given in rulings.items():
        _submit(game, power, [ruling.order for ruling in given if not ruling.flaw])
    game.process()
    return _position(game, board.position.map_name)
