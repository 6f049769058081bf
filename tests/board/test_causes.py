"""Why orders are illegal: the same words from the order reader and from the adjudication."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest

from entente.board.causes import find_cause, sentence
from entente.board.engine import Board
from entente.board.geography import Terrain
from entente.board.orderbook import mentioned
from entente.board.orders import read_orders
from entente.board.types import (
    Convoy,
    Hold,
    Move,
    Order,
    Outcome,
    PhaseKind,
    Power,
    Province,
    Retreat,
    SupportHold,
    SupportMove,
    UnitKind,
    parse_order,
    verb_of,
)
from entente.errors import IllegalOrderError
from tests.board.battles import battles
from tests.board.order_positions import everything_legal, random_boards
from tests.board.positions import position_of

SEAS = {
    "units": {
        "FRANCE": ["A PAR", "A GAS", "F MAO", "F LYO"],
        "ENGLAND": ["F NTH", "A LON"],
        "ITALY": ["F SPA/SC"],
    }
}
LOST = {"units": {"FRANCE": ["A PAR"]}, "dislodged": {"FRANCE": {"F MAO": ["SPA/NC", "SPA/SC"]}}}
WINTER = {
    "units": {"RUSSIA": ["A MOS", "A BUD"], "FRANCE": ["A PAR"]},
    "centers": {"RUSSIA": ["MOS", "BUD", "STP", "WAR"], "FRANCE": ["PAR", "BEL"]},
}


@pytest.mark.parametrize(
    ("power", "order", "cause"),
    [
        ("FRANCE", "F MAO - SPA", "F MAO must name a coast: SPA/NC or SPA/SC"),
        ("FRANCE", "F LYO - SPA", "F LYO must name a coast: SPA/SC"),
        ("FRANCE", "F LYO - SPA/NC", "F LYO must name SPA/SC, not SPA/NC"),
        ("FRANCE", "A GAS - SPA/NC", "A GAS must name SPA, not SPA/NC"),
        ("FRANCE", "F MAO - GAS VIA", "F MAO cannot go to GAS by convoy: only armies are convoyed"),
        ("FRANCE", "A PAR - SWI", "A PAR cannot go to SWI: the map has no such place to stand in"),
        ("FRANCE", "F PAR H", "FRANCE has no F PAR: A PAR stands there"),
        ("FRANCE", "A PAR S A PAR - BUR", "A PAR cannot support itself"),
        ("FRANCE", "F MAO S A SPA", "there is no A SPA to support: F SPA/SC stands there"),
        ("FRANCE", "F MAO S F SPA/NC", "there is no F SPA/NC to support: F SPA/SC stands there"),
        ("FRANCE", "F LYO C F MAO - SPA", "F LYO cannot convoy F MAO: only armies are convoyed"),
        (
            "ENGLAND",
            "F NTH S A LON - NWY",
            (
                "F NTH cannot support A LON to NWY: "
                "A LON cannot make that move, as no other fleets make a convoy possible"
            ),
        ),
    ],
)
def test_an_illegal_order_of_a_movement_phase_has_its_cause(power: Power, order: str, cause: str) -> None:
    board = Board(position_of("S1905M", SEAS))
    assert find_cause(parse_order(order), board.situation(power)) == cause


@pytest.mark.parametrize(
    ("order", "cause"),
    [
        ("F MAO R SPA", "F MAO must name a coast: SPA/NC or SPA/SC"),
        ("F MAO H", "F MAO is dislodged and cannot hold: it retreats or disbands"),
        ("A MAO D", "FRANCE has no dislodged A MAO: F MAO is dislodged there"),
        ("A PAR H", "A PAR is not dislodged and takes no orders in F1905R"),
        ("A BUR D", "FRANCE has no dislodged unit in BUR"),
    ],
)
def test_an_illegal_order_of_a_retreat_phase_has_its_cause(order: str, cause: str) -> None:
    board = Board(position_of("F1905R", LOST))
    assert find_cause(parse_order(order), board.situation("FRANCE")) == cause


@pytest.mark.parametrize(
    ("map_name", "power", "order", "cause"),
    [
        ("standard", "RUSSIA", "F STP B", "F STP must name a coast: STP/NC or STP/SC"),
        ("standard", "RUSSIA", "A STP/NC B", "A STP/NC must name STP, not STP/NC"),
        (
            "standard",
            "RUSSIA",
            "A BUD B",
            "RUSSIA cannot build in BUD: it is not one of its home centers",
        ),
        ("standard_age_of_empires", "RUSSIA", "A BUD B", "RUSSIA cannot build in BUD: A BUD stands there"),
        (
            "standard_age_of_empires",
            "RUSSIA",
            "A VIE B",
            "RUSSIA cannot build in VIE: it does not own it now",
        ),
        (
            "standard",
            "FRANCE",
            "WAIVE",
            "FRANCE has no build to waive in W1905A: no center that it may build in is free",
        ),
    ],
)
def test_an_illegal_order_of_an_adjustment_phase_has_its_cause(
    map_name: str, power: Power, order: str, cause: str
) -> None:
    board = Board(position_of("W1905A", WINTER, map_name))
    assert find_cause(parse_order(order), board.situation(power)) == cause


def _orders_at_random(board: Board, power: Power, rng: random.Random) -> list[Order]:
    """Orders of every kind to units that stand, most of them illegal."""
    at, places = board.position, list(board.geography.terrain)
    units = [unit for some in at.units.values() for unit in some]
    mine, other = rng.choice(at.units[power] or units), rng.choice(units)
    near = rng.choice(board.geography.neighbours(mine) or places)[:3]
    far = rng.choice(places)
    return [
        Hold(other),
        Move(mine, far),
        SupportHold(mine, other),
        SupportMove(mine, other, near),
        SupportMove(mine, other, far),
        Convoy(mine, other, far),
        rng.choice(everything_legal())[2],
    ]


def _is_taken_as_written(order: Order, board: Board) -> bool:
    """True when the reader has no kind or coast to correct and no retreat to see in a move."""
    at = board.position
    standing = {u for units in (*at.units.values(), *at.dislodged.values()) for u in units}
    named = [u for u in (getattr(order, name, None) for name in ("unit", "supported", "army")) if u]
    is_known = set(mentioned(order)) <= set(board.geography.terrain)
    return is_known and set(named) <= standing and (at.phase.is_movement or not isinstance(order, Move))


def _rejected(board: Board, power: Power, orders: Iterable[Order]) -> dict[Order, str]:
    """The reader's notes to orders that it takes for illegal."""
    readings = {order: read_orders(board, power, str(order)).verdicts[0] for order in orders}
    return {order: v.note for order, v in readings.items() if isinstance(v.error, IllegalOrderError)}


