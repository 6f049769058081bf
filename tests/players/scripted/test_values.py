"""DumbBot's value maps, against numbers worked out by hand from its description."""

import pytest

from entente.board.engine import Board
from entente.board.types import Phase, Unit
from entente.players.scripted.values import (
    attack_values,
    chart_of,
    defence_values,
    power_size,
    proximity_maps,
    reached_by,
    value_maps,
    weighting_of,
)
from tests.support.table import board_at


@pytest.mark.parametrize(
    ("centers", "size"),
    [(0, 16), (1, 21), (3, 37), (4, 48), (12, 208), (17, 373)],
    ids=str,
)
def test_a_power_of_n_centers_weighs_n_squared_plus_4n_plus_16(centers: int, size: int) -> None:
    assert power_size(centers) == size


def test_all_unowned_centers_count_as_one_power_of_twelve_at_the_start() -> None:
    attack = attack_values(Board.start().position, "FRANCE")
    assert (attack["BEL"], attack["MUN"], attack["MOS"]) == (208, 37, 48)
    assert "PAR" not in attack


def test_the_centers_of_friends_are_no_targets() -> None:
    attack = attack_values(Board.start().position, "FRANCE", friends=["GERMANY"])
    assert "MUN" not in attack
    assert attack["LON"] == 37


def test_only_a_center_that_an_enemy_can_enter_now_is_in_danger() -> None:
    board = board_at(
        "S1902M",
        {"FRANCE": ["A PAR"], "GERMANY": ["A BUR"], "ENGLAND": ["F ENG"]},
        {"FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["MUN"] * 1, "ENGLAND": ["LON", "EDI", "LVP", "NWY"]},
    )
    reached = {p: reached_by(board.position, p) for p in ("GERMANY", "ENGLAND")}
    assert defence_values(board.position, "FRANCE", reached) == {"PAR": 21, "MAR": 21, "BRE": 48}


@pytest.mark.parametrize(
    ("phase", "attack", "near"),
    [("S1901M", 700, (100, 1000)), ("F1901R", 600, (1000, 100)), ("W1901A", 700, (1000, 100))],
)
def test_spring_wants_to_be_beside_a_center_and_fall_in_it(
    phase: str, attack: int, near: tuple[int, int]
) -> None:
    weights = weighting_of(Phase.parse(phase))
    assert (weights.attack, weights.attack + weights.defence, weights.depths[:2]) == (attack, 1000, near)


def test_proximity_on_the_pure_map_is_the_neighbours_sum_over_five() -> None:
    # Seven centers, each beside all others. Worth: 21·700 for six, 21·300 for the own one.
    others = dict.fromkeys(("BER", "CON", "LON", "MOS", "ROM", "VIE"), 14_700)
    chart = chart_of("pure")
    levels = proximity_maps(chart, {**others, "PAR": 6_300})
    paris, berlin = chart.nodes.index(Unit.parse("A PAR")), chart.nodes.index(Unit.parse("A BER"))
    assert len(levels) == 10
    assert [levels[k][paris] for k in range(3)] == [6_300, 18_900, 26_460]
    assert [levels[k][berlin] for k in range(3)] == [14_700, 18_900, 26_460]


def test_values_on_the_pure_map_differ_by_what_stands_in_the_center_itself() -> None:
    values = value_maps(Board.start("pure").position, "FRANCE")
    # Strength and competition: 1 − 1 both in Paris and in Berlin.
    difference = values.of(Unit.parse("A BER")) - values.of(Unit.parse("A PAR"))
    assert difference == pytest.approx(100 * (14_700 - 6_300))


def test_a_coast_is_reached_by_the_better_of_its_nodes_once() -> None:
    chart = chart_of("standard")
    levels = proximity_maps(chart, {"SPA": 5})
    mid_atlantic = chart.nodes.index(Unit.parse("F MAO"))
    assert levels[1][mid_atlantic] == 1


def test_strength_counts_own_units_and_competition_the_strongest_single_rival() -> None:
    board = board_at(
        "S1902M",
        {
            "FRANCE": ["A PAR", "A MAR"],
            "GERMANY": ["A MUN", "A RUH"],
            "ITALY": ["A PIE"],
            "ENGLAND": ["F BEL"],
        },
        {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN"], "ITALY": ["VEN"], "ENGLAND": ["LON"]},
    )
    values = value_maps(board.position, "FRANCE")
    assert (values.strength["BUR"], values.competition["BUR"]) == (2, 2)
    assert values.competition["MAR"] == 1
