"""The least of Anthropic's and Google's APIs, served on the loopback: one scripted reply, whole or streamed."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from entente.models.mock.server import embedded

KEY = "canary-key-0123456789"
TEXT = "So be it."
THOUGHT = "Burgundy bounces."
CALLS = (("submit_orders", {"orders": ["A PAR - BUR"]}), ("finish_orders", dict[str, Any]()))
RETRY_AFTER_SECONDS = 3
PROMPT_TOKENS, CACHED_TOKENS, WRITTEN_TOKENS, REPLY_TOKENS = 50, 35, 5, 7


class Asked(NamedTuple):
    """A request that came."""

    headers: str
    body: dict[str, Any]


@dataclass
class Provider:
    """Both APIs at one address; with a `status` it refuses, with `is_deaf` it never answers."""

    status: int | None = None
    reason: str = ""
    """Google's own word for what is wrong, in the error's details."""
    is_deaf: bool = False
    moved_to: str = ""
    """Another server's address, to which every request is redirected."""
    answer: Callable[[], Response] | None = None
    """What Google's wire answers in place of the scripted reply."""
    breaks_off: bool = False
    """Anthropic's stream ends with an error, after it began well."""
    address: str = ""
    asked: list[Asked] = field(default_factory=list[Asked])
    checked: list[str] = field(default_factory=list[str])
    """The headers of each request without a prompt."""
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def serve(self) -> AsyncGenerator["Provider"]:
        """At `address` until the block ends."""
        routes = [
            Route("/v1/messages", self._anthropic, methods=["POST"]),
            Route("/v1beta/models/{call}", self._google, methods=["POST"]),
        ]
        async with embedded(Starlette(routes=routes), self.stopping) as self.address:
            yield self

    async def _anthropic(self, request: Request) -> Response:
        body = await self._note(request)
        if self.moved_to:
            return RedirectResponse(f"{self.moved_to}{request.url.path}", 307)
        if not body:  # what is asked before the first prompt
            return self._refusal({})
        if self.status is not None:
            error = {"type": "some_error", "message": self._told}
            return self._refusal({"type": "error", "error": error})
        if body.get("stream"):
            events = _broken_off() if self.breaks_off else _anthropic_events()
            return _events(events, named=True)
        head = {"id": "msg_1", "type": "message", "role": "assistant", "model": body["model"]}
        ending = {"stop_reason": "tool_use", "stop_sequence": None, "usage": _ANTHROPIC_USAGE}
        return JSONResponse({**head, "content": _BLOCKS, **ending})

    async def _google(self, request: Request) -> Response:
        await self._note(request)
        if self.moved_to:
            return RedirectResponse(f"{self.moved_to}{request.url.path}", 307)
        if self.status is not None:
            details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": self.reason}]
            error = {"code": self.status, "message": self._told, "status": "NO", "details": details}
            return self._refusal({"error": error})
        if self.answer is not None:
            return self.answer()
        if str(request.path_params["call"]).endswith(":streamGenerateContent"):
            return _events(_google_events(), named=False)
        return JSONResponse(_google_reply(_PARTS, "STOP"))

    @property
    def _told(self) -> str:
        """Providers echo keys."""
        return f"Not with {KEY}."

    async def _note(self, request: Request) -> dict[str, Any]:
        body = await request.json()
        if not body:
            self.checked.append(str(request.headers.items()))
            return body
        self.asked.append(Asked(str(request.headers.items()), body))
        if self.is_deaf:
            await self.stopping.wait()
        return body

    def _refusal(self, body: dict[str, Any]) -> Response:
        return JSONResponse(body, self.status or 500, {"retry-after": str(RETRY_AFTER_SECONDS)})


_BLOCKS: list[dict[str, Any]] = [
    {"type": "thinking", "thinking": THOUGHT, "signature": "s"},
    {"type": "text", "text": TEXT},
    *(
        {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments}
        for number, (name, arguments) in enumerate(CALLS)
    ),
]
# Of the prompt, what was cached is counted apart.
_ANTHROPIC_USAGE = {
    "input_tokens": PROMPT_TOKENS - CACHED_TOKENS - WRITTEN_TOKENS,
    "cache_creation_input_tokens": WRITTEN_TOKENS,
    "cache_creation": {"ephemeral_5m_input_tokens": WRITTEN_TOKENS, "ephemeral_1h_input_tokens": 0},
    "cache_read_input_tokens": CACHED_TOKENS,
    "output_tokens": REPLY_TOKENS,
}
_PARTS: list[dict[str, Any]] = [
    {"text": THOUGHT, "thought": True},
    {"text": TEXT},
    *({"functionCall": {"name": name, "args": arguments}} for name, arguments in CALLS),
]
_GOOGLE_USAGE = {
    "promptTokenCount": PROMPT_TOKENS,
    "cachedContentTokenCount": CACHED_TOKENS,
    "candidatesTokenCount": REPLY_TOKENS,
    "totalTokenCount": PROMPT_TOKENS + REPLY_TOKENS,
}


_EMPTY: dict[str, dict[str, Any]] = {
    "thinking": {"thinking": "", "signature": ""},
    "text": {"text": ""},
    "tool_use": {"input": {}},
}


def _anthropic_events() -> Iterator[dict[str, Any]]:
    usage = {**_ANTHROPIC_USAGE, "output_tokens": 1}
    head: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
    }
    yield {
        "type": "message_start",
        "message": {**head, "stop_reason": None, "stop_sequence": None, "usage": usage},
    }
    for index, block in enumerate(_BLOCKS):
        empty = _EMPTY[block["type"]]
        yield {"type": "content_block_start", "index": index, "content_block": {**block, **empty}}
        for delta in _anthropic_deltas(block):
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": "tool_use", "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": _ANTHROPIC_USAGE}
    yield {"type": "message_stop"}


def _broken_off() -> Iterator[dict[str, Any]]:
    yield next(_anthropic_events())
    yield {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


def _anthropic_deltas(block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if block["type"] == "thinking":
        yield {"type": "thinking_delta", "thinking": block["thinking"]}
        yield {"type": "signature_delta", "signature": "s"}
        return
    if block["type"] == "text":
        yield {"type": "text_delta", "text": block["text"]}
        return
    arguments = json.dumps(block["input"])
    for piece in (arguments[:8], arguments[8:]):
        yield {"type": "input_json_delta", "partial_json": piece}


def _google_events() -> Iterator[dict[str, Any]]:
    *first, last = _PARTS
    for part in first:
        yield _google_reply([part], None)
    yield _google_reply([last], "STOP")


def _google_reply(parts: list[dict[str, Any]], finish_reason: str | None) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
    if finish_reason is None:
        return {"candidates": [candidate]}
    return {"candidates": [{**candidate, "finishReason": finish_reason}], "usageMetadata": _GOOGLE_USAGE}


def _events(events: Iterable[dict[str, Any]], *, named: bool) -> Response:
    heads = ((f"event: {event['type']}\n" if named else "", event) for event in events)
    text = "".join(f"{head}data: {json.dumps(event)}\n\n" for head, event in heads)
    return Response(text, media_type="text/event-stream")
