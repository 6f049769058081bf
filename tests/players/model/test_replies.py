"""Whatever a model writes becomes actions and words on what is wrong; nothing raises and nothing goes astray."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from entente.models.wire import ModelReply, ToolCall
from entente.players.actions import SendMessage, SubmitOrders, UpdateMemory, VoteDraw
from entente.players.model.copied import order_of
from entente.players.model.replies import Desk, ReadReply, read_reply
from entente.players.model.settings import SeatSettings
from entente.players.model.tools import ALLOWED, PARAMETERS
from entente.players.record import Stage
from entente.press.messages import Act, CommitmentKind, Statement
from tests.players.model.words import DONE, ORDERED, Call, calls, order, remember, send, text_reply, usage

OTHERS = ("ENGLAND", "GERMANY", "ITALY")


def desk(stage: Stage = "talk", **more: Any) -> Desk:
    return Desk(stage, "FRANCE", OTHERS, frozenset({"S1901M.1.ITALY.0"}), {}, **more)


def read(*said: Call, stage: Stage = "talk", **more: Any) -> ReadReply:
    return read_reply(calls(*said), desk(stage, **more))


def test_a_turn_of_talk_is_read() -> None:
    peace: dict[str, JsonValue] = {"kind": "Peace", "act": "propose", "by": None, "term": 1903}
    got = read(
        send("italy", "peace?", commitments=[peace], reply_to="S1901M.1.ITALY.0"),
        remember("plan", {"1901": ["SPA", "POR"]}),
        ("vote_draw", {"yes": False}),
        DONE,
    )
    assert got.is_clean
    sent, kept, vote = got.standing
    assert isinstance(sent, SendMessage)
    assert (sent.recipient, sent.reply_to) == ("italy", "S1901M.1.ITALY.0")
    assert sent.commitments == (Statement(kind=CommitmentKind.PEACE, act=Act.PROPOSE, term="1903"),)
    assert kept == UpdateMemory(key="plan", value={"1901": ["SPA", "POR"]})
    assert vote == VoteDraw(yes=False)


def test_a_turn_of_orders_is_read() -> None:
    got = read(order("A PAR - BUR"), ("submit_order", {"order_string": "F BRE H"}), ORDERED, stage="orders")
    assert got.is_clean
    assert got.standing == (SubmitOrders(orders=("A PAR - BUR",)), SubmitOrders(orders=("F BRE H",)))


JSON_TURN = json.dumps(
    [
        {"tool_name": "submit_order", "arguments": {"order_string": "A PAR H"}},
        {"tool_name": "update_memory", "arguments": {"key": "short_term_goal", "value": "Secure MAO"}},
        {"tool_name": "finish_orders", "arguments": {}},
    ]
)


@pytest.mark.parametrize(
    "text",
    [
        JSON_TURN,
        f"```json\n{JSON_TURN}\n```",
        f"I think [as before] that Paris holds.\n```\n{JSON_TURN}\n``` Good luck!",
        f'<think>maybe [{{"tool_name": "vote_draw"}}]</think>{JSON_TURN}',
        f'{{"actions": {JSON_TURN}}}',
        JSON_TURN[1:-1].replace("}, {", "}\n{"),
        JSON_TURN.replace("tool_name", "name"),
    ],
    ids=["bare", "fenced", "with words", "after thoughts", "wrapped", "line by line", "other key"],
)
def test_the_json_form_is_read_however_it_is_dressed(text: str) -> None:
    got = read_reply(text_reply(text), desk("orders"))
    assert got.is_clean
    assert got.standing == (
        SubmitOrders(orders=("A PAR H",)),
        UpdateMemory(key="short_term_goal", value="Secure MAO"),
    )


def test_of_a_list_that_breaks_off_what_was_complete_stands() -> None:
    got = read_reply(text_reply(JSON_TURN[:120], "length"), desk("orders"))
    assert got.standing == (SubmitOrders(orders=("A PAR H",)),)
    assert any("breaks off" in complaint for complaint in got.complaints)


BAD_CALLS: list[tuple[Call, str]] = [
    (("send_messages", {}), "no tool 'send_messages'"),
    (("submit_orders", {"orders": ["A PAR H"]}), "cannot be used now: it is time for talk"),
    (send("FRENCH", "hello"), "A recipient of ENGLAND, GERMANY, ITALY or BROADCAST was wanted"),
    (send("FRANCE", "hello"), "wrote to itself"),
    (send(["ITALY", "ENGLAND"], "hello"), "wants recipient as a text and got ['ITALY'"),
    (send("ITALY", None), "wants content as a text and got None"),
    (send("ITALY", ["a", "b"]), "wants content as a text and got ['a', 'b']"),
    (send("ITALY", " "), "wants content as a text"),
    (send("ITALY", "x" * 601), "may have 600 characters"),
    (send("ITALY", "hello", message_type="SHOUT"), "wants a message_type of PROPOSAL"),
    (
        send("ITALY", "hello", power="GERMANY"),
        "You play FRANCE and send_message was called for 'GERMANY'",
    ),
    (("update_memory", {"key": "plan"}), "wants a value"),
    (("update_memory", {"key": 3, "value": 1}), "wants key as a text"),
    (("update_memory", {"key": "k" * 65, "value": 1}), "may have 64 characters"),
    (("update_memory", {"key": "k", "value": float("nan")}), "not plain JSON"),
    (("update_memory", {"key": "k", "value": 10**400}), "not plain JSON"),
    (("vote_draw", {"yes": "maybe"}), "true or false"),
    (("send_message", '{"recipient": "ITA'), "as one JSON object"),
    (("send_message", ["ITALY"]), "as one JSON object"),
    (("finish_orders", {}), "cannot be used now"),
]


@pytest.mark.parametrize(("call", "complaint"), BAD_CALLS, ids=lambda value: str(value)[:30])
def test_what_is_wrong_with_a_call_is_said(call: Call, complaint: str) -> None:
    got = read(call, DONE)
    assert len(got.refused) == 1
    assert complaint in got.refused[0].complaint
    assert got.standing == ()


def test_a_message_to_nobody_known_stays_an_action_so_that_its_refusal_is_recorded() -> None:
    (refused,) = read(send("FRENCH", "hello"), DONE).refused
    assert isinstance(refused.action, SendMessage)


def test_a_message_over_our_own_caps_is_no_action_since_nobody_else_would_refuse_it() -> None:
    (refused,) = read(send("ITALY", "x" * 601), DONE).refused
    assert refused.action is None


BAD_ORDERS: list[tuple[Call, str]] = [
    (("submit_orders", {"orders": None}), "wants a list of order lines"),
    (("submit_orders", {"orders": [None, {}]}), "wants each order as a text"),
    (("submit_orders", {"orders": ["A MUN H"], "power": "GERMANY"}), "was called for 'GERMANY'"),
    (("submit_order", {"order": "A PAR H"}), "wants order_string as a text"),
    (send("ITALY", "too late"), "it is time for orders"),
]


@pytest.mark.parametrize(("call", "complaint"), BAD_ORDERS, ids=lambda value: str(value)[:30])
def test_what_is_wrong_with_orders_is_said(call: Call, complaint: str) -> None:
    got = read(call, ORDERED, stage="orders")
    assert complaint in got.refused[0].complaint
    assert got.standing == ()


def test_lines_of_a_list_that_are_texts_stand_without_the_others() -> None:
    got = read(("submit_orders", {"orders": ["A PAR H", None]}), ORDERED, stage="orders")
    assert got.standing == (SubmitOrders(orders=("A PAR H",)),)
    assert got.notes == ("1 orders were no text and were left out: [None]",)


def test_lines_that_were_copied_with_their_facts_are_taken_as_the_orders_they_begin_with() -> None:
    lines: list[JsonValue] = [
        "A PAR - BUR: empty; can come: A MUN GERMANY; support: A MAR",
        "F BRE H: support: A PAR",
        "A MAR H: why?",
    ]
    got = read(("submit_orders", {"orders": lines}), ORDERED, stage="orders")
    assert got.standing == (SubmitOrders(orders=("A PAR - BUR", "F BRE H", "A MAR H: why?")),)


LONG = [
    "A PAR H" + ": A PAR, A PAR" * 9_000,
    "A PAR H: " + "A PAR, " * 9_000 + "!",
    ": " * 9_000,
    " " * 500_000,
]


@pytest.mark.parametrize("text", LONG, ids=len)
def test_a_long_line_is_not_looked_at_in_every_way_there_is(text: str) -> None:
    assert order_of(text) == text


def test_orders_in_one_text_are_taken_line_by_line() -> None:
    got = read(("submit_orders", {"orders": "A PAR H\nA MAR H"}), ORDERED, stage="orders")
    assert got.standing == (SubmitOrders(orders=("A PAR H", "A MAR H")),)


def test_an_argument_that_no_tool_knows_is_left_out_with_a_word() -> None:
    got = read(send("ITALY", "hello", mood="bad"), DONE)
    assert got.is_clean
    assert got.notes == ("send_message has no 'mood'; that was left out",)


def test_a_commitment_may_be_one_object_with_its_places_in_one_text() -> None:
    zone: dict[str, JsonValue] = {
        "kind": "dmz",
        "act": "ACCEPT",
        "by": "france",
        "locations": "BUR, the Ruhr",
    }
    (sent,) = read(send("ITALY", "yes", commitments=zone), DONE).standing
    assert isinstance(sent, SendMessage)
    (statement,) = sent.commitments
    assert (statement.act, statement.by, statement.locations) == (Act.ACCEPT, "FRANCE", ("BUR", " the Ruhr"))


def test_commitments_and_answers_that_cannot_be_read_leave_the_words_standing() -> None:
    got = read(
        send("ITALY", "hello", commitments=["peace", {"kind": "war", "act": "x"}], reply_to="M7"), DONE
    )
    (sent,) = got.standing
    assert isinstance(sent, SendMessage)
    assert (sent.commitments, sent.reply_to) == ((), None)
    assert got.notes == (
        "2 commitments could not be read and were left out; reply_to 'M7' is no message to you and was left out",
    )


@pytest.mark.parametrize(
    ("reply", "complaint"),
    [
        (text_reply(""), "No tool was called"),
        (text_reply("I am sorry, I cannot help with that."), "No tool was called"),
        (calls(send("ITALY", "hello")), "did not end with finish_negotiation_round"),
        (calls(DONE, send("ITALY", "hello")), "did not end with finish_negotiation_round"),
        (text_reply("x", "length"), "cut off"),
    ],
    ids=["empty", "refusal", "no finish", "finish before the end", "cut off"],
)
def test_a_reply_without_the_right_end_is_no_good(reply: ModelReply, complaint: str) -> None:
    got = read_reply(reply, desk())
    assert any(complaint in words for words in got.complaints)


def test_of_fifty_messages_the_first_twelve_stand() -> None:
    got = read(*(send("ITALY", f"message {n}") for n in range(50)), DONE)
    assert len(got.standing) == SeatSettings().max_messages
    assert len(got.refused) == 38
    assert not any(call.action for call in got.refused)


def test_a_phase_has_so_many_characters() -> None:
    got = read(send("ITALY", "x" * 200), send("ENGLAND", "y" * 200), DONE, said_chars=5700)
    assert len(got.standing) == 1
    assert "6000 characters" in got.refused[0].complaint


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ({"ITALY": "ally", "GERMANY": "enemy"}, {"ITALY": "ally", "GERMANY": "enemy"}),
        ({"italy": " Friendly"}, {"ITALY": "friendly"}),
        ('{"Italy": "ally"}', {"ITALY": "ally"}),
        (None, None),
    ],
    ids=repr,
)
def test_relations_have_five_words(value: JsonValue, kept: JsonValue) -> None:
    got = read(remember("relations", value), DONE, others=OTHERS)
    assert got.is_clean
    assert got.standing == (UpdateMemory(key="relations", value=kept),)


@pytest.mark.parametrize(
    "value",
    [{"ITALY": "buddy"}, {"FRANCE": "ally"}, {"ITALIA": "ally"}, {"ITALY": 1}, "neutral", '["ITALY"]'],
    ids=repr,
)
def test_other_relations_are_refused_with_a_sentence(value: JsonValue) -> None:
    got = read(remember("relations", value), DONE, others=OTHERS)
    assert got.standing == ()
    assert "to one of enemy, unfriendly, neutral, friendly, ally and got" in got.refused[0].complaint


def test_a_text_too_long_to_remember_is_cut_and_said_so() -> None:
    got = read(remember("plan", "x" * 1000), DONE)
    assert got.standing == (UpdateMemory(key="plan", value="x" * 600),)
    assert "400 more were cut off" in got.cuts[0]


def test_a_full_memory_refuses_until_something_is_forgotten() -> None:
    full: list[Call] = [remember(f"k{n}", "x" * 500) for n in range(4)]
    assert "Forget or shorten" in read(*full, DONE).refused[0].complaint
    assert read(*full[:3], remember("k0", None), full[3], DONE).is_clean


def test_characters_that_no_store_can_keep_are_replaced() -> None:
    got = read(remember("bad\ud800", "nul\0"), DONE)
    assert got.standing == (UpdateMemory(key="bad?", value="nul "),)


def test_deep_nesting_is_refused() -> None:
    deep: JsonValue = []
    for _ in range(200):
        deep = [deep]
    assert read(("update_memory", {"key": "k", "value": deep}), DONE).refused
    assert read(("update_memory", deep), DONE).refused
    assert read_reply(text_reply("[" * 100_000), desk()).complaints


def test_of_ten_thousand_calls_a_hundred_are_read_and_one_complaint_says_so() -> None:
    fly: Call = ("fly", {})
    got = read(*[fly] * 10_000, DONE)
    assert len(got.calls) == 100
    assert got.complaints[0] == "A reply may have 100 calls and 10001 came; the rest were not read."


def test_an_endless_list_of_orders_is_one_refused_call_that_is_not_shown_again() -> None:
    lines: list[JsonValue] = [*["A PAR - BUR now and forever"] * 100_000]
    got = read(("submit_orders", {"orders": lines}), ORDERED, stage="orders")
    assert [call.complaint for call in got.refused] == [
        "submit_orders takes 100 lines and got 99900 more; none were taken."
    ]
    assert got.refused[0].arguments == {}
    assert got.standing == ()


_names = st.sampled_from([*PARAMETERS, "", "fly"])
_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
_keys = st.sampled_from(sorted({key for keys in PARAMETERS.values() for key in keys}))
_arguments = _values | st.dictionaries(_keys, _values, max_size=5)


@given(st.lists(st.tuples(_names, _arguments), max_size=5), st.sampled_from(sorted(ALLOWED)))
def test_no_tool_call_raises_and_each_is_answered(said: list[tuple[str, JsonValue]], stage: Stage) -> None:
    found = tuple(
        ToolCall.model_construct(id=str(n), name=name, arguments=a) for n, (name, a) in enumerate(said)
    )
    reply = ModelReply.model_construct(text="", tool_calls=found, usage=usage())
    got = read_reply(reply, desk(stage))
    assert len(got.calls) == len(said)
    for call in got.calls:
        assert call.complaint or call.action or call.name.startswith("finish_")
        if call.action:
            json.dumps(call.action.model_dump(mode="json"), allow_nan=False).encode()


@given(st.text() | st.text(alphabet='[]{}",:tool_namergus0 \n`'))
def test_no_text_raises(text: str) -> None:
    assert read_reply(text_reply(text), desk()).complaints
