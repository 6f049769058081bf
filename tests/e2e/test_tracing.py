"""What LangGraph's and LangChain's own tools see of model calls in a real game: all when asked, nothing otherwise."""

import asyncio
import gzip
import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from uuid import UUID

import pytest
from langchain_core.callbacks import AsyncCallbackHandler, Callbacks
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, LLMResult
from langchain_core.runnables import RunnableConfig
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from checkpoints.store import Store
from entente.floors.services import services_over
from entente.games.runner import GameMaster, thread_config
from entente.models.client import Connections
from entente.models.mock.server import MockServer, embedded, mock_server
from entente.players.seating import Seating
from graph.context import GameSettings
from graph.game import GameGraph, compile_game

PLAIN_AND_STREAMED = pytest.mark.parametrize(
    "how", [{}, {"first_token_seconds": 30}], ids=["plain", "streamed"]
)
KEY = "canary-key-0123456789"
NAMES = {f"{power} {purpose}" for power in ("FRANCE", "ITALY") for purpose in ("talk", "orders")}
"""What calls are named in traces."""


@dataclass
class Watched:
    """A short game of two models that has begun and was not played yet."""

    server: MockServer
    graph: GameGraph
    settings: GameSettings
    config: RunnableConfig

    def stream(self, callbacks: Callbacks = None, **options: Any) -> AsyncIterator[Any]:
        config = {**self.config, "callbacks": callbacks}
        # LangGraph leaves a type parameter of its own methods open.
        return cast("Any", self.graph).astream(
            {}, config, context=self.settings, durability="sync", **options
        )


@asynccontextmanager
async def a_game(store: Store, how: dict[str, Any]) -> AsyncGenerator[Watched]:
    async with mock_server() as server, Connections() as connections:
        model, make_player = f"openai:mock@{server.url}", Seating(connections, {"MY_KEY": KEY})
        values = {
            "everyone": "hold",
            "seats": {"FRANCE": model, "ITALY": model},
            "rounds": 1,
            "max_year": 1901,
        }
        settings = GameSettings.model_validate({**values, "models": {"key_variable": "MY_KEY", **how}})
        game = await GameMaster(store, make_player).begin(settings)
        graph = compile_game(services_over(store, make_player), store.saver)
        async with store.leases.hold(game):
            yield Watched(server, graph, settings, thread_config(game))
        assert len(server.requests) >= 8  # talk and orders of two seats in two movement phases


def tokens_at(server: MockServer) -> list[tuple[int, int]]:
    """Of prompt and reply, for each call that was answered, as the provider counted them."""
    used = [request.usage for request in server.requests]
    return sorted((usage.prompt_tokens, usage.completion_tokens) for usage in used)


@PLAIN_AND_STREAMED
async def test_the_messages_of_a_stream_are_the_models_words_with_their_tokens(
    memory_store: Store, how: dict[str, Any]
) -> None:
    messages: dict[str, Any] = {}
    seats: set[tuple[str, str, str]] = set()
    async with a_game(memory_store, how) as game:
        async for message, metadata in game.stream(stream_mode="messages"):
            seats.add((metadata["power"], metadata["purpose"], metadata["langgraph_node"]))
            messages[message.id] = messages[message.id] + message if message.id in messages else message
        assert sorted(map(tokens_of, messages.values())) == tokens_at(game.server)
    assert all(message.tool_calls for message in messages.values())
    assert seats == {
        (power, *step)
        for power in ("FRANCE", "ITALY")
        for step in (("talk", "negotiate"), ("orders", "order"))
    }


def tokens_of(message: AIMessage) -> tuple[int, int]:
    assert message.usage_metadata is not None
    return message.usage_metadata["input_tokens"], message.usage_metadata["output_tokens"]


