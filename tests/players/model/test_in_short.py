"""Prompts that would be longer than the context has room for: what is told in short, and what is always told."""

from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entente.board.engine import Board
from entente.board.types import Power
from entente.models.wire import ModelReply, ModelRequest
from entente.players.bundle import Bundle
from entente.players.lived import lived_phase
from entente.players.model.interview import interview_request
from entente.players.model.player import ModelPlayer
from entente.players.model.prompt import conversation
from entente.players.model.room import letters_of, room_of
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from entente.press.messages import Message, MessageType
from entente.training.told import read_turn
from tests.players.model.crowded import CROWDED, overfull
from tests.players.model.snapshot import check, conversation_text
from tests.players.model.test_lived_conversation import FALL_TURNS
from tests.players.model.test_seat_context import moment
from tests.players.model.words import ORDERED, FakeModel, calls, order, send, text_reply
from tests.players.test_lived import woken
from tests.support.players import say
from tests.support.table import make_bundle

Actions = Literal["tools", "json"]
Floor = Literal["rounds", "conductor", "gunboat"]
SMALL: dict[Actions, Seat] = {
    "tools": Seat.of(SeatSettings(prompts="short", actions="tools"), model="openai:smollm2"),
    "json": Seat.of(SeatSettings(prompts="short", actions="json"), model="openai:smollm2"),
}
PLACES: list[tuple[Floor, bool]] = [
    ("rounds", True),
    ("rounds", False),
    ("conductor", True),
    ("conductor", False),
    ("gunboat", False),
]


def said(by: Power, number: int, words: str) -> Message:
    return Message(
        id=f"S1901M.1.{by}.{number}",
        phase="S1901M",
        round=1,
        sender=by,
        recipient="FRANCE",
        message_type=MessageType.PROPOSAL,
        content=words,
    )


@pytest.mark.parametrize("actions", SMALL)
@pytest.mark.parametrize(("floor", "talks"), PLACES)
def test_seventeen_units_with_all_that_can_be_said_have_room(
    floor: Floor, talks: bool, actions: Actions
) -> None:
    bundle, seat = overfull(floor, talks=talks), SMALL[actions]
    room = room_of(bundle, seat)
    assert room is not None
    messages = conversation(bundle, seat)
    assert letters_of(messages) <= room
    told = conversation_text(messages)
    assert all(f"\n{unit}\n" in told and f"\n {unit} H\n" in told for unit in CROWDED["RUSSIA"])
    assert "FRANCE no centers; units: A BUR" in told
    assert "Open commitments:" not in told
    assert read_turn(messages).bundle.power == "RUSSIA"
    if not talks:
        assert "A MUN - NOWHERE AT ALL" in told


@given(
    words=st.lists(st.tuples(st.sampled_from(["ENGLAND", "ITALY"]), st.integers(1, 2_000)), max_size=30),
    memory=st.integers(0, 3_000),
    beside=st.integers(0, 3_000),
    actions=st.sampled_from([*SMALL]),
)
def test_no_prompt_is_longer_than_its_room(
    words: list[tuple[str, int]], memory: int, beside: int, actions: Actions
) -> None:
    mail = [said(by, number, "x" * length) for number, (by, length) in enumerate(words)]
    bundle = make_bundle(Board.start(), "FRANCE", round=2, inbox=mail, memory={"plan": "y" * memory})
    room = room_of(bundle, SMALL[actions])
    assert room is not None
    assert letters_of(conversation(bundle, SMALL[actions], beside=beside)) + beside <= room


def chatty(count: int) -> Bundle:
    """France, to which others have written so much."""
    mail = [
        said(by, n, f"{by} wants Burgundy {n}. " * 20) for by in ("ENGLAND", "ITALY") for n in range(count)
    ]
    return make_bundle(Board.start(), "FRANCE", round=2, inbox=mail, memory={"plan": "west"})


def test_of_too_much_talk_the_latest_is_whole_and_the_rest_is_told_in_short() -> None:
    few, many = (conversation_text(conversation(chatty(count), SMALL["json"])) for count in (2, 40))
    assert few.count("<press S1901M") == 4
    assert "told in short" not in few
    assert "# Talk in S1901M until now" in many
    assert "ITALY wants Burgundy 39. " * 20 in many
    assert (
        "In short:\nENGLAND: they (PROPOSAL): <press>" in many or "ENGLAND wants Burgundy 39. " * 20 in many
    )
    assert "What was said stands above." in many
    assert "You can write to AUSTRIA" in many
    assert '<memory>{"plan": "west"}</memory>' in many


