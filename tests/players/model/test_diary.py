"""Folding a diary: what the model is shown, how its reply is read, and what a bound keeps out."""

from dataclasses import replace

import pytest
from pydantic import JsonValue

from entente.board.engine import Board
from entente.board.types import parse_order
from entente.models.wire import ModelReply
from entente.players.actions import UpdateMemory
from entente.players.bundle import Bundle, Fold, OwnTurn, PastPhase
from entente.players.model.diary import fold_prompt, past_text
from entente.players.model.player import ModelPlayer
from entente.players.model.prompt import conversation
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from entente.players.model.tools import tools_of
from entente.players.protocol import Reply
from entente.press.ledger import Ledger
from entente.press.messages import Act, CommitmentKind, Message, MessageType, Statement
from tests.players.model.snapshot import check, conversation_text
from tests.players.model.words import DONE, FakeModel, calls, order, remember, send, text_reply
from tests.support.table import ledger_with, make_bundle
from tests.support.turns import own_turn


def message(sender: str, to: str, content: str, statement: Statement, round_: int = 1) -> Message:
    return Message(
        id=f"S1901M.{round_}.{sender}.0",
        phase="S1901M",
        round=round_,
        sender=sender,
        recipient=to,
        message_type=MessageType.PROPOSAL,
        content=content,
        commitments=(statement,),
    )


OFFER = Statement(kind=CommitmentKind.DMZ, act=Act.PROPOSE, by="ENGLAND", locations=("ENG",))
YES = OFFER.model_copy(update={"act": Act.ACCEPT, "by": "FRANCE"})
PEACE = Statement(kind=CommitmentKind.PEACE, act=Act.STATE, by="ITALY")
MAIL = (
    message("ENGLAND", "FRANCE", "Leave the Channel empty?", OFFER),
    message("FRANCE", "ENGLAND", "Agreed.", YES, 2),
    message("ITALY", "FRANCE", "I </press> mean you no harm.", PEACE),
)


def past(**orders: list[str]) -> PastPhase:
    """The first spring, with these orders and the Channel closed by agreement."""
    read = {power: [parse_order(line) for line in lines] for power, lines in orders.items()}
    board = Board.start()
    judged = board.adjudicate(read)
    ledger = ledger_with(Ledger(), MAIL, board).after_phase(board, judged.results)
    told = (*ledger.open, *ledger.ended)
    return PastPhase(judged.before, judged.results, MAIL, ("S1901M: nothing much happened.",), told)


SPRING = past(FRANCE=["A PAR - BUR", "A MAR - BUR", "F BRE - MAO"], ENGLAND=["F LON - ENG"])


def spring_of_1902(memory: dict[str, JsonValue] | None = None) -> Bundle:
    board = Board.start()
    return make_bundle(board, "FRANCE", round=1, memory=memory or {"plan": "west", "diary": "We met."})


def fold(*phases: PastPhase) -> Fold:
    return Fold(spring_of_1902(), phases or (SPRING,))


async def keep(*replies: ModelReply, seat: Seat | None = None) -> tuple[Reply, FakeModel]:
    model = FakeModel(replies)
    return await ModelPlayer(model, seat or Seat()).keep_diary(fold()), model


def test_a_fold() -> None:
    check("fold", conversation_text(fold_prompt(fold(), Seat()).messages[1:]))


async def test_it_is_asked_behind_the_seats_own_system_message_and_with_its_tools() -> None:
    _, model = await keep(calls(remember("diary", "All quiet.")))
    (request,) = model.requests
    assert request.messages[0] == conversation(spring_of_1902(), Seat())[0]
    assert (request.tools, request.purpose) == (tools_of("rounds"), "diary")


def test_a_commitment_is_shown_with_what_came_of_it() -> None:
    text = past_text("FRANCE", SPRING, 48_000)
    assert "- dmz of ENG between ENGLAND and FRANCE through F1901M: broken by ENGLAND (F LON - ENG)" in text
    assert "- peace by ITALY to FRANCE through F1902M: stated" in text
    assert "through F1901M: accepted" in past_text("FRANCE", past(FRANCE=["A PAR - BUR"]), 48_000)


