"""A law: every fact that a prompt tells is true of the board, and every fact that it should tell is told.

Fifty random games are played, and what a seat reads in their phases is read back by a reader that shares no code with
the writer (`prompt_reader`), then held to the board: to its positions, its legal orders, and the engine's own map.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# The engine has no annotations.

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from entente.board.engine import Board, QuickMap
from entente.board.orders import read_orders
from entente.board.types import (
    Adjudication,
    Build,
    Move,
    Order,
    OrderResult,
    Outcome,
    PhaseKind,
    Position,
    Retreat,
    SupportMove,
    Unit,
    unit_of,
)
from entente.board.verdicts import Verdict
from entente.floors.chronicle import news
from entente.players.bundle import Bundle, GameRules
from entente.players.lived import lived_phase, opening_of
from entente.players.model.prompt import conversation
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from entente.players.record import PhaseRecord, ResultRecord
from prompts import open_set
from tests.board.order_positions import random_orders
from tests.players.model.prompt_reader import Block, Ordered, Told, by_order, owned, read
from tests.support.table import Game, game_bundle, new_game

GAMES, PHASES = 50, 8
SEATS = {"default": Seat(), "short": Seat(SeatSettings(prompts="short"), open_set(short=True))}
QUIET_SINCE = 1899
RULES = GameRules(last_year=1912, stalemate_years=3)
CHART = QuickMap("standard")
KINDS = {"LAND": "inland", "WATER": "sea", "COAST": "coast", "PORT": "coast"}
PLACES = sorted({place.upper() for place in CHART.locs if CHART.area_type(place) != "SHUT"})


# --- the board by itself: nothing here is the writer's


@cache
def goals(kind: str, place: str) -> frozenset[str]:
    """Where such a unit can go in one move, by the engine."""
    return frozenset(goal for goal in PLACES if CHART.abuts(kind, place, "-", goal))


def can_go(unit: str, province: str) -> bool:
    return any(goal[:3] == province for goal in goals(unit[0], unit[2:]))


@cache
def distances(unit: str) -> dict[str, int]:
    """In how many moves the unit can be in each province."""
    far, edge, found = 0, {unit[2:]}, dict[str, int]()
    seen = set(edge)
    while edge:
        far += 1
        edge = {goal for place in edge for goal in goals(unit[0], place)} - seen
        seen |= edge
        for goal in edge:
            found.setdefault(goal[:3], far)
    found.pop(unit[2:5], None)
    return found


class Truth:
    """What stands where."""

    def __init__(self, board: Board, power: str) -> None:
        self.board, self.power = board, power
        self.at = board.position
        self.units = {p: [str(unit) for unit in units] for p, units in self.at.units.items()}
        self.standing = {unit[2:5]: (unit, p) for p, units in self.units.items() for unit in units}
        self.owners = {c: p for p, centers in self.at.centers.items() for c in centers}
        self.legal = {str(o) for o in board.all_orders(power)}

    def comers(self, province: str) -> set[str]:
        return {f"{u} {p}" for u, p in self.standing.values() if p != self.power and can_go(u, province)}

    def stands(self, province: str) -> str:
        if province not in self.standing:
            return "empty"
        unit, power = self.standing[province]
        told = unit[0] + unit[5:]
        return f"your {told}" if power == self.power else f"{told} {power}"

    def center(self, province: str) -> str | None:
        if province.lower() not in {center.lower() for center in CHART.scs}:
            return None
        owner = self.owners.get(province, "nobody")
        return "your" if owner == self.power else owner

    def threatened(self) -> dict[str, set[str]]:
        """By every order of another power that would bring a unit into one of the power's centers."""
        found: dict[str, set[str]] = {}
        for other in self.board.powers:
            for order in map(str, self.board.all_orders(other)) if other != self.power else ():
                unit, _, goal = order.partition(" - ")
                center = goal[:3]
                if len(unit.split()) == 2 and self.owners.get(center) == self.power:
                    by = "" if can_go(unit, center) else " by convoy"
                    found.setdefault(center, set()).add(f"{unit} {other}{by}")
        return found


# --- what is checked


