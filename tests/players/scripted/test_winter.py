"""DumbBot's retreats, builds and removals."""

import random

from entente.board.types import Build, Disband, Retreat, Unit, Waive
from entente.players.scripted.dumbbot import plan_orders
from entente.players.scripted.values import Values
from entente.players.scripted.winter import plan_adjustments, plan_retreats
from tests.support.table import board_at

FLAT = Values({}, {}, {})


def test_two_units_do_not_retreat_to_one_province() -> None:
    dislodged = {Unit.parse("A PAR"): ["GAS"], Unit.parse("A MAR"): ["GAS"]}
    orders = plan_retreats(FLAT, dislodged, random.Random(1))
    assert orders == [Retreat(Unit.parse("A PAR"), "GAS"), Disband(Unit.parse("A MAR"))]


def test_a_unit_retreats_to_the_better_place_and_to_a_closed_one_only_in_need() -> None:
    paris = Unit.parse("A PAR")
    values = Values({Unit.parse("A GAS"): 9.0, Unit.parse("A PIC"): 1.0}, {}, {})
    assert plan_retreats(values, {paris: ["GAS", "PIC"]}, None) == [Retreat(paris, "GAS")]
    closed = frozenset({"GAS"})
    assert plan_retreats(values, {paris: ["GAS", "PIC"]}, None, closed=closed) == [Retreat(paris, "PIC")]
    assert plan_retreats(values, {paris: ["GAS"]}, None, closed=closed) == [Retreat(paris, "GAS")]


def test_builds_fill_free_homes_and_the_rest_is_waived() -> None:
    board = board_at(
        "W1901A", {"FRANCE": ["A BUR", "A PAR", "A MAR"]}, {"FRANCE": ["PAR", "MAR", "BRE", "SPA", "POR"]}
    )
    orders = plan_orders(board, "FRANCE", random.Random(1))
    assert [type(order) for order in orders].count(Build) == 1
    assert len(orders) == board.builds["FRANCE"]
    assert all(isinstance(order, Build | Waive) for order in orders)


def test_a_build_picks_its_coast_too() -> None:
    board = board_at(
        "W1901A", {"RUSSIA": ["A MOS", "A WAR", "F SEV"]}, {"RUSSIA": ["MOS", "WAR", "SEV", "STP"]}
    )
    built = {str(plan_orders(board, "RUSSIA", random.Random(seed))[0]) for seed in range(60)}
    assert built <= {"A STP B", "F STP/NC B", "F STP/SC B"}
    assert len(built) > 1


def test_the_unit_that_stands_worst_is_removed_first() -> None:
    board = board_at("W1901A", {"FRANCE": ["A MAR", "A PAR", "F NAO"]}, {"FRANCE": ["PAR", "MAR"]})
    values = Values({Unit.parse("A MAR"): 9.0, Unit.parse("A PAR"): 5.0, Unit.parse("F NAO"): 1.0}, {}, {})
    assert plan_adjustments(board, "FRANCE", values, None) == [Disband(Unit.parse("F NAO"))]
