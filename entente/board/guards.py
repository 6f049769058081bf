"""Repairs of the engine's adjudication, as mixins over its `Game`.

Each guard overrides one method of `diplomacy` 1.1.2 and says which mistake it repairs; docs/engine.md has
the measurements, and tests/board/test_guards.py shows each mistake in the bare engine, so that an engine
which no longer makes it is noticed. This module knows the engine's names but does not import it.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

_Combat = dict[str, dict[int, list[tuple[str, list[str]]]]]
"""By province and strength the units that stand there or try to, each with the supports that cannot dislodge."""

if TYPE_CHECKING:

    class _EnginePower:
        """What the guards use of the engine's `Power`."""

        name: str
        units: list[str]
        retreats: dict[str, list[str]]

    class _EngineGame:
        """What the guards use of the engine's `Game`."""

        powers: dict[str, _EnginePower]
        command: dict[str, str]
        combat: _Combat
        supports: dict[str, tuple[int, list[str]]]
        convoy_paths: dict[str, list[list[str]]]
        popped: list[str]

        dislodged: dict[str, str]
        result: dict[str, list[Any]]

        def _move_results(self) -> list[str]: ...
        def _bounce(self) -> None: ...
        def _resolve_moves(self) -> None: ...
        def _is_moving_via_convoy(self, unit: str) -> bool: ...
        def _cut_support(self, unit: str, direct: int = 0) -> None: ...
        def update_hash(self, *args: Any, **flags: Any) -> None: ...
        def _occupant(self, site: str, any_coast: int = 0) -> str | None: ...
        def _unit_owner(self, unit: str, coast_required: int = 1) -> _EnginePower | None: ...
        def _check_disruptions(
            self, may_convoy: Mapping[str, list[str]], result: Any, coresult: Any = None
        ) -> None: ...
else:
    _EngineGame = object


class RetreatGuard(_EngineGame):
    """E1: a unit dislodged by a convoyed army was offered every neighbour, occupied and contested ones too.

    The engine's condition reads `free and not origin or convoyed`, where `free and (not origin or convoyed)` is
    meant. A province is free when nobody stands in it or fought for it, which is when it has no combat.
    """

    def _move_results(self) -> list[str]:
        lines = super()._move_results()
        for power in self.powers.values():
            for unit, options in list(power.retreats.items()):
                options[:] = [option for option in options if not self.combat.get(option[:3])]
                if not options:
                    del power.retreats[unit]
                    self.popped.append(unit)
                    self.update_hash(power.name, unit[0], unit[2:], is_dislodged=True)
        return lines


class OwnSupportGuard(_EngineGame):
    """E2: supports against the supporter's own unit counted when the supported army's order ended in VIA.

    To find whom a supported move attacks, the engine takes the order's last word for the province, and
    nobody stands in VIA. It has always just looked up the supported unit, so that unit's goal is meant.
    """

    _found: str | None = None

    def _occupant(self, site: str, any_coast: int = 0) -> str | None:
        if site == "VIA" and self._found is not None:
            site = self.command[self._found].split()[1]
        self._found = super()._occupant(site, any_coast)
        return self._found


class ConvoyGuard(_EngineGame):
    """E3, E4, E6, E7, E9, E10: the engine guesses which convoys break before it knows which fleets are dislodged.

    Here it is told which fleets are lost, plays the phase on that assumption, and says which ones it dislodged.
    Fleets that nobody helps to attack stay, so that nearly every phase is played once; each fleet at stake doubles
    that. Which assumption is right is for `lost_fleets` to say.
    E9: a convoyed army cuts support like any other, which the engine denied it for fear of paradoxes.
    E10: an army that is to be convoyed stays where its convoy breaks; the engine let it walk when it had not said VIA.
    """

    _lost: frozenset[str] = frozenset()

    def _resolve_moves(self) -> None:
        found = {frozenset[str](): self._play_without(frozenset())}
        stake = self._at_stake()
        found |= {lost: self._play_without(lost) for lost in _subsets(stake) if lost}
        lost = lost_fleets(stake, found)
        if lost != self._lost:
            self._play_without(lost)

    def _play_without(self, lost: frozenset[str]) -> frozenset[str]:
        """Play the phase without convoys by the lost fleets; all that is dislodged then."""
        self._lost = lost
        super()._resolve_moves()
        return frozenset(self.dislodged)

    def _at_stake(self) -> list[str]:
        """The fleets of complete routes into whose province somebody supports a move."""
        orders = [order.split() for order in self.command.values()]
        attacked = {words[-1][:3] for words in orders if words[0] == "S" and "-" in words}
        places = {place for paths in self.convoy_paths.values() for path in paths for place in path[1:-1]}
        return [f"F {place}" for place in sorted(places) if place[:3] in attacked]

    def _check_disruptions(
        self, may_convoy: Mapping[str, list[str]], result: Any, coresult: Any = None
    ) -> None:
        for army, places in may_convoy.items():
            lost = {place for place in places if f"F {place}" in self._lost}
            paths = [path for path in self.convoy_paths[army] if lost.isdisjoint(path[1:-1])]
            self.convoy_paths[army] = paths
            if not paths:
                self.result[army] = [result]
            if coresult:
                self.result.update({f"F {place}": [coresult] for place in lost})

    def _cut_support(self, unit: str, direct: int = 0) -> None:
        if direct and self._is_moving_via_convoy(unit):
            return
        # A unit without routes walks, and is denied nothing.
        routes, self.convoy_paths = self.convoy_paths, {}
        super()._cut_support(unit)
        self.convoy_paths = routes