def check_map(told: Told, *, short: bool) -> None:
    assert told.names == {p: _title(p) for p in {place[:3] for place in PLACES}}
    homes = {home: power for power, places in CHART.homes.items() for home in places if power != "UNOWNED"}
    assert told.homes == {center: homes.get(center) for center in CHART.scs}
    assert (told.victory, told.all_centers) == (18, len(CHART.scs))
    assert (told.last_year, told.stalemate_years) == (RULES.last_year, RULES.stalemate_years)
    wanted = {(kind, place): set(goals(kind, place)) for kind in "AF" for place in PLACES}
    assert told.borders == ({} if short else {there: where for there, where in wanted.items() if where})


def _title(province: str) -> str:
    return max(
        (n for n, code in CHART.loc_name.items() if code.upper() == province), default=province
    ).title()


def check_board(told: Told, truth: Truth) -> None:
    at = truth.at
    alive = [p for p in at.units if at.units[p] or at.centers[p]]
    assert told.power == truth.power
    assert told.phases == {str(at.phase)}
    assert told.units == {p: truth.units[p] for p in alive}
    assert told.centers == {p: list(at.centers[p]) for p in alive}
    assert told.counts == {p: len(at.centers[p]) for p in alive}
    assert sorted(told.free) == sorted(set(CHART.scs) - set(truth.owners))
    assert told.dislodged == {(p, str(u)): list(to) for p, us in at.dislodged.items() for u, to in us.items()}
    assert told.winter == (winter(truth) if at.phase.kind is PhaseKind.ADJUSTMENTS else {})


def winter(truth: Truth) -> dict[str, int]:
    """Builds, as many as homes are owned and empty, and disbands."""
    found: dict[str, int] = {}
    for power, units in truth.units.items():
        due = len(truth.at.centers[power]) - len(units)
        free = [h for h in CHART.homes[power] if truth.owners.get(h) == power and h not in truth.standing]
        found[power] = min(due, len(free))
    return {power: due for power, due in found.items() if due}


def check_centers(told: Told, truth: Truth) -> None:
    season, kind = str(truth.at.phase)[0], truth.at.phase.kind
    when = {"SM": "fall", "FM": "after this phase", "FR": "after these retreats"}
    assert told.change == when.get(season + kind.value, "")
    threatened = truth.threatened() if kind is PhaseKind.MOVEMENT else {}
    assert {center: set(units) for center, units in told.threatened.items()} == threatened
    has_centers = bool(truth.at.centers[truth.power])
    is_late = truth.at.phase.year - QUIET_SINCE >= RULES.stalemate_years
    assert told.quiet_since == (QUIET_SINCE if is_late else None)
    assert told.is_safe == (kind is PhaseKind.MOVEMENT and has_centers and not threatened)
    standing = truth.standing.items() if told.change else ()
    foreign = {place: who for place, who in standing if truth.center(place)}
    me, owner = truth.power, truth.owners.get
    assert told.lost == {c: f"{u} {p}" for c, (u, p) in foreign.items() if owner(c) == me != p}
    assert told.won == {c: owner(c, "nobody") for c, (_, p) in foreign.items() if p == me != owner(c)}


def check_changes(told: Told, game: Game) -> None:
    """Where no section of events tells it, which centers have changed hands since the latest movement phase."""
    assert game.last_movement
    past, now = owners(game.last_movement.before), owners(game.board.position)
    changed = {
        center: (past.get(center, "nobody"), new) for center, new in now.items() if past.get(center) != new
    }
    assert told.changed == changed


def check_orders(told: Told, truth: Truth, *, short: bool) -> None:
    wanted = truth.legal
    if short and truth.at.phase.is_movement:
        foreign = [u for u, p in truth.standing.values() if p != truth.power]
        wanted = {order for order in wanted if not any(unit in order[6:] for unit in foreign)}
    lines = by_order(told.blocks)
    assert set(lines) == wanted
    assert sum(len(block.orders) for block in told.blocks) == len(wanted)
    for block in told.blocks:
        check_block(block, truth, short=short)


