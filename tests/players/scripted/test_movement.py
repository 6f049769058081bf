"""DumbBot's orders: what own units do for each other, and what they keep out of each other's way."""

import random
from collections import Counter

import pytest

from entente.board.engine import Board
from entente.board.types import Move, Order, SupportHold, SupportMove, Unit
from entente.players.scripted.dumbbot import plan_orders
from entente.players.scripted.movement import plan_movement
from entente.players.scripted.values import Values, chart_of
from entente.players.scripted.walk import walk

STANDARD = chart_of("standard")


def plan(units: list[str], worth: dict[str, float], **options: object) -> list[str]:
    """Plan without chance over values set by hand."""
    values = Values(
        {Unit.parse(node): value for node, value in worth.items()},
        Counter(),
        options.pop("competition", {}),  # pyright: ignore[reportArgumentType] - a table of the test's own
    )
    parsed = [Unit.parse(unit) for unit in units]
    orders = plan_movement(STANDARD, values, parsed, None, **options)  # pyright: ignore[reportArgumentType] - as above
    return [str(order) for order in orders.values()]


def test_a_unit_goes_to_the_best_place_it_can_reach() -> None:
    assert plan(["A PAR"], {"A BUR": 5, "A GAS": 9}) == ["A PAR - GAS"]


def test_a_unit_that_stands_best_holds() -> None:
    assert plan(["A PAR"], {"A PAR": 9, "A GAS": 9}) == ["A PAR H"]


def test_a_second_unit_supports_where_an_enemy_may_come_and_looks_elsewhere_where_none_can() -> None:
    worth = {"A BUR": 9.0, "A GAS": 5.0}
    assert plan(["A PAR", "A MAR"], worth, competition={"BUR": 1}) == ["A PAR - BUR", "A MAR S A PAR - BUR"]
    assert plan(["A PAR", "A MAR"], worth) == ["A PAR - BUR", "A MAR - GAS"]


def test_a_unit_supports_its_comrade_to_hold_only_against_two_enemies() -> None:
    worth = {"A PAR": 9.0, "A GAS": 1.0, "A BRE": -1.0}
    orders = plan(["A PAR", "A BRE"], worth, competition={"PAR": 2})
    assert orders == ["A PAR H", "A BRE S A PAR"]
    assert plan(["A PAR", "A BRE"], worth, competition={"PAR": 1}) == ["A PAR H", "A BRE - GAS"]


def test_a_unit_waits_for_the_comrade_in_its_way_and_follows_it() -> None:
    assert plan(["A PAR", "A BUR"], {"A BUR": 9, "A MUN": 20}) == ["A PAR - BUR", "A BUR - MUN"]


def test_units_that_want_each_others_places_do_not_wait_in_a_circle() -> None:
    orders = plan(["A PAR", "A BUR", "A GAS"], {"A BUR": 9, "A GAS": 9.1, "A PAR": 9.2})
    assert sorted(order.split()[1] for order in orders) == ["BUR", "GAS", "PAR"]
    moves = [order for order in orders if " - " in order and " S " not in order]
    assert not any(f"A {m.split()[3]} - {m.split()[1]}" in moves for m in moves)


def test_a_wasted_hold_becomes_support_for_the_contested_move_nearby() -> None:
    worth = {"A BUR": 9.0, "A MAR": 50.0}
    assert plan(["A PAR", "A MAR"], worth, competition={"BUR": 1}) == ["A PAR - BUR", "A MAR S A PAR - BUR"]


def test_a_fleet_names_the_coast_it_goes_to_and_its_supporter_does_not() -> None:
    worth = {"F SPA/NC": 9.0, "F SPA/SC": 3.0, "A SPA": 9.0}
    orders = plan(["F MAO", "A GAS"], worth, competition={"SPA": 1})
    assert orders == ["F MAO - SPA/NC", "A GAS S F MAO - SPA"]


def test_closed_provinces_are_neither_entered_nor_kept() -> None:
    assert plan(["A PAR"], {"A BUR": 9, "A GAS": 1}, closed=frozenset({"BUR"})) == ["A PAR - GAS"]
    assert plan(["A PAR"], {"A PAR": 9, "A GAS": 1}, closed=frozenset({"PAR"})) == ["A PAR - GAS"]


def test_fixed_orders_stand_and_the_rest_is_planned_around_them() -> None:
    burgundy: Order = SupportHold(Unit.parse("A BUR"), Unit.parse("A MUN"))
    fixed = {burgundy.unit: burgundy}
    orders = plan(["A PAR", "A BUR"], {"A BUR": 9, "A GAS": 5}, fixed=fixed)
    assert orders == ["A PAR - GAS", "A BUR S A MUN"]


@pytest.mark.parametrize("seed", range(20))
def test_no_two_own_units_move_to_one_province_and_each_support_has_its_move(seed: int) -> None:
    board = Board.start()
    for _ in range(12):
        plans = {p: plan_orders(board, p, random.Random(f"{seed}:{board.phase}:{p}")) for p in board.powers}
        if board.phase.is_movement:
            for orders in plans.values():
                assert_orders_fit_each_other(orders)
        board = Board(board.adjudicate(plans).after)


def assert_orders_fit_each_other(orders: list[Order]) -> None:
    goals = [order.to[:3] for order in orders if isinstance(order, Move)]
    staying = [order.unit.province for order in orders if isinstance(order, SupportHold | SupportMove)]
    assert len(goals) == len(set(goals)), orders
    assert not set(goals) & set(staying), orders
    moves = {(o.unit, o.to[:3]) for o in orders if isinstance(o, Move)}
    assert all((o.supported, o.to) in moves for o in orders if isinstance(o, SupportMove)), orders


def test_a_drop_of_a_fifth_is_never_taken() -> None:
    assert {walk([100.0, 80.0, 1.0], random.Random(seed)) for seed in range(200)} == {0}


def test_equal_values_are_skipped_half_the_time() -> None:
    skipped = sum(walk([7.0, 7.0], random.Random(seed)) for seed in range(1000))
    assert 450 < skipped < 550


def test_a_rising_list_is_walked_in_steps_of_one_half() -> None:
    last = sum(walk([1.0, 50.0, 100.0], random.Random(seed)) == 2 for seed in range(1000))
    assert 200 < last < 300
