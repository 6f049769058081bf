"""A model's server that sends one word, and the others when it is told to; it knows when its client has gone."""

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from starlette.types import Receive, Scope, Send

from entente.loopback import embedded

USAGE = {"prompt_tokens": 700, "completion_tokens": 9, "total_tokens": 709}


@dataclass
class Gated:
    """An OpenAI-compatible server of one model."""

    words: Sequence[str] = ("One", " two", " three.")
    status: int = 200
    """Of its answers; what is no 200 has no words."""
    breaks_off: bool = False
    """Whether it hangs up after its first word."""
    url: str = ""
    asked: list[str] = field(default_factory=list[str])
    """All words of each request, oldest first."""
    bodies: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """Each request as it came, oldest first."""
    keys: list[str] = field(default_factory=list[str])
    """What each request said in `Authorization`."""
    sent: list[str] = field(default_factory=list[str])
    go: asyncio.Event = field(default_factory=asyncio.Event)
    has_begun: asyncio.Event = field(default_factory=asyncio.Event)
    """It has sent its first word."""
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """A client has gone before it had the whole reply."""
    has_gone: threading.Event = field(default_factory=threading.Event)
    """The same, for another thread."""
    on_first_word: Callable[[], None] | None = None

    @property
    def spec(self) -> str:
        """As a seat or a crew names it."""
        return f"openai:gated@{self.url}"

    def begin_anew(self) -> None:
        """Forget what was asked and sent, and stop after the first word again."""
        self.asked.clear()
        self.sent.clear()
        self.go.clear()
        self.gone.clear()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":
            await _answer(send, b'{"data": []}')
            return
        body = b""
        more = True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        headers = {name.lower(): value.decode() for name, value in scope["headers"]}
        self.keys.append(headers.get(b"authorization", ""))
        self.bodies.append(json.loads(body))
        self.asked.append("\n".join(each["content"] for each in self.bodies[-1]["messages"]))
        if self.status != 200:
            await _answer(send, b'{"error": {"message": "no", "type": "server_error"}}', self.status)
            return
        await send(_head(200, b"text/event-stream"))
        first, *rest = self.words
        await self._say(send, first)
        self.has_begun.set()
        if self.on_first_word:
            self.on_first_word()
        if self.breaks_off:
            return
        if not await self._may_go_on(receive):
            self.gone.set()
            self.has_gone.set()
            return
        for word in rest:
            await self._say(send, word)
        await _part(send, {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        await _part(send, {"choices": [], "usage": USAGE})
        await send({"type": "http.response.body", "body": b"data: [DONE]\n\n", "more_body": False})

    async def _say(self, send: Send, word: str) -> None:
        self.sent.append(word)
        await _part(send, {"choices": [{"index": 0, "delta": {"content": word}, "finish_reason": None}]})

    async def _may_go_on(self, receive: Receive) -> bool:
        """False when the client has gone first."""
        going = [asyncio.ensure_future(self.go.wait()), asyncio.ensure_future(_disconnected(receive))]
        try:
            await asyncio.wait(going, return_when=asyncio.FIRST_COMPLETED)
            return self.go.is_set()
        finally:
            for each in going:
                each.cancel()
                with suppress(asyncio.CancelledError):
                    await each


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _part(send: Send, part: dict[str, Any]) -> None:
    whole = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "gated", **part}
    body = b"data: " + json.dumps(whole).encode() + b"\n\n"
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _answer(send: Send, body: bytes, status: int = 200) -> None:
    await send(_head(status, b"application/json"))
    await send({"type": "http.response.body", "body": body, "more_body": False})


def _head(status: int, kind: bytes) -> dict[str, Any]:
    return {"type": "http.response.start", "status": status, "headers": [(b"content-type", kind)]}


@asynccontextmanager
async def gated(*words: str, is_open: bool = False, **more: Any) -> AsyncGenerator[Gated]:
    """The server in this process; `is_open` lets it send all words at once."""
    server = Gated(words, **more) if words else Gated(**more)
    if is_open:
        server.go.set()
    async with embedded(server, asyncio.Event()) as address:
        server.url = f"{address}/v1"
        yield server