class HeadToHeadGuard(_EngineGame):
    """E8: a unit that is attacked in return was not defended by supports that cannot help its own attack to dislodge.

    The engine compares both attacks without such supports. Against one's own unit they are of no use, but they do
    count for the unit's defense. Where neither attack beats the other's whole defense, both are entered as equally
    supported, and the engine then bounces both.
    """

    def _bounce(self) -> None:
        judged = self.supports
        self.supports = judged | dict(self._made_equal())
        super()._bounce()
        self.supports = judged

    def _made_equal(self) -> Iterator[tuple[str, tuple[int, list[str]]]]:
        for unit, (strength, uncounted) in self.supports.items():
            opponent = self._opponent(unit) if uncounted else None
            if opponent is None:
                continue
            defense, without = self.supports[opponent]
            if strength - len(uncounted) <= defense and defense - len(without) <= strength:
                yield unit, (max(strength, defense), uncounted)
                yield opponent, (max(strength, defense), without)

    def _opponent(self, unit: str) -> str | None:
        """The unit that walks to where this one comes from, while this one walks to where that one comes from."""
        opponent = self._occupant(self.command[unit].split()[1], any_coast=1)
        if opponent is None or self._is_moving_via_convoy(unit) or self._is_moving_via_convoy(opponent):
            return None
        verb, goal, *_ = [*self.command[opponent].split(), ""]
        return opponent if verb == "-" and goal[:3] == unit[2:5] else None


_Found = Mapping[frozenset[str], frozenset[str]]
"""By the fleets that were assumed to be lost, those that were dislodged then."""


def lost_fleets(stake: Sequence[str], found: _Found) -> frozenset[str]:
    """The fleets at stake that do not convoy.

    Fleets whose fates hang on each other are a circle; a circle that hangs on nothing else is settled first. What all
    assumptions that come true say of a fleet is its fate, also where just one of them does. Where they agree on
    nothing, or none comes true, it is a paradox, and its fleets do not convoy (Szykman, DATC 4.A.2).
    """
    lost: frozenset[str] = frozenset()
    unsettled: list[str] = [*stake]
    while unsettled:
        circle = min((_circle(fleet, unsettled, found) for fleet in unsettled), key=len)
        true = [circle & assumed for assumed, fallen in found.items() if circle & assumed == circle & fallen]
        always, ever = circle.intersection(*true), frozenset[str]().union(*true)
        settled = circle - (ever - always)
        # Where no assumption comes true this says that all of the circle is lost.
        settled, gone = (settled, always) if settled else (circle, circle)
        lost |= gone
        unsettled = [fleet for fleet in unsettled if fleet not in settled]
        found = {assumed: fallen for assumed, fallen in found.items() if settled & assumed == gone}
    return lost


def _circle(fleet: str, stake: Sequence[str], found: _Found) -> frozenset[str]:
    """The fleet and all on which its fate hangs, directly or not."""
    circle = [fleet]
    for one in circle:
        circle += [other for other in stake if other not in circle and _hangs_on(one, other, found)]
    return frozenset(circle)


def _hangs_on(one: str, other: str, found: _Found) -> bool:
    return any((one in fallen) != (one in found[assumed ^ {other}]) for assumed, fallen in found.items())


def _subsets(fleets: Sequence[str]) -> Iterator[frozenset[str]]:
    """Every choice among them, the smallest first."""
    sizes = range(len(fleets) + 1)
    return (frozenset(some) for size in sizes for some in combinations(fleets, size))


class Guards(RetreatGuard, OwnSupportGuard, ConvoyGuard, HeadToHeadGuard):
    """All repairs, to be put before the engine's `Game`."""
