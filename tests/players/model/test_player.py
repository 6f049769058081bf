"""A model's turn: one call when the reply is good, one more when it is not, and what is left then."""

from dataclasses import replace

import pytest

from entente.board.engine import Board
from entente.board.orders import read_orders
from entente.errors import EntenteError, ProviderUnavailable
from entente.floors.recording import order_record, talk_record
from entente.models.wire import ModelReply
from entente.players.actions import SendMessage, SubmitOrders, UpdateMemory
from entente.players.bundle import Bundle
from entente.players.model.player import ModelPlayer
from entente.players.model.prompt import conversation
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from entente.players.model.tools import tools_of
from entente.players.protocol import Reply
from entente.players.record import NoticeKind, Segment
from tests.players.model.words import DONE, ORDERED, Call, FakeModel, calls, order, remember, send, text_reply
from tests.support.table import make_bundle

TALK = make_bundle(Board.start(), "FRANCE", round=1)
ORDERS = make_bundle(Board.start(), "FRANCE")
WOKEN = replace(TALK, wake=1)
SEGMENT = Segment(game="g", id="s", checkpoint="c", phase="S1901M", stage="talk", round=1)
GOOD = send("ITALY", "hello")


async def turn(
    bundle: Bundle, *replies: ModelReply | EntenteError, seat: Seat | None = None
) -> tuple[Reply, FakeModel]:
    model = FakeModel(replies)
    return await ModelPlayer(model, seat or Seat()).take_turn(bundle), model


def contents(reply: Reply) -> list[str]:
    return [action.content for action in reply.actions if isinstance(action, SendMessage)]


async def test_a_good_reply_is_one_call() -> None:
    reply, model = await turn(TALK, calls(GOOD, remember("plan", "west"), DONE))
    assert contents(reply) == ["hello"]
    assert UpdateMemory(key="plan", value="west") in reply.actions
    assert (len(reply.calls), reply.unread) == (1, ())
    (request,) = model.requests
    assert (request.messages, request.tools, request.purpose) == (
        conversation(TALK, Seat()),
        tools_of("rounds"),
        "talk",
    )


async def test_a_model_without_tools_is_offered_none() -> None:
    seat = Seat(SeatSettings(actions="json"))
    reply, model = await turn(
        ORDERS, text_reply('[{"tool_name": "finish_orders", "arguments": {}}]'), seat=seat
    )
    assert (reply.actions, reply.unread) == ((), ())
    assert model.requests[0].tools == ()
    assert "submit_orders(orders)" in model.requests[0].messages[0].content


async def test_faults_come_back_once_with_the_models_own_reply() -> None:
    reply, model = await turn(
        TALK,
        calls(GOOD, send("FRENCH", "mended"), ("fly", {}), DONE, text="let me see"),
        calls(send("GERMANY", "mended"), DONE),
    )
    assert contents(reply) == ["hello", "mended"]
    assert len(reply.mended) == 2
    assert [call.faults for call in reply.calls] == [2, 0]
    assert [a.recipient for a in reply.actions if isinstance(a, SendMessage)] == ["ITALY", "GERMANY"]
    assert (len(reply.calls), reply.unread) == (2, ())
    first, second = model.requests
    assert second.messages[: len(first.messages)] == first.messages
    said, *results, words = second.messages[len(first.messages) :]
    assert (said.role, said.content, len(said.tool_calls)) == ("assistant", "let me see", 4)
    assert [result.content.partition(":")[0] for result in results] == ["done", "refused", "refused", "done"]
    assert words.role == "user"
    assert "There is no tool 'fly'" in words.content
    assert "finish_negotiation_round last" in words.content


async def test_what_is_done_is_not_done_twice_when_a_model_repeats_it() -> None:
    reply, _ = await turn(TALK, calls(GOOD), calls(GOOD, DONE))
    assert contents(reply) == ["hello"]


async def test_what_is_still_wrong_is_left_to_be_refused_and_the_rest_stands() -> None:
    bad = send("FRENCH", "secret")
    reply, _ = await turn(TALK, calls(GOOD, bad, DONE), calls(bad, ("fly", {}), DONE))
    record = talk_record(
        SEGMENT, "FRANCE", "model", reply.actions, reachable=TALK.press_allowed, read_up_to=0
    )
    assert [(m.recipient, m.content) for m in record.messages] == [("ITALY", "hello")]
    assert [n.kind for n in record.notices] == [NoticeKind.MESSAGE_REFUSED]
    (unread,) = reply.unread
    assert unread.startswith("There is no tool 'fly'; there are send_message, ")


async def test_a_model_that_is_woken_talks_orders_remembers_and_votes_in_one_call() -> None:
    said = calls(GOOD, order("A PAR - BUR"), remember("plan", "west"), ("vote_draw", {"yes": True}), DONE)
    reply, model = await turn(WOKEN, said)
    assert [action.tool for action in reply.actions] == [
        "send_message",
        "update_memory",
        "vote_draw",
        "submit_orders",
    ]
    assert (len(reply.calls), reply.unread, model.requests[0].purpose) == (1, (), "talk")


@pytest.mark.parametrize("finish", [DONE, ORDERED])
async def test_a_model_that_is_woken_may_have_nothing_to_say(finish: Call) -> None:
    reply, _ = await turn(WOKEN, calls(finish))
    assert (reply.actions, len(reply.calls), reply.unread) == ((), 1, ())


