"""The order context: every legal order can be read off it, and what it says of the board is so."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entente.board.engine import Board
from entente.board.maps import SAFE_MAPS
from entente.board.orders import read_orders
from entente.board.types import Unit
from entente.board.verdicts import Verdict
from entente.models.mock import reading
from entente.players.model.chart import map_table, way_of
from entente.players.model.copied import order_of
from entente.players.model.situation import situation
from tests.players.model.crowded import CROWDED
from tests.players.model.talkers import late_game, random_boards
from tests.support.table import board_at


def spelled_out(text: str) -> list[str]:
    """The orders of a situation: indented lines, each up to its colon, but for what is told of the surroundings."""
    lines = [line[1:].partition(":")[0] for line in text.splitlines() if line.startswith(" ")]
    return [line for line in lines if line[0].isupper()]


def legal(board: Board, power: str) -> set[str]:
    return {str(order) for order in board.all_orders(power)}


def check_copies(board: Board, power: str) -> None:
    """Every legal order, and no other, can be copied from the prompt, with its facts or without them."""
    whole = [line[1:] for line in situation(board, power).splitlines() if line.startswith(" ")]
    assert [order_of(line) for line in whole if line[0].isupper()] == spelled_out(situation(board, power))
    copied = spelled_out(situation(board, power))
    assert sorted(copied) == sorted(legal(board, power)), (board.phase, power)
    for order in copied:
        (verdict,) = read_orders(board, power, [order]).verdicts
        assert (verdict.verdict, str(verdict.order)) == (Verdict.OK, order)


@pytest.mark.parametrize("map_name", SAFE_MAPS)
def test_every_legal_opening_order_and_no_other_can_be_copied(map_name: str) -> None:
    board = Board.start(map_name)
    for power in board.to_order:
        check_copies(board, power)


@settings(max_examples=8)
@given(st.integers(0, 10**6))
def test_every_legal_order_of_any_phase_and_no_other_can_be_copied(seed: int) -> None:
    for board in random_boards(seed, phases=9):
        for power in board.to_order:
            check_copies(board, power)


async def test_every_legal_order_of_a_crowded_board_and_no_other_can_be_copied() -> None:
    game = await late_game(6)
    for played in game.adjudications[-6:]:
        for power in Board(played.before).to_order:
            check_copies(Board(played.before), power)


def test_a_fleet_on_a_named_coast_has_its_moves_and_supports() -> None:
    board = board_at("S1902M", {"FRANCE": ["F SPA/NC", "A MAR"], "ITALY": ["F LYO"]})
    text = situation(board, "FRANCE")
    assert (
        "F SPA/NC (coast, nobody's center); can attack it: F LYO ITALY\n F SPA/NC H: support: A MAR\n"
        " F SPA/NC - GAS: empty; support: A MAR\n F SPA/NC - MAO: empty\n" in text
    )
    assert "\n F SPA/NC S A MAR - GAS\n" in text


def test_convoys_are_offered_to_the_army_and_to_the_fleets() -> None:
    board = board_at("S1902M", {"ENGLAND": ["A LON", "F NTH"]})
    text = situation(board, "ENGLAND")
    assert "\n A LON - NWY VIA: empty, nobody's center\n" in text
    assert "\n F NTH C A LON - NWY\n" in text


def test_it_says_who_stands_there_whose_center_it_is_and_who_can_come() -> None:
    board = board_at(
        "S1902M",
        {"FRANCE": ["A BUR", "F PIC"], "GERMANY": ["A MUN", "A RUH"]},
        {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
    )
    lines = situation(board, "FRANCE").splitlines()
    assert lines[0] == "A BUR (inland); can attack it: A MUN GERMANY, A RUH GERMANY"
    assert " A BUR - BEL: empty, nobody's center; can come: A RUH GERMANY; support: F PIC" in lines
    assert " A BUR - MUN: A GERMANY, GERMANY's center; can come: A RUH GERMANY" in lines
    assert " A BUR - PAR: empty, your center" in lines
    assert " A BUR - PIC: your F" in lines
    assert " F PIC S A BUR - BEL" in lines
    assert " F PIC S A RUH - BEL: for GERMANY" in lines


def test_the_nearest_units_and_centers_have_the_way_to_them() -> None:
    board = board_at(
        "S1902M", {"FRANCE": ["A PAR"], "GERMANY": ["A MUN", "F BEL"]}, {"FRANCE": ["PAR", "BRE"]}
    )
    lines = situation(board, "FRANCE").splitlines()
    assert lines[-2] == " units beyond: F BEL GERMANY in 2 moves by BUR, A MUN GERMANY in 2 moves by BUR"
    assert lines[-1] == (
        " centers beyond: BEL (nobody) in 2 moves by BUR, MAR (nobody) in 2 moves by BUR, "
        "MUN (nobody) in 2 moves by BUR"
    )


def test_retreats_say_who_came_and_where_it_is_safe() -> None:
    board = board_at(
        "S1902R",
        {"GERMANY": ["A BUR", "A MUN"]},
        {"FRANCE": ["PAR"]},
        {"FRANCE": {"A BUR": ["GAS", "PAR"]}},
    )
    assert situation(board, "FRANCE").splitlines() == [
        "A BUR was dislodged: A BUR GERMANY stands there now.",
        " A BUR R GAS: empty; can come: A BUR GERMANY",
        " A BUR R PAR: empty, your center; can come: A BUR GERMANY",
        " A BUR D: disband it",
    ]


def test_builds_are_listed_with_coasts_and_waive() -> None:
    board = board_at("W1902A", {"RUSSIA": ["A MOS"]}, {"RUSSIA": ["MOS", "STP", "RUM"]})
    assert situation(board, "RUSSIA").splitlines() == [
        "You may build 1 unit.",
        " A STP B",
        " F STP/NC B",
        " F STP/SC B",
        " WAIVE: do without one build",
    ]


def test_disbands_are_listed_with_what_a_unit_holds() -> None:
    board = board_at("W1902A", {"FRANCE": ["A PAR", "A RUH"], "GERMANY": ["A MUN"]}, {"FRANCE": ["PAR"]})
    assert situation(board, "FRANCE").splitlines() == [
        "You must disband 1 of these 2.",
        " A PAR D: your center; nearest units: A MUN GERMANY in 2 moves by BUR",
        " A RUH D: no center; nearest units: A MUN GERMANY in 1 move",
    ]


def test_ways_are_as_long_as_the_map_makes_them() -> None:
    assert way_of("standard", Unit.parse("A PAR"))["MUN"] == ("BUR", "MUN")
    assert "LON" not in way_of("standard", Unit.parse("A PAR"))
    assert way_of("standard", Unit.parse("F SPA/NC"))["MAR"] == ("MAO", "SPA", "MAR")


@pytest.mark.parametrize("map_name", SAFE_MAPS)
def test_every_map_has_a_table(map_name: str) -> None:
    board = Board.start(map_name)
    assert len(map_table(map_name).splitlines()) == len(board.geography.terrain)


def test_the_scripted_model_reads_all_of_it() -> None:
    board = Board.start()
    text = f"# Your units\n{situation(board, 'FRANCE')}"
    read = [order for orders in reading.legal_orders([text]).values() for order in orders]
    assert sorted(read) == sorted(legal(board, "FRANCE"))


def test_a_short_situation_has_all_that_a_power_can_do_by_itself() -> None:
    board = board_at("S1910M", CROWDED)
    copied = spelled_out(situation(board, "RUSSIA", short=True))
    foreign = {str(unit) for power in ("FRANCE", "TURKEY") for unit in board.position.units[power]}
    alone = {order for order in legal(board, "RUSSIA") if not any(unit in order[6:] for unit in foreign)}
    assert set(copied) == alone
    assert len(copied) == len(alone)
