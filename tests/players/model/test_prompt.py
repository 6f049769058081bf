"""The conversation: what stands where, that it only grows within a phase, and what it weighs."""

import asyncio
import re
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entente.board.engine import Board
from entente.board.orders import read_orders
from entente.board.types import parse_order
from entente.models.wire import ModelReply, ModelRequest
from entente.players.actions import SubmitOrders, UpdateMemory, VoteDraw
from entente.players.bundle import Bundle, JudgedPhase, OwnTurn
from entente.players.model.agent_context import context_of
from entente.players.model.memory import memory_text
from entente.players.model.player import ModelPlayer
from entente.players.model.prompt import conversation
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from entente.players.model.tools import tools_of
from entente.press.ledger import Ledger
from entente.press.messages import Act, CommitmentKind, Message, MessageType, Statement
from prompts import open_set
from tests.players.model.crowded import CONTEXT, REPLY, crowded_prompt
from tests.players.model.measure import weigh
from tests.players.model.snapshot import check, conversation_text
from tests.players.model.talkers import POWERS, late_game, power_of, seated
from tests.players.model.words import (
    DONE,
    ORDERED,
    Answer,
    FakeModel,
    Seated,
    calls,
    remember,
    send,
    text_reply,
)
from tests.support.players import say
from tests.support.table import board_at, ledger_with, make_bundle, new_game, past_press, play_phase
from tests.support.turns import own_turn

SEAT = Seat(SeatSettings(instructions="Stay alive."))
SHORT = Seat(SeatSettings(instructions="Stay alive.", actions="json", prompts="short"), open_set(short=True))


def message(sender: str, to: str, content: str, round_: int = 1, *statements: Statement) -> Message:
    return Message(
        id=f"S1901M.{round_}.{sender}.0",
        phase="S1901M",
        round=round_,
        sender=sender,
        recipient=to,
        message_type=MessageType.PROPOSAL,
        content=content,
        commitments=statements,
    )


DMZ = Statement(kind=CommitmentKind.DMZ, act=Act.PROPOSE, by="ENGLAND", locations=("ENG",))
YES = DMZ.model_copy(update={"act": Act.ACCEPT, "by": "FRANCE"})
OFFER = message("ENGLAND", "FRANCE", "Leave the Channel empty?", 1, DMZ)
ANSWER = message("FRANCE", "ENGLAND", "Agreed.", 2, YES)
SECOND = own_turn(
    Board.start(),
    "FRANCE",
    2,
    say("ENGLAND", "Agreed.").model_copy(update={"commitments": ANSWER.commitments}),
    say("ITALIA", "Hello!"),
    UpdateMemory(key="plan", value="west"),
)


SPRING_RESULTS = Board.start().adjudicate({"FRANCE": [parse_order("A PAR - BUR")]}).results


def spring(**more: object) -> Bundle:
    """France in its first spring, after two rounds of talk, about to order."""
    bundle = make_bundle(
        Board.start(), "FRANCE", rounds_total=2, inbox=[OFFER], sent=[ANSWER], memory={"plan": "west"}
    )
    return replace(bundle, phase_memory={"plan": "wait"}, earlier=(OwnTurn(1, ()), SECOND), **more)  # pyright: ignore[reportArgumentType] - a test's shorthand


def users(bundle: Bundle, seat: Seat = SEAT) -> list[str]:
    return [m.content for m in conversation(bundle, seat) if m.role == "user"]


def test_a_whole_phase_of_a_seat() -> None:
    check("spring_orders", conversation_text(conversation(spring(), SEAT)))


def test_a_whole_phase_of_a_small_model_without_tools() -> None:
    check("spring_orders_short", conversation_text(conversation(spring(), SHORT)))


def test_orders_that_are_asked_for_again() -> None:
    lines = ("A PAR - MUN", "A MAR S A PAR - BUR")
    board = Board.start()
    rejected = tuple(v for v in read_orders(board, "FRANCE", lines).verdicts if v.error)
    given_once = own_turn(board, "FRANCE", 0, SubmitOrders(orders=lines))
    bundle = spring(rejected=rejected)
    bundle = replace(bundle, earlier=(*bundle.earlier, given_once))
    check("spring_orders_again", users(bundle)[-1])
    before = conversation(spring(), SEAT)
    assert conversation(bundle, SEAT)[: len(before)] == before


