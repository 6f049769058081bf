"""What stands before every route: sizes, rates, times, and the headers of every answer."""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import SplitResult, unquote, urlsplit

from cachetools import LRUCache
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from entente.display import in_one_line
from entente.replayed import replayed

_log = logging.getLogger(__name__)

MOST_BYTES = 256 * 1024
"""Of a request's body: more than all that a seat may say in a turn."""
_MOST_READ = 16 * MOST_BYTES
BODY_SECONDS = 30.0
"""How long a request's body may take."""
_REQUESTS_PER_SECOND = 50.0
_REQUESTS_AT_ONCE = 200.0
MOST_AT_WORK = 8
"""Requests of a link that are worked on at once; a browser sends six."""
_MOST_WAITING = 200
"""Requests of a link that wait for those before."""
_LINKS_KNOWN = 1000

_TOO_MANY = "Fewer requests were wanted and too many came; please wait a second."
_HEADERS = {
    # No inline script, no inline style, nothing from elsewhere.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def log_refusal(method: str, path: str, status: int) -> None:
    """Log a request that was refused, in one line whatever its path is; a path has ids alone, and no query is told."""
    _log.info("%s %s was refused with %s", method, in_one_line(path), status)


class RelativeTarget:
    """Middleware: reads a target in absolute form as a relative one of the host that it names (RFC 9112, 3.2.2).

    What stands behind it sees that host in place of the header's, as the RFC wants it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "lifespan" and (target := _absolute(scope["raw_path"])):
            path = target.path or "/"
            headers = [(name, value) for name, value in scope["headers"] if name != b"host"]
            headers.append((b"host", target.netloc.encode()))
            scope = {**scope, "path": unquote(path), "raw_path": path.encode(), "headers": headers}
        await self._app(scope, receive, send)


def _absolute(raw: bytes) -> SplitResult | None:
    """The parts of a target in absolute form; None for any other."""
    try:
        target = urlsplit(raw.decode("ascii"))
    except ValueError:
        return None
    return target if target.scheme == "http" and target.netloc else None


class SafeHeaders:
    """Middleware: gives every answer the headers that keep a browser from doing more than the page says."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
            await send(message)

        await self._app(scope, receive, with_headers)


@dataclass
class _Link:
    """What there is of a link's requests."""

    may_send: float
    """How many at once, by the time `at`."""
    at: float
    turns: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_AT_WORK))
    waiting: int = 0


class Bounded:
    """Middleware: answers 413 to a body that is too large, 408 to one that is late, 429 to a link that asks too often.

    A link's requests wait for each other, and nobody else's does, until they begin to be answered, or close
    `request.state.turn` since they wait for somebody else. Each message that comes by a WebSocket is a request of its
    link; one too many ends it.
    """

    def __init__(self, app: ASGIApp, clock: Callable[[], float] = time.monotonic) -> None:
        self._app = app
        self._clock = clock
        self._links = LRUCache[str, _Link](_LINKS_KNOWN)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hold one conversation by a WebSocket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        try:
            link = self._link_of(scope["path"])
            if not self._may_ask(link):
                raise _Refused(429, _TOO_MANY)
            if scope["type"] == "websocket":
                await self._app(scope, self._counted(link, scope["path"], receive, send), send)
                return
            body = await _body(Headers(scope=scope), receive)
            async with _in_turn(link) as turn:
                given = {**scope, "state": {**scope.get("state", {}), "turn": turn}}
                await self._app(given, replayed(body, receive), _ending(turn, send))
        except _Refused as refused:
            log_refusal(scope.get("method", "A WebSocket of"), scope["path"], refused.answer.status_code)
            await refused.answer(scope, receive, send)

    def _counted(self, link: _Link, path: str, receive: Receive, send: Send) -> Receive:
        async def counted() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive" and not self._may_ask(link):
                _log.info(
                    "The WebSocket of %s was ended: too many requests came", in_one_line(_link_in(path))
                )
                await send({"type": "websocket.close", "code": 1008, "reason": "Fewer requests were wanted."})
                return {"type": "websocket.disconnect", "code": 1008}
            return message

        return counted

    def _link_of(self, path: str) -> _Link:
        return self._links.setdefault(_link_in(path), _Link(_REQUESTS_AT_ONCE, self._clock()))

    def _may_ask(self, link: _Link) -> bool:
        now = self._clock()
        left = min(_REQUESTS_AT_ONCE, link.may_send + (now - link.at) * _REQUESTS_PER_SECOND)
        link.may_send, link.at = max(0.0, left - 1), now
        return left >= 1


@asynccontextmanager
async def _in_turn(link: _Link) -> AsyncGenerator[ExitStack]:
    """The turn of one more request of the link, which ends when it is closed; raises _Refused where too many wait."""
    if link.waiting >= _MOST_WAITING:
        raise _Refused(429, _TOO_MANY)
    link.waiting += 1
    try:
        await link.turns.acquire()
    finally:
        link.waiting -= 1
    with ExitStack() as turn:
        turn.callback(link.turns.release)
        yield turn


def _ending(turn: ExitStack, send: Send) -> Send:
    """Sends, and ends the turn when the answer begins: a stream goes on for long and is little work."""

    async def told(message: Message) -> None:
        if message["type"] == "http.response.start":
            turn.close()
        await send(message)

    return told


def _link_in(path: str) -> str:
    """The link that a request is sent by, as its path has it; all requests without one share a bucket."""
    parts = path.split("/")
    return parts[2] if len(parts) > 2 and parts[1] == "at" else ""


async def _body(headers: Headers, receive: Receive) -> bytes:
    """The whole body; raises _Refused for one that is too large or too late."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            body = await _kept(headers, receive)
    except TimeoutError as error:
        raise _Refused(
            408, f"All of a body was wanted within {BODY_SECONDS:g} seconds and less came."
        ) from error
    if body is None:
        raise _Refused(413, f"A body of at most {MOST_BYTES:,} bytes was wanted and a larger one came.")
    return body


async def _kept(headers: Headers, receive: Receive) -> bytes | None:
    """The whole body; None for one that is too large.

    What is a little too large is read to its end, and not kept: who still sends would not hear the answer.
    """
    length = headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > _MOST_READ:
        return None
    body, size, more = bytearray(), 0, True
    while more and size <= _MOST_READ:
        message = await receive()
        part = message.get("body", b"")
        size += len(part)
        if size <= MOST_BYTES:
            body += part
        more = message.get("more_body", False)
    return bytes(body) if size <= MOST_BYTES else None


class _Refused(Exception):
    """Raised for a request that comes no further.

    It is raised and answered in this module, and so no part of the house's tree of errors.
    """

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        # What is left of the body is not read.
        self.answer = JSONResponse({"error": f"{why} Nothing was done."}, status, {"Connection": "close"})
