"""What a search suggests to a model's seat, on each floor, and what is kept of it."""

import asyncio
from dataclasses import replace

import pytest

from entente.board.engine import Board
from entente.board.orders import read_orders
from entente.players.bundle import Bundle
from entente.players.model.advice import seek_advice
from entente.players.model.player import ModelPlayer
from entente.players.model.prompt import conversation
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from entente.players.seat_events import SeatPhase
from tests.players.model.snapshot import check
from tests.players.model.words import ORDERED, FakeModel, calls, order
from tests.support.table import board_at, make_bundle, western_war

NONE, PLAN, CANDIDATES = Seat(), Seat(SeatSettings(advice="plan")), Seat(SeatSettings(advice="candidates"))
HEADING = "# Suggestions"


def section(bundle: Bundle, seat: Seat) -> str:
    """The section of the conversation, empty when there is none."""
    texts = [message.content for message in conversation(bundle, seat) if HEADING in message.content]
    assert len(texts) < 2
    return texts[0].split(HEADING)[1].split("\n\n")[0].strip() if texts else ""


def suggested(bundle: Bundle, seat: Seat) -> tuple[tuple[str, ...], ...]:
    return asyncio.run(seek_advice(bundle, seat))


def test_candidates_are_three_whole_sets_of_legal_orders_with_what_they_win_and_risk() -> None:
    bundle = make_bundle(western_war(), "FRANCE")
    check("advice", section(bundle, CANDIDATES))
    sets = suggested(bundle, CANDIDATES)
    assert len({frozenset(lines) for lines in sets}) == 3
    for lines in sets:
        reading = read_orders(bundle.board, "FRANCE", list(lines))
        assert tuple(map(str, reading.orders)) == lines
        assert len(lines) == len(bundle.board.position.units["FRANCE"])


def test_a_plan_is_the_best_of_them_alone() -> None:
    bundle = make_bundle(western_war(), "FRANCE")
    (plan,) = suggested(bundle, PLAN)
    assert plan == suggested(bundle, CANDIDATES)[0]
    assert "; ".join(plan) in section(bundle, PLAN)
    assert "2. " not in section(bundle, PLAN)


@pytest.mark.parametrize(
    "board",
    [
        board_at("W1904A", {"FRANCE": ["A SPA"]}, {"FRANCE": ["PAR", "SPA"], "GERMANY": ["MUN"]}),
        board_at(
            "F1904R", {"GERMANY": ["A MUN"]}, {"FRANCE": ["PAR"]}, {"FRANCE": {"A MUN": ("BOH", "KIE")}}
        ),
        board_at("S1905M", {"GERMANY": ["A MUN"]}, {"FRANCE": ["PAR"], "GERMANY": ["MUN"]}),
    ],
    ids=["builds", "retreats", "no unit left"],
)
def test_there_is_no_advice_where_no_unit_moves(board: Board) -> None:
    bundle = make_bundle(board, "FRANCE")
    assert suggested(bundle, CANDIDATES) == ()
    assert section(bundle, CANDIDATES) == ""


def test_by_default_there_is_none() -> None:
    bundle = make_bundle(western_war(), "FRANCE")
    assert suggested(bundle, NONE) == ()
    assert section(bundle, NONE) == ""


def test_it_is_the_same_in_talk_and_orders_on_each_floor_and_after_a_resume() -> None:
    talk, orders = (
        make_bundle(western_war(), "FRANCE", round=number, seed=f"seed {number}") for number in (1, 0)
    )
    resumed = make_bundle(Board.restore(western_war().snapshot()), "FRANCE", press=False)
    present = SeatPhase(("g", "", "FRANCE"), "F1904M", (), (), ())
    conductors = replace(make_bundle(western_war(), "FRANCE", round=1), wake=1, history=(present,))
    wanted = section(talk, CANDIDATES)
    assert wanted
    for other in (orders, resumed, conductors):
        assert section(other, CANDIDATES) == wanted


def test_a_reply_says_what_was_suggested_and_the_first_call_is_repeated_word_for_word() -> None:
    model = FakeModel([calls(order("A BUR H"), ORDERED)] * 2)
    for _ in range(2):
        bundle = make_bundle(western_war(), "FRANCE")
        reply = asyncio.run(ModelPlayer(model, CANDIDATES).take_turn(bundle))
        assert reply.suggested == suggested(bundle, CANDIDATES)
    assert model.requests[0] == model.requests[1]
