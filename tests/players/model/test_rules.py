"""Each floor has its own rules and tools, and says what it allows before it refuses."""

import json
import re
from dataclasses import replace

import pytest

from entente.board.engine import Board
from entente.models.tokens import letters_a_token
from entente.players.bundle import Bundle, GameRules, Talk
from entente.players.model.prompt import conversation
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from entente.players.model.tools import tools_of
from prompts import open_set
from tests.players.model.snapshot import check, conversation_text
from tests.players.model.test_lived_conversation import fall
from tests.support.table import make_bundle

DEFAULT = Seat()
SHORT = Seat(SeatSettings(actions="json", prompts="short"), open_set(short=True))
ROUNDS = make_bundle(Board.start(), "FRANCE", round=1)
SILENT = make_bundle(Board.start(), "FRANCE", press=False)


def all_shown(bundle: Bundle, seat: Seat) -> str:
    """The conversation and the tools."""
    tools = json.dumps([tool.model_dump() for tool in tools_of(bundle.rules.talk)])
    return conversation_text(conversation(bundle, seat)) + tools


@pytest.mark.parametrize("seat", [DEFAULT, SHORT], ids=["default", "short"])
@pytest.mark.parametrize(
    ("bundle", "absent"),
    [
        (fall(4), r"\bround|In talk only|submit_order\b"),
        (SILENT, r"(?:[Tt]alk|[Pp]ress|message|agree|send_|reply_to|finish_negotiation)(?!s? in this game)"),
        (ROUNDS, r"read at once|woken|waking|unread mail"),
    ],
    ids=["conductor", "gunboat", "rounds"],
)
def test_nothing_is_said_of_another_floor(bundle: Bundle, absent: str, seat: Seat) -> None:
    assert re.findall(rf".{{0,60}}(?:{absent}).{{0,30}}", all_shown(bundle, seat)) == []


@pytest.mark.parametrize(
    ("name", "bundle"), [("rounds", ROUNDS), ("conductor", fall(0)), ("gunboat", SILENT)]
)
@pytest.mark.parametrize(("set_", "seat"), [("default", DEFAULT), ("short", SHORT)])
def test_the_rules_of_each_floor(name: str, bundle: Bundle, set_: str, seat: Seat) -> None:
    text = conversation(bundle, seat)[0].content
    check(f"rules_{name}_{set_}", re.sub(r"(# Map\n.*?\n).*?(\n\n# )", r"\1…\2", text, flags=re.DOTALL))


def test_how_often_one_was_woken_and_may_be_is_told() -> None:
    assert "# F1901M, waking 3 of at most 12" in conversation(fall(4), DEFAULT)[-1].content


@pytest.mark.parametrize("floor", ["rounds", "at once", "none"])
def test_what_a_seat_may_say_and_keep_is_told_beforehand(floor: Talk) -> None:
    may = SeatSettings(max_messages=7, max_message_chars=321, max_phase_chars=4321, max_value_chars=99)
    text = conversation(replace(ROUNDS, rules=GameRules(talk=floor)), Seat(may))[0].content
    told = "7 messages in a reply, of 321 characters each, and 4321 characters in a phase" in text
    assert told == (floor != "none")
    assert f"{may.max_memory_chars(letters_a_token(''))} characters in all and 99 in one text" in text


@pytest.mark.parametrize(
    ("model", "characters"), [("openai:gpt-4.1", 1680), ("openai:smollm2", 1440), ("openai:llama3", 1560)]
)
def test_the_memorys_room_is_told_in_characters_of_the_models_family(model: str, characters: int) -> None:
    assert f"{characters} characters in all" in conversation(ROUNDS, Seat(model=model))[0].content
