"""What the scripted model says follows from what it was asked, and from nothing else."""

import json
from typing import Any

import pytest

from entente.errors import NotARequest
from entente.models.mock.replies import scripted_reply
from entente.models.mock.request import ChatRequest, read_request
from tests.models.support import ORDERS_TASK, TEXT, TOOLS, tool

TALK_TASK = f"{ORDERS_TASK}\nSay what you want to say, and call finish_negotiation_round last."


def request(
    task: str, *, tools: Any = TOOLS, seat: str = "You are FRANCE.", stream: bool = False
) -> ChatRequest:
    body = {
        "model": "mock",
        "stream": stream,
        "messages": [{"role": "system", "content": seat}, {"role": "user", "content": task}],
        "tools": [{"type": "function", "function": each.model_dump()} for each in tools],
    }
    return read_request(json.dumps(body).encode())


def calls(asked: ChatRequest) -> list[tuple[str, dict[str, Any]]]:
    return [(call.name, json.loads(call.arguments)) for call in scripted_reply(asked).calls]


def test_the_same_request_gets_the_same_reply_streamed_or_not() -> None:
    assert scripted_reply(request(TALK_TASK)) == scripted_reply(request(TALK_TASK, stream=True))


def test_other_requests_get_other_replies() -> None:
    replies = {str(scripted_reply(request(f"{n}\n{ORDERS_TASK}"))) for n in range(20)}
    assert len(replies) > 4


def test_a_turn_for_orders_orders_each_unit_once_and_finishes() -> None:
    for n in range(20):
        (first, given), *rest = calls(request(f"{n}\n{ORDERS_TASK}"))
        assert first == "submit_orders"
        assert [order[:5] for order in given["orders"]] == ["A MAR", "A PAR"]
        assert all(" - " in order or order.endswith(" H") for order in given["orders"])
        assert rest == [("finish_orders", {})]


def test_a_turn_of_talk_writes_one_or_two_messages_and_finishes() -> None:
    for n in range(20):
        *messages, last = calls(request(f"{n}\n{TALK_TASK}"))
        assert last == ("finish_negotiation_round", {})
        assert 1 <= len(messages) <= 2
        for name, given in messages:
            assert name == "send_message"
            assert given["recipient"] in ("ENGLAND", "GERMANY")
            assert given["message_type"] == "CHAT"
            assert 0 < len(given["content"].split()) < 12


def test_a_draft_that_is_asked_for_comes_with_the_talk() -> None:
    asked = request(f"{TALK_TASK} Give your draft orders too.")
    assert "submit_orders" in [name for name, _ in calls(asked)]


def test_single_orders_are_given_by_the_tools_own_parameter() -> None:
    tools = (tool("submit_order", order_string=TEXT), tool("finish_orders"))
    assert [list(given) for _, given in calls(request(ORDERS_TASK, tools=tools))] == [
        ["order_string"]
    ] * 2 + [[]]


def test_builds_are_as_many_as_are_wanted_one_in_each_center() -> None:
    task = "# Your units\nYou may build 1. Legal: A BRE B, F BRE B, A PAR B, or WAIVE."
    for n in range(10):
        _, given = calls(request(f"{n}\n{task}"))[0]
        assert len(given["orders"]) == 1


def test_a_tool_that_nobody_knows_is_called_with_what_its_schema_allows() -> None:
    ping = tool("ping", word={"type": "string", "enum": ["pong"]}, times={"type": "integer"})
    assert calls(request("Call ping.", tools=(ping,))) == [("ping", {"word": "pong", "times": 1})]


def test_without_tools_the_actions_come_as_json_when_the_prompt_speaks_of_json() -> None:
    task = f"{ORDERS_TASK}\nAnswer in JSON. Tools: submit_orders(orders), finish_orders()."
    reply = scripted_reply(request(task, tools=()))
    written = json.loads(reply.content or "")
    assert [each["tool_name"] for each in written["actions"]] == ["submit_orders"]
    assert written["finish"] == "finish_orders"
    assert reply.calls == ()