def check_block(block: Block, truth: Truth, *, short: bool) -> None:
    moves = truth.at.phase.is_movement
    assert all(line.order.startswith(f"{block.unit} ") for line in block.orders if block.unit)
    if moves and not short:
        there = block.unit[2:5]
        assert block.kind == KINDS[str(CHART.area_type(there))]
        assert block.center == truth.center(there)
        assert set(block.attackers) == truth.comers(there)
        check_ways(block, truth)
    if block.dislodged_by:
        assert owned(block.dislodged_by) == truth.standing[block.unit[2:5]]
    for line in block.orders:
        check_goal(line.order, line, truth, short=short and moves)
        helped = line.order.partition(" S ")[2]
        owner = truth.standing[helped[2:5]][1] if helped else truth.power
        assert line.helps == (None if owner == truth.power else owner)
        if moves and not short:
            assert set(line.support) == supporters(line.order, truth)


def check_goal(order: str, line: Any, truth: Truth, *, short: bool) -> None:
    """What is said of a move's or a retreat's goal; of other orders nothing is."""
    sign = " - " if " - " in order and " S " not in order and " C " not in order else " R "
    if sign not in order:
        is_disband = order.endswith(" D") and truth.at.phase.kind is PhaseKind.ADJUSTMENTS
        assert (line.stands, line.comers) == (None, [])
        assert line.center == (truth.center(order[2:5]) if is_disband else None)
        if is_disband:
            check_near(order.removesuffix(" D"), line.near, truth, above=0)
        return
    goal = order.split(sign)[1][:3]
    stands = truth.stands(goal)
    assert line.stands == (None if short and stands == "empty" else stands)
    assert line.center == truth.center(goal)
    assert set(line.comers) == (set() if short else truth.comers(goal))


def supporters(order: str, truth: Truth) -> set[str]:
    """Own units that have a legal order to support it."""
    plain = order.removesuffix(" VIA")
    if " S " in order or " C " in order:
        return set()
    unit, _, goal = plain.partition(" - ")
    wanted = f" S {unit} - {goal[:3]}" if goal else f" S {unit.removesuffix(' H')}"
    return {legal.removesuffix(wanted) for legal in truth.legal if legal.endswith(wanted)}


def check_ways(block: Block, truth: Truth) -> None:
    check_near(block.unit, block.units_beyond, truth, above=1)
    far = distances(block.unit)
    others = [far[c] for c in CHART.scs if truth.owners.get(c) != truth.power and c in far]
    assert [moves for _, moves, _ in block.centers_beyond] == [n for n in sorted(others)[:3] if n > 1]
    for name, moves, way in block.centers_beyond:
        assert name == f"{name[:3]} ({truth.owners.get(name[:3], 'nobody')})"
        check_way(block.unit, name[:3], moves, way)


def check_near(unit: str, near: list[tuple[str, int, list[str]]], truth: Truth, *, above: int) -> None:
    """The three nearest units of others; of several at one distance any may be named, so distances are compared."""
    far = distances(unit)
    foreign = [far[there] for there, (_, p) in truth.standing.items() if p != truth.power and there in far]
    assert [moves for _, moves, _ in near] == [n for n in sorted(foreign)[:3] if n > above]
    for name, moves, way in near:
        other, power = owned(name)
        assert power != truth.power
        assert truth.standing[other[2:5]] == (other, power)
        check_way(unit, other[2:5], moves, way)


def check_way(unit: str, goal: str, moves: int, way: list[str]) -> None:
    assert len(way) == moves - 1
    edge = {unit[2:]}
    for province in [*way, goal]:
        edge = {there for place in edge for there in goals(unit[0], place) if there[:3] == province}
        assert edge, (unit, way, goal)


def check_past(told: Told, judged: list[Adjudication], wanted: list[Adjudication]) -> None:
    """All orders of the phases that should be told, and what became of them."""
    by_name = {str(each.before.phase): each for each in judged}
    assert {str(each.before.phase) for each in wanted} <= set(told.past)
    for phase, orders in told.past.items():
        each = by_name[phase]
        results = sorted(each.results, key=lambda result: result.power)
        for order, result in zip(sorted(orders, key=lambda order: order.power), results, strict=True):
            assert (order.power, order.order) == (result.power, str(result.order))
            check_result(order, result, each.after)


