"""How a scripted server goes wrong: what it says amiss, and how it fails on the wire."""

import asyncio
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from starlette.types import Receive, Scope, Send

from entente.models.mock import wire
from entente.models.mock.plan import Fault, FaultKind
from entente.models.mock.replies import garbage, scripted_reply
from entente.models.mock.request import ChatRequest
from entente.models.mock.wire import ScriptedCall, ScriptedReply

_TRICKLE_SECONDS = 0.005
_JSON = (b"content-type", b"application/json")
_EVENTS = (b"content-type", b"text/event-stream")


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and the means to answer it."""

    scope: Scope
    receive: Receive
    send: Send

    @property
    def key_digest(self) -> str | None:
        """What the request's key is known by without being kept; None when it came without one."""
        keys = [value for name, value in self.scope["headers"] if name == b"authorization"]
        return digest_of(keys[0].removeprefix(b"Bearer ")) if keys else None

    async def body(self) -> bytes:
        """The whole body."""
        parts: list[bytes] = []
        more = True
        while more:
            message = await self.receive()
            parts.append(message.get("body", b""))
            more = message.get("more_body", False)
        return b"".join(parts)

    async def send_json(self, status: int, body: bytes, *headers: tuple[bytes, bytes]) -> None:
        """Answer with an object."""
        await self.start(status, _JSON, (b"content-length", str(len(body)).encode()), *headers)
        await self.write(body, more=False)

    async def send_events(self, body: bytes) -> None:
        """Answer with a stream of events, all at once."""
        await self.start(200, _EVENTS)
        await self.write(body, more=False)

    async def start(self, status: int, *headers: tuple[bytes, bytes]) -> None:
        """Send the head of a response."""
        await self.send({"type": "http.response.start", "status": status, "headers": list(headers)})

    async def write(self, body: bytes, *, more: bool) -> None:
        """Send a piece of a response."""
        await self.send({"type": "http.response.body", "body": body, "more_body": more})

    async def closed(self) -> None:
        """Wait until the client is gone."""
        while (await self.receive())["type"] != "http.disconnect":
            pass


def digest_of(key: bytes) -> str:
    """A few letters by which a key can be recognised and not be had."""
    return blake2b(key, digest_size=6).hexdigest()


def misspeak(kind: FaultKind, request: ChatRequest, reply: ScriptedReply) -> ScriptedReply:
    """The reply with the fault in its words; unchanged for a fault of the wire."""
    match kind:
        case "garbage":
            return ScriptedReply(garbage(request))
        case "empty":
            return ScriptedReply("")
        case "null_content":
            return ScriptedReply(None)
        case "refusal":
            return ScriptedReply(None, refusal="I cannot help with that.")
        case "truncate":
            return _truncated(reply)
        case "bad_tool":
            calls = (ScriptedCall("launch_missiles", '{"at": ["LON"]}'), ScriptedCall("send_message", "[7]"))
            return ScriptedReply(None, calls, "tool_calls")
        case "ignore_tools":
            return scripted_reply(replace(request, tools=()))
        case "ignore_schema":
            return scripted_reply(replace(request, schema=None))
        case "one_call":
            return replace(reply, calls=reply.calls[:1])
        case _:
            return reply


async def strike(fault: Fault, exchange: Exchange, stopping: asyncio.Event) -> bool:
    """Fail the exchange as the fault says; false when it is a fault of words and nothing was sent."""
    match fault.kind:
        case "400" | "401" | "429" | "500":
            await _fail(fault, exchange)
        case "no_tools":
            await exchange.send_json(400, wire.error(400, "This model takes no tools."))
        case "no_schema":
            await exchange.send_json(400, wire.error(400, "This model takes no response_format."))
        case "no_stream":
            await exchange.send_json(400, wire.error(400, "This model does not stream."))
        case "hang":
            await _until_closed(exchange, stopping)
        case "trickle":
            await _trickle(exchange, stopping)
        case "html":
            await exchange.start(200, (b"content-type", b"text/html"))
            await exchange.write(b"<html><body>Please log in.</body></html>", more=False)
        case "disconnect":
            await exchange.start(200, _JSON, (b"content-length", b"1000"))
            await exchange.write(b'{"id": "chatcmpl-', more=True)
        case _:
            return False
    return True


async def _fail(fault: Fault, exchange: Exchange) -> None:
    status = int(fault.kind)
    headers = [(b"retry-after", f"{fault.retry_after_seconds:g}".encode())] if status == 429 else []
    await exchange.send_json(status, wire.error(status, f"A planned fault: {status}."), *headers)


async def _trickle(exchange: Exchange, stopping: asyncio.Event) -> None:
    """Space without end, which JSON and event streams alike allow before they begin."""
    await exchange.start(200, _JSON)
    writer = asyncio.ensure_future(_drip(exchange))
    try:
        await _until_closed(exchange, stopping)
    finally:
        writer.cancel()
        await asyncio.gather(writer, return_exceptions=True)


async def _drip(exchange: Exchange) -> None:
    while True:
        await exchange.write(b"\n", more=True)
        await asyncio.sleep(_TRICKLE_SECONDS)


async def _until_closed(exchange: Exchange, stopping: asyncio.Event) -> None:
    waits: list[asyncio.Future[Any]] = [
        asyncio.ensure_future(exchange.closed()),
        asyncio.ensure_future(stopping.wait()),
    ]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
        await asyncio.gather(*waits, return_exceptions=True)


def _truncated(reply: ScriptedReply) -> ScriptedReply:
    if not reply.calls:
        return replace(reply, content=(reply.content or "")[: reply.length // 2], finish_reason="length")
    *whole, last = reply.calls
    if len(last.arguments) <= 2 and len(whole) > 1:  # something is whole in what is cut off
        last = whole.pop()
    cut = ScriptedCall(last.name, last.arguments[: max(1, len(last.arguments) // 2)])
    return replace(reply, calls=(*whole, cut), finish_reason="length")
