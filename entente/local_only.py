"""A door before each HTTP server of ours: programs of this machine and pages that were named come in, no other page.

A server on the loopback can be reached by every page that a browser of this machine shows. A page of elsewhere can send
it requests blindly, and by a name that it has pointed to 127.0.0.1 (DNS rebinding) can read the answers too. Browsers
say in `Origin` which page asks, and in `Host` by which name; programs send no `Origin`.
"""

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

STUDIO_PAGES = ("https://smith.langchain.com", "https://eu.smith.langchain.com")
"""Where the page of LangGraph's Studio comes from."""

_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})
"""By which names a server on the loopback is asked, by programs and through forwarded ports alike."""
_BLIND = frozenset({"text/plain", "application/x-www-form-urlencoded", "multipart/form-data"})
"""What a page may send anywhere without asking first."""


class LocalOnly:
    """Middleware: answers 403, or 415, to what no program of this machine sends, and passes on all else."""

    def __init__(self, app: ASGIApp, pages: Collection[str] = ()) -> None:
        self._app = app
        self._pages = frozenset(pages)
        """Origins of pages elsewhere that may come in, such as `https://smith.langchain.com`."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or end one WebSocket before it is accepted."""
        if scope["type"] == "lifespan" or (refused := self._refused(Headers(scope=scope))) is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": bytes(refused.body).decode()})
        else:
            await refused(scope, receive, send)

    def _refused(self, headers: Headers) -> PlainTextResponse | None:
        if _name_in(headers.get("host", "")) not in _NAMES:
            return _refusal(
                403, "This server is asked as 127.0.0.1 or localhost, and another host was named."
            )
        if self._is_of_another_page(headers):
            return _refusal(
                403, "A request of a program on this machine was wanted and one of another page came."
            )
        if headers.get("content-type", "").partition(";")[0].strip().lower() in _BLIND:
            return _refusal(415, "JSON was wanted (content-type: application/json) and something else came.")
        return None

    def _is_of_another_page(self, headers: Headers) -> bool:
        origin = headers.get("origin")
        if origin is None:
            # Images and scripts of a page are asked for without an Origin; links may be followed.
            return (
                headers.get("sec-fetch-site") in ("cross-site", "same-site")
                and headers.get("sec-fetch-mode") != "navigate"
            )
        return origin not in self._pages and origin != f"http://{headers.get('host')}"


def _name_in(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _refusal(status: int, why: str) -> PlainTextResponse:
    return PlainTextResponse(f"{why} Nothing was done.\n", status)