def test_a_call_that_was_refused_is_shown_again_as_refused() -> None:
    bundle = make_bundle(Board.start(), "FRANCE", round=2)
    orders = SubmitOrders(orders=("A PAR - BUR",))
    first = own_turn(bundle.board, "FRANCE", 1, say("ITALIA", "Hello!"), say("ENGLAND", "Hi"), orders)
    with_tools = conversation(replace(bundle, earlier=(first,)), SEAT)
    results = [m.content for m in with_tools if m.role == "tool"]
    assert [result.split(":")[0].split(" ")[0] for result in results] == [
        "refused",
        "delivered",
        "refused",
        "done",
    ]
    assert "press was wanted" in results[2]
    told = users(replace(bundle, earlier=(first,)), SHORT)[-1]
    assert all(
        f"- {call}: {word}" in told
        for call, word in [("send_message", "refused"), ("submit_orders", "refused")]
    )


def test_a_winter() -> None:
    board = board_at(
        "W1901A", {"FRANCE": ["A PAR"], "ITALY": ["A ROM"]}, {"FRANCE": ["PAR", "BRE"], "ITALY": ["ROM"]}
    )
    past = Board.start().adjudicate(
        {"FRANCE": [parse_order("A PAR - BUR")], "GERMANY": [parse_order("A MUN - BUR")]}
    )
    ledger = ledger_with(Ledger(), [OFFER, ANSWER], Board.start())
    bundle = replace(
        make_bundle(board, "FRANCE", rounds_total=0, ledger=ledger.after_phase(Board.start(), past.results)),
        last_movement=past.results,
        last_movement_phase="F1901M",
        chronicle=("F1901M: FRANCE captured BRE",),
        press=(past_press(OFFER, ANSWER),),
    )
    check("winter", users(bundle)[-1])


def test_the_rules_are_the_same_for_all_seats_and_phases() -> None:
    autumn = board_at("F1905M", {"ITALY": ["A ROM"]}, {"ITALY": ["ROM"]})
    one = conversation(make_bundle(Board.start(), "FRANCE", round=1), SEAT)[0].content
    other = conversation(make_bundle(autumn, "ITALY"), Seat())[0].content
    assert one.partition("\n# You\n")[0] == other.partition("\n# You\n")[0]


def test_ids_of_calls_have_nine_letters_and_digits() -> None:
    ids = [call.id for m in conversation(spring(), SEAT) for call in m.tool_calls]
    assert len(ids) == len(set(ids)) == 5
    assert all(re.fullmatch(r"[a-z0-9]{9}", id_) for id_ in ids)


def test_each_call_has_its_result() -> None:
    messages = conversation(spring(), SEAT)
    asked = [call.id for m in messages for call in m.tool_calls]
    assert [m.tool_call_id for m in messages if m.role == "tool"] == asked


def wild(seed: int) -> Answer:
    """A model that says anything, from nothing at all to garbage."""
    random = Random(seed)

    def answer(request: ModelRequest) -> ModelReply:
        power = power_of(request)
        kind = random.randrange(5)
        if kind == 0:
            return text_reply(random.choice(["", "no", "[{", '[{"tool_name": "vote_draw"}]']))
        others = [p for p in POWERS if p != power]
        said = [send(random.choice([*others, "BROADCAST", "NOBODY"]), f"word {n}") for n in range(kind)]
        return calls(
            *said,
            remember(random.choice("abc"), random.choice([None, 1, "x"])),
            *([DONE if request.purpose == "talk" else ORDERED] if kind != 3 else []),
        )

    return answer


@settings(max_examples=12)
@given(st.integers(0, 10**6), st.booleans())
def test_each_call_of_a_phase_begins_with_the_one_before_it(seed: int, tools: bool) -> None:
    seat = Seat(SeatSettings(actions="tools" if tools else "json"))
    players = {power: Seated(ModelPlayer(FakeModel(wild(seed)), seat)) for power in POWERS}
    game = new_game()

    async def two_phases() -> None:
        for _ in range(2):
            await play_phase(game, players, rounds=3)

    asyncio.run(two_phases())
    for player in players.values():
        turns = [(str(b.board.phase), conversation(b, seat)) for b in player.bundles]
        assert len(turns) == 8
        for (phase, before), (next_phase, after) in pairwise(turns):
            if phase == next_phase:
                assert after[: len(before)] == before
                assert len(after) > len(before)


async def test_memory_reaches_talk_and_orders() -> None:
    model = FakeModel(
        lambda request: calls(remember("secret", "canary-1"), DONE if request.purpose == "talk" else ORDERED)
    )
    players = {power: Seated(ModelPlayer(model)) for power in POWERS}
    game = new_game()
    await play_phase(game, players, rounds=2)
    told = [conversation_text(request.messages) for request in model.requests]
    assert not any("canary-1" in text for text in told[:7])
    assert all("canary-1" in text for text in told[7:])
    before = len(model.requests)
    await play_phase(game, players, rounds=2)
    assert all(
        '<memory>{"secret": "canary-1"}</memory>' in conversation_text(request.messages)
        for request in model.requests[before:]
    )


