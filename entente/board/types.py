"""The board's own words: powers, units, phases, orders, positions and results, all frozen.

Nothing here knows the engine. Provinces are three letters in every map that we load
(`SPA`); a location is a province or a named coast (`SPA/SC`). Order text is the engine's
notation, the one that models and people read everywhere in entente.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from entente.errors import OrderSyntaxError, UnknownPhase

Power: TypeAlias = str
"""A power's name in capitals, `FRANCE`; the map says which there are."""

Province: TypeAlias = str
"""Three capitals, `SPA`."""

Location: TypeAlias = str
"""A province or a named coast: `PAR`, `SPA/SC`."""


class UnitKind(StrEnum):
    """Army or fleet, by the letter that orders use."""

    ARMY = "A"
    FLEET = "F"


class Unit(NamedTuple):
    """An army or a fleet at a location."""

    kind: UnitKind
    location: Location

    @property
    def province(self) -> Province:
        """The province it stands in, whichever the coast."""
        return self.location[:3]

    def __str__(self) -> str:
        return f"{self.kind.value} {self.location}"

    @classmethod
    def parse(cls, text: str) -> "Unit":
        """Read `A PAR` or `F SPA/SC` exactly; anything else is a ValueError."""
        kind, location = text.split(" ")
        return cls(UnitKind(kind), location)


class Season(StrEnum):
    """The three seasons of a game year."""

    SPRING = "S"
    FALL = "F"
    WINTER = "W"


class PhaseKind(StrEnum):
    """What is ordered in a phase."""

    MOVEMENT = "M"
    RETREATS = "R"
    ADJUSTMENTS = "A"


_PHASE = re.compile(r"([SFW])(\d{4})([MRA])")
_SEASON_ORDER = "SFW"
_KIND_ORDER = "MRA"


class Phase(NamedTuple):
    """A season, a year and a kind: `S1901M`."""

    season: Season
    year: int
    kind: PhaseKind

    def __str__(self) -> str:
        return f"{self.season.value}{self.year:04d}{self.kind.value}"

    @property
    def sort_key(self) -> tuple[int, int, int]:
        """Orders phases as they are played."""
        return (self.year, _SEASON_ORDER.index(self.season), _KIND_ORDER.index(self.kind))

    @property
    def is_movement(self) -> bool:
        """True where units move and powers negotiate."""
        return self.kind is PhaseKind.MOVEMENT

    @classmethod
    def parse(cls, text: str) -> "Phase":
        """Read `S1901M`, in any case; raises UnknownPhase."""
        match = _PHASE.fullmatch(text.strip().upper())
        if match is None:
            raise UnknownPhase(f"A phase such as S1901M was wanted and {text!r} came; nothing was done.")
        return cls(Season(match[1]), int(match[2]), PhaseKind(match[3]))


@dataclass(frozen=True, slots=True)
class Hold:
    """`A PAR H`."""

    unit: Unit

    def __str__(self) -> str:
        return f"{self.unit} H"


@dataclass(frozen=True, slots=True)
class Move:
    """`A PAR - BUR`; `A LON - NWY VIA` when it insists on the convoy."""

    unit: Unit
    to: Location
    via_convoy: bool = False

    def __str__(self) -> str:
        return f"{self.unit} - {self.to}{' VIA' if self.via_convoy else ''}"


@dataclass(frozen=True, slots=True)
class SupportHold:
    """`A MAR S A PAR`."""

    unit: Unit
    supported: Unit

    def __str__(self) -> str:
        return f"{self.unit} S {self.supported}"


@dataclass(frozen=True, slots=True)
class SupportMove:
    """`A MAR S A PAR - BUR`; `to` is a province, since a support has no coast (DATC 6.B.9, choice 4.B.4)."""

    unit: Unit
    supported: Unit
    to: Province

    def __str__(self) -> str:
        return f"{self.unit} S {self.supported} - {self.to}"


@dataclass(frozen=True, slots=True)
class Convoy:
    """`F NTH C A LON - NWY`."""

    unit: Unit
    army: Unit
    to: Province

    def __str__(self) -> str:
        return f"{self.unit} C {self.army} - {self.to}"


