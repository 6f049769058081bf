"""A key is nowhere but in the header that it is meant for."""

import asyncio
import logging
import subprocess
import sys
import traceback
from random import Random

import pytest

from entente.errors import MissingKey, ModelError
from entente.models.client import Connections, open_model
from entente.models.mock.faults import digest_of
from entente.models.mock.plan import Fault, FaultKind, Plan
from entente.models.mock.server import mock_server
from entente.models.settings import ModelSettings
from entente.models.spec import ModelSpec
from entente.models.wire import Model
from tests.models.support import HandClock, ask

KEY = "canary-9b1d7c55e0"
FAULTS: list[FaultKind] = ["400", "401", "429", "500", "disconnect", "html", "hang"]


def model_with_key(url: str, connections: Connections, **more: float) -> Model:
    settings = ModelSettings(key_variable="CANARY_KEY", max_attempts=2).over(more)
    spec = ModelSpec("openai", "mock", url)
    return open_model(spec, settings, connections, environ={"CANARY_KEY": KEY}, rng=Random(1))


@pytest.mark.parametrize("kind", FAULTS)
async def test_no_error_no_log_and_no_repr_holds_the_key(
    kind: FaultKind, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    plan = Plan(faults=(Fault(kind=kind),))
    async with mock_server(plan) as server, Connections(HandClock()) as connections:
        model = model_with_key(
            server.url, connections, **({"attempt_seconds": 0.05} if kind == "hang" else {})
        )
        with pytest.raises(ModelError) as failed:
            await model.complete(ask())
    told = "".join(traceback.format_exception(failed.value))
    assert failed.value.__cause__ is failed.value.__context__ is None
    for text in (
        told,
        caplog.text,
        repr(model),
        repr(vars(failed.value)),
        repr(server.requests),
        repr(connections),
    ):
        assert KEY not in text


async def test_the_key_is_sent_and_only_when_its_variable_is_named() -> None:
    async with mock_server() as server, Connections() as connections:
        await model_with_key(server.url, connections).complete(ask())
        keyless = ModelSpec("openai", "mock", server.url)
        model = open_model(
            keyless, ModelSettings(), connections, environ={"OPENAI_API_KEY": KEY}, rng=Random(1)
        )
        await model.complete(ask())
    assert [request.key_digest for request in server.requests] == [
        digest_of(KEY.encode()),
        digest_of(b"none"),
    ]


async def test_a_providers_word_that_stands_for_no_key_is_repeated_as_it_came() -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        body = b'{"error": {"message": "none of the models is loaded"}}'
        writer.write(b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nconnection: close\r\n")
        writer.write(b"content-length: %d\r\n\r\n%s" % (len(body), body))
        writer.close()

    server = await asyncio.start_server(refuse, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, Connections(HandClock()) as connections:
        spec = ModelSpec("openai", "mock", f"http://127.0.0.1:{port}/v1")
        model = open_model(spec, ModelSettings(), connections, environ={}, rng=Random(1))
        with pytest.raises(ModelError, match="none of the models is loaded"):
            await model.complete(ask())


async def test_a_key_that_is_missing_is_named_by_its_variable_before_anything_is_sent() -> None:
    async with Connections() as connections:
        with pytest.raises(MissingKey, match="OPENAI_API_KEY"):
            open_model(
                ModelSpec.parse("openai:gpt-5"), ModelSettings(), connections, environ={}, rng=Random(1)
            )


def test_langchain_is_not_loaded_before_a_model_is_opened() -> None:
    heavy = "('langchain', 'openai', 'httpx', 'starlette', 'uvicorn')"
    code = f"import sys, entente.models.client; print([m for m in sys.modules if m.startswith({heavy})])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