def check_result(told: Ordered, result: OrderResult, after: Position) -> None:
    """A plain success has no remark and stands on the board; of anything else every outcome is named."""
    assert told.is_default == result.is_default
    assert (not told.remark) == result.succeeded
    assert all(outcome.value in told.remark for outcome in result.outcomes if not result.succeeded)
    units = after.units[told.power]
    match result.order:
        case Move(unit, to) | Retreat(unit, to) if not told.remark:
            assert Unit(unit.kind, to) in units
        case Build(unit):
            assert (unit in units) == (not told.remark)
        case _:
            pass
    is_dislodged = unit_of(result.order) in after.dislodged[told.power]
    assert "dislodged" in told.remark or not is_dislodged


def check_events(told: Told, judged: list[Adjudication]) -> None:
    by_name = {str(each.before.phase): each for each in judged}
    changed = {
        (phase, f"{owner} took {_title(center)}{f' from {old}' if old else ''}.")
        for phase, each in by_name.items()
        for center, owner in owners(each.after).items()
        if (old := owners(each.before).get(center)) != owner
    }
    assert {event for event in told.events if " took " in event[1]} <= changed
    for phase, sentence in told.events:
        each = by_name[phase]
        if sentence.endswith("was eliminated."):
            assert sentence.split()[0] not in each.after.survivors
        elif "dislodged" in sentence:
            power, rest = sentence.split("'s ", 1)
            beaten = {
                unit_of(r.order) for r in each.results if Outcome.DISLODGED in r.outcomes and r.power == power
            }
            assert rest[: rest.index(" was")] in map(str, beaten)
        else:
            assert (phase, sentence) in changed
    if told.events:
        latest = str(judged[-1].before.phase)
        assert {e for e in changed if e[0] == latest} <= set(told.events)


def owners(position: Position) -> dict[str, str]:
    return {center: power for power, centers in position.centers.items() for center in centers}


def check_copied(told: Told, truth: Truth, random: Random) -> None:
    """Lines that are copied are read as themselves."""
    lines = sorted(by_order(told.blocks))
    for order in random.sample(lines, min(3, len(lines))):
        (verdict,) = read_orders(truth.board, truth.power, [order]).verdicts
        assert (verdict.verdict, str(verdict.order)) == (Verdict.OK, order)


# --- the games


def played(seed: int, phases: int) -> Iterator[Game]:
    """A random game at each of its phases."""
    game, random = new_game(seed=f"facts {seed}"), Random(seed)
    for _ in range(phases):
        yield game
        judged = game.board.adjudicate({p: careless_orders(game.board, p, random) for p in game.board.powers})
        game.adjudications.append(judged)
        game.board = Board(judged.after)


def careless_orders(board: Board, power: str, random: Random) -> list[Order]:
    """Fierce ones, of which one in eight is forgotten."""
    return [order for order in fierce_orders(board, power, random) if random.random() < 7 / 8]


def fierce_orders(board: Board, power: str, random: Random) -> list[Order]:
    """Random ones, but for one supported attack on somebody else's unit, where the power can make one."""
    orders = {unit_of(order): order for order in random_orders(board, power, random)}
    own = board.position.units[power]
    attacks = [
        order
        for order in board.all_orders(power)
        if isinstance(order, SupportMove) and order.supported in own
        if (there := board.position.occupant(order.to)) and there not in own
    ]
    for support in random.sample(attacks, min(1, len(attacks))):
        moves = [o for o in board.all_orders(power) if isinstance(o, Move) and o.unit == support.supported]
        move = next(move for move in moves if move.to[:3] == support.to)
        orders |= {support.unit: support, support.supported: move}
    return list(orders.values())


def record_of(judged: Adjudication) -> PhaseRecord:
    return PhaseRecord(
        game="g",
        id=str(judged.before.phase),
        parent=None,
        phase=str(judged.before.phase),
        segments=(),
        board=Board(judged.before).snapshot(),
        results=tuple(map(ResultRecord.of, judged.results)),
    )


def chronicle_of(game: Game) -> tuple[str, ...]:
    lines = [line for judged in game.adjudications for line in news(record_of(judged), Board(judged.after))]
    return tuple(lines[-20:])