@dataclass(eq=False)  # callback managers hash their handlers
class Handler(AsyncCallbackHandler):
    """What a callback handler of the user's own is told."""

    begun: dict[UUID, tuple[str, Any]] = field(default_factory=dict[UUID, tuple[str, Any]])
    tokens: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    told: list[str] = field(default_factory=list[str])

    async def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[BaseMessage]], *, run_id: UUID, **more: Any
    ) -> None:
        self.told.append(f"{serialized} {messages} {more}")
        self.begun[run_id] = more["name"], messages

    async def on_llm_end(self, response: LLMResult, *, run_id: UUID, **_: Any) -> None:
        (generation,) = response.generations[0]
        assert run_id in self.begun
        assert isinstance(generation, ChatGeneration)
        assert isinstance(generation.message, AIMessage)
        self.tokens.append(tokens_of(generation.message))


@PLAIN_AND_STREAMED
async def test_a_callback_handler_sees_each_call_with_its_tokens_and_no_key(
    memory_store: Store, how: dict[str, Any]
) -> None:
    handler = Handler()
    async with a_game(memory_store, how) as game:
        async for _ in game.stream([handler]):
            pass
        assert sorted(handler.tokens) == tokens_at(game.server)
        asked = [text_of(messages) for _, messages in handler.begun.values()]
        assert sorted(asked) == sorted(
            "\n".join(str(message["content"] or "") for message in request.messages)
            for request in game.server.requests
        )
    assert {name for name, _ in handler.begun.values()} == NAMES
    assert KEY not in "".join(handler.told)


def text_of(batch: list[list[BaseMessage]]) -> str:
    return "\n".join(str(message.text) for message in batch[0])


@PLAIN_AND_STREAMED
async def test_the_events_of_a_run_tell_when_a_model_begins_and_ends(
    memory_store: Store, how: dict[str, Any]
) -> None:
    async with a_game(memory_store, how) as game:
        graph: Any = game.graph
        run = graph.astream_events({}, game.config, version="v2", context=game.settings, durability="sync")
        told = [event["event"] async for event in run]
        calls = len(game.server.requests)
    assert told.count("on_chat_model_start") == told.count("on_chat_model_end") == calls
    assert ("on_chat_model_stream" in told) == bool(how)


BATCHES = {
    "use_multipart_endpoint": False,
    "size_limit": 100,
    "size_limit_bytes": 20_000_000,
    "scale_up_nthreads_limit": 4,
    "scale_up_qsize_trigger": 1000,
}
"""How a client is told to send runs: as JSON, so that they can be read here."""


@dataclass
class LangSmith:
    """The least of LangSmith: it takes runs in batches of JSON, and remembers all that came."""

    address: str = ""
    paths: list[str] = field(default_factory=list[str])
    bodies: list[str] = field(default_factory=list[str])

    @asynccontextmanager
    async def serve(self) -> AsyncGenerator["LangSmith"]:
        routes = [Route("/{path:path}", self._take, methods=["GET", "POST", "PATCH"])]
        async with embedded(Starlette(routes=routes), asyncio.Event()) as self.address:
            yield self

    async def _take(self, request: Request) -> Response:
        self.paths.append(request.url.path)
        if request.url.path == "/info":
            return JSONResponse({"batch_ingest_config": BATCHES})
        self.bodies.append((await request.body()).decode())
        return JSONResponse({}, 202)

    @property
    def runs(self) -> dict[str, dict[str, Any]]:
        """Every run by its id, with what came of it later."""
        runs: dict[str, dict[str, Any]] = {}
        for batch in map(json.loads, self.bodies):
            for run in (*batch.get("post", ()), *batch.get("patch", ())):
                runs.setdefault(run["id"], {}).update(run)
        return runs