@dataclass(frozen=True, slots=True)
class Retreat:
    """`A BEL R BUR`."""

    unit: Unit
    to: Location

    def __str__(self) -> str:
        return f"{self.unit} R {self.to}"


@dataclass(frozen=True, slots=True)
class Disband:
    """`A BEL D`, of a dislodged unit or of one too many in winter."""

    unit: Unit

    def __str__(self) -> str:
        return f"{self.unit} D"


@dataclass(frozen=True, slots=True)
class Build:
    """`F STP/NC B`."""

    unit: Unit

    def __str__(self) -> str:
        return f"{self.unit} B"


@dataclass(frozen=True, slots=True)
class Waive:
    """`WAIVE`: one build that a power does without."""

    def __str__(self) -> str:
        return "WAIVE"


Order: TypeAlias = Hold | Move | SupportHold | SupportMove | Convoy | Retreat | Disband | Build | Waive

Verb: TypeAlias = Literal["h", "m", "s", "c", "r", "d", "b", "w"]
"""What is ordered, by its first letter, `m` for a move; both supports are `s`."""

_VERBS: dict[type[Order], Verb] = {
    Hold: "h",
    Move: "m",
    SupportHold: "s",
    SupportMove: "s",
    Convoy: "c",
    Retreat: "r",
    Disband: "d",
    Build: "b",
    Waive: "w",
}


def verb_of(order: Order) -> Verb:
    """What is ordered."""
    return _VERBS[type(order)]


def unit_of(order: Order) -> Unit | None:
    """The unit that is ordered, or to be built; None for WAIVE."""
    return None if isinstance(order, Waive) else order.unit


def places_in(order: Order) -> Iterator[Location]:
    """Every place that the order names."""
    for name in order.__slots__:
        match getattr(order, name):
            case Unit() as unit:
                yield unit.location
            case str() as place:
                yield place
            case _:  # by which way it goes
                pass


_U = r"([AF] [A-Z]{3}(?:/[A-Z]{2})?)"
_L = r"([A-Z]{3}(?:/[A-Z]{2})?)"
_HOLD = re.compile(rf"{_U} H")
_MOVE = re.compile(rf"{_U} - {_L}( VIA)?")
_SUPPORT = re.compile(rf"{_U} S {_U}(?: - {_L})?")
_CONVOY = re.compile(rf"{_U} C {_U} - {_L}")
_RETREAT = re.compile(rf"{_U} R {_L}")
_ENDING = re.compile(rf"{_U} ([DB])")


@lru_cache(maxsize=65536)
def parse_order(text: str) -> Order:
    """Read one canonical order, `A PAR - BUR`; what people write goes through `entente.board.orders`.

    >>> parse_order("F NTH C A LON - NWY")
    Convoy(unit=Unit(kind=<UnitKind.FLEET: 'F'>, location='NTH'), army=Unit(kind=<UnitKind.ARMY: 'A'>, location='LON'), to='NWY')

    Equal texts give one object; a game has some ten thousand. Legality is not checked. Raises OrderSyntaxError.
    """  # noqa: E501 - a doctest's output cannot be wrapped
    if text == "WAIVE":
        return Waive()
    if m := _MOVE.fullmatch(text):
        return Move(Unit.parse(m[1]), m[2], m[3] is not None)
    if m := _SUPPORT.fullmatch(text):
        unit, supported = Unit.parse(m[1]), Unit.parse(m[2])
        return SupportMove(unit, supported, m[3][:3]) if m[3] else SupportHold(unit, supported)
    if m := _HOLD.fullmatch(text):
        return Hold(Unit.parse(m[1]))
    if m := _CONVOY.fullmatch(text):
        return Convoy(Unit.parse(m[1]), Unit.parse(m[2]), m[3][:3])
    if m := _RETREAT.fullmatch(text):
        return Retreat(Unit.parse(m[1]), m[2])
    if m := _ENDING.fullmatch(text):
        unit = Unit.parse(m[1])
        return Build(unit) if m[2] == "B" else Disband(unit)
    raise OrderSyntaxError(f"An order such as A PAR - BUR was wanted and {text!r} came.", line=text)


