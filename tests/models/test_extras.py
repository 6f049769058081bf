"""What reasoning models and lesser-known servers want beside the messages is sent as it was set."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest
from pydantic import JsonValue
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from entente.errors import SettingsError
from entente.models.client import Connections, open_model
from entente.models.mock.server import embedded
from entente.models.settings import ModelSettings
from entente.models.spec import ModelSpec
from tests.models.support import HandClock, ask, model_at

SECRET = "hunter2canary"


@asynccontextmanager
async def noting_server() -> AsyncGenerator[tuple[str, list[tuple[dict[str, Any], dict[str, str]]]]]:
    """A server that answers with a word, and the bodies and headers that came."""
    came: list[tuple[dict[str, Any], dict[str, str]]] = []

    async def answer(request: Request) -> JSONResponse:
        came.append((await request.json(), dict(request.headers)))
        message = {"role": "assistant", "content": "Hello."}
        return JSONResponse({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})

    routes = [Route("/v1/chat/completions", answer, methods=["POST"])]
    async with embedded(Starlette(routes=routes), asyncio.Event()) as address:
        yield f"{address}/v1", came


async def test_effort_verbosity_and_extras_are_sent_beside_the_limit() -> None:
    extras: dict[str, JsonValue] = {"top_k": 20, "chat_template_kwargs": {"enable_thinking": False}}
    async with noting_server() as (url, came), Connections(HandClock()) as connections:
        model = model_at(
            url,
            connections,
            reasoning_effort="low",
            verbosity="low",
            extra_body=extras,
            extra_headers={"X-Title": "entente"},
        )
        await model.complete(ask(max_output_tokens=77))
        await model_at(url, connections).complete(ask())
    (body, headers), (plain, _) = came
    assert (body["reasoning_effort"], body["verbosity"], body["max_tokens"]) == ("low", "low", 77)
    assert body.items() >= extras.items()
    assert headers["x-title"] == "entente"
    assert not {"reasoning_effort", "verbosity", "max_tokens", "top_k"} & plain.keys()


@pytest.mark.parametrize("settings", [{"verbosity": "low"}, {"extra_body": {"top_k": 2}}], ids=str)
async def test_a_setting_that_a_client_would_drop_is_refused(settings: dict[str, Any]) -> None:
    async with Connections() as connections:
        with pytest.raises(SettingsError, match=next(iter(settings))):
            open_model(
                ModelSpec.parse("google_genai:gemini"),
                ModelSettings(key_variable="K", **settings),
                connections,
                environ={"K": "x"},
                rng=Random(1),
            )


SECRETS: list[dict[str, Any]] = [
    {"extra_headers": {"Authorization": SECRET}},
    {"extra_headers": {"X-Api-Key": SECRET}},
    {"extra_headers": {"X-Note": f"Bearer {SECRET}"}},
    {"extra_headers": {"X-Note": f"a\r\nCookie: {SECRET}"}},
    {"extra_body": {"api_key": SECRET}},
    {"extra_body": {"provider": {"options": [{"password": SECRET}]}}},
    {"extra_body": {"credentials": {"user": SECRET}}},
    {"extra_body": {"note": f"sk-{SECRET}"}},
    {"extra_body": {f"sk-{SECRET}": True, "note": f"sk-{SECRET}"}},
]


@pytest.mark.parametrize("settings", SECRETS, ids=str)
def test_an_extra_that_may_hold_a_secret_is_refused_and_not_repeated(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=next(iter(settings))) as refused:
        ModelSettings().over(settings)
    assert SECRET not in str(refused.value)


HARMLESS: dict[str, JsonValue] = {
    "stop_token_ids": [1, 2],
    "prompt_cache_key": "game",
    "max_tokens": 9,
    "keep_alive": "1h",
}


def test_fields_that_only_sound_alike_are_taken() -> None:
    assert ModelSettings().over({"extra_body": HARMLESS}).extra_body == HARMLESS
