"""The scripted server itself: in this process for tests, or as a program of its own."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from entente.errors import NotARequest
from entente.local_only import LocalOnly
from entente.loopback import embedded, serve_until_signal
from entente.models.mock import wire
from entente.models.mock.faults import Exchange, misspeak, strike
from entente.models.mock.plan import Fault, FaultCounter, FaultKind, Plan
from entente.models.mock.prefixes import PrefixCache, tokens
from entente.models.mock.replies import scripted_reply
from entente.models.mock.request import ChatRequest, read_request

_KEPT_REQUESTS = 10_000


@dataclass(frozen=True, slots=True)
class Recorded:
    """A request that came, and what was done with it; a key is never kept, only its digest."""

    model: str
    messages: tuple[dict[str, Any], ...]
    tools: tuple[dict[str, Any], ...]
    schema: dict[str, Any] | None
    is_stream: bool
    key_digest: str | None
    fault: FaultKind | None
    usage: wire.Usage


class MockModel:
    """The application: what it was asked is in `requests`, oldest first, the last 10,000."""

    def __init__(self, plan: Plan) -> None:
        self.requests: deque[Recorded] = deque(maxlen=_KEPT_REQUESTS)
        self.stopping = asyncio.Event()
        self._plan = plan
        self._faults = FaultCounter(plan)
        self._prefixes = PrefixCache()
        self._silent: list[Fault] = []

    def application(self) -> Starlette:
        """The routes, under `/v1` as at OpenAI; `/requests` shows what was asked."""
        routes = [
            Route("/v1/chat/completions", _Endpoint(self.answer), methods=["POST"]),
            Route("/v1/models", _Endpoint(self.list_models)),
            Route("/requests", self._list_requests),
        ]
        return Starlette(routes=routes, middleware=[Middleware(LocalOnly)])

    async def answer(self, exchange: Exchange) -> None:
        """Reply to one request, or fail it as planned."""
        came_at = asyncio.get_running_loop().time()
        try:
            request = read_request(await exchange.body())
        except NotARequest as error:
            await exchange.send_json(400, wire.error(400, str(error)))
            return
        fault = self._faults.next(request)
        reply = scripted_reply(request)
        if fault is not None:
            reply = misspeak(fault.kind, request, reply)
        reply = replace(reply, reasoning=self._plan.reasoning)
        usage = self._reckon(request, reply)
        self._record(request, exchange, fault.kind if fault else None, usage)
        await self._wait(request, came_at)
        if fault is None or not await self._strike(fault, exchange):
            await _send(exchange, request, reply, usage)

    def _reckon(self, request: ChatRequest, reply: wire.ScriptedReply) -> wire.Usage:
        return wire.Usage(
            prompt_tokens=tokens(len(request.prompt)),
            cached_tokens=self._prefixes.add(request.model, request.prompt),
            completion_tokens=tokens(reply.length + len(reply.reasoning)),
            reasoning_tokens=tokens(len(reply.reasoning)),
        )

    def _record(
        self, request: ChatRequest, exchange: Exchange, fault: FaultKind | None, usage: wire.Usage
    ) -> None:
        self.requests.append(
            Recorded(
                request.model,
                request.messages,
                request.tools,
                request.schema,
                request.is_stream,
                exchange.key_digest,
                fault,
                usage,
            )
        )

    async def _wait(self, request: ChatRequest, came_at: float) -> None:
        """Until the planned time after the request came, what it took to think of the reply included."""
        jitter_ms = Random(request.digest).random() * self._plan.jitter_ms if self._plan.jitter_ms else 0
        if delay_ms := self._plan.latency_ms + jitter_ms:
            await asyncio.sleep(came_at + delay_ms / 1000 - asyncio.get_running_loop().time())

    async def list_models(self, exchange: Exchange) -> None:
        """List the plan's models; a server that answers nothing does not answer this either."""
        if self._silent:
            await strike(self._silent[-1], exchange, self.stopping)
            return
        models = [{"id": name, "object": "model", "owned_by": "entente"} for name in self._plan.models]
        await exchange.send_json(200, json.dumps({"object": "list", "data": models}).encode())

    async def _strike(self, fault: Fault, exchange: Exchange) -> bool:
        """Fail the exchange; while one is not ended, the server is silent."""
        silent = [fault] if fault.kind in ("hang", "trickle") else []
        self._silent += silent
        try:
            return await strike(fault, exchange, self.stopping)
        finally:
            for each in silent:
                self._silent.remove(each)

    async def _list_requests(self, _request: Request) -> JSONResponse:
        return JSONResponse([asdict(request) for request in self.requests])


@dataclass(frozen=True, slots=True)
class MockServer:
    """A server that runs: give `url` to a model as its base URL."""

    url: str
    model: MockModel

    @property
    def requests(self) -> list[Recorded]:
        """Every request so far, oldest first."""
        return list(self.model.requests)


@asynccontextmanager
async def mock_server(plan: Plan | None = None, *, port: int = 0) -> AsyncGenerator[MockServer]:
    """A server in this process, on this port of the loopback; 0 for a free one."""
    model = MockModel(plan or Plan())
    async with embedded(model.application(), model.stopping, port=port) as address:
        yield MockServer(f"{address}/v1", model)


def serve(host: str, port: int, plan: Plan, *, on_ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; `on_ready` is told the base URL, whose port is a free one where `port` is 0.

    Raises SettingsError when it cannot listen there.
    """
    model = MockModel(plan)
    asyncio.run(
        serve_until_signal(
            model.application(), model.stopping, host, port, on_ready=lambda at: on_ready(f"{at}/v1")
        )
    )


async def _send(
    exchange: Exchange, request: ChatRequest, reply: wire.ScriptedReply, usage: wire.Usage
) -> None:
    name = request.digest.hex()[:12]
    if request.is_stream:
        stream = wire.events(reply, usage, name=name, model=request.model, with_usage=request.wants_usage)
        await exchange.send_events(b"".join(stream))
    else:
        await exchange.send_json(200, wire.completion(reply, usage, name=name, model=request.model))


class _Endpoint:
    """A route without the framework's request and response objects: one of them is hot."""

    def __init__(self, answer: Callable[[Exchange], Awaitable[None]]) -> None:
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._answer(Exchange(scope, receive, send))
