"""What comes from a page of elsewhere goes no further than the door."""

import re
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

import entente
from entente.local_only import LocalOnly
from entente.models.mock.server import mock_server
from tests.support.patience import PATIENCE


async def _reached(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
    else:
        await PlainTextResponse("reached")(scope, receive, send)


DOOR = LocalOnly(_reached, pages=["https://page.example"])
HERE = {"host": "127.0.0.1:2024"}
LET_IN: dict[str, dict[str, str]] = {
    "a program": HERE,
    "a program, by name": {"host": "localhost:2024"},
    "a program, by IPv6": {"host": "[::1]:2024"},
    "a page of the server's own": {**HERE, "origin": "http://127.0.0.1:2024"},
    "a page that was named": {**HERE, "origin": "https://page.example"},
    "a link that was followed": {**HERE, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"},
    "an address that was typed": {**HERE, "sec-fetch-site": "none", "sec-fetch-mode": "navigate"},
    "JSON": {**HERE, "content-type": "application/json; charset=utf-8"},
}
KEPT_OUT: dict[str, dict[str, str]] = {
    "no host": {"host": ""},
    "a host of elsewhere": {"host": "evil.example"},
    "a host that begins as ours": {"host": "localhost.evil.example:2024"},
    "a host that cannot be read": {"host": "[::1"},
    "a page of elsewhere": {**HERE, "origin": "https://evil.example"},
    "a page whose name begins as ours": {**HERE, "origin": "https://page.example.evil.example"},
    "a page by another scheme": {**HERE, "origin": "http://page.example"},
    "a page of another port": {**HERE, "origin": "http://127.0.0.1:3000"},
    "a page in a sandbox": {**HERE, "origin": "null"},
    "a script that another page wants": {**HERE, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"},
    "plain text": {**HERE, "content-type": "Text/Plain;charset=UTF-8"},
    "a form": {**HERE, "content-type": "multipart/form-data; boundary=x"},
}


async def _asked(headers: dict[str, str], kind: str) -> list[Message]:
    scope: dict[str, Any] = {
        "type": kind,
        "method": "POST",
        "path": "/",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": f"{kind}.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    await DOOR(scope, receive, send)
    return sent


@pytest.mark.parametrize("headers", LET_IN.values(), ids=LET_IN.keys())
async def test_programs_and_named_pages_come_in(headers: dict[str, str]) -> None:
    assert (await _asked(headers, "http"))[0]["status"] == 200
    assert (await _asked(headers, "websocket"))[0]["type"] == "websocket.accept"


@pytest.mark.parametrize("headers", KEPT_OUT.values(), ids=KEPT_OUT.keys())
async def test_other_pages_and_names_stay_out(headers: dict[str, str]) -> None:
    assert (await _asked(headers, "http"))[0]["status"] in (403, 415)
    assert (await _asked(headers, "websocket"))[0]["type"] == "websocket.close"


def test_the_door_stands_before_every_application() -> None:
    """Those of benchmarks too."""
    root = Path(entente.__file__).parent.parent
    sources = {
        path: path.read_text("utf-8")
        for each in ("entente", "benchmarks")
        for path in (root / each).rglob("*.py")
    }
    made = {
        path.name: text for path, text in sources.items() if re.search(r"\b(?:Starlette|FastAPI)\(", text)
    }
    assert "app.py" in made
    assert [name for name, text in made.items() if "Middleware(LocalOnly" not in text] == []


async def test_no_page_asks_the_scripted_model() -> None:
    async with mock_server() as server, httpx.AsyncClient(timeout=PATIENCE) as client:
        url = f"{server.url}/chat/completions"
        for headers in ({"origin": "https://evil.example"}, {"host": "evil.example"}):
            refused = await client.post(url, headers=headers, json={"model": "mock", "messages": []})
            assert refused.status_code == 403
        assert not server.requests
        assert (await client.get(f"{server.url}/models")).status_code == 200
