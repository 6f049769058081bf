"""Repairs of the engine's adjudication, as mixins over its `Game`.

Each guard overrides one method of `diplomacy` 1.1.2 and says which mistake it repairs; docs/engine.md has
the measurements, and tests/board/test_guards.py shows each mistake in the bare engine, so that an engine
which no longer makes it is noticed. This module knows the engine's names but does not import it.
"""

from collections.abc import Mapping
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
        convoy_paths: dict[str, list[list[str]]]
        popped: list[str]

        def _move_results(self) -> list[str]: ...
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


class DisruptionGuard(_EngineGame):
    """E3, E6, E7: which routes of fleets are broken, and from when on.

    E3: the engine counts the supports that the fleet's own power gives against the fleet. They cannot
    dislodge it, so the fleet is entered as withstanding where the attack does not win without them.
    E6: the engine takes broken routes out of a list while it walks that list, and so skips the route that
    follows. Asking again until no more go takes them all.
    E7: a route that breaks only as long as supports are still to be cut (no `coresult` yet) stayed out for
    good, and its army was then taken to walk. Such routes come back before the next look.
    """

    _doubted: dict[str, list[list[str]]] = {}  # noqa: RUF012 - replaced, never changed in place

    def _check_disruptions(
        self, may_convoy: Mapping[str, list[str]], result: Any, coresult: Any = None
    ) -> None:
        self.convoy_paths.update(self._doubted)
        is_final = coresult is not None
        self._doubted = {} if is_final else {u: list(paths) for u, paths in self.convoy_paths.items()}
        judged, self.combat = self.combat, self._with_steadfast_fleets(may_convoy)
        routes = -1
        while routes != (routes := sum(len(paths) for paths in self.convoy_paths.values())):
            super()._check_disruptions(may_convoy, result, coresult)
        self.combat = judged

    def _with_steadfast_fleets(self, may_convoy: Mapping[str, list[str]]) -> _Combat:
        combat = dict(self.combat)
        for place in {place for places in may_convoy.values() for place in places}:
            area = place[:3]
            strongest, *weaker = sorted(combat[area], reverse=True)
            contenders = combat[area][strongest]
            uncounted = len(contenders[0][1])
            if len(contenders) == 1 and weaker and strongest - uncounted <= weaker[0]:
                combat[area] = {**combat[area], strongest: [*contenders, (f"F {place}", [])]}
        return combat


class Guards(RetreatGuard, OwnSupportGuard, DisruptionGuard):
    """All repairs, to be put before the engine's `Game`."""
