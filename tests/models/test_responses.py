"""OpenAI's newer wire, which LangChain speaks with those of its models that know no other."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from entente.models.client import Connections, open_model
from entente.models.mock.server import embedded
from entente.models.settings import ModelSettings
from entente.models.spec import PROVIDERS, ModelSpec
from entente.models.wire import ModelReply
from tests.models.support import HandClock, ask

WAYS: list[dict[str, Any]] = [{}, {"first_token_seconds": 30}]
PLAIN_AND_STREAMED = pytest.mark.parametrize("way", WAYS, ids=["plain", "streamed"])
ARGUMENTS = '{"orders": ["A PAR - BUR"]}'
TEXT: dict[str, Any] = {"type": "output_text", "text": "So be it.", "annotations": []}
REFUSAL = {"type": "refusal", "refusal": "I will not."}
USAGE = {
    "input_tokens": 50,
    "input_tokens_details": {"cached_tokens": 40},
    "output_tokens": 7,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 57,
}


def response(content: dict[str, Any], arguments: str, *, incomplete: str | None = None) -> dict[str, Any]:
    message = {
        "type": "message",
        "id": "msg_1",
        "role": "assistant",
        "status": "completed",
        "content": [content],
    }
    call = {
        "type": "function_call",
        "id": "fc_1",
        "call_id": "call_1",
        "name": "submit_orders",
        "status": "completed",
    }
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "gpt-5-pro",
        "status": "incomplete" if incomplete else "completed",
        "incomplete_details": {"reason": incomplete} if incomplete else None,
        "output": [message, {**call, "arguments": arguments}],
        "usage": USAGE,
        "error": None,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def events(whole: dict[str, Any]) -> list[dict[str, Any]]:
    message, call = whole["output"]
    (content,) = message["content"]
    place = {"output_index": 0, "item_id": "msg_1", "content_index": 0}
    told: list[dict[str, Any]] = [
        {
            "type": "response.created",
            "response": {**whole, "output": [], "usage": None, "status": "in_progress"},
        },
        {"type": "response.output_item.added", "output_index": 0, "item": {**message, "content": []}},
    ]
    if content["type"] == "refusal":
        told.append({"type": "response.refusal.done", **place, "refusal": content["refusal"]})
    else:
        told += [
            {"type": "response.output_text.delta", **place, "delta": piece, "logprobs": []}
            for piece in ("So be", " it.")
        ]
    told += [
        {"type": "response.output_item.done", "output_index": 0, "item": message},
        {"type": "response.output_item.added", "output_index": 1, "item": {**call, "arguments": ""}},
        *(
            {
                "type": "response.function_call_arguments.delta",
                "output_index": 1,
                "item_id": "fc_1",
                "delta": piece,
            }
            for piece in (call["arguments"][:9], call["arguments"][9:])
        ),
        {"type": "response.output_item.done", "output_index": 1, "item": call},
        {"type": f"response.{whole['status']}", "response": whole},
    ]
    return [{**event, "sequence_number": number} for number, event in enumerate(told)]


@asynccontextmanager
async def openai(whole: dict[str, Any], patch: pytest.MonkeyPatch) -> AsyncGenerator[list[dict[str, Any]]]:
    """OpenAI itself, with one reply; what it was asked."""
    asked: list[dict[str, Any]] = []

    async def answer(request: Request) -> Response:
        asked.append(await request.json())
        if not asked[-1].get("stream"):
            return JSONResponse(whole)
        lines = (f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events(whole))
        return Response("".join(lines), media_type="text/event-stream")

    routes = [Route("/v1/responses", answer, methods=["POST"])]
    async with embedded(Starlette(routes=routes), asyncio.Event()) as address:
        patch.setitem(PROVIDERS, "openai", replace(PROVIDERS["openai"], address=f"{address}/v1"))
        yield asked


async def complete(way: dict[str, Any]) -> ModelReply:
    async with Connections(HandClock()) as connections:
        spec, settings = ModelSpec.parse("openai:gpt-5-pro"), ModelSettings(max_attempts=1).over(way)
        model = open_model(spec, settings, connections, environ={"OPENAI_API_KEY": "x"}, rng=Random(1))
        return await model.complete(ask(max_output_tokens=77))


@PLAIN_AND_STREAMED
async def test_a_turn_over_the_newer_wire(way: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    async with openai(response(TEXT, ARGUMENTS), monkeypatch) as asked:
        reply = await complete(way)
    (call,) = reply.tool_calls
    assert (reply.text, call.id, call.name) == ("So be it.", "call_1", "submit_orders")
    assert call.arguments == {"orders": ["A PAR - BUR"]}
    usage = reply.usage
    assert (usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens) == (50, 40, 7)
    assert asked[0]["max_output_tokens"] == 77


@PLAIN_AND_STREAMED
async def test_arguments_that_were_cut_off_are_a_value_and_the_reason_is_told(
    way: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with openai(response(TEXT, ARGUMENTS[:12], incomplete="max_output_tokens"), monkeypatch):
        reply = await complete(way)
    assert reply.tool_calls[0].arguments == ARGUMENTS[:12]
    assert reply.usage.finish_reason == "max_output_tokens"


@PLAIN_AND_STREAMED
async def test_a_refusal_is_said_and_marked(way: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    async with openai(response(REFUSAL, ARGUMENTS), monkeypatch):
        reply = await complete(way)
    assert (reply.text, reply.usage.finish_reason) == ("I will not.", "refusal")
