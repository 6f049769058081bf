"""The board: maps, legal orders, and what does not depend on the machine."""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

from entente.board import engine
from entente.board.engine import Board, QuickMap, load_geography
from entente.board.geography import Terrain
from entente.board.maps import SAFE_MAPS
from entente.board.types import Build, Disband, Move, Phase, SupportMove, Waive
from entente.errors import UnknownMap, UnknownPower
from tests.board.games import random_orders
from tests.board.positions import judge, orders_of, position_of

STANDARD = load_geography("standard")


def texts(board: Board, power: str, location: str) -> list[str]:
    return [str(order) for order in board.legal_orders[power][location]]


@pytest.mark.parametrize("map_name", SAFE_MAPS)
def test_every_safe_map_plays_three_random_years(map_name: str) -> None:
    rng, board = random.Random(map_name), Board.start(map_name)
    last_year = board.phase.year + 2
    while board.phase.year <= last_year:
        orders = random_orders(board, rng)
        adjudication = board.adjudicate(orders)
        given = Counter(str(order) for powers in orders.values() for order in powers)
        assert given == Counter(str(r.order) for r in adjudication.results if not r.is_default)
        assert adjudication.after.phase.sort_key > board.phase.sort_key
        assert Board.restore(Board(adjudication.after).snapshot()).position == adjudication.after
        board = Board(adjudication.after)


@pytest.mark.parametrize("map_name", ["world", "colonial", "ancmed_age", "", "../standard"])
def test_a_map_that_is_missing_or_slow_is_refused_before_it_is_loaded(map_name: str) -> None:
    with pytest.raises(UnknownMap, match=f"standard.*{map_name!r} came; no board was set up"):
        Board.start(map_name)


