"""A person's answer, in whatever form it comes: always understood or recorded, never an error."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from entente.floors.answers import understand
from entente.floors.asking import Ask
from entente.players.actions import SendMessage, SubmitOrders, VoteDraw

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["messages", "orders", "to", "text", "x"]), inner)
    ),
)


@pytest.mark.parametrize(
    "value",
    [
        {"orders": ["A PAR - BUR", "A MAR H"]},
        ["A PAR - BUR", "A MAR H"],
        "A PAR - BUR\nA MAR H",
        {"orders": "A PAR - BUR\n\nA MAR H"},
    ],
)
def test_orders_are_understood_in_several_forms(value: JsonValue) -> None:
    answer = understand("orders", value)
    assert answer.actions == (SubmitOrders(orders=("A PAR - BUR", "A MAR H")),)
    assert answer.unread == ()


@pytest.mark.parametrize(
    "value",
    [
        {"messages": [{"to": "ITALY", "text": "hi"}, {"to": "ALL", "text": "hello: all"}]},
        [{"to": "ITALY", "text": "hi"}, {"to": "ALL", "text": "hello: all"}],
        "ITALY: hi\nALL: hello: all",
        ["ITALY: hi", "ALL: hello: all"],
    ],
)
def test_messages_are_understood_in_several_forms(value: JsonValue) -> None:
    answer = understand("talk", value)
    assert [(a.recipient, a.content) for a in answer.actions if isinstance(a, SendMessage)] == [
        ("ITALY", "hi"),
        ("ALL", "hello: all"),
    ]
    assert answer.unread == ()


def test_a_draw_can_be_voted_for_with_orders() -> None:
    assert VoteDraw(yes=True) in understand("orders", {"orders": [], "draw": True}).actions


@pytest.mark.parametrize(
    ("ask", "value", "unread"),
    [
        ("talk", "hello there", ("hello there",)),
        ("talk", {"messages": [7]}, ("7",)),
        ("talk", {"messages": [{"to": "ITALY"}]}, ("{'to': 'ITALY'}",)),
        ("orders", {"orders": ["A PAR H", 7]}, ("7",)),
        ("orders", {"order": "A PAR H"}, ("order: A PAR H",)),
        ("orders", 7, ("7",)),
    ],
)
def test_what_is_not_understood_is_kept_to_be_recorded(
    ask: Ask, value: JsonValue, unread: tuple[str, ...]
) -> None:
    assert understand(ask, value).unread == unread


@pytest.mark.parametrize("ask", ["talk", "orders"])
@pytest.mark.parametrize("value", [None, {}, [], ""])
def test_an_empty_answer_says_nothing(ask: Ask, value: JsonValue) -> None:
    answer = understand(ask, value)
    assert answer.unread == ()
    assert not any(isinstance(action, SendMessage) for action in answer.actions)


@given(st.sampled_from(["talk", "orders"]), json_values)
def test_no_answer_raises(ask: Ask, value: JsonValue) -> None:
    understand(ask, value)
