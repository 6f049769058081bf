"""Prompts are written from the context bundle and nothing else: what `entente bundle` gives out is what is read."""

from dataclasses import replace
from typing import Any, Literal

import pytest
from pydantic import JsonValue

from entente.board.engine import Board
from entente.board.orders import read_orders
from entente.players.actions import SubmitOrders
from entente.players.bundle import Bundle, OwnTurn
from entente.players.model.agent_context import SeatContext
from entente.players.model.prompt import conversation, told_to, whole_conversation
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from prompts import open_set
from tests.players.model.snapshot import conversation_text
from tests.players.model.test_lived_conversation import fall
from tests.players.model.test_prompt import SPRING_RESULTS, message, spring
from tests.support.table import past_press
from tests.support.turns import own_turn

SEATS = {
    "default": Seat(SeatSettings(advice="plan")),
    "short": Seat(SeatSettings(prompts="short", actions="json"), open_set(short=True)),
}
Floor = Literal["rounds", "conductor"]
LINES = ("A PAR - MUN", "A MAR S A PAR - BUR")


def moment(floor: Floor, *, asks_again: bool = False) -> Bundle:
    """France with a past, talk of this phase, a plan and commitments; its orders asked for again, if so wanted."""
    if floor == "conductor":
        return replace(fall(3), press=(past_press(message("ITALY", "FRANCE", "Piedmont?")),))
    bundle = spring(
        last_movement=SPRING_RESULTS,
        last_movement_phase="S1900M",
        chronicle=("S1900M: GERMANY took Holland.",),
        press=(past_press(message("ITALY", "FRANCE", "Piedmont?")),),
    )
    if not asks_again:
        return bundle
    rejected = tuple(v for v in read_orders(bundle.board, "FRANCE", LINES).verdicts if v.error)
    again = own_turn(bundle.board, "FRANCE", 0, SubmitOrders(orders=LINES))
    return replace(bundle, rejected=rejected, earlier=(*bundle.earlier, again))


def read(context: SeatContext, seat: Seat) -> str:
    return conversation_text(whole_conversation(context, seat, Board.start()))


MOMENTS: list[tuple[Floor, bool]] = [("rounds", False), ("rounds", True), ("conductor", False)]


@pytest.mark.parametrize("set_", SEATS)
@pytest.mark.parametrize(("floor", "asks_again"), MOMENTS)
def test_a_prompt_can_be_written_from_the_json_of_its_context(
    floor: Floor, asks_again: bool, set_: str
) -> None:
    bundle, seat = moment(floor, asks_again=asks_again), SEATS[set_]
    told = told_to(bundle, seat).model_dump(mode="json")
    for phase in told["lived"]:
        phase["key"][0] = "a game of which nothing is remembered"
    assert read(SeatContext.model_validate(told), seat) == conversation_text(conversation(bundle, seat))


CANARIES: list[tuple[Floor, str, JsonValue]] = [
    ("rounds", "agent_instructions", "canary"),
    ("rounds", "current_phase_info.phase_name", "F1999M"),
    ("rounds", "current_phase_info.negotiation_rounds_total", 99),
    ("rounds", "public_game_state.units", {"FRANCE": [["A", "SYR"]]}),
    ("rounds", "public_game_state.centers", {power: ["SYR"] for power in Board.start().powers}),
    ("rounds", "history_summary.recent_events", ["canary"]),
    ("rounds", "history_summary.retreats_and_builds", ["canary"]),
    ("rounds", "history_summary.talk.0.messages.0.content", "canary"),
    ("rounds", "communication_inbox.0.content", "canary"),
    ("rounds", "memory_at_opening", {"plan": "canary"}),
    ("rounds", "last_movement.phase_name", "canary"),
    ("rounds", "last_movement.results", ["canary"]),
    ("rounds", "commitments_now.open.0.told", "canary"),
    ("rounds", "centers", "canary"),
    ("rounds", "units_and_orders", "canary"),
    ("rounds", "wanted", "canary"),
    ("rounds", "press_allowed", ["SYRIA"]),
    ("rounds", "earlier.1.said.0.0.content", "canary"),
    ("rounds", "earlier.1.said.1.1.payload.why", "canary"),
    ("rounds", "rejected", ["canary"]),
    ("rounds", "advice", "canary"),
    ("rounds", "rules.last_year", 1999),
    ("conductor", "agent_instructions", "canary"),
    ("conductor", "current_phase_info.phase_name", "F1999M"),
    ("conductor", "memory_at_opening", {"plan": "canary"}),
    ("conductor", "commitments.open.0.told", "canary"),
    ("conductor", "centers", "canary"),
    ("conductor", "last_movement.centers", {"SYRIA": ["PAR"]}),
    ("conductor", "units_and_orders", "canary"),
    ("conductor", "press_allowed", ["SYRIA"]),
    ("conductor", "to_order", ["SYRIA"]),
    ("conductor", "rules.max_wakes", 99),
    ("conductor", "lived.0.turns.0.said.0.0.content", "canary"),
    ("conductor", "lived.0.turns.0.heard.0.payload.content", "canary"),
    ("conductor", "lived.1.opening.0.payload.before", "canary"),
    ("conductor", "lived.1.turns.1.heard.0.payload.content", "canary"),
]


@pytest.mark.parametrize(("floor", "path", "value"), CANARIES, ids=lambda each: str(each)[:40])
def test_what_is_in_the_context_is_read_in_the_prompt(floor: Floor, path: str, value: JsonValue) -> None:
    seat = SEATS["default"]
    told = told_to(moment(floor, asks_again=path == "rejected"), seat).model_dump(mode="json")
    changed(told, path.split("."), value)
    for phase in told["lived"]:
        phase["key"][0] = path
    marks = ("canary", "SYR", "F1999M", "1999", "99")
    text = read(SeatContext.model_validate(told), seat)
    mark = next(mark for mark in marks if mark in str(value))
    assert mark in text


def changed(told: Any, path: list[str], value: JsonValue) -> None:
    *way, last = path
    for step in way:
        told = told[int(step) if step.isdigit() else step]
    told[last] = value


def test_turns_of_the_phase_are_read_in_the_prompt() -> None:
    bundle = moment("rounds")
    context = told_to(bundle, SEATS["default"])
    fewer = context.model_copy(update={"earlier": (OwnTurn(1, ()),)})
    assert read(fewer, SEATS["default"]) != read(context, SEATS["default"])