def test_without_a_bound_nothing_is_left_out() -> None:
    assert room_of(chatty(1), Seat()) is None
    assert conversation_text(conversation(chatty(40), Seat())).count("<press S1901M") == 80
    bounded = Seat(SeatSettings(context_tokens=16_384))
    assert "# Talk in S1901M until now" in conversation_text(conversation(chatty(200), bounded))


@pytest.mark.parametrize(
    ("settings", "room"),
    [
        (SeatSettings(), None),
        (SeatSettings(prompts="short"), 8_192 - 512),
        (SeatSettings(prompts="short", context_tokens=16_384), 16_384 - 1_024),
        (SeatSettings(context_tokens=32_768, max_output_tokens=4_096), 28_672),
        (SeatSettings(prompts="short", max_output_tokens=20_000), 4_096),
    ],
)
def test_a_reply_has_its_room(settings: SeatSettings, room: int | None) -> None:
    assert settings.prompt_tokens == room


def test_a_model_that_has_fewer_letters_a_token_is_shown_less() -> None:
    bundle, seat = chatty(40), SMALL["json"]
    usual, fewer = (room_of(replace(bundle, fewest_letters=n), seat) for n in (2.9, 2.0))
    assert usual == room_of(bundle, seat)
    assert usual is not None
    assert fewer is not None
    assert fewer < usual
    assert letters_of(conversation(replace(bundle, fewest_letters=2.0), seat)) <= fewer


def runaway(number: int) -> ModelReply:
    if number:
        return calls(ORDERED)
    return calls(
        *(send("NOBODY", f"{n} " * 200) for n in range(60)), order("A PAR - BUR"), text="well " * 900
    )


@pytest.mark.parametrize("actions", SMALL)
async def test_a_reply_that_is_asked_for_again_has_room(actions: Actions) -> None:
    model = FakeModel(lambda request: runaway(len(model.requests) - 1))
    bundle = replace(chatty(40), round=0)
    await ModelPlayer(model, SMALL[actions]).take_turn(bundle)
    room = room_of(bundle, SMALL[actions])
    assert room is not None
    assert len(model.requests) == 2
    assert [letters_of(request.messages) <= room for request in model.requests] == [True, True]
    assert "more of the kind" in model.requests[1].messages[-1].content


async def test_a_reply_is_asked_for_again_behind_the_same_prompt_where_there_is_room() -> None:
    model = FakeModel([text_reply("Hm."), calls(ORDERED)])
    await ModelPlayer(model, SMALL["json"]).take_turn(make_bundle(Board.start(), "FRANCE"))
    first, second = (request.messages for request in model.requests)
    assert second[: len(first)] == first


def test_a_question_has_room() -> None:
    question, seat = "Whom do you trust? " * 200, SMALL["json"]
    request: ModelRequest = interview_request(ModelPlayer(FakeModel([]), seat), chatty(40), question)
    room = room_of(chatty(40), seat)
    assert room is not None
    assert letters_of(request.messages) <= room
    assert question.strip() in request.messages[-1].content


@pytest.mark.parametrize("floor", ["rounds", "conductor"])
def test_what_is_read_in_short(floor: Literal["rounds", "conductor"]) -> None:
    seat = Seat.of(
        SeatSettings(prompts="short", actions="json", context_tokens=5_000), model="openai:smollm2"
    )
    bundle = replace(moment(floor), inbox=(*moment(floor).inbox, *chatty(20).inbox))
    if floor == "conductor":
        *past, present = bundle.history
        heard = woken("ENGLAND", *(say("FRANCE", f"I want Burgundy {n}. " * 20) for n in range(20)), place=4)
        news = lived_phase(
            ("in short", "", "FRANCE"), bundle.board, present.opening, (*FALL_TURNS[:3], heard)
        )
        bundle = replace(bundle, history=(*past, news))
    check(f"in_short_{floor}", conversation_text(conversation(bundle, seat)[1:]))
