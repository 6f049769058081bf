"""What became of every order, and why, in one clause each.

The engine leaves numbers and codes; `engine.py` lifts them out of it as `Tables`, and this module turns them into
`OrderResult`s. It does not know the engine.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from entente.board.rulings import Ruling
from entente.board.types import (
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    OrderResult,
    Outcome,
    Position,
    Power,
    Province,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
    unit_of,
)

Rulings = Mapping[Power, Sequence[Ruling]]

CIVIL_DISORDER = "civil disorder: no legal order came"


class Contender(NamedTuple):
    """A unit that stands in a province or tries to, after supports were cut."""

    unit: Unit
    strength: int
    uncounted: int
    """How much of the strength cannot dislodge: supports by the power of the unit that is attacked."""


@dataclass(frozen=True, slots=True)
class Tables:
    """What the engine found out about one movement phase."""

    codes: Mapping[Unit, frozenset[str]]
    """The engine's words: bounce, cut, void, dislodged, disrupted, no convoy; empty for a success."""
    combat: Mapping[Province, Sequence[Contender]]
    strengths: Mapping[Unit, int]
    """1 and the unit's supports that were not cut, wherever it used them."""
    dislodged: Mapping[Unit, Province]
    """Dislodged units and where their attackers came from."""
    routed: frozenset[Unit]
    """Armies for which a complete chain of fleets was ordered."""
    convoyed: frozenset[Unit]
    """Those of them whose chain held."""


class _Clause(NamedTuple):
    outcome: Outcome
    text: str


def movement_results(
    before: Position, after: Position, rulings: Rulings, tables: Tables
) -> tuple[OrderResult, ...]:
    """A result for each unit of each power, and one for each order that fits no unit."""
    last = {unit_of(r.order): r for given in rulings.values() for r in given if not r.flaw}
    battle = _Battle(before, after, {unit: r.order for unit, r in last.items() if unit}, tables)
    return tuple(
        result for power in before.units for result in _power_results(battle, power, rulings.get(power, ()))
    )


def _power_results(battle: "_Battle", power: Power, given: Sequence[Ruling]) -> Iterator[OrderResult]:
    for unit in battle.before.units[power]:
        mine = [ruling for ruling in given if unit_of(ruling.order) == unit]
        for ruling in mine or [None]:
            yield battle.result(power, unit, ruling)
    strangers = [r for r in given if unit_of(r.order) not in battle.before.units[power]]
    yield from (OrderResult(power, r.order, (Outcome.VOID,), f"void: {r.flaw}") for r in strangers)


