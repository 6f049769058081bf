"""A scripted reply as the OpenAI wire has it: one JSON object, or a stream of events."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

_PIECE = 24
"""Letters of text or of arguments in one event of a stream."""
_EPOCH = 1_700_000_000
"""Replies carry a fixed time: the same request gives the same bytes."""


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    """One tool that the scripted model calls; `arguments` is text, because it may be broken."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ScriptedReply:
    """What the scripted model says."""

    content: str | None
    calls: tuple[ScriptedCall, ...] = ()
    finish_reason: Literal["stop", "tool_calls", "length"] = "stop"
    refusal: str | None = None
    reasoning: str = ""
    """What it thought before; beside the reply, where most servers have it and OpenAI's own has nothing."""

    @property
    def length(self) -> int:
        """Letters that were written, in words and in arguments."""
        said = len(self.content or "") + len(self.refusal or "")
        return said + sum(len(call.name) + len(call.arguments) for call in self.calls)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens, four letters each."""

    prompt_tokens: int
    cached_tokens: int
    completion_tokens: int
    """Those of the reply and of the thought before it."""
    reasoning_tokens: int

    def as_json(self) -> dict[str, Any]:
        """The wire's `usage`."""
        return {
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "total_tokens": self.prompt_tokens + self.completion_tokens,
            "prompt_tokens_details": {"cached_tokens": self.cached_tokens},
            "completion_tokens_details": {"reasoning_tokens": self.reasoning_tokens},
        }


def completion(reply: ScriptedReply, usage: Usage, *, name: str, model: str) -> bytes:
    """The whole reply as one JSON object."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.content, "refusal": reply.refusal}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if reply.calls:
        message["tool_calls"] = [_call(call, number, name) for number, call in enumerate(reply.calls)]
    choice = {"index": 0, "message": message, "finish_reason": reply.finish_reason}
    head = {"id": f"chatcmpl-{name}", "object": "chat.completion", "created": _EPOCH, "model": model}
    return _encode({**head, "choices": [choice], "usage": usage.as_json()})


def events(reply: ScriptedReply, usage: Usage, *, name: str, model: str, with_usage: bool) -> Iterator[bytes]:
    """The reply as server-sent events, `[DONE]` last."""
    head = {"id": f"chatcmpl-{name}", "object": "chat.completion.chunk", "created": _EPOCH, "model": model}
    for delta in _deltas(reply, name):
        yield _event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield _event({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish_reason}]})
    if with_usage:
        yield _event({**head, "choices": [], "usage": usage.as_json()})
    yield b"data: [DONE]\n\n"


def error(status: int, message: str) -> bytes:
    """An error's body."""
    kind = {400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error"}
    return _encode({"error": {"message": message, "type": kind.get(status, "server_error"), "code": None}})


def _deltas(reply: ScriptedReply, name: str) -> Iterator[dict[str, Any]]:
    yield {"role": "assistant", "content": None if reply.content is None else ""}
    for piece in _pieces(reply.reasoning):
        yield {"reasoning_content": piece}
    if reply.refusal:
        yield {"refusal": reply.refusal}
    for piece in _pieces(reply.content or ""):
        yield {"content": piece}
    for number, call in enumerate(reply.calls):
        opened = _call(ScriptedCall(call.name, ""), number, name)
        yield {"tool_calls": [{"index": number, **opened}]}
        for piece in _pieces(call.arguments):
            yield {"tool_calls": [{"index": number, "function": {"arguments": piece}}]}


def _call(call: ScriptedCall, number: int, name: str) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": f"call_{name}_{number}", "type": "function", "function": function}


def _pieces(text: str) -> Iterator[str]:
    return (text[start : start + _PIECE] for start in range(0, len(text), _PIECE))


def _event(payload: dict[str, Any]) -> bytes:
    return b"data: " + _encode(payload) + b"\n\n"


def _encode(payload: dict[str, Any]) -> bytes:
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
