"""Whatever a model says is a value."""

from typing import Any

import pytest

from entente.errors import UnreadableReply
from entente.models.said import read_completion, read_stream


def completion(message: Any, **more: Any) -> dict[str, Any]:
    return {"choices": [{"message": message, "finish_reason": "stop"}], **more}


def called(arguments: Any, name: Any = "send_message") -> dict[str, Any]:
    return {"content": None, "tool_calls": [{"id": "c", "function": {"name": name, "arguments": arguments}}]}


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("", ""),
        ("Hello.", "Hello."),
        ([{"type": "text", "text": "A"}, {"type": "image_url"}, "B", None], "AB"),
        ({"odd": 1}, ""),
        (7, ""),
    ],
    ids=str,
)
def test_any_content_is_text(content: Any, text: str) -> None:
    assert read_completion(completion({"content": content})).text == text


@pytest.mark.parametrize(
    ("raw", "arguments"),
    [
        ('{"recipient": "ITALY"}', {"recipient": "ITALY"}),
        ('{"recipient": "ITA', '{"recipient": "ITA'),
        ("[7]", [7]),
        ("", {}),
        (None, None),
        ({"recipient": "ITALY"}, {"recipient": "ITALY"}),
    ],
    ids=str,
)
def test_any_arguments_are_a_value(raw: Any, arguments: Any) -> None:
    assert read_completion(completion(called(raw))).calls[0].arguments == arguments


@pytest.mark.parametrize(
    "message", [{"tool_calls": [None]}, called("{}", None), {"tool_calls": [{"function": 1}]}]
)
def test_a_call_of_nothing_is_a_call_without_a_name(message: dict[str, Any]) -> None:
    assert read_completion(completion(message)).calls[0].name == ""


@pytest.mark.parametrize("message", [None, "words", [], {"tool_calls": "none"}])
def test_a_message_that_is_none_says_nothing(message: Any) -> None:
    said = read_completion(completion(message))
    assert (said.text, said.calls) == ("", ())


def test_a_refusal_is_said_and_marked() -> None:
    said = read_completion(completion({"content": None, "refusal": "I will not."}))
    assert (said.text, said.finish_reason) == ("I will not.", "refusal")


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": None, "prompt_tokens_details": None}])
def test_usage_that_is_not_told_is_zero(usage: Any) -> None:
    said = read_completion(completion({"content": "x"}, usage=usage))
    assert (said.prompt_tokens, said.cached_tokens, said.completion_tokens) == (0, 0, 0)


@pytest.mark.parametrize(
    "body", [None, "<html>", [], {}, {"choices": None}, {"choices": []}, {"error": {"code": 1}}]
)
def test_what_is_no_reply_is_an_error(body: Any) -> None:
    with pytest.raises(UnreadableReply):
        read_completion(body)


def piece(index: Any, arguments: str, *, name: str | None = None, id: str | None = None) -> dict[str, Any]:  # noqa: A002 - the wire's word
    function = {"arguments": arguments, "name": name}
    return {"choices": [{"delta": {"tool_calls": [{"index": index, "id": id, "function": function}]}}]}


def test_the_pieces_of_a_stream_are_put_together() -> None:
    chunks: list[Any] = [
        {"choices": [{"delta": {"role": "assistant", "content": "Hel"}}]},
        {"choices": [{"delta": {"content": "lo."}, "finish_reason": None}]},
        piece(0, "", name="send_message", id="a"),
        piece(0, '{"content":'),
        piece(1, "", name="finish_orders", id="b"),
        piece(0, ' "x"}'),
        {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]},
        {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 3}},
    ]
    said = read_stream(chunks)
    assert (said.text, said.finish_reason, said.prompt_tokens) == ("Hello.", "tool_calls", 9)
    assert [(call.name, call.arguments) for call in said.calls] == [
        ("send_message", {"content": "x"}),
        ("finish_orders", {}),
    ]


@pytest.mark.parametrize("index", [0, None])
def test_calls_that_share_an_index_are_told_apart_by_their_ids(index: Any) -> None:
    said = read_stream([piece(index, "{}", name="one", id="a"), piece(index, "{}", name="two", id="b")])
    assert [call.name for call in said.calls] == ["one", "two"]


@pytest.mark.parametrize("chunks", [[], [None], [{"choices": []}], [{"error": {"message": "no"}}]], ids=str)
def test_a_stream_without_a_choice_is_an_error(chunks: list[Any]) -> None:
    with pytest.raises(UnreadableReply):
        read_stream(chunks)
