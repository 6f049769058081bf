"""What LangGraph's own server is let see of a request, before it keeps anything."""

import json

import httpx
import pytest
from pydantic import JsonValue
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from entente.games.server_door import UsableForms

SECRET = "hunter2canary"
FORM: dict[str, JsonValue] = {"everyone": f"openai:m@http://me:{SECRET}@host/v1"}


async def _keeper(scope: Scope, receive: Receive, send: Send) -> None:
    """Keeps whatever comes, and gives it back."""
    body = await Request(scope, receive).body()
    await Response(body)(scope, receive, send)


async def _sent(body: bytes, method: str = "POST") -> httpx.Response:
    transport = httpx.ASGITransport(UsableForms(_keeper))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
        return await client.request(method, "/threads/g/runs", content=body)


@pytest.mark.parametrize("method", ["POST", "PATCH"])
@pytest.mark.parametrize(
    "asked",
    [
        {"assistant_id": "entente", "context": FORM},
        {"config": {"configurable": {"thread_id": "g", **FORM}}},
        {"context": {}, "config": {"configurable": FORM}},
        [{"context": {}}, {"context": FORM}],
        {"id": 1, "method": "run.start", "params": {"context": FORM}},
        {"context": {"models": {"base_url": f"me:{SECRET}@host"}}},
        {"context": {"game": "g", "everyone": f"me:{SECRET}@host"}},
        {"context": {"rounds": "many"}},
        {"context": {"password": SECRET}},
        {"input": FORM},
        {"input": {"settings": FORM}, "context": {}},
        {"id": 1, "method": "run.start", "params": {"input": FORM}},
    ],
)
async def test_a_form_that_no_game_can_be_set_up_with_comes_no_further(asked: JsonValue, method: str) -> None:
    answer = await _sent(json.dumps(asked).encode(), method)
    assert (answer.status_code, SECRET in answer.text) == (422, False)
    assert "; " in answer.json()["detail"]


async def test_who_leaves_in_the_midst_of_a_request_is_no_error() -> None:
    sent: list[Message] = []
    parts: list[Message] = [
        {"type": "http.disconnect"},
        {"type": "http.request", "body": b"{", "more_body": True},
    ]

    async def receive() -> Message:
        return parts.pop()

    async def send(message: Message) -> None:
        sent.append(message)

    await UsableForms(_keeper)({"type": "http", "method": "POST", "headers": []}, receive, send)
    assert sent == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"not JSON",
        b"[" * 100_000,
        b'"text"',
        b"[7, [], null]",
        b'{"context": [], "config": 7, "params": "x"}',
        b'{"config": {"configurable": "x"}}',
        b'{"context": {"everyone": "hold"}, "config": {"configurable": {"thread_id": "g", "__x": 1}}}',
        b'{"assistant_id": "crew", "context": {"game": "g", "listener": "FRANCE", "to": ""}}',
        b'{"assistant_id": "crew", "context": {"game": "g"}, "input": {"action": "look"}}',
        b'{"input": {}, "command": {"resume": {"messages": [{"to": "ITALY", "text": "me:pw@host"}]}}}',
    ],
)
async def test_everything_else_is_passed_on_as_it_came(body: bytes) -> None:
    answer = await _sent(body)
    assert (answer.status_code, answer.content) == (200, body)