def bundle_of(game: Game, power: str, floor: str) -> Bundle:
    """The seat's bundle when orders are wanted; on the conductor's floor with the three latest phases lived."""
    bundle = game_bundle(game, power, round=0, rounds_total=0)
    bundle = replace(bundle, rules=RULES, last_change_year=QUIET_SINCE, chronicle=chronicle_of(game))
    if floor != "conductor":
        return bundle
    judged = game.adjudications[-4:]
    openings = [opening_of(Board(after.before), record_of(before)) for before, after in pairwise(judged)]
    phases = [
        lived_phase((game.seed, str(each.before.phase), power), Board(each.before), opening, ())
        for each, opening in zip(judged[1:], openings, strict=True)
    ]
    last = record_of(judged[-1]) if judged else None
    present = lived_phase((game.seed, "", power), game.board, opening_of(game.board, last), ())
    return replace(bundle, history=(*phases, present))


def check_prompt(game: Game, power: str, set_: str, floor: str) -> Told:
    bundle, truth, short = bundle_of(game, power, floor), Truth(game.board, power), set_ == "short"
    text = "\n".join(message.content for message in conversation(bundle, SEATS[set_]))
    told = read(text)
    assert "(none)" not in text
    check_map(told, short=short)
    check_board(told, truth)
    check_centers(told, truth)
    check_orders(told, truth, short=short)
    since = next((n for n, j in enumerate(game.adjudications[::-1], 1) if j.before.phase.is_movement), 0)
    check_past(told, game.adjudications, game.adjudications[-since:] if since else [])
    check_events(told, game.adjudications)
    if floor == "conductor" and game.last_movement:
        check_changes(told, game)
    check_copied(told, truth, Random(f"{game.seed} {power}"))
    units = game.board.position.units if game.board.phase.is_movement else game.board.position.dislodged
    assert told.wanted == [str(unit) for unit in units[power]]
    assert told.adjusts == truth.board.builds[power]
    return told


def has_default(power: str, told: Told) -> bool:
    return any(order.power == power and order.is_default for orders in told.past.values() for order in orders)


KINDS_OF_FACTS: dict[str, Callable[[Told], object]] = {
    "threatened": lambda told: told.threatened,
    "changed hands": lambda told: told.changed,
    "by convoy": lambda told: any(u.endswith("convoy") for us in told.threatened.values() for u in us),
    "safe": lambda told: told.is_safe,
    "lost": lambda told: told.lost,
    "won": lambda told: told.won,
    "dislodged": lambda told: told.dislodged,
    "dislodged without an order": lambda told: any(
        order.is_default and "dislodged" in order.remark for orders in told.past.values() for order in orders
    ),
    "retreat": lambda told: any(block.dislodged_by for block in told.blocks),
    "builds": lambda told: told.adjusts > 0,
    "disbands": lambda told: told.adjusts < 0,
    "events": lambda told: told.events,
    "past": lambda told: told.past,
    "since": lambda told: any(not phase.endswith("M") for phase in told.past),
    **{f"default of {power}": partial(has_default, power) for power in CHART.homes if power != "UNOWNED"},
}
"""So that a sample in which one kind never comes up is noticed."""
VIEWS = (("default", "rounds"), ("short", "rounds"), ("default", "conductor"))


def test_every_fact_of_a_prompt_is_true_of_the_board() -> None:
    """One seat a phase, each set and floor in its turn; whoever has something to order."""
    kinds = Counter[str]()
    for seed in range(GAMES):
        for number, game in enumerate(played(seed, PHASES)):
            power = game.board.to_order[(seed + number) % len(game.board.to_order)]
            told = check_prompt(game, power, *VIEWS[(seed + number) % len(VIEWS)])
            kinds.update(kind for kind, is_told in KINDS_OF_FACTS.items() if is_told(told))
    assert all(kinds[kind] for kind in KINDS_OF_FACTS), kinds


@pytest.mark.slow
def test_every_fact_of_every_seats_prompt_is_true_of_the_board() -> None:
    for seed in range(GAMES):
        for number, game in enumerate(played(seed, 2 * PHASES)):
            for place, power in enumerate(game.board.to_order):
                check_prompt(game, power, *VIEWS[(seed + number + place) % len(VIEWS)])