@pytest.mark.parametrize("map_name", SAFE_MAPS)
def test_the_quick_map_knows_what_the_engines_own_knows(
    map_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []
    for kind in (engine.diplomacy.Map, QuickMap):
        monkeypatch.setattr("diplomacy.engine.map.MAP_CACHE", {})
        made.append(kind(map_name))
    for name in engine.diplomacy.Map.__slots__:
        assert getattr(made[0], name) == getattr(made[1], name), name


def test_the_standard_map_is_the_published_one() -> None:
    terrain = Counter(STANDARD.terrain.values())
    assert (terrain[Terrain.SEA], terrain[Terrain.INLAND], terrain[Terrain.COAST]) == (19, 14, 42)
    assert (len(STANDARD.centers), STANDARD.victory_centers) == (34, 18)
    assert STANDARD.coasts == {
        "BUL": ("BUL/EC", "BUL/SC"),
        "SPA": ("SPA/NC", "SPA/SC"),
        "STP": ("STP/NC", "STP/SC"),
    }
    assert STANDARD.powers == ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
    assert "SWI" not in STANDARD.terrain


@pytest.mark.parametrize(
    ("alias", "location"),
    [
        ("PARIS", "PAR"),
        ("MID", "MAO"),
        ("GULF OF LYON", "LYO"),
        ("ENGLISH CHANNEL", "ENG"),
        ("BULGARIA (EAST COAST)", "BUL/EC"),
        ("ST PETERSBURG (NORTH COAST)", "STP/NC"),
    ],
)
def test_names_and_abbreviations_lead_to_locations(alias: str, location: str) -> None:
    assert STANDARD.aliases[alias] == location


def test_a_power_is_found_in_any_case_and_a_stranger_is_refused() -> None:
    board = Board.start()
    assert board.check_power(" france ") == "FRANCE"
    with pytest.raises(UnknownPower, match="'SPAIN' came; nothing was done"):
        board.check_power("SPAIN")
    with pytest.raises(UnknownPower):
        board.adjudicate(orders_of({"SPAIN": ["A PAR H"]}))


def test_opening_orders_are_those_of_the_rules() -> None:
    board = Board.start()
    assert texts(board, "RUSSIA", "STP") == [
        "F STP/SC - BOT",
        "F STP/SC - FIN",
        "F STP/SC - LVN",
        "F STP/SC H",
        "F STP/SC S A MOS - LVN",
        "F STP/SC S A WAR - LVN",
    ]
    assert "A MAR - SPA" in texts(board, "FRANCE", "MAR")
    assert board.to_order == board.powers
    assert set(board.builds.values()) == {0}


def test_convoys_and_convoyed_moves_are_legal_orders() -> None:
    units = {"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["A BEL"]}
    board = Board(position_of("S1905M", {"units": units}))
    assert "A LON - NWY VIA" in texts(board, "ENGLAND", "LON")
    assert {"F NTH C A LON - NWY", "F NTH C A BEL - DEN"} <= set(texts(board, "ENGLAND", "NTH"))


def test_a_convoyed_move_may_be_ordered_without_via() -> None:
    units = {"ENGLAND": ["A LON", "F NTH"]}
    orders = {"ENGLAND": ["A LON - NWY", "F NTH C A LON - NWY"]}
    adjudication = judge(position_of("S1905M", {"units": units}), orders)
    assert [str(unit) for unit in adjudication.after.units["ENGLAND"]] == ["F NTH", "A NWY"]


def test_moves_name_coasts_and_supports_do_not() -> None:
    units = {"FRANCE": ["F MAO", "F GAS", "A MAR"]}
    board = Board(position_of("S1905M", {"units": units}))
    orders = [order for legal in board.legal_orders["FRANCE"].values() for order in legal]
    goals = {o.to for o in orders if isinstance(o, Move) and str(o.unit) == "F MAO" and "SPA" in o.to}
    assert goals == {"SPA/NC", "SPA/SC"}
    supports = [str(o) for o in orders if isinstance(o, SupportMove) and o.to.startswith("SPA")]
    assert sorted(supports) == [
        "A MAR S F GAS - SPA",
        "A MAR S F MAO - SPA",
        "F GAS S A MAR - SPA",
        "F GAS S F MAO - SPA",
        "F MAO S A MAR - SPA",
        "F MAO S F GAS - SPA",
    ]


def test_a_winter_offers_builds_on_free_homes_with_each_kind_and_coast() -> None:
    state = {
        "units": {"RUSSIA": ["A MOS"], "TURKEY": ["A CON", "A ANK"]},
        "centers": {"RUSSIA": ["STP", "MOS", "WAR", "BUD", "VIE"], "TURKEY": ["CON"]},
    }
    board = Board(position_of("W1905A", state))
    assert board.builds["RUSSIA"] == 2
    assert board.builds["TURKEY"] == -1
    assert texts(board, "RUSSIA", "STP") == ["A STP B", "F STP/NC B", "F STP/SC B", "WAIVE"]
    assert texts(board, "RUSSIA", "WAR") == ["A WAR B", "WAIVE"]
    assert texts(board, "TURKEY", "CON") == ["A CON D"]
    assert board.to_order == ("RUSSIA", "TURKEY")


def test_a_retreat_phase_offers_retreats_and_disbanding_to_the_dislodged_alone() -> None:
    state = {
        "units": {"FRANCE": ["A MAR"], "ITALY": ["A ROM"]},
        "dislodged": {"FRANCE": {"F SPA/SC": ["GAS", "LYO"]}},
    }
    board = Board(position_of("S1905R", state))
    assert board.to_order == ("FRANCE",)
    assert texts(board, "FRANCE", "SPA") == ["F SPA/SC D", "F SPA/SC R GAS", "F SPA/SC R LYO"]


def test_an_eliminated_power_has_nothing_to_order_and_is_no_survivor() -> None:
    board = Board(position_of("S1905M", {"units": {"FRANCE": ["A PAR"]}, "centers": {"ITALY": ["ROM"]}}))
    assert board.survivors == ("FRANCE", "ITALY")
    assert board.to_order == ("FRANCE",)
    assert board.legal_orders["TURKEY"] == {}


def test_legal_orders_are_sorted_and_each_one_is_played() -> None:
    rng, board = random.Random(11), Board.start()
    while board.phase.year < 1904:
        for legal in board.legal_orders.values():
            for orders in legal.values():
                assert [str(o) for o in orders] == sorted(str(o) for o in orders)
        orders = random_orders(board, rng)
        adjudication = board.adjudicate(orders)
        flaws = ("cannot", "has no ", "takes", "must name", "already", "there is no", "too many", "replaced")
        assert not [r for r in adjudication.results if any(flaw in r.reason for flaw in flaws)]
        board = Board(adjudication.after)


def test_a_random_game_keeps_the_laws_of_the_board() -> None:
    rng, board = random.Random(3), Board.start()
    while board.phase.year < 1906:
        before, adjudication = board.position, board.adjudicate(random_orders(board, rng))
        after = adjudication.after
        provinces = [unit.province for units in after.units.values() for unit in units]
        assert len(provinces) == len(set(provinces))
        if before.phase.is_movement:
            assert all(
                len(after.units[p]) + len(after.dislodged[p]) <= len(before.units[p]) for p in board.powers
            )
        board = Board(after)


SCRIPT = """
import json, random
from entente.board.engine import Board
from entente.board.render import board_svg
from tests.board.games import random_orders
rng, board, told = random.Random(8), Board.start(), []
while board.phase.year < 1905:
    orders = random_orders(board, rng)
    judged = board.adjudicate(orders)
    told.append([board.snapshot(), [str(o) for l in board.legal_orders.values() for os in l.values() for o in os]])
    told.append([f"{r.order} {r.outcomes} {r.reason}" for r in judged.results])
    board = Board(judged.after)
print(json.dumps([told, board_svg(board)]))
"""


def test_nothing_depends_on_the_hash_seed() -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert len(json.loads(outputs.pop())[0]) > 20


def test_orders_that_no_phase_knows_do_no_harm() -> None:
    every = ["A PAR H", "A PAR R BUR", "A PAR D", "A PAR B", "WAIVE", "F NTH C A LON - NWY", "A PAR S A PAR"]
    state = {
        "units": {"FRANCE": ["A MAR"]},
        "dislodged": {"FRANCE": {"A BUR": ["PAR"]}},
        "centers": {"FRANCE": ["MAR"]},
    }
    for phase in ("S1905M", "S1905R", "W1905A"):
        board = Board(position_of(phase, state if phase == "S1905R" else {**state, "dislodged": {}}))
        results = board.adjudicate(orders_of({"FRANCE": every})).results
        assert all(r.reason.startswith("void: ") for r in results if not r.is_default)


def test_the_phases_follow_each_other() -> None:
    assert Board.start().adjudicate({}).after.phase == Phase.parse("F1901M")


def test_builds_disbands_and_waives_are_the_only_winter_orders() -> None:
    rng, board = random.Random(2), Board.start()
    while board.phase.kind.value != "A":
        board = Board(board.adjudicate(random_orders(board, rng)).after)
    orders = [o for legal in board.legal_orders.values() for os in legal.values() for o in os]
    assert orders
    assert all(isinstance(order, Build | Disband | Waive) for order in orders)
