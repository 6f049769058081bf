"""A second judge of movement phases, written from the rules, to hold the engine and its guards against.

The rules are a set of conditions on each other's results (DATC 5.B): a move succeeds or not, a support is given or
not, a fleet convoys or not. What follows from what is known already is concluded first, with strengths as ranges.
What is left are circles. Every way of answering a circle's questions is tried: where they all agree, that is the
answer; a ring of moves succeeds; and in a paradox its fleets do not convoy (Szykman, DATC 4.A.2). Where the rules
leave a choice it is the one of docs/engine.md. It knows our types and geography, nothing of the engine.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from entente.board.geography import Geography, Terrain
from entente.board.types import (
    Convoy,
    Hold,
    Location,
    Move,
    Order,
    Outcome,
    Position,
    Power,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    unit_of,
)

Truth = bool | None
"""None as long as it is open."""

Strength = tuple[int, int]
"""At least and at most."""

PORTS = {"ancmed": {"BAL"}, "ancmed_age_of_empires": {"BAL"}}
"""Land from which fleets convoy all the same, by map."""


class Question(NamedTuple):
    """Does the unit's move succeed, does it give its support, does it convoy?"""

    verb: Literal["move", "support", "convoy"]
    unit: Unit


Answers = dict[Question, bool]


@dataclass(frozen=True)
class Verdict:
    """A movement phase, judged."""

    outcomes: Mapping[Unit, frozenset[Outcome]]
    """Of every unit's order; a unit without a legal order is taken to hold."""
    units: Mapping[Power, frozenset[Unit]]
    """What stands where afterwards."""
    retreats: Mapping[Power, Mapping[Unit, tuple[Location, ...]]]
    """Dislodged units that may go somewhere, and where."""
    paradoxes: int
    """How often fleets were taken not to convoy for want of one answer."""


def judge_movement(
    position: Position, geography: Geography, orders: Mapping[Power, Sequence[Order]]
) -> Verdict:
    """The phase judged; illegal orders count as holds, of several for a unit the last is played."""
    table = Table(position, geography, orders)
    inquiry = Inquiry(table)
    inquiry.resolve()
    return Report(table, inquiry).verdict()


class Table:
    """What is on the table before anything is judged: units, legal orders, and chains of fleets."""

    def __init__(
        self, position: Position, geography: Geography, orders: Mapping[Power, Sequence[Order]]
    ) -> None:
        self.position, self.geography = position, geography
        self.owners = {unit: power for power, units in position.units.items() for unit in units}
        self.places = {unit.province: unit for unit in self.owners}
        ports = PORTS.get(position.map_name, set())
        self.fleets = {
            unit.province: {goal[:3] for goal in geography.neighbours(unit)}
            for unit in self.owners
            if unit.kind is UnitKind.FLEET
            and (geography.terrain[unit.province] is Terrain.SEA or unit.province in ports)
        }
        self.chains = cache(self._chains)
        self.orders: dict[Unit, Order] = {unit: Hold(unit) for unit in self.owners}
        for power, given in orders.items():
            last = {unit: order for order in given if (unit := unit_of(order))}
            self.orders |= {u: o for u, o in last.items() if self.owners.get(u) == power and self.is_legal(o)}
        self.moves = {unit: order for unit, order in self.orders.items() if isinstance(order, Move)}
        self.routes = {unit: self.ordered_chains(order) for unit, order in self.moves.items()}

    def _chains(self, start: Province, goal: Province) -> tuple[tuple[Province, ...], ...]:
        """The ways over the fleets that are there, leaving out those with a fleet to spare."""

        def extend(chain: tuple[Province, ...]) -> Iterator[tuple[Province, ...]]:
            if goal in self.fleets[chain[-1]]:
                yield chain
                return
            for fleet, borders in self.fleets.items():
                is_next = chain[-1] in borders and start not in borders
                if is_next and fleet not in chain and not borders & {*chain[:-1]}:
                    yield from extend((*chain, fleet))

        firsts = [fleet for fleet, borders in self.fleets.items() if start in borders and start != goal]
        return tuple(chain for first in firsts for chain in extend((first,)))

    def ordered_chains(self, move: Move) -> tuple[tuple[Province, ...], ...]:
        """Those of which every fleet was ordered to convoy the army there; none where it goes by land."""
        if move.unit.kind is not UnitKind.ARMY:
            return ()
        convoy = {u.province: u for u, order in self.orders.items() if self.carries(order, move)}
        chains = self.chains(move.unit.province, move.to[:3])
        complete = tuple(chain for chain in chains if convoy.keys() >= {*chain})
        is_meant = move.via_convoy or any(
            self.owners[fleet] == self.owners[move.unit] for fleet in convoy.values()
        )
        return complete if is_meant or not self.is_next_door(move) else ()

    def carries(self, order: Order, move: Move) -> bool:
        return isinstance(order, Convoy) and (order.army, order.to) == (move.unit, move.to)

    def is_next_door(self, move: Move) -> bool:
        return move.to in self.geography.neighbours(move.unit)

    def is_legal(self, order: Order) -> bool:
        match order:
            case Move(unit, to, via_convoy):
                return (self.is_next_door(order) and not via_convoy) or self.can_sail(unit, to)
            case SupportHold(unit, supported):
                return supported in self.owners and self.can_help(unit, supported, supported.province)
            case SupportMove(unit, supported, to):
                can_go = self.geography.can_reach(supported, to) or self.can_sail(supported, to)
                return supported in self.owners and can_go and self.can_help(unit, supported, to)
            case Convoy(unit, army, to):
                chains = self.chains(army.province, to) if self.can_sail(army, to) else ()
                return army in self.owners and any(unit.province in chain for chain in chains)
            case _:
                return True

    def can_sail(self, army: Unit, to: Location) -> bool:
        return army.kind is UnitKind.ARMY and len(to) == 3 and bool(self.chains(army.province, to))

    def can_help(self, unit: Unit, supported: Unit, province: Province) -> bool:
        return unit != supported and self.geography.can_reach(unit, province)

    def goal(self, unit: Unit | None) -> Province | None:
        """Where the unit was ordered to; None unless it was a move."""
        order = self.moves.get(unit) if unit else None
        return order.to[:3] if order else None

    def attackers(self, province: Province) -> list[Unit]:
        return [unit for unit, move in self.moves.items() if move.to[:3] == province]

    def supporters(self, unit: Unit) -> list[Unit]:
        """Units whose support fits what the unit was ordered to do."""
        goal = self.goal(unit)
        return [
            order.unit
            for order in self.orders.values()
            if (isinstance(order, SupportHold) and order.supported == unit and goal is None)
            or (isinstance(order, SupportMove) and order.supported == unit and order.to == goal)
        ]

    def has_way(self, unit: Unit) -> bool:
        """True where a moving unit walks next door or a chain of fleets was ordered for it."""
        return bool(self.routes[unit]) or self.is_next_door(self.moves[unit])


