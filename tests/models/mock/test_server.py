"""The server as any client sees it, without ours in between."""

import socket
import subprocess
import sys
from typing import Any

import httpx2
import pytest

from entente.errors import SettingsError
from entente.models.mock.plan import Fault, FaultKind, Plan
from entente.models.mock.server import mock_server, serve
from tests.support.patience import PATIENCE

ASK: dict[str, Any] = {"model": "mock", "messages": [{"role": "user", "content": "How are you?"}]}


async def post(url: str, body: Any, **headers: str) -> httpx2.Response:
    async with httpx2.AsyncClient(timeout=PATIENCE) as client:
        return await client.post(f"{url}/chat/completions", json=body, headers=headers)


async def test_the_same_request_gets_the_same_bytes_but_for_what_was_cached() -> None:
    async with mock_server() as one, mock_server() as two:
        assert (await post(one.url, ASK)).content == (await post(two.url, ASK)).content


async def test_a_stream_ends_with_its_usage_when_asked_and_with_done() -> None:
    streamed = {**ASK, "stream": True, "stream_options": {"include_usage": True}}
    async with mock_server() as server:
        lines = (await post(server.url, streamed)).text.strip().split("\n\n")
        bare = (await post(server.url, {**ASK, "stream": True})).text
    assert lines[-1] == "data: [DONE]"
    assert '"usage"' in lines[-2]
    assert '"usage"' not in bare


async def test_what_was_asked_can_be_looked_at_without_the_key() -> None:
    async with mock_server() as server, httpx2.AsyncClient(timeout=PATIENCE) as client:
        await post(server.url, ASK, authorization="Bearer canary")
        listed = await client.get(server.url.replace("/v1", "/requests"))
    assert listed.json()[0]["messages"] == ASK["messages"]
    assert "canary" not in listed.text
    assert server.requests[0].key_digest is not None


async def test_models_are_listed() -> None:
    async with (
        mock_server(Plan(models=("small", "large"))) as server,
        httpx2.AsyncClient(timeout=PATIENCE) as client,
    ):
        listed = (await client.get(f"{server.url}/models")).json()
    assert [model["id"] for model in listed["data"]] == ["small", "large"]


async def test_a_body_that_is_no_request_is_a_bad_request_and_not_recorded() -> None:
    async with mock_server() as server:
        response = await post(server.url, {"model": "mock"})
    assert (response.status_code, server.requests) == (400, [])
    assert response.json()["error"]["type"] == "invalid_request_error"


async def test_a_rate_limit_says_how_long_to_wait() -> None:
    plan = Plan(faults=(Fault(kind="429", retry_after_seconds=2.5),))
    async with mock_server(plan) as server:
        response = await post(server.url, ASK)
    assert (response.status_code, response.headers["retry-after"]) == (429, "2.5")


async def test_an_error_in_the_callers_block_comes_out_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        async with mock_server():
            _ = 1 / 0


def test_a_place_that_is_taken_is_refused() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SettingsError, match="no server was started"):
            serve("127.0.0.1", port, Plan(), on_ready=print)


def test_it_runs_as_a_program_and_ends_when_told() -> None:
    code = (
        "from entente.models.mock.server import serve; from entente.models.mock.plan import Plan; "
        "serve('127.0.0.1', 0, Plan(), on_ready=lambda url: print(url, flush=True))"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        url = running.stdout.readline().strip()
        assert httpx2.post(f"{url}/chat/completions", json=ASK).status_code == 200
        running.terminate()
        assert running.wait(PATIENCE) == 0


OFFERED: list[dict[str, Any]] = [
    {"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": {}}}}
    for name in ("submit_orders", "finish_orders")
]


NOTHING: dict[str, Any] = {
    "type": "object",
    "properties": {"actions": {"type": "array", "items": {"anyOf": []}}},
}
FORM = {"type": "json_schema", "json_schema": {"name": "turn", "schema": NOTHING}}


@pytest.mark.parametrize(
    ("kind", "wanted", "told"),
    [
        ("no_tools", {"tools": OFFERED}, "takes no tools"),
        ("no_stream", {"stream": True}, "does not stream"),
        ("no_schema", {"response_format": FORM}, "takes no response_format"),
    ],
)
async def test_what_it_cannot_do_is_refused_and_the_rest_is_answered(
    kind: FaultKind, wanted: dict[str, Any], told: str
) -> None:
    async with mock_server(Plan(faults=(Fault(kind=kind),))) as server:
        refused = await post(server.url, ASK | wanted)
        answered = await post(server.url, ASK)
    assert (refused.status_code, answered.status_code) == (400, 200)
    assert told in refused.json()["error"]["message"]


@pytest.mark.parametrize(("kind", "calls"), [("one_call", 1), ("ignore_tools", 0)])
async def test_a_lesser_model_calls_fewer_tools(kind: FaultKind, calls: int) -> None:
    async with mock_server(Plan(faults=(Fault(kind=kind),))) as server:
        reply = (await post(server.url, ASK | {"tools": OFFERED})).json()
    assert len(reply["choices"][0]["message"].get("tool_calls", ())) == calls