def test_the_nearest_order_is_of_the_kind_that_was_meant() -> None:
    rng, offered = random.Random(6), 0
    for board in random_boards()[::3]:
        for power in board.powers:
            for order in _orders_at_random(board, power, rng):
                verdict = read_orders(board, power, str(order)).verdicts[0]
                if verdict.nearest and verdict.error:
                    is_retreat = board.phase.kind is PhaseKind.RETREATS and isinstance(order, Move)
                    is_move = board.phase.is_movement and isinstance(order, Retreat)
                    meant = "r" if is_retreat else "m" if is_move else verb_of(order)
                    assert verb_of(parse_order(verdict.nearest)) == meant, (order, verdict.nearest)
                    offered += 1
    assert offered > 100


def test_the_reader_rejects_in_the_words_of_the_adjudication() -> None:
    rng, same = random.Random(5), 0
    for board in random_boards()[::2]:
        for power in board.powers:
            orders = [o for o in _orders_at_random(board, power, rng) if _is_taken_as_written(o, board)]
            for order, note in _rejected(board, power, orders).items():
                assert note == sentence(find_cause(order, board.situation(power))), order
                told = [r for r in board.adjudicate({power: [order]}).results if r.order == order]
                assert any(Outcome.VOID in result.outcomes for result in told), order
                same += any(note == sentence(r.reason.split("void: ")[-1]) for r in told if r.reason)
    assert same > 500


def _ways(board: Board, start: Province, goal: Province) -> Iterator[tuple[Province, ...]]:
    """Every chain of fleets between two coasts, detours too, by walking them all."""
    around = {
        unit.province: {place[:3] for place in board.geography.neighbours(unit)}
        for units in board.position.units.values()
        for unit in units
        if unit.kind is UnitKind.FLEET and board.geography.terrain[unit.province] is Terrain.SEA
    }

    def extend(chain: tuple[Province, ...]) -> Iterator[tuple[Province, ...]]:
        if goal in around[chain[-1]]:
            yield chain
        for sea in around.keys() - {*chain}:
            if sea in around[chain[-1]]:
                yield from extend((*chain, sea))

    for sea in around:
        if start in around[sea]:
            yield from extend((sea,))


def _check_ways(cause: str, order: Convoy | Move | SupportMove, ways: list[tuple[Province, ...]]) -> str:
    """What is said about chains of fleets, if anything, held against the ways that there are."""
    here = order.unit.province
    if "no chain of fleets leads there" in cause:
        assert not any(here in way for way in ways), (cause, ways)
        return "no chain"
    if "makes no detour" in cause:
        assert any(here in way for way in ways), (cause, ways)
        assert any(here not in way for way in ways), (cause, ways)
        return "detour"
    if "no other fleets make" in cause:
        assert all(here in way for way in ways), (cause, ways)
        return "no other fleets"
    if "no fleets make" in cause:
        assert not ways, (cause, ways)
        return "no fleets"
    return "nothing"


def test_no_chain_of_fleets_is_said_only_where_none_exists() -> None:
    said: Counter[str] = Counter()
    for battle in battles("standard", 3, 60):
        board, at = battle.board, battle.board.position
        coasts = [p for p, terrain in board.geography.terrain.items() if terrain is Terrain.COAST]
        armies = [u for units in at.units.values() for u in units if u.kind is UnitKind.ARMY]
        for power in board.powers:
            for unit in at.units[power]:
                for army, goal in zip(armies, coasts, strict=False):
                    ways = list(_ways(board, army.province, goal))
                    illegal: list[Convoy | Move | SupportMove] = [
                        Convoy(unit, army, goal),
                        Move(unit, goal, via_convoy=True),
                        SupportMove(unit, army, goal),
                    ]
                    for order in illegal:
                        if order in board.legal_orders[power].get(unit.location, ()):
                            continue
                        cause = find_cause(order, board.situation(power))
                        own = ways if not isinstance(order, Move) else list(_ways(board, unit.province, goal))
                        said[_check_ways(cause, order, own)] += 1
    assert min(said[words] for words in ("no chain", "detour", "no other fleets", "no fleets")) > 5, said