def test_json_that_the_task_asks_for_comes_beside_the_tools() -> None:
    asked = request(f"{ORDERS_TASK} Write the same calls as JSON too.")
    written = json.loads(scripted_reply(asked).content or "")
    said = [(each["tool_name"], each["arguments"]) for each in written["actions"]]
    assert [*said, (written["finish"], {})] == calls(asked)


def test_without_tools_and_json_it_says_a_sentence() -> None:
    reply = scripted_reply(request("How do you feel?", tools=()))
    assert (reply.content or "").endswith(".")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b'{"model": "m"}',
        b'{"model": "m", "messages": [1]}',
        b'{"model": 1, "messages": {}',
    ],
)
def test_what_is_no_request_is_refused(body: bytes) -> None:
    with pytest.raises(NotARequest):
        read_request(body)


def test_content_in_parts_is_read_as_its_words() -> None:
    parts = [{"type": "text", "text": "You are ITALY."}]
    asked = read_request(
        json.dumps({"model": "m", "messages": [{"role": "user", "content": parts}]}).encode()
    )
    assert asked.task == "You are ITALY."


def waking(number: int, *news: str) -> str:
    return "\n".join([f"# S1901M, waking {number}", *news, "Call finish_negotiation_round last."])


LETTER = "<press S1901M.1.ITALY.0 from ITALY to FRANCE, QUERY>Peace?</press>"
REPLY = "<press S1901M.2.ITALY.0 from ITALY to FRANCE, INFO, reply to S1901M.1.FRANCE.0>Yes.</press>"


def woken(*tasks: str) -> list[list[str]]:
    """The names of what a model calls at each of its wakings in a phase."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": "You are FRANCE."}]
    said: list[list[str]] = []
    for number, task in enumerate(tasks):
        messages.append({"role": "user", "content": f"{ORDERS_TASK}\n{task}" if not number else task})
        tools = [{"type": "function", "function": each.model_dump()} for each in TOOLS]
        asked = read_request(json.dumps({"model": "mock", "messages": messages, "tools": tools}).encode())
        replied = scripted_reply(asked).calls
        functions = [{"function": {"name": call.name, "arguments": call.arguments}} for call in replied]
        messages.append({"role": "assistant", "content": "", "tool_calls": functions})
        said.append([call.name for call in replied])
    return said


def test_a_model_that_is_woken_talks_and_orders_at_first_and_then_finishes() -> None:
    first, *others = woken(waking(1), waking(2), waking(3))
    assert first[0] == "send_message"
    assert first[-2:] == ["submit_orders", "finish_negotiation_round"]
    assert others == [["finish_negotiation_round"]] * 2


def test_a_letter_is_answered_once_and_an_answer_never() -> None:
    said = woken(waking(1), waking(2, LETTER), waking(3, LETTER), waking(4, REPLY))
    assert ["send_message" in names for names in said] == [True, True, False, False]


def test_orders_that_could_not_be_used_are_given_again() -> None:
    _, again = woken(waking(1), waking(2, "Lines of your orders could not be used."))
    assert again == ["submit_orders", "finish_negotiation_round"]


def test_who_has_an_answer_may_change_its_mind_once() -> None:
    tales = [
        woken(waking(1), *(waking(number, f"news of {tale}", REPLY) for number in range(2, 6)))
        for tale in range(9)
    ]
    changes = [sum("submit_orders" in names for names in said[1:]) for said in tales]
    assert set(changes) == {0, 1}


FOLD_TASK = """# A new year: fold your diary
# S1901M
- accepted by FRANCE to ITALY, broken by ITALY (A VEN - PIE) and broken by FRANCE (A MAR - PIE): a peace
Call update_memory with the key diary."""


def test_a_fold_is_answered_with_a_diary_and_relations_to_those_who_broke_their_word() -> None:
    tools = (*TOOLS, tool("update_memory", key=TEXT, value=TEXT))
    (_, diary), (_, relations) = calls(request(FOLD_TASK, tools=tools))
    assert diary["key"] == "diary"
    assert "broken by ITALY." in diary["value"]
    assert relations == {"key": "relations", "value": {"ITALY": "unfriendly"}}
    (only,) = calls(request(FOLD_TASK.partition("- accepted")[0], tools=tools))
    assert only[0] == "update_memory"