def test_of_a_memory_that_is_too_large_it_is_said_what_was_left_out() -> None:
    text = memory_text({"a": "x" * 50, "b": "y" * 50, "c": 1}, 80)
    assert text == '{"a": "' + "x" * 50 + '", "c": 1} (left out, since there is no room: b)'


@pytest.mark.parametrize(
    "other",
    [
        {"phase_memory": {"plan": "canary"}},
        {"chronicle": ("S1901M: canary.",)},
        {"press": (past_press(message("ITALY", "FRANCE", "canary")),)},
        {"last_movement_phase": "canary", "last_movement": SPRING_RESULTS},
        {"since_movement": (JudgedPhase("canary", SPRING_RESULTS),)},
    ],
    ids=lambda other: next(iter(other)),
)
def test_games_that_share_a_board_are_told_apart(other: dict[str, Any]) -> None:
    mine = spring()
    text = conversation_text(conversation(mine, SEAT))
    assert "canary" in conversation_text(conversation(replace(mine, **other), SEAT))
    assert conversation_text(conversation(mine, SEAT)) == text
    assert "canary" not in text


def test_whoever_wrote_privately_and_had_no_answer_is_named() -> None:
    bundle = make_bundle(Board.start(), "FRANCE", round=2, inbox=[OFFER])
    crossed = replace(bundle, earlier=(own_turn(bundle.board, "FRANCE", 1, say("ENGLAND", "hi")),))
    answered = replace(
        bundle, round=3, earlier=(OwnTurn(1, ()), own_turn(bundle.board, "FRANCE", 2, say("ENGLAND", "yes")))
    )
    assert "Not answered yet: ENGLAND." in users(crossed)[-1]
    assert "Nobody waits for an answer." in users(answered)[-1]


def test_the_seats_own_vote_is_told_from_its_next_task_on() -> None:
    bundle = make_bundle(Board.start(), "FRANCE")
    yes = own_turn(bundle.board, "FRANCE", 1, VoteDraw(yes=True))
    no = own_turn(bundle.board, "FRANCE", 2, VoteDraw(yes=False))
    first, second, orders = users(replace(bundle, earlier=(yes, no)))
    assert "voted" not in first
    assert "You have voted for a draw in this phase; how others vote is secret." in second
    assert "You have voted against a draw in this phase; how others vote is secret." in orders
    assert context_of(replace(bundle, earlier=(yes, no))).draw_vote is False
    assert context_of(bundle).draw_vote is None


CHARS_PER_TOKEN = {"tools": 2.47, "json": 2.44}
"""Of SmolLM2's own tokenizer in these very prompts; `make real-model` counts them with it."""


@pytest.mark.parametrize("actions", ["tools", "json"])
def test_a_short_prompt_of_seventeen_units_leaves_room_for_a_reply(actions: Literal["tools", "json"]) -> None:
    assert len(crowded_prompt(actions)) / CHARS_PER_TOKEN[actions] < CONTEXT - REPLY


@pytest.mark.parametrize("years", [0, 5], ids=["opening", "late game"])
async def test_a_movement_phase_weighs_what_it_may(years: int) -> None:
    game = await late_game(years) if years else new_game()
    model, player = seated()
    await play_phase(game, dict.fromkeys(POWERS, player), rounds=3)
    while not game.board.phase.is_movement:
        await play_phase(game, dict.fromkeys(POWERS, player), rounds=3)
    before = weigh(model.requests)
    known = len(model.requests)
    await play_phase(game, dict.fromkeys(POWERS, player), rounds=3)
    after = weigh(model.requests)
    # What is sent again is cheap, so that only what is new has a bar: decisions are worth more than prompt tokens.
    phase_all, phase_fresh = after.all - before.all, after.fresh - before.fresh
    assert len(model.requests) - known == 28
    assert phase_fresh <= 40_000, phase_fresh
    assert 1 - phase_fresh / phase_all >= 0.8
    again = weigh([*model.requests, *map(asked_again, player.bundles[-7:])])
    assert (again.reused - after.reused) / (again.all - after.all) >= 0.8


def asked_again(bundle: Bundle) -> ModelRequest:
    """The seat's second call for orders, when none of its first ones could be used."""
    lines = tuple(f"{unit} - NOWHERE" for unit in bundle.board.position.units[bundle.power])
    rejected = tuple(read_orders(bundle.board, bundle.power, lines).verdicts)
    given = own_turn(bundle.board, bundle.power, 0, SubmitOrders(orders=lines))
    second = replace(bundle, earlier=(*bundle.earlier, given), rejected=rejected)
    messages, tools = conversation(second, Seat()), tools_of(bundle.rules.talk)
    return ModelRequest(messages=messages, tools=tools, purpose="orders")