@dataclass(frozen=True)
class _Battle:
    """One movement phase, resolved."""

    before: Position
    after: Position
    orders: Mapping[Unit, Order]
    """The orders that were played; a unit without one held."""
    tables: Tables

    @cached_property
    def owners(self) -> Mapping[Unit, Power]:
        return {unit: power for power, units in self.before.units.items() for unit in units}

    @cached_property
    def places(self) -> Mapping[Province, Unit]:
        return {unit.province: unit for unit in self.owners}

    def name(self, unit: Unit) -> str:
        return f"{unit} ({self.owners[unit]})"

    def goal(self, unit: Unit) -> Province | None:
        """The province that the unit was ordered to; None unless it was a move."""
        order = self.orders.get(unit)
        return order.to[:3] if isinstance(order, Move) else None

    def failed(self, unit: Unit, code: str) -> bool:
        return code in self.tables.codes[unit]

    def result(self, power: Power, unit: Unit, ruling: Ruling | None) -> OrderResult:
        order = ruling.order if ruling else Hold(unit)
        clauses = list(self.clauses(unit, order, ruling.flaw if ruling else ""))
        default = [] if ruling else [CIVIL_DISORDER]
        return OrderResult(
            power,
            order,
            tuple(dict.fromkeys(clause.outcome for clause in clauses)) or (Outcome.SUCCEEDED,),
            "; ".join([clause.text for clause in clauses] + default),
            is_default=ruling is None,
        )

    def clauses(self, unit: Unit, order: Order, flaw: str) -> Iterator[_Clause]:
        """All that befell the unit, gravest first."""
        if unit in self.tables.dislodged:
            yield from self.dislodgement(unit)
        if flaw:
            yield _Clause(Outcome.VOID, f"void: {flaw}")
            return
        match order:
            case Move():
                yield from self.move(unit, order)
            case SupportHold() | SupportMove():
                yield from self.support(unit, order)
            case Convoy():
                yield from self.convoy(unit, order)
            case _:
                pass

    def dislodgement(self, unit: Unit) -> Iterator[_Clause]:
        attacker = self.places[self.tables.dislodged[unit]]
        attack = self.contender(attacker, unit.province)
        defense = self.contender(unit, unit.province).strength
        if self.are_head_to_head(unit, attacker):
            defense = self.tables.strengths[unit]
        strengths = f"{attack.strength - attack.uncounted} v {defense}"
        yield _Clause(
            Outcome.DISLODGED, f"dislodged from {unit.province} by {self.name(attacker)}, {strengths}"
        )
        if unit not in self.after.dislodged[self.owners[unit]]:
            yield _Clause(Outcome.DISBANDED, "disbanded: nowhere to retreat to")

    def contender(self, unit: Unit, province: Province) -> Contender:
        found = (c for c in self.tables.combat.get(province, ()) if c.unit == unit)
        return next(found, Contender(unit, self.tables.strengths[unit], 0))

    def are_head_to_head(self, one: Unit, other: Unit) -> bool:
        by_land = not {one, other} & self.tables.convoyed
        return by_land and self.goal(one) == other.province and self.goal(other) == one.province

    def move(self, unit: Unit, order: Move) -> Iterator[_Clause]:
        if self.failed(unit, "no convoy"):
            yield self.failed_convoy(unit, order.to[:3])
        elif self.failed(unit, "bounce"):
            yield _Clause(Outcome.BOUNCED, self.bounce(unit, order.to[:3]))

    def bounce(self, unit: Unit, province: Province) -> str:
        mine = self.contender(unit, province)
        rivals = self.rivals(unit, province)
        if not rivals:
            return f"bounced at {province}"
        rival = rivals[0]
        if mine.strength > rival.strength and self.owners[rival.unit] == self.owners[unit]:
            return f"bounced: {self.name(rival.unit)} of its own power did not leave {province}"
        holds = rival.unit == self.places.get(province)
        is_discounted = mine.uncounted > 0 and (holds or mine.strength > rival.strength)
        counted = mine.strength - mine.uncounted if is_discounted else mine.strength
        note = f", support by {self.owners[self.places[province]]} not counted" if is_discounted else ""
        return f"bounced: {counted} v {rival.strength} at {province} against {self.name(rival.unit)}{note}"

    def rivals(self, unit: Unit, province: Province) -> list[Contender]:
        """Who else was or wanted to be there, strongest first, then who stood there.

        In a head-to-head battle the opponent counts with the strength of its move.
        """
        rivals = {c.unit: c for c in self.tables.combat.get(province, ()) if c.unit != unit}
        holder = self.places.get(province)
        if holder and self.are_head_to_head(unit, holder):
            rivals[holder] = Contender(holder, self.tables.strengths[holder], 0)
        return sorted(rivals.values(), key=lambda c: (-c.strength, c.unit != holder, c.unit))

    def failed_convoy(self, army: Unit, province: Province) -> _Clause:
        """Why the army was not carried: no chain, or which fleet of it broke."""
        if army not in self.tables.routed:
            return _Clause(
                Outcome.NO_CONVOY,
                f"no convoy: no chain of fleets was ordered from {army.province} to {province}",
            )
        fleets = [f for f, o in self.orders.items() if isinstance(o, Convoy) and o.army == army]
        lost = [fleet for fleet in fleets if fleet in self.tables.dislodged]
        caught = [fleet for fleet in fleets if self.failed(fleet, "disrupted")]
        causes = [f"{self.name(f)} was dislodged by {self.attacker_name(f)}" for f in lost]
        causes = causes or [f"{self.name(f)} is caught in a convoy paradox" for f in caught]
        return _Clause(Outcome.DISRUPTED, f"disrupted: {' and '.join(causes) or 'the convoy did not hold'}")

    def attacker_name(self, unit: Unit) -> str:
        return self.name(self.places[self.tables.dislodged[unit]])

    def support(self, unit: Unit, order: SupportHold | SupportMove) -> Iterator[_Clause]:
        if flaw := self.void_support(order):
            yield _Clause(Outcome.VOID, f"void: {flaw}")
        elif self.failed(unit, "cut"):
            cutters = " and ".join(self.name(cutter) for cutter in self.cutters(unit, order))
            yield _Clause(Outcome.CUT, f"cut by {cutters}")
        elif spared := self.spared(unit, order):
            yield _Clause(
                Outcome.LIMITED,
                f"limited: it counts against others, not against {spared} of its own power",
            )

    def void_support(self, order: SupportHold | SupportMove) -> str:
        """Why the support does not fit what the other was ordered; empty when it does."""
        supported = self.places[order.supported.province]
        goal = self.goal(supported)
        if isinstance(order, SupportHold):
            return f"{supported} was ordered to {goal}" if goal else ""
        if goal != order.to:
            return f"{supported} was not ordered to {order.to}"
        return f"{supported} was not convoyed to {order.to}" if self.failed(supported, "no convoy") else ""

    def spared(self, unit: Unit, order: SupportHold | SupportMove) -> Unit | None:
        """The unit of the supporter's own power that stayed where the support goes.

        The engine calls such a support void, or nothing, depending on how the attack ends.
        """
        holder = self.places.get(order.to) if isinstance(order, SupportMove) else None
        if holder is None or self.owners[holder] != self.owners[unit]:
            return None
        left = self.goal(holder) is not None and not self.tables.codes[holder]
        return None if left else holder

    def cutters(self, unit: Unit, order: SupportHold | SupportMove) -> list[Unit]:
        """The attackers that count: of another power, not from where the support goes unless they dislodge."""
        target = order.to if isinstance(order, SupportMove) else order.supported.province
        return [
            mover
            for mover in self.owners
            if self.goal(mover) == unit.province
            and self.owners[mover] != self.owners[unit]
            and not self.failed(mover, "no convoy")
            and (mover.province != target or self.tables.dislodged.get(unit) == mover.province)
        ]

    def convoy(self, fleet: Unit, order: Convoy) -> Iterator[_Clause]:
        is_lost = fleet in self.tables.dislodged
        if self.goal(order.army) != order.to:
            yield _Clause(Outcome.VOID, f"void: {order.army} was not ordered to {order.to}")
        elif self.failed(order.army, "no convoy") and not is_lost:
            yield self.failed_convoy(order.army, order.to)
        elif order.army not in self.tables.routed:
            if not self.failed(order.army, "no convoy"):
                yield _Clause(Outcome.VOID, f"void: {order.army} went by land")
        elif self.failed(fleet, "no convoy"):
            yield _Clause(Outcome.VOID, f"void: {order.army} was convoyed by another route")