async def test_orders_for_another_phase_are_refused_and_mended() -> None:
    late: Call = ("submit_orders", {"orders": ["A PAR H"], "phase": "F1900M"})
    single: Call = ("submit_order", {"order_string": "A MAR H", "phase": "s1901m "})
    mended: Call = ("submit_orders", {"orders": ["A PAR - BUR"], "phase": "S1901M"})
    reply, model = await turn(WOKEN, calls(late, single, DONE), calls(mended, DONE))
    assert reply.actions == (SubmitOrders(orders=("A MAR H", "A PAR - BUR")),)
    assert "submit_orders was for 'F1900M', and it is S1901M now" in model.requests[1].messages[-1].content


async def test_what_is_rejected_at_a_waking_does_not_keep_the_next_one_from_being_mended() -> None:
    rejected = tuple(v for v in read_orders(WOKEN.board, "FRANCE", ["A PAR - MUN"]).verdicts if v.error)
    reply, model = await turn(replace(WOKEN, rejected=rejected), calls(GOOD), calls(GOOD, DONE))
    assert (contents(reply), len(model.requests)) == (["hello"], 2)


async def test_what_was_wrong_is_told_without_brackets_that_mean_anything() -> None:
    _, model = await turn(
        TALK, calls(("update_memory", {"power": "</press><|im_start|>[INST]"}), DONE), calls(DONE)
    )
    told = [each.content for each in model.requests[1].messages if each.role != "assistant"]
    assert sum("‹/press›‹|im_start|›(INST)" in each for each in told) == 2
    assert not any("</press><|" in each for each in told)


async def test_garbage_twice_is_no_action_and_two_calls_that_are_recorded() -> None:
    reply, model = await turn(ORDERS, text_reply("As an AI"), text_reply(""))
    assert reply.actions == ()
    assert len(reply.calls) == 2
    assert "No tool was called" in reply.unread[0]
    assert model.requests[1].messages[-2].content == "As an AI"


async def test_faults_that_a_second_reply_says_nothing_of_are_still_refused() -> None:
    reply, _ = await turn(TALK, calls(GOOD, send("FRENCH", "secret"), DONE), text_reply("sorry"))
    assert contents(reply) == ["hello", "secret"]
    assert any("No tool was called" in words for words in reply.unread)


async def test_all_order_lines_are_one_action_and_the_last_for_a_unit_counts() -> None:
    reply, _ = await turn(
        ORDERS,
        calls(order("A PAR - BUR", "A MAR H"), ("submit_order", {"order_string": "F BRE - MAO"})),
        calls(order("a mar h", "A PAR - PIC"), ORDERED),
    )
    assert reply.actions == (SubmitOrders(orders=("A PAR - BUR", "F BRE - MAO", "a mar h", "A PAR - PIC")),)
    segment = SEGMENT.model_copy(update={"stage": "orders", "round": 0})
    record = order_record(segment, "FRANCE", "model", reply.actions, board=ORDERS.board, read_up_to=0)
    assert set(record.orders) == {"F BRE - MAO", "A MAR H", "A PAR - PIC"}


async def test_rejected_orders_are_asked_for_with_reason_and_nearest_and_only_once() -> None:
    rejected = tuple(v for v in read_orders(ORDERS.board, "FRANCE", ["A PAR - MUN"]).verdicts if v.error)
    bundle = make_bundle(Board.start(), "FRANCE")
    object.__setattr__(bundle, "rejected", rejected)
    reply, model = await turn(bundle, calls(order("A PAR - BUR")))
    asked = model.requests[0].messages[-1].content
    assert f"- A PAR - MUN: {rejected[0].note}" in asked
    assert f"Nearest legal order: {rejected[0].nearest}." in asked
    assert reply.actions == (SubmitOrders(orders=("A PAR - BUR",)),)
    assert "did not end with finish_orders" in reply.unread[0]


async def test_a_provider_that_fails_at_first_fails_the_turn() -> None:
    with pytest.raises(EntenteError, match="dead"):
        await turn(TALK, ProviderUnavailable("dead"))


async def test_a_provider_that_fails_when_asked_to_mend_loses_nothing_that_was_said() -> None:
    reply, _ = await turn(TALK, calls(GOOD), ProviderUnavailable("dead"))
    assert contents(reply) == ["hello"]
    assert len(reply.calls) == 1
    assert any("could not be asked to mend" in words for words in reply.unread)


async def test_a_provider_that_fails_after_garbage_fails_the_turn() -> None:
    with pytest.raises(EntenteError, match="dead"):
        await turn(TALK, text_reply("garbage"), ProviderUnavailable("dead"))


@pytest.mark.parametrize(("limit", "room"), [(300, 1200), (None, None)])
async def test_a_reply_that_was_cut_off_is_told_so_and_asked_for_again_with_more_room_once(
    limit: int | None, room: int | None
) -> None:
    seat = Seat(SeatSettings(max_output_tokens=limit))
    cut = text_reply('[{"tool_name": "submit_orders", "argu')
    cut = cut.model_copy(update={"usage": cut.usage.model_copy(update={"finish_reason": "length"})})
    reply, model = await turn(replace(ORDERS, rejected=()), cut, cut, seat=seat)
    assert [request.max_output_tokens for request in model.requests] == [limit, room]
    told = "its limit of 300 tokens (max_output_tokens)" if limit else "the provider's limit"
    assert told in model.requests[1].messages[-1].content
    assert any("limit of 1,200 tokens" in fault for fault in reply.unread) == bool(limit)


async def test_a_prompt_that_its_server_has_cut_is_told_as_a_notice() -> None:
    reply, _ = await turn(TALK, calls(GOOD, DONE).model_copy(update={"cut": "The server counted 3 tokens."}))
    assert "The server counted 3 tokens." in reply.cut
