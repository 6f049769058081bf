"""What a provider sent, read into plain values: nothing that a model can say is an error here.

Only what is no reply at all, an HTML page or an object without choices, is an UnreadableReply.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from pydantic import JsonValue

from entente.errors import UnreadableReply
from entente.models.wire import ToolCall


@dataclass(frozen=True, slots=True)
class Said:
    """One reply, before it is reckoned up."""

    text: str
    calls: tuple[ToolCall, ...]
    finish_reason: str
    """As the provider says it; `refusal` where the text is one, empty where it does not say."""
    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    written_tokens: int = 0
    """Of the prompt's, those that the provider put into its cache, where it charges for that."""
    first_token_seconds: float | None = None
    """How long the first token took; None for a reply that was not streamed."""


def read_completion(body: object) -> Said:
    """A chat completion of the OpenAI wire, decoded; raises UnreadableReply."""
    reply = _object(body)
    choices = _list(reply.get("choices"))
    if not choices:
        raise UnreadableReply("what came has no choices in it")
    choice = _object(choices[0])
    message = _object(choice.get("message"))
    refusal = text_of(message.get("refusal"))
    usage = _object(reply.get("usage"))
    return Said(
        text=text_of(message.get("content")) or refusal,
        calls=tuple(
            _call(_object(raw), number) for number, raw in enumerate(_list(message.get("tool_calls")))
        ),
        finish_reason="refusal" if refusal else str(choice.get("finish_reason") or ""),
        prompt_tokens=_count(usage.get("prompt_tokens")),
        cached_tokens=_count(_object(usage.get("prompt_tokens_details")).get("cached_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
    )


def read_stream(chunks: Iterable[object]) -> Said:
    """A streamed completion, its chunks decoded and in order; raises UnreadableReply when none has a choice."""
    message, calls, ending, usage = _Message(), list[dict[str, Any]](), "", dict[str, Any]()
    choices = 0
    for chunk in map(_object, chunks):
        usage = _object(chunk.get("usage")) or usage
        for choice in map(_object, _list(chunk.get("choices"))[:1]):
            choices += 1
            delta = _object(choice.get("delta"))
            message.add(delta)
            for piece in map(_object, _list(delta.get("tool_calls"))):
                _add_piece(calls, piece)
            ending = str(choice.get("finish_reason") or ending)
    said = {"content": "".join(message.words), "refusal": "".join(message.refusal), "tool_calls": calls}
    choice = {"message": said, "finish_reason": ending}
    return read_completion({"choices": [choice] if choices else [], "usage": usage})


def decoded(body: bytes) -> object:
    """A response's JSON; raises UnreadableReply when it is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise UnreadableReply("what came is no JSON") from None


def text_of(content: object) -> str:
    """The words of a content, which may be null, a text, or a list of parts of which some are text."""
    if isinstance(content, str):
        return content
    return "".join(
        part if isinstance(part, str) else text_of(_object(part).get("text")) for part in _list(content)
    )


def arguments_of(raw: object) -> JsonValue:
    """A call's arguments decoded; as they came where they are not JSON."""
    if not isinstance(raw, str):
        return cast("JsonValue", raw)
    try:
        return json.loads(raw or "{}")
    except ValueError:
        return raw


def _call(raw: dict[str, Any], number: int) -> ToolCall:
    function = _object(raw.get("function"))
    return ToolCall(
        id=str(raw.get("id") or f"call_{number}"),
        name=str(function.get("name") or ""),
        arguments=arguments_of(function.get("arguments")),
    )


class _Message:
    """The words of a stream so far."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.refusal: list[str] = []

    def add(self, delta: dict[str, Any]) -> None:
        self.words.append(text_of(delta.get("content")))
        self.refusal.append(text_of(delta.get("refusal")))


def _add_piece(calls: list[dict[str, Any]], piece: dict[str, Any]) -> None:
    """A piece goes to the call of its index; a new id begins a new call all the same: some servers count badly."""
    function, index = _object(piece.get("function")), piece.get("index")
    known: list[dict[str, Any]] = [call for call in calls if call["index"] == index]
    if not known or (piece.get("id") and piece["id"] != known[-1]["id"]):
        known = [{"index": index, "id": piece.get("id"), "function": {"name": "", "arguments": ""}}]
        calls += known
    for part in ("name", "arguments"):
        known[-1]["function"][part] += text_of(function.get(part))


def _object(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _list(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