def retreat_results(before: Position, after: Position, rulings: Rulings) -> tuple[OrderResult, ...]:
    """A result for each order of each power, and for each dislodged unit without one."""
    played = {unit_of(r.order) for given in rulings.values() for r in given if not r.flaw}
    goals = [
        r.order for given in rulings.values() for r in given if isinstance(r.order, Retreat) and not r.flaw
    ]
    results: list[OrderResult] = []
    for power, dislodged in before.dislodged.items():
        given = rulings.get(power, ())
        lost = dislodged.keys() - played
        results += [_retreat_result(power, r, goals, after, is_lost=unit_of(r.order) in lost) for r in given]
        results += [
            OrderResult(power, Disband(unit), (Outcome.SUCCEEDED,), CIVIL_DISORDER, is_default=True)
            for unit in dislodged
            if unit not in {unit_of(r.order) for r in given}
        ]
    return tuple(results)


def _retreat_result(
    power: Power, ruling: Ruling, goals: Sequence[Retreat], after: Position, *, is_lost: bool
) -> OrderResult:
    order = ruling.order
    if ruling.flaw and is_lost:
        reason = f"disbanded for want of another order; void: {ruling.flaw}"
        return OrderResult(power, order, (Outcome.DISBANDED, Outcome.VOID), reason)
    if ruling.flaw:
        return OrderResult(power, order, (Outcome.VOID,), f"void: {ruling.flaw}")
    if isinstance(order, Retreat) and Unit(order.unit.kind, order.to) not in after.units[power]:
        rivals = [str(o.unit) for o in goals if o.to[:3] == order.to[:3] and o.unit != order.unit]
        reason = f"disbanded: {' and '.join(rivals)} retreated to {order.to[:3]} too"
        return OrderResult(power, order, (Outcome.DISBANDED,), reason)
    return OrderResult(power, order, (Outcome.SUCCEEDED,), "")


def adjustment_results(
    before: Position, after: Position, rulings: Rulings, builds: Mapping[Power, int]
) -> tuple[OrderResult, ...]:
    """A result for each order, then for each build that went unused and each unit that civil disorder removed."""
    results: list[OrderResult] = []
    for power, count in builds.items():
        given = rulings.get(power, ())
        results += [
            OrderResult(power, r.order, (Outcome.VOID,), f"void: {r.flaw}")
            if r.flaw
            else OrderResult(power, r.order, (Outcome.SUCCEEDED,), "")
            for r in given
        ]
        played = [r.order for r in given if not r.flaw]
        results += [
            OrderResult(power, order, (Outcome.SUCCEEDED,), CIVIL_DISORDER, is_default=True)
            for order in _missing_adjustments(before.units[power], after.units[power], played, count)
        ]
    return tuple(results)


def _missing_adjustments(
    units: Sequence[Unit], left: Sequence[Unit], played: Sequence[Order], count: int
) -> list[Order]:
    if count > 0:
        return [Waive()] * (count - len(played))
    ordered = {unit_of(order) for order in played}
    return [Disband(unit) for unit in units if unit not in left and unit not in ordered]
