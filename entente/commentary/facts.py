"""What a phase changed, fact by fact, for those who tell of it. All of it is public once the phase is over."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple

from entente.board.geography import Geography
from entente.board.spoken import kind_name, listed, place_name, power_name, season_name
from entente.board.types import (
    Adjudication,
    Convoy,
    Location,
    Move,
    Outcome,
    PhaseKind,
    Power,
    Province,
    Retreat,
    Unit,
    UnitKind,
    unit_of,
)


class FactKind(StrEnum):
    """What may happen in a phase, in the order in which it is told."""

    QUIET = "quiet"
    """Nothing moved, and nothing was built or removed."""
    ADVANCED = "advanced"
    """Units of one power went to other provinces."""
    CONVOYED = "convoyed"
    REPELLED = "repelled"
    """One unit bounced off a province."""
    STANDOFF = "standoff"
    """Several units bounced off the same province."""
    CUT = "cut"
    STRANDED = "stranded"
    """An army was not carried over the sea."""
    DISLODGED = "dislodged"
    RETREATED = "retreated"
    LOST = "lost"
    """A dislodged unit had to disband."""
    BUILT = "built"
    REMOVED = "removed"
    GAINED = "gained"
    """Supply centers that nobody had owned."""
    CAPTURED = "captured"
    """Supply centers that another power had owned."""
    ELIMINATED = "eliminated"
    LEADER = "leader"
    """Who alone has most supply centers, where some changed hands."""


_ORDER = [*FactKind]
_ARTICLES = {UnitKind.ARMY: "an army", UnitKind.FLEET: "a fleet"}
_NOT_CARRIED = {Outcome.DISRUPTED, Outcome.NO_CONVOY}


class Fact(NamedTuple):
    """Something that happened, with the words that a sentence about it is made of."""

    kind: FactKind
    words: dict[str, str]


def facts_of(played: Adjudication, geography: Geography) -> list[Fact]:
    """What the phase changed, in the order in which it is told; never empty."""
    phase = _Phase(played, geography)
    facts = [*phase.moves(), *phase.failures(), *phase.ends(), *phase.centers(), *phase.standing()]
    if not facts:
        facts = [Fact(FactKind.QUIET, {"season": season_name(played.before.phase)})]
    return sorted(facts, key=lambda fact: _ORDER.index(fact.kind))


class _Phase(NamedTuple):
    played: Adjudication
    geography: Geography

    def place(self, location: Location) -> str:
        return place_name(self.geography, location)

    def places(self, provinces: Iterable[Province]) -> str:
        return listed(sorted(map(self.place, provinces)))

    def unit(self, power: Power, unit: Unit) -> str:
        return f"{power_name(power)}'s {kind_name(unit.kind)} in {self.place(unit.location)}"

    def units(self, units: Iterable[Unit]) -> str:
        return listed([f"{_ARTICLES[unit.kind]} in {self.place(unit.location)}" for unit in units])

    def moves(self) -> Iterator[Fact]:
        """Moves that succeeded: by power, and each army that was carried by itself."""
        carried = {
            (result.order.army, result.order.to)
            for result in self.played.results
            if isinstance(result.order, Convoy) and result.succeeded
        }
        reached: defaultdict[Power, list[Province]] = defaultdict(list)
        for result in self.played.results:
            if not isinstance(result.order, Move) or not result.succeeded:
                continue
            unit, to = result.order.unit, result.order.to[:3]
            if (unit, to) in carried:
                yield Fact(
                    FactKind.CONVOYED, {"unit": self.unit(result.power, unit), "place": self.place(to)}
                )
            else:
                reached[result.power].append(to)
        for power, provinces in reached.items():
            yield Fact(FactKind.ADVANCED, {"power": power_name(power), "places": self.places(provinces)})

    def failures(self) -> Iterator[Fact]:
        """Bounces by province, supports that were cut, armies that were not carried, units that were dislodged."""
        bounced: defaultdict[Province, list[str]] = defaultdict(list)
        for result in self.played.results:
            unit = unit_of(result.order)
            if unit is None:
                continue
            words = {"unit": self.unit(result.power, unit)}
            if isinstance(result.order, Move):
                if Outcome.BOUNCED in result.outcomes:
                    bounced[result.order.to[:3]].append(words["unit"])
                if not _NOT_CARRIED.isdisjoint(result.outcomes):
                    yield Fact(FactKind.STRANDED, words | {"place": self.place(result.order.to)})
            if Outcome.CUT in result.outcomes:
                yield Fact(FactKind.CUT, words)
            if Outcome.DISLODGED in result.outcomes:
                yield Fact(FactKind.DISLODGED, words | {"attacker": power_name(self.attacker(unit.province))})
        for province, units in bounced.items():
            kind = FactKind.REPELLED if len(units) == 1 else FactKind.STANDOFF
            yield Fact(kind, {"units": listed(units), "place": self.place(province)})

    def attacker(self, province: Province) -> Power:
        """Who moved to the province."""
        return next(
            result.power
            for result in self.played.results
            if isinstance(result.order, Move) and result.succeeded and result.order.to[:3] == province
        )

    def ends(self) -> Iterator[Fact]:
        """Retreats, and dislodged units that disbanded."""
        before, after = self.played.before, self.played.after
        for power, units in before.dislodged.items():
            goals = {
                result.order.unit: result.order.to
                for result in self.played.results
                if isinstance(result.order, Retreat) and result.succeeded
            }
            for unit in units:
                words = {"unit": self.unit(power, unit)}
                if unit in goals:
                    yield Fact(FactKind.RETREATED, words | {"place": self.place(goals[unit])})
                else:
                    yield Fact(FactKind.LOST, words)
        for result in self.played.results:
            unit = unit_of(result.order)
            if unit and before.phase.is_movement and Outcome.DISBANDED in result.outcomes:
                yield Fact(FactKind.LOST, {"unit": self.unit(result.power, unit)})
        if before.phase.kind is PhaseKind.ADJUSTMENTS:
            for power, units in before.units.items():
                built = [unit for unit in after.units[power] if unit not in units]
                removed = [unit for unit in units if unit not in after.units[power]]
                for kind, changed in ((FactKind.BUILT, built), (FactKind.REMOVED, removed)):
                    if changed:
                        yield Fact(kind, {"power": power_name(power), "units": self.units(changed)})

    def centers(self) -> Iterator[Fact]:
        """Supply centers that changed hands, by their new and old owners, and powers that are out of the game."""
        before, after = self.played.before, self.played.after
        old = {center: power for power, centers in before.centers.items() for center in centers}
        taken: defaultdict[tuple[Power, Power | None], list[Province]] = defaultdict(list)
        for power, centers in after.centers.items():
            for center in centers:
                if old.get(center) != power:
                    taken[power, old.get(center)].append(center)
        for (power, loser), centers in taken.items():
            words = {"power": power_name(power), "places": self.places(centers)}
            if loser:
                yield Fact(FactKind.CAPTURED, words | {"loser": power_name(loser)})
            else:
                yield Fact(FactKind.GAINED, words)
        for power in before.survivors:
            if power not in after.survivors:
                yield Fact(FactKind.ELIMINATED, {"power": power_name(power)})

    def standing(self) -> Iterator[Fact]:
        """Who has most supply centers, in the phases in which that changes."""
        before, after = self.played.before.centers, self.played.after.centers
        counts = sorted(
            ((len(centers), power) for power, centers in after.items()), key=lambda each: -each[0]
        )
        if before == after or len(counts) < 2:
            return
        (most, leader), (next_most, _) = counts[:2]
        if most > next_most:
            words = {"power": power_name(leader), "count": str(most), "next": str(next_most)}
            yield Fact(FactKind.LEADER, words)
