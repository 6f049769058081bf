"""Room to think: who is asked for thoughts before its calls, where they are kept, and how they are shown again."""

import json
from dataclasses import replace
from typing import Any

import pytest
from pydantic import JsonValue

from entente.board.engine import Board
from entente.models.wire import ModelReply
from entente.players.actions import SendMessage
from entente.players.bundle import Bundle
from entente.players.model.player import ModelPlayer
from entente.players.model.prompt import conversation
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from entente.players.protocol import Reply
from tests.players.model.words import DONE, FakeModel, calls, send, text_reply
from tests.support.players import say
from tests.support.table import make_bundle
from tests.support.turns import own_turn

THOUGHT = "GERMANY can reach BUR. I promised nothing. I ask for Burgundy to be left empty."
SAID: list[JsonValue] = [
    {"tool_name": "send_message", "arguments": send("GERMANY", "Burgundy empty?")[1]},
    {"tool_name": DONE[0], "arguments": {}},
]
OBJECT = json.dumps({"thinking": THOUGHT, "actions": SAID})


def talk() -> Bundle:
    return make_bundle(Board.start(), "FRANCE", round=1)


def seat(model: str = "", **settings: Any) -> Seat:
    return Seat.of(SeatSettings(**settings), model=model)


async def turn(*replies: ModelReply, **settings: Any) -> tuple[Reply, FakeModel]:
    model = FakeModel(replies)
    return await ModelPlayer(model, seat(**settings)).take_turn(talk()), model


@pytest.mark.parametrize(
    ("model", "settings", "thinks"),
    [
        ("openai:gpt-4.1-mini", {}, True),
        ("openai:llama3.1:8b@http://localhost:11434/v1", {}, True),
        ("openai:o4-mini", {}, False),
        ("openai:gpt-5-mini", {}, False),
        ("openai:gpt-5-chat-latest", {}, True),
        ("openai:deepseek/deepseek-r1@https://openrouter.ai/api/v1", {}, False),
        ("openai:x-ai/grok-4-fast-non-reasoning", {}, True),
        ("google_genai:gemini-2.5-pro", {}, False),
        ("openai:custom", {"reasoning_effort": "low"}, False),
        ("openai:gpt-5.1", {"reasoning_effort": "none"}, True),
        ("openai:custom", {"reasoning_effort": "low", "thinking": "always"}, True),
        ("openai:gpt-4.1-mini", {"thinking": "never"}, False),
    ],
)
def test_who_reasons_by_itself_is_not_asked_to_think(
    model: str, settings: dict[str, Any], thinks: bool
) -> None:
    for actions in ("tools", "json"):
        text = conversation(talk(), seat(model, actions=actions, **settings))[0].content
        assert ("# Think first" in text) == thinks
        assert ('{"thinking": ' in text) == (thinks and actions == "json")


@pytest.mark.parametrize(("prompts", "characters"), [("default", 1200), ("short", 400)])
async def test_the_bound_is_told_and_what_is_longer_is_cut_and_noted(prompts: str, characters: int) -> None:
    settings = {"prompts": prompts}
    assert f"at most {characters} characters" in conversation(talk(), seat(**settings))[0].content
    taken, _ = await turn(calls(DONE, text="x" * (characters + 30)), **settings)
    assert taken.thinking == "x" * characters
    assert taken.cut == (f"thoughts before the calls may have {characters} characters; 30 more were cut off",)
    assert taken.replies[0].text == "x" * (characters + 30)


@pytest.mark.parametrize(
    "reply",
    [
        calls(send("GERMANY", "Burgundy empty?"), DONE, text=f"<think>hm</think>{THOUGHT}"),
        text_reply(OBJECT),
        text_reply(f"```json\n{OBJECT}\n```"),
        text_reply(f"{THOUGHT}\n{json.dumps(SAID)}"),
        text_reply(f"{THOUGHT}\n```json\n{json.dumps(SAID)}\n```"),
        text_reply(json.dumps([{"thinking": THOUGHT}, *SAID])),
    ],
    ids=["beside calls", "object", "fenced", "words and list", "words and fence", "first in the list"],
)
async def test_thoughts_are_kept_and_the_calls_are_taken(reply: ModelReply) -> None:
    taken, model = await turn(reply)
    assert taken.thinking == THOUGHT
    assert [action.content for action in taken.actions if isinstance(action, SendMessage)] == [
        "Burgundy empty?"
    ]
    assert (taken.unread, taken.cut, len(model.requests)) == ((), (), 1)


async def test_of_an_object_that_breaks_off_the_thoughts_and_the_whole_calls_stand() -> None:
    taken, model = await turn(text_reply(OBJECT[:-30]), calls(DONE), actions="json")
    assert taken.thinking == THOUGHT
    assert len(taken.actions) == 1
    assert "breaks off or is wrong after 1 calls." in model.requests[1].messages[-1].content


@pytest.mark.parametrize("text", [THOUGHT, json.dumps({"thinking": THOUGHT})], ids=["words", "object"])
async def test_thoughts_without_calls_are_malformed_and_shown_as_they_were_said(text: str) -> None:
    for actions in ("tools", "json"):
        taken, model = await turn(text_reply(text), calls(DONE), actions=actions)
        said, complaint = model.requests[1].messages[-2:]
        assert (said.role, said.content) == ("assistant", text)
        assert "No tool was called." in complaint.content
        assert taken.thinking == THOUGHT
        assert taken.mended


async def test_a_reply_that_is_mended_is_replayed_with_its_thoughts() -> None:
    taken, model = await turn(calls(send("GERMNY", "Hi"), DONE, text=THOUGHT), calls(DONE, text="Again."))
    said = next(m for m in model.requests[1].messages if m.role == "assistant")
    assert said.content == THOUGHT
    assert taken.thinking == f"{THOUGHT}\nAgain."


@pytest.mark.parametrize("actions", ["tools", "json"])
def test_the_phases_later_calls_show_the_thoughts_as_they_were_said(actions: str) -> None:
    first = own_turn(Board.start(), "FRANCE", 1, say("GERMANY", "Burgundy empty?"), thinking=THOUGHT)
    later = replace(talk(), round=2, earlier=(first,))
    (said,) = [m for m in conversation(later, seat(actions=actions)) if m.role == "assistant"]
    if actions == "tools":
        assert said.content == THOUGHT
        assert len(said.tool_calls) == 2
    else:
        assert json.loads(said.content).keys() == {"thinking", "actions", "finish"}
        assert json.loads(said.content)["thinking"] == THOUGHT