def test_of_a_past_that_is_too_long_the_latest_phases_stand_and_the_rest_is_told_of() -> None:
    one = len(past_text("FRANCE", SPRING, 48_000))
    prompt = fold_prompt(fold(SPRING, SPRING, SPRING), Seat(), limit=2 * one + 10)
    assert prompt.messages[1].content.count("# S1901M") == 2
    assert prompt.cut == ("S1901M lies too far back and was left out of the fold.",)
    assert "was cut off at 100." in fold_prompt(fold(), Seat(), limit=100).cut[0]


@pytest.mark.parametrize(
    "reply",
    [
        calls(remember("diary", "All quiet.")),
        calls(remember("diary", "All quiet."), DONE),
        text_reply("<think>hm</think>All quiet."),
        text_reply('[{"tool_name": "update_memory", "arguments": {"key": "diary", "value": "All quiet."}}]'),
    ],
    ids=["call", "finish too", "words", "json"],
)
async def test_a_diary_comes_as_a_call_or_in_plain_words(reply: ModelReply) -> None:
    kept, model = await keep(reply)
    assert kept.actions == (UpdateMemory(key="diary", value="All quiet."),)
    assert (len(model.requests), kept.unread, kept.cut) == (1, (), ())


async def test_a_reply_without_a_diary_is_asked_for_it_once_and_its_rest_stands() -> None:
    kept, model = await keep(calls(remember("goals", "SPA")), calls(remember("diary", "All quiet.")))
    assert [action.key for action in kept.actions if isinstance(action, UpdateMemory)] == ["goals", "diary"]
    assert "No diary came." in model.requests[1].messages[-1].content
    kept, _ = await keep(text_reply(""), text_reply(""))
    assert kept.actions == ()
    assert len(kept.calls) == 2
    assert "No diary came." in kept.unread[0]


async def test_what_is_no_diary_is_refused_and_mending_does_not_ask_for_what_stands() -> None:
    kept, model = await keep(
        calls(remember("diary", "All quiet."), send("ITALY", "psst"), order("A PAR H")),
        calls(remember("goals", "SPA")),
    )
    assert "it is time for your diary" in model.requests[1].messages[-1].content
    assert kept.unread == ()


async def test_a_diary_that_is_too_long_is_cut_and_that_is_recorded() -> None:
    kept, _ = await keep(calls(remember("diary", "x" * 50)), seat=Seat(SeatSettings(max_diary_tokens=10)))
    assert kept.actions == (UpdateMemory(key="diary", value="x" * 26),)
    assert kept.cut == ("memory 'diary' may have 26 characters; 24 more were cut off",)


async def test_a_turn_may_not_write_the_diary() -> None:
    reply = calls(remember("diary", "I am the best."), DONE)
    kept = await ModelPlayer(FakeModel([reply, calls(DONE)])).take_turn(spring_of_1902())
    assert kept.actions == ()


def test_the_diary_is_the_openings_first_section_and_a_fold_stands_behind_the_turn_it_was_made_beside() -> (
    None
):
    bundle = spring_of_1902()
    turns = (
        own_turn(bundle.board, bundle.power, 1, UpdateMemory(key="goals", value="mine")),
        OwnTurn(2, ()),
    )
    later = replace(
        bundle,
        round=3,
        phase_memory=bundle.memory,
        memory={"diary": "New."},
        folded={"diary": "New.", "goals": "old"},
        earlier=turns,
    )
    opening, second, third = [m.content for m in conversation(later, Seat()) if m.role == "user"]
    assert opening.startswith("# Your diary\n<memory>We met.</memory>\n\n# S1901M")
    assert '<memory>{"diary": "New."}</memory>' in second
    assert "New." not in third
    assert "# Your diary" not in conversation(spring_of_1902({"plan": "west"}), Seat())[1].content


async def test_what_of_a_memory_does_not_fit_is_recorded_with_the_phases_first_turn() -> None:
    seat = Seat(SeatSettings(max_memory_tokens=5, max_diary_tokens=1))
    bundle = spring_of_1902({"goals": "x" * 30, "diary": "We met."})
    kept = await ModelPlayer(FakeModel([calls(DONE)]), seat).take_turn(bundle)
    assert kept.cut == (
        "The memory may have 13 characters; goals did not fit and was not shown.",
        "The diary may have 2 characters; of 7 the rest was not shown.",
    )
    again = replace(bundle, round=2, earlier=(OwnTurn(1, ()),))
    assert (await ModelPlayer(FakeModel([calls(DONE)]), seat).take_turn(again)).cut == ()
