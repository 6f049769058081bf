"""The board for eyes."""

import random
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from entente.board.engine import Board
from entente.board.maps import SAFE_MAPS
from entente.board.render import board_svg, board_text
from entente.board.types import OrderResult, Outcome
from tests.board.games import random_orders
from tests.board.positions import orders_of, position_of

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [node.text or "" for node in ET.fromstring(svg).iter(f"{SVG}text")]


def results_of(board: Board, orders: Mapping[str, Sequence[str]]) -> tuple[OrderResult, ...]:
    return board.adjudicate(orders_of(orders)).results


@pytest.mark.parametrize("map_name", SAFE_MAPS)
def test_every_map_is_drawn_as_xml_with_its_phase(map_name: str) -> None:
    board = Board.start(map_name)
    svg = board_svg(board)
    assert ET.fromstring(svg).tag == f"{SVG}svg"
    assert any(str(board.phase) in text for text in texts(svg))
    assert "<!DOCTYPE" not in svg


def test_every_kind_of_phase_is_drawn_the_same_twice() -> None:
    rng, board, kinds = random.Random(4), Board.start(), set[str]()
    while board.phase.year < 1902:
        orders = random_orders(board, rng)
        judged = board.adjudicate(orders)
        svg = board_svg(board, judged.results)
        kinds.add(board.phase.kind.value)
        assert svg == board_svg(Board(board.position), judged.results)
        assert str(board.phase) in texts(svg)
        board = Board(judged.after)
    assert kinds == {"M", "R", "A"}


def test_orders_are_drawn_when_asked_for_and_leave_the_board_alone() -> None:
    board = Board.start()
    plain = board_svg(board)
    ordered = board_svg(board, results_of(board, {"FRANCE": ["A PAR - BUR"]}))
    assert len(ordered) > len(plain)
    assert board_svg(board) == plain


def test_an_order_that_cannot_be_played_is_not_drawn() -> None:
    board = Board.start()
    results = results_of(board, {"FRANCE": ["A PAR - MOS"]})
    others = [result for result in results if str(result.order) != "A PAR - MOS"]
    assert len(others) == len(results) - 1
    assert board_svg(board, results) == board_svg(board, others)


def of_color(svg: str, color: str) -> list[tuple[float, float]]:
    """Where the marks of this color begin, those of the legend left out."""
    layer = next(group for group in ET.fromstring(svg).iter(f"{SVG}g") if group.get("id") == "FailureLayer")
    paths = [path.get("d", "") for path in layer.iter(f"{SVG}path") if path.get("stroke") == color]
    return [(float(x), float(y)) for x, y in (path.split()[1].split(",") for path in paths)]


def crosses(svg: str) -> list[tuple[float, float]]:
    """Where the red crosses stand, by their upper left corners."""
    return of_color(svg, "#d00000")


@pytest.mark.parametrize("map_name", ["standard", "ancmed", "modern"])
def test_provinces_are_named_on_the_map(map_name: str) -> None:
    board = Board.start(map_name)
    named = {text.strip().upper() for text in texts(board_svg(board))}
    misnamed = {"LIV", "SVE"} if map_name == "modern" else set[str]()  # by the engine's drawing
    assert set(board.geography.centers) - named == misnamed


def test_an_order_that_fails_is_crossed_out_on_its_way() -> None:
    board = Board.start()
    results = results_of(board, {"FRANCE": ["A PAR - BUR", "F BRE - MAO"], "GERMANY": ["A MUN - BUR"]})
    units, half = board.draw().units, board.draw().unit_width / 4
    middles = {
        ((units[a][0] + units["BUR"][0]) / 2 - half, (units[a][1] + units["BUR"][1]) / 2 - half)
        for a in ("PAR", "MUN")
    }
    found = crosses(board_svg(board, results))
    assert len(found) == 2
    assert all(any(abs(x - a) < 0.1 and abs(y - b) < 0.1 for a, b in middles) for x, y in found)
    assert crosses(board_svg(board, results_of(board, {"FRANCE": ["A PAR - BUR"]}))) == []


def test_what_is_crossed_out_is_what_the_results_say_and_not_judged_again() -> None:
    board = Board.start()
    results = results_of(board, {"FRANCE": ["A PAR - BUR"]})
    bounced = [
        replace(result, outcomes=(Outcome.BOUNCED,)) if str(result.order) == "A PAR - BUR" else result
        for result in results
    ]
    assert len(crosses(board_svg(board, bounced))) == 1


def test_a_support_that_counts_against_others_alone_has_a_ring_and_no_cross() -> None:
    state = {"units": {"AUSTRIA": ["A SER", "F RUM"], "RUSSIA": ["A GAL"], "TURKEY": ["A BUD"]}}
    board = Board(position_of("S1905M", state))
    orders = {
        "AUSTRIA": ["A SER S A GAL - RUM", "F RUM H"],
        "RUSSIA": ["A GAL - RUM"],
        "TURKEY": ["A BUD - RUM"],
    }
    svg = board_svg(board, results_of(board, orders))
    units = board.draw().units
    assert len(crosses(svg)) == 2
    (ring,) = of_color(svg, "#f08000")
    x, y = (units["SER"][0] + units["GAL"][0]) / 2, (units["SER"][1] + units["GAL"][1]) / 2
    assert ring == pytest.approx((x - board.draw().unit_width / 4, y), abs=0.1)