class Inquiry:
    """The questions, what is known of them, and how one follows from the others."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.paradoxes = 0
        self.known: Answers = {}
        self.consulted: set[Question] = set()
        self.questions = [Question("move", unit) for unit in table.moves]
        for unit, order in table.orders.items():
            if isinstance(order, SupportHold | SupportMove):
                self.questions.append(Question("support", unit))
            elif isinstance(order, Convoy):
                self.questions.append(Question("convoy", unit))

    def resolve(self) -> None:
        """Answer everything."""
        self.conclude(self.questions)
        while missing := [q for q in self.questions if q not in self.known]:
            self.settle(self.smallest_circle(missing))
            self.conclude(missing)

    def conclude(self, questions: Iterable[Question]) -> None:
        """All that follows from what is known."""
        missing = [q for q in questions if q not in self.known]
        found = {q: answer for q in missing if (answer := self.answer(q)) is not None}
        if found:
            self.known |= found
            self.conclude(missing)

    def smallest_circle(self, missing: Sequence[Question]) -> list[Question]:
        """The fewest open questions that hang on nothing open but each other."""
        needs = {q: self.needs(q) for q in missing}

        def closure(question: Question) -> list[Question]:
            found = [question]
            for q in found:
                found += [need for need in needs[q] if need not in found]
            return found

        return min((closure(q) for q in missing), key=len)

    def needs(self, question: Question) -> list[Question]:
        self.consulted = set()
        self.answer(question)
        return sorted(self.consulted)

    def settle(self, circle: Sequence[Question]) -> None:
        """Answer at least one question of the circle."""
        ways = list(self.ways(circle))
        agreed = {q: ways[0][q] for q in circle if ways and len({way[q] for way in ways}) == 1}
        fleets = [q for q in circle if q.verb == "convoy"]
        if agreed:
            self.known |= agreed
        elif fleets:
            self.paradoxes += 1
            self.known |= dict.fromkeys(fleets, False)
        else:
            self.known |= max(ways, key=lambda way: sum(way[q] for q in circle if q.verb == "move"))

    def ways(self, circle: Sequence[Question]) -> Iterator[Answers]:
        """Every set of answers to the circle that contradicts nothing."""
        before = dict(self.known)
        self.conclude(circle)
        if all(self.answer(q) in (None, self.known[q]) for q in circle if q in self.known):
            guess = next((q for q in circle if q not in self.known), None)
            if guess is None:
                yield {q: self.known[q] for q in circle}
            else:
                concluded = dict(self.known)
                for answer in (True, False):
                    self.known = concluded | {guess: answer}
                    yield from self.ways(circle)
        self.known = before

    def ask(self, verb: Literal["move", "support", "convoy"], unit: Unit) -> Truth:
        question = Question(verb, unit)
        if question not in self.known:
            self.consulted.add(question)
        return self.known.get(question)

    def answer(self, question: Question) -> Truth:
        """What follows from what is known (DATC 5.B)."""
        by_verb: dict[str, Callable[[Unit], Truth]] = {
            "move": self.succeeds,
            "support": self.is_given,
            "convoy": self.stays,
        }
        return by_verb[question.verb](question.unit)

    def succeeds(self, unit: Unit) -> Truth:
        goal = self.table.moves[unit].to[:3]
        mine = self.attack(unit)
        rivals = [self.prevention(rival) for rival in self.table.attackers(goal) if rival != unit]
        holder = self.table.places.get(goal)
        if holder:
            is_battle = self.are_head_to_head(unit, holder)
            rivals.append(either(is_battle, lambda: self.with_supports(holder), lambda: self.hold(holder)))
        else:
            rivals.append((0, 0))
        if any(mine[1] <= least for least, _ in rivals):
            return False
        return True if all(mine[0] > most for _, most in rivals) else None

    def is_given(self, unit: Unit) -> Truth:
        order = self.table.orders[unit]
        target = order.to if isinstance(order, SupportMove) else None
        return neither(
            self.ask("move", attacker) if attacker.province == target else self.arrives(attacker)
            for attacker in self.table.attackers(unit.province)
            if self.table.owners[attacker] != self.table.owners[unit]
        )

    def stays(self, unit: Unit) -> Truth:
        return neither(self.ask("move", attacker) for attacker in self.table.attackers(unit.province))

    def arrives(self, unit: Unit) -> Truth:
        """Whether a moving unit gets to its goal, to fight there."""
        move = self.table.moves[unit]
        if not self.table.routes[unit] and self.table.is_next_door(move):
            return True
        return self.sails(unit)

    def sails(self, unit: Unit) -> Truth:
        """Whether a moving unit is carried by a chain of fleets that holds."""
        return any_of(
            all_of(self.ask("convoy", self.table.places[fleet]) for fleet in chain)
            for chain in self.table.routes.get(unit, ())
        )

    def are_head_to_head(self, one: Unit, other: Unit) -> Truth:
        if self.table.goal(one) != other.province or self.table.goal(other) != one.province:
            return False
        return neither((self.sails(one), self.sails(other)))

    def attack(self, unit: Unit) -> Strength:
        holder = self.table.places.get(self.table.moves[unit].to[:3])
        if holder is None:
            return either(self.arrives(unit), lambda: self.with_supports(unit), nothing)
        has_left = all_of(
            (negated(self.are_head_to_head(unit, holder)), self.ask_if_moving(holder)),
        )
        power = self.table.owners[holder]
        return either(
            self.arrives(unit),
            lambda: either(
                has_left,
                lambda: self.with_supports(unit),
                lambda: (
                    (0, 0) if power == self.table.owners[unit] else self.with_supports(unit, without=power)
                ),
            ),
            nothing,
        )

    def ask_if_moving(self, unit: Unit) -> Truth:
        return self.ask("move", unit) if unit in self.table.moves else False

    def prevention(self, unit: Unit) -> Strength:
        holder = self.table.places.get(self.table.moves[unit].to[:3])
        is_beaten = holder is not None and all_of(
            (self.are_head_to_head(unit, holder), self.ask_if_moving(holder))
        )
        return either(
            self.arrives(unit),
            lambda: either(is_beaten, nothing, lambda: self.with_supports(unit)),
            nothing,
        )

    def hold(self, unit: Unit) -> Strength:
        if unit in self.table.moves:
            return either(self.ask("move", unit), nothing, lambda: (1, 1))
        return self.with_supports(unit)

    def with_supports(self, unit: Unit, without: Power | None = None) -> Strength:
        given = [
            self.ask("support", supporter)
            for supporter in self.table.supporters(unit)
            if self.table.owners[supporter] != without
        ]
        return 1 + given.count(True), 1 + given.count(True) + given.count(None)


class Report:
    """What the answers mean for every order and every dislodged unit."""

    def __init__(self, table: Table, inquiry: Inquiry) -> None:
        self.table, self.inquiry = table, inquiry
        self.moved = {unit for unit in table.moves if inquiry.known[Question("move", unit)]}
        self.dislodgers = {
            table.places[goal]: unit
            for unit in self.moved
            if (goal := table.moves[unit].to[:3]) in table.places and table.places[goal] not in self.moved
        }

    def verdict(self) -> Verdict:
        powers = self.table.position.units
        return Verdict(
            outcomes={unit: self.outcomes(unit) for unit in self.table.owners},
            units={power: frozenset(self.standing(power)) for power in powers},
            retreats={
                power: {
                    unit: options
                    for unit in powers[power]
                    if unit in self.dislodgers and (options := self.options(unit))
                }
                for power in powers
            },
            paradoxes=self.inquiry.paradoxes,
        )

    def standing(self, power: Power) -> Iterator[Unit]:
        for unit in self.table.position.units[power]:
            if unit in self.moved:
                yield Unit(unit.kind, self.table.moves[unit].to)
            elif unit not in self.dislodgers:
                yield unit

    def options(self, unit: Unit) -> tuple[Location, ...]:
        """Free neighbors that were not fought over, without the attacker's province unless it came by sea."""
        attacker = self.dislodgers[unit]
        closed = {u.province for power in self.table.position.units for u in self.standing(power)}
        closed |= {self.table.moves[u].to[:3] for u in self.table.moves if self.inquiry.prevention(u)[0]}
        if not self.inquiry.sails(attacker):
            closed.add(attacker.province)
        return tuple(goal for goal in self.table.geography.neighbours(unit) if goal[:3] not in closed)

    def outcomes(self, unit: Unit) -> frozenset[Outcome]:
        found = {Outcome.DISLODGED} if unit in self.dislodgers else set[Outcome]()
        if found and not self.options(unit):
            found.add(Outcome.DISBANDED)
        order = self.table.orders[unit]
        match order:
            case Move():
                found |= self.of_move(unit)
            case SupportHold(_, supported) | SupportMove(_, supported):
                found |= self.of_support(unit, supported) or self.of_limit(unit, order)
            case Convoy(_, army):
                found |= self.of_convoy(unit, army, order)
            case _:
                pass
        return frozenset(found or {Outcome.SUCCEEDED})

    def of_move(self, unit: Unit) -> set[Outcome]:
        if unit in self.moved:
            return set()
        if self.inquiry.arrives(unit):
            return {Outcome.BOUNCED}
        return {Outcome.DISRUPTED if self.table.routes[unit] else Outcome.NO_CONVOY}

    def of_support(self, unit: Unit, supported: Unit) -> set[Outcome]:
        is_moving = supported in self.table.moves
        if unit not in self.table.supporters(supported) or (is_moving and not self.table.has_way(supported)):
            return {Outcome.VOID}
        if not self.inquiry.known[Question("support", unit)]:
            return {Outcome.CUT}
        return {Outcome.VOID} if is_moving and not self.inquiry.arrives(supported) else set()

    def of_limit(self, unit: Unit, order: Order) -> set[Outcome]:
        """A support that counts may be one against a unit of the supporter's own power, which stays (DATC 5.B.7)."""
        own = self.table.position.units[self.table.owners[unit]]
        stayed = {each.province for each in own if each not in self.moved}
        return {Outcome.LIMITED} if isinstance(order, SupportMove) and order.to in stayed else set()

    def of_convoy(self, unit: Unit, army: Unit, order: Order) -> set[Outcome]:
        move = self.table.moves.get(army)
        if move is None or not self.table.carries(order, move):
            return {Outcome.VOID}
        if not self.inquiry.arrives(army) and unit not in self.dislodgers:
            return self.of_move(army)
        is_on_a_route = any(unit.province in chain for chain in self.table.routes[army])
        return set() if is_on_a_route or not self.table.has_way(army) else {Outcome.VOID}


def nothing() -> Strength:
    return 0, 0


def either(condition: Truth, yes: Callable[[], Strength], no: Callable[[], Strength]) -> Strength:
    """The strength when the condition holds or when it does not; both ranges joined as long as that is open."""
    if condition is not None:
        return yes() if condition else no()
    one, other = yes(), no()
    return min(one[0], other[0]), max(one[1], other[1])


def negated(truth: Truth) -> Truth:
    return None if truth is None else not truth


def all_of(truths: Iterable[Truth]) -> Truth:
    found = [*truths]
    return False if False in found else None if None in found else True


def any_of(truths: Iterable[Truth]) -> Truth:
    return negated(all_of(negated(truth) for truth in truths))


def neither(truths: Iterable[Truth]) -> Truth:
    return negated(any_of(truths))