async def command(langsmith: LangSmith, *words: str, **environment: str) -> str:
    """What the command says in this environment, with LangSmith at an address."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "entente", *words),
        env={**os.environ, "MY_KEY": KEY, "LANGSMITH_ENDPOINT": langsmith.address, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    told, _ = await process.communicate()
    assert process.returncode == 0, told.decode()
    return told.decode()


async def played(folder: Path, server: MockServer, langsmith: LangSmith, **environment: str) -> str:
    """A short game of two models, played by the command; its id."""
    model = f"openai:mock@{server.url}"
    seats = [word for power in ("FRANCE", "ITALY") for word in ("--seat", f"{power}={model}")]
    options = ["--all", "hold", "--rounds", "1", "--max-year", "1901", *KEYED, "--store", str(folder)]
    told = await command(langsmith, "play", *seats, *options, **environment)
    return told.split("Game ")[1].split()[0]


KEYED = ("--model-setting", "key_variable=MY_KEY")
ON = {"LANGSMITH_TRACING": "true", "LANGSMITH_API_KEY": "lsv2_pt_dummy"}


async def test_langsmith_receives_each_call_with_its_tokens_and_no_key(tmp_path: Path) -> None:
    async with LangSmith().serve() as langsmith, mock_server() as server:
        game = await played(tmp_path, server, langsmith, **ON)
        await command(langsmith, *asking(game, tmp_path), **ON)
        await command(langsmith, "models", "check", f"openai:mock@{server.url}", *KEYED, **ON)
    calls = [run for run in langsmith.runs.values() if run["run_type"] == "llm"]
    used = [run["extra"]["metadata"]["usage_metadata"] for run in calls]
    assert sorted((each["input_tokens"], each["output_tokens"]) for each in used) == tokens_at(server)
    assert {run["name"] for run in calls} == NAMES | {"FRANCE interview", "check"}
    assert KEY not in "".join(langsmith.bodies)


def asking(game: str, folder: Path) -> tuple[str, ...]:
    return "ask", game, "FRANCE", "Whom do you trust?", "--store", str(folder)


class Collector:
    """The least of an OpenTelemetry collector: it keeps what comes over HTTP."""

    def __init__(self) -> None:
        self.address = ""
        self.raw = b""

    @asynccontextmanager
    async def serve(self) -> AsyncGenerator["Collector"]:
        routes = [Route("/v1/traces", self._take, methods=["POST"])]
        async with embedded(Starlette(routes=routes), asyncio.Event()) as self.address:
            yield self

    async def _take(self, request: Request) -> Response:
        body = await request.body()
        self.raw += gzip.decompress(body) if request.headers.get("content-encoding") == "gzip" else body
        return Response(ExportTraceServiceResponse().SerializeToString())

    @property
    def spans(self) -> list[tuple[str, dict[str, Any]]]:
        """Each span's name and attributes; two requests one after the other are one message of all their spans."""
        sent = ExportTraceServiceRequest.FromString(self.raw)
        spans = [span for each in sent.resource_spans for scope in each.scope_spans for span in scope.spans]
        return [(span.name, {each.key: each.value for each in span.attributes}) for span in spans]


async def test_opentelemetry_receives_each_call_with_its_tokens_and_no_key(tmp_path: Path) -> None:
    async with LangSmith().serve() as langsmith, Collector().serve() as collector, mock_server() as server:
        otel = {"LANGSMITH_TRACING_MODE": "otel", "OTEL_EXPORTER_OTLP_ENDPOINT": collector.address}
        await played(tmp_path, server, langsmith, **ON, **otel)
    calls = [
        (name, told) for name, told in collector.spans if told["gen_ai.operation.name"].string_value == "chat"
    ]
    used = [
        (told["gen_ai.usage.input_tokens"].int_value, told["gen_ai.usage.output_tokens"].int_value)
        for _, told in calls
    ]
    assert sorted(used) == tokens_at(server)
    assert {name for name, _ in calls} == NAMES
    assert KEY.encode() not in collector.raw
    assert not langsmith.bodies


OFF: dict[str, dict[str, str]] = {
    "a key alone": {"LANGSMITH_API_KEY": "lsv2_pt_dummy"},
    "switched off": {**ON, "LANGSMITH_TRACING": "false"},
}


@pytest.mark.parametrize("environment", OFF)
async def test_nothing_leaves_where_nobody_has_asked_for_it(tmp_path: Path, environment: str) -> None:
    async with LangSmith().serve() as langsmith, mock_server() as server:
        game = await played(tmp_path, server, langsmith, **OFF[environment])
        await command(langsmith, *asking(game, tmp_path), **OFF[environment])
    assert langsmith.paths == []