def test_a_dislodged_unit_has_a_star_beside_it_and_a_retreat_that_fails_a_cross() -> None:
    state = {"units": {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A BUR"]}}
    board = Board(position_of("S1905M", state))
    orders = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A BUR H"]}
    svg = board_svg(board, results_of(board, orders))
    assert (crosses(svg), len(of_color(svg, "#a000a0"))) == ([], 1)

    state = {
        "units": {"ITALY": ["A BUR", "A TYR"]},
        "dislodged": {"FRANCE": {"A MAR": ["GAS"]}, "GERMANY": {"A PAR": ["GAS"]}},
    }
    board = Board(position_of("S1905R", state))
    both = results_of(board, {"FRANCE": ["A MAR R GAS"], "GERMANY": ["A PAR R GAS"]})
    assert len(crosses(board_svg(board, both))) == 2


def test_each_outcome_has_a_shape_of_its_own_and_a_word_in_the_legend() -> None:
    state = {
        "units": {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A BUR", "A RUH"], "ITALY": ["A PIE", "A VEN"]},
    }
    board = Board(position_of("S1905M", state))
    orders = {
        "FRANCE": ["A PAR - PIC", "A MAR S A PAR - BUR"],
        "GERMANY": ["A BUR H", "A RUH S A BUR"],
        "ITALY": ["A PIE S A VEN - TYR", "A VEN H"],
    }
    svg = board_svg(board, results_of(board, orders))
    assert len(of_color(svg, "#505050")) == 2  # both supports are without effect
    assert {"failed", "cut", "against others alone", "without effect", "dislodged"} <= set(texts(svg))


def test_moves_against_each_other_are_drawn_side_by_side() -> None:
    board = Board(position_of("S1905M", {"units": {"FRANCE": ["A BUR"], "GERMANY": ["A RUH"]}}))
    svg = board_svg(board, results_of(board, {"FRANCE": ["A BUR - RUH"], "GERMANY": ["A RUH - BUR"]}))
    lines = [
        {name: float(line.get(name, 0)) for name in ("x1", "y1", "x2", "y2")}
        for line in ET.fromstring(svg).iter(f"{SVG}line")
        if line.get("class") == "varwidthorder"
    ]
    one, other = lines
    (x, y), (to_x, to_y) = board.draw().units["BUR"], board.draw().units["RUH"]
    across = [
        ((line["x1"] - x) * (to_y - y) - (line["y1"] - y) * (to_x - x)) / abs(complex(to_x - x, to_y - y))
        for line in (one, other)
    ]
    assert sorted(across) == pytest.approx([-13, 13], abs=0.5)
    assert len(set(crosses(svg))) == 2


def test_units_have_their_powers_letters() -> None:
    assert {"AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR"} <= set(texts(board_svg(Board.start())))


def test_the_table_tells_units_centers_and_who_was_dislodged() -> None:
    state = {
        "units": {"AUSTRIA": ["A VIE"], "FRANCE": ["A MAR", "F BRE"]},
        "centers": {"FRANCE": ["PAR", "MAR", "BRE"], "ITALY": ["ROM"]},
        "dislodged": {"FRANCE": {"A BUR": ["PAR", "GAS"]}},
    }
    board = Board(position_of("S1905R", state))
    assert board_text(board).splitlines() == [
        "S1905R on standard",
        "",
        "power    centers         units",
        "AUSTRIA   0              A VIE",
        "ENGLAND   0              -",
        "FRANCE    3 BRE MAR PAR  F BRE, A MAR, *A BUR (PAR, GAS)",
        "GERMANY   0              -",
        "ITALY     1 ROM          -",
        "RUSSIA    0              -",
        "TURKEY    0              -",
    ]
    assert board_text(board, columns=45).splitlines()[5:7] == [
        "FRANCE    3 BRE MAR PAR  F BRE, A MAR, *A BUR",
        "                         (PAR, GAS)",
    ]


def test_a_table_without_room_goes_on_below_each_column_and_breaks_no_unit() -> None:
    provinces = ["PAR", "MAR", "BRE", "SPA", "POR", "BEL", "MUN", "KIE", "BER"]
    units = [f"A {each}" for each in provinces]
    board = Board(position_of("S1905M", {"units": {"FRANCE": units}, "centers": {"FRANCE": provinces}}))
    lines = board_text(board, columns=60).splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("FRANCE"))
    assert lines[start : start + 3] == [
        "FRANCE    9 BEL BER BRE KIE MAR MUN  A BEL, A BER, A BRE,",
        "            PAR POR SPA              A KIE, A MAR, A MUN,",
        "                                     A PAR, A POR, A SPA",
    ]
