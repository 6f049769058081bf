"""Movement phases without convoys judged twice: by our board and its engine, and by the quick judge of searches."""

from collections.abc import Mapping, Sequence

import pytest

from entente.board.engine import Board
from entente.board.melee import STAND, Fray, fight, intent_of
from entente.board.types import Adjudication, Convoy, Hold, Move, Order, Outcome, Power, parse_order, unit_of
from tests.board.battles import Battle, battles
from tests.support.table import board_at

PHASES = {"standard": 300, "ancmed": 60, "modern": 60, "pure": 60}
STAYED = {Outcome.BOUNCED, Outcome.VOID, Outcome.DISLODGED}
RINGS = {
    "three units follow each other round": ({"GERMANY": "HOL BEL RUH"}, "HOL - BEL, BEL - RUH, RUH - HOL", 3),
    "a fourth one stops the ring": (
        {"GERMANY": "HOL BEL RUH", "FRANCE": "BUR"},
        "HOL - BEL, BEL - RUH, RUH - HOL, BUR - RUH",
        0,
    ),
    "of three powers as well": (
        {"GERMANY": "HOL", "FRANCE": "BEL", "ITALY": "RUH"},
        "HOL - BEL, BEL - RUH, RUH - HOL",
        3,
    ),
    "a support helps the ring through": (
        {"GERMANY": "HOL BEL RUH MUN", "FRANCE": "BUR"},
        "HOL - BEL, BEL - RUH, RUH - HOL, BUR - RUH, MUN S A BEL - RUH",
        3,
    ),
}


@pytest.mark.parametrize("map_name", PHASES)
def test_the_quick_judge_agrees_with_the_board_on_random_phases(map_name: str) -> None:
    dislodged = 0
    for battle in battles(map_name, 3, PHASES[map_name]):
        orders = {power: by_land(battle, power) for power in battle.orders}
        dislodged += bool(judged_twice(battle.board, orders).dislodged)
    assert dislodged > PHASES[map_name] / 5


@pytest.mark.parametrize("case", RINGS)
def test_rings_of_moves_succeed_unless_somebody_is_in_the_way(case: str) -> None:
    where, lines, count = RINGS[case]
    board = board_at(
        "S1901M", {power: [f"A {at}" for at in places.split()] for power, places in where.items()}
    )
    given = [parse_order(f"A {line}") for line in lines.split(", ")]
    orders = {
        power: [order for order in given if unit_of(order) in board.position.units[power]] for power in where
    }
    assert len(judged_twice(board, orders).moved) == count


def judged_twice(board: Board, orders: Mapping[Power, Sequence[Order]]) -> Fray:
    judged = board.adjudicate(orders)
    owners = {unit.province: p for p, units in judged.before.units.items() for unit in units}
    given = {unit.province: intent_of(o) for some in orders.values() for o in some if (unit := unit_of(o))}
    fray = fight(owners, dict.fromkeys(owners, STAND) | given)
    assert fray.moved == moves(judged), orders
    assert fray.dislodged.keys() == beaten(judged), orders
    assert all(fray.moved[at] == to for to, at in fray.dislodged.items())
    return fray


def by_land(battle: Battle, power: str) -> Sequence[Order]:
    """The power's legal orders, the last of each unit, in which nobody is convoyed."""
    legal = {*battle.board.all_orders(power)}
    last = {unit_of(order): order for order in battle.orders[power] if order in legal}
    return [Hold(unit) if is_by_sea(order, battle) else order for unit, order in last.items() if unit]


def is_by_sea(order: Order, battle: Battle) -> bool:
    return isinstance(order, Convoy) or (
        isinstance(order, Move)
        and (order.via_convoy or not battle.board.geography.can_reach(order.unit, order.to[:3]))
    )


def moves(judged: Adjudication) -> dict[str, str]:
    return {
        result.order.unit.province: result.order.to[:3]
        for result in judged.results
        if isinstance(result.order, Move) and not STAYED & {*result.outcomes}
    }


def beaten(judged: Adjudication) -> set[str]:
    return {
        unit.province
        for result in judged.results
        if Outcome.DISLODGED in result.outcomes and (unit := unit_of(result.order))
    }
