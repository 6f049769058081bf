"""The order context: every legal order can be read off it, and what it says of the board is so."""

import re

import pytest

from entente.board.engine import Board
from entente.board.maps import SAFE_MAPS
from entente.board.orders import Verdict, read_orders
from entente.board.types import Unit
from entente.players.model.chart import map_table, way_of
from entente.players.model.situation import situation
from tests.players.model.talkers import late_game
from tests.support.table import board_at


def spelled_out(text: str) -> set[str]:
    """The orders that a reader of the situation can write by its rules: the unit, then what is listed under it."""
    orders: set[str] = set()
    unit = ""
    for line in text.splitlines():
        if not line.startswith(" "):
            unit = " ".join(line.split()[:2])
            orders.add(f"{unit} H")
        elif line.startswith(" - "):
            orders.add(f"{unit} - {line.split()[1]}")
        elif re.match(r" (by convoy|supports|supports for others|convoys): ", line):
            for word in line.split(": ", 1)[1].split(", "):
                orders |= {f"{unit} {order}" for order in _alternatives(word)}
    return orders


def _alternatives(word: str) -> list[str]:
    """`ITALY S A NAP - ROM / TUN` as its two orders."""
    head, dash, goals = f" {re.sub(r'^[A-Z]{4,} ', '', word)}".partition(" - ")
    via = " VIA" if goals.endswith(" VIA") else ""
    goals = goals.removesuffix(" VIA")
    return [f"{head}{dash}{goal}{via}".strip() for goal in goals.split(" / ")]


def legal(board: Board, power: str) -> set[str]:
    return {str(order) for order in board.all_orders(power)}


@pytest.mark.parametrize("map_name", [name for name in SAFE_MAPS if name != "pure"])
def test_every_legal_opening_order_and_no_other_is_spelled_out(map_name: str) -> None:
    board = Board.start(map_name)
    while not board.phase.is_movement:
        board = Board(board.adjudicate({}).after)
    for power in board.to_order:
        assert spelled_out(situation(board, power)) == legal(board, power), power


async def test_every_legal_order_of_a_crowded_board_and_no_other_is_spelled_out() -> None:
    game = await late_game(6)
    for played in game.adjudications:
        board = Board(played.before)
        if board.phase.is_movement:
            for power in board.to_order:
                assert spelled_out(situation(board, power)) == legal(board, power), (board.phase, power)


def test_a_fleet_on_a_named_coast_has_its_moves_and_supports() -> None:
    board = board_at("S1902M", {"FRANCE": ["F SPA/NC", "A MAR"], "ITALY": ["F LYO"]})
    text = situation(board, "FRANCE")
    assert (
        "F SPA/NC (coast, free center), in reach of F LYO ITALY\n - GAS empty\n - MAO empty\n - POR" in text
    )
    assert "S A MAR - GAS" in text


def test_convoys_are_offered_to_the_army_and_to_the_fleets() -> None:
    board = board_at("S1902M", {"ENGLAND": ["A LON", "F NTH"]})
    text = situation(board, "ENGLAND")
    assert " by convoy: - BEL / DEN / EDI / HOL / NWY / YOR VIA" in text
    assert " convoys: C A LON - BEL / DEN / EDI / HOL / NWY / YOR" in text


def test_it_says_who_stands_there_whose_center_it_is_and_who_can_come() -> None:
    board = board_at(
        "S1902M",
        {"FRANCE": ["A BUR", "F PIC"], "GERMANY": ["A MUN", "A RUH"]},
        {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
    )
    lines = situation(board, "FRANCE").splitlines()
    assert lines[0] == "A BUR (inland), in reach of A MUN GERMANY, A RUH GERMANY"
    assert " - BEL empty, free center; can come: A RUH GERMANY" in lines
    assert " - MUN A GERMANY, GERMANY center; can come: A RUH GERMANY" in lines
    assert " - PAR empty, own center" in lines
    assert " - PIC own F" in lines


def test_the_nearest_units_and_centers_have_the_way_to_them() -> None:
    board = board_at(
        "S1902M", {"FRANCE": ["A PAR"], "GERMANY": ["A MUN", "F BEL"]}, {"FRANCE": ["PAR", "BRE"]}
    )
    lines = situation(board, "FRANCE").splitlines()
    assert lines[-2] == " next units: F BEL GERMANY 2 by BUR, A MUN GERMANY 2 by BUR"
    assert lines[-1] == " next centers: BEL free 2 by BUR, MAR free 2 by BUR, MUN free 2 by BUR"


def test_retreats_say_who_came_and_where_it_is_safe() -> None:
    board = board_at(
        "S1902R",
        {"GERMANY": ["A BUR", "A MUN"]},
        {"FRANCE": ["PAR"]},
        {"FRANCE": {"A BUR": ["GAS", "PAR"]}},
    )
    assert situation(board, "FRANCE").splitlines() == [
        "A BUR is dislodged by A GERMANY; it may",
        " R GAS empty; can come: A BUR GERMANY",
        " R PAR empty, own center; can come: A BUR GERMANY",
        " D (disband)",
    ]


def test_builds_are_listed_with_coasts_and_waive() -> None:
    board = board_at("W1902A", {"RUSSIA": ["A MOS"]}, {"RUSSIA": ["MOS", "STP", "RUM"]})
    text = situation(board, "RUSSIA")
    assert (
        text
        == "You may build 1. Legal: A STP B, F STP/NC B, F STP/SC B, or WAIVE for a build that you do without."
    )


def test_disbands_are_listed_with_what_a_unit_holds() -> None:
    board = board_at("W1902A", {"FRANCE": ["A PAR", "A RUH"], "GERMANY": ["A MUN"]}, {"FRANCE": ["PAR"]})
    assert situation(board, "FRANCE").splitlines() == [
        "You must disband 1 of these.",
        " A PAR D own center, next units: A MUN GERMANY 2 by BUR",
        " A RUH D no center, next units: A MUN GERMANY 1",
    ]


def test_ways_are_as_long_as_the_map_makes_them() -> None:
    assert way_of("standard", Unit.parse("A PAR"))["MUN"] == ("BUR", "MUN")
    assert "LON" not in way_of("standard", Unit.parse("A PAR"))
    assert way_of("standard", Unit.parse("F SPA/NC"))["MAR"] == ("MAO", "SPA", "MAR")


@pytest.mark.parametrize("map_name", SAFE_MAPS)
def test_every_map_has_a_table(map_name: str) -> None:
    board = Board.start(map_name)
    assert len(map_table(map_name).splitlines()) == len(board.geography.terrain)


def test_what_is_read_off_it_is_read_by_the_order_reader() -> None:
    board = Board.start()
    for power in board.powers:
        read = read_orders(board, power, sorted(spelled_out(situation(board, power))))
        assert all(v.verdict is not Verdict.REJECTED or v.error is None for v in read.verdicts)