@dataclass(frozen=True, slots=True)
class Position:
    """What stands where, and whose it is, at the start of a phase. All powers of the map are keys everywhere."""

    map_name: str
    phase: Phase
    units: Mapping[Power, tuple[Unit, ...]]
    """Units in place, in the engine's order; dislodged ones are not among them."""
    dislodged: Mapping[Power, Mapping[Unit, tuple[Location, ...]]]
    """Dislodged units and where each may retreat to; empty but in retreat phases."""
    centers: Mapping[Power, tuple[Province, ...]]
    """Supply centers owned; those of nobody are left out."""
    influence: Mapping[Power, tuple[Location, ...]] = field(default_factory=dict[Power, tuple[Location, ...]])
    """Who was last in a province: the colours of the map, no rule depends on it."""

    @property
    def survivors(self) -> tuple[Power, ...]:
        """Powers that still have a unit, in place or dislodged, or a supply center, in the map's order."""
        return tuple(p for p, units in self.units.items() if units or self.dislodged[p] or self.centers[p])

    def owner(self, unit: Unit) -> Power | None:
        """Whose unit in place it is; None when there is no such unit."""
        return next((power for power, units in self.units.items() if unit in units), None)

    def occupant(self, province: Province) -> Unit | None:
        """The unit in place there, on whichever coast."""
        return next((u for units in self.units.values() for u in units if u.province == province), None)


class Outcome(StrEnum):
    """What became of an order."""

    SUCCEEDED = "succeeded"
    BOUNCED = "bounced"
    CUT = "cut"
    DISLODGED = "dislodged"
    """The unit was dislodged, whatever it was ordered to do."""
    DISRUPTED = "disrupted"
    """A convoy that was broken by dislodging the fleet, or the move that relied on it."""
    NO_CONVOY = "no convoy"
    """A move by sea for which no complete chain of fleets was ordered."""
    LIMITED = "limited"
    """A support that may not help to dislodge a unit of its own power, which stayed; it counts against all others."""
    VOID = "void"
    """Without effect: it does not fit what the others were ordered, or could not be carried out."""
    DISBANDED = "disbanded"
    """A retreat or a dislodged unit that ended in disbandment."""


@dataclass(frozen=True, slots=True)
class OrderResult:
    """One order, what became of it and why."""

    power: Power
    order: Order
    outcomes: tuple[Outcome, ...]
    """Never empty; `(SUCCEEDED,)` alone, or every failure that befell it, gravest first."""
    reason: str
    """Why, for people and models, to be read beside the order; one clause for each outcome, parted by semicolons.
    Empty only for a plain success.

    `bounced: 1 v 1 at BUR against A MUN`; `cut by A MUN (GERMANY)`; `dislodged from BUR by A MUN (GERMANY), 2 v 1`;
    `void: A PAR was not ordered to BUR`.
    """
    is_default: bool = False
    """True where the power gave no legal order and civil disorder decided."""

    @property
    def succeeded(self) -> bool:
        """True when the order did what it said."""
        return self.outcomes == (Outcome.SUCCEEDED,)


@dataclass(frozen=True, slots=True)
class Adjudication:
    """A phase adjudicated: the position before, every order's result, and the position after."""

    before: Position
    results: tuple[OrderResult, ...]
    """By power in the map's order, then by unit in the position's order; orders to no unit of the power come last.
    In adjustments by power, then as ordered, then what civil disorder added."""
    after: Position
    """At the start of the next phase in which anybody has anything to order."""


ResultKind: TypeAlias = Literal["solo", "draw", "max_year", "stalemate", "last_standing"]


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """How a game ended."""

    kind: ResultKind
    winners: tuple[Power, ...]
    """The soloist, or the survivors who share; in the map's order."""
    phase: str
    """The phase in which it was decided."""
