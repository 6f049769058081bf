"""A browser without a network: it calls the page's application, and leaves an endless answer once it has begun."""

import asyncio
import json
from http.cookies import SimpleCookie
from typing import Any

from starlette.types import ASGIApp, Message

from checkpoints.links import NewLink

_HOST = (b"host", b"127.0.0.1")


class Browser:
    """Somebody who has come in by a link."""

    def __init__(self, app: ASGIApp, base: str) -> None:
        self._app = app
        self._base = base
        self._headers: list[tuple[bytes, bytes]] = [_HOST]

    @classmethod
    async def enter(cls, app: ASGIApp, made: NewLink) -> "Browser":
        """Come in by the link."""
        browser = cls(app, f"/at/{made.link.id}")
        status, headers, _ = await browser._ask("POST", "/enter", {"token": made.token})
        assert status == 204, status
        cookies = SimpleCookie(headers["set-cookie"])
        cookie = "; ".join(f"{name}={morsel.value}" for name, morsel in cookies.items())
        browser._headers.append((b"cookie", cookie.encode()))
        _, _, body = await browser._ask("GET", "/me")
        browser._headers.append((b"x-csrf-token", json.loads(body)["csrf"].encode()))
        return browser

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        """The status of the answer, and its text."""
        status, _, text = await self._ask(method, path, body)
        return status, text.decode(errors="replace")

    async def _ask(self, method: str, path: str, body: Any = None) -> tuple[int, dict[str, str], bytes]:
        place, _, query = f"{self._base}{path}".partition("?")
        sent = b"" if body is None else json.dumps(body).encode()
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": place,
            "raw_path": place.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [
                *self._headers,
                (b"content-type", b"application/json"),
                (b"content-length", str(len(sent)).encode()),
            ],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }
        answers: list[Message] = []
        has_begun, requests = asyncio.Event(), [{"type": "http.request", "body": sent}]

        async def receive() -> Message:
            if requests:
                return requests.pop()
            await has_begun.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            answers.append(message)
            if message["type"] == "http.response.body" and message.get("body"):
                has_begun.set()

        await self._app(scope, receive, send)
        headers = {name.decode(): value.decode() for name, value in answers[0]["headers"]}
        return answers[0]["status"], headers, b"".join(each.get("body", b"") for each in answers[1:])
