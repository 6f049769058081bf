"""What stands before all routes of LangGraph's own server, beneath Studio: `langgraph.json` names `http_app`.

The server keeps the form of every run, cron and assistant in notes of its own, also of a run that it then refuses. So a
form that cannot be used, which may hold a password, is refused before the server has seen it; and so is a form that was
handed in as a run's input, which LangGraph would keep, and leave out without a word.
"""

import json
from collections.abc import Iterator

from pydantic import JsonValue
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from entente.commentary.session import Asked
from entente.errors import SettingsError
from entente.games.crew_server import Listening
from entente.games.server import fields_of
from entente.local_only import STUDIO_PAGES, LocalOnly
from entente.replayed import replayed
from graph.context import parse_settings

_NOT_OFFERED = ("/deploy", "/internal")
"""The one would send Studio's notes, with what seats were asked and answered, to LangSmith; the other empties them."""


class GamesAlone:
    """Middleware: answers 404 to what has nothing to do with games, and passes on all else."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if f"{scope.get('path', '')}/".startswith(tuple(f"{path}/" for path in _NOT_OFFERED)):
            await PlainTextResponse("This is not offered here. Nothing was done.\n", 404)(
                scope, receive, send
            )
        else:
            await self._app(scope, receive, send)


class UsableForms:
    """Middleware: answers 422, with a sentence, to a request whose form no game can be set up with."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http" or scope["method"] not in ("POST", "PUT", "PATCH"):
            await self._app(scope, receive, send)
            return
        try:
            body = await Request(scope, receive).body()
            check_forms(body)
        except ClientDisconnect:
            return
        except SettingsError as error:
            refused = JSONResponse({"detail": str(error)}, 422)
            # So that the page of Studio, which is of elsewhere, may read it.
            await CORSMiddleware(refused, allow_origins=STUDIO_PAGES, allow_credentials=True)(
                scope, receive, send
            )
        else:
            await self._app(scope, replayed(body, receive), send)


def check_forms(body: bytes) -> None:
    """Raise SettingsError for a form in a request's body that no game can be set up with, or that is a run's input."""
    try:
        asked: JsonValue = json.loads(body)
    except (ValueError, RecursionError):
        return  # the server says what is wrong with it
    for run in _runs(asked):
        given = run.get("input")
        if isinstance(given, dict) and not given.keys() <= Asked.model_fields.keys():
            raise SettingsError(
                "An empty input was wanted, or the action of a talk with the crew, and more came; what a game is set "
                "up with belongs in the context. Nothing was done."
            )
        for form in _forms(run):
            fields = fields_of(form)
            if not fields.keys() <= Listening.model_fields.keys():
                parse_settings(fields)


def _runs(asked: JsonValue) -> Iterator[dict[str, JsonValue]]:
    """What a request asks for: one run or each of many, as a command or without."""
    runs = [run for run in (asked if isinstance(asked, list) else [asked]) if isinstance(run, dict)]
    yield from (part for run in runs for part in (run, run.get("params")) if isinstance(part, dict))


def _forms(run: dict[str, JsonValue]) -> Iterator[dict[str, JsonValue]]:
    """What a run has been filled in with."""
    config = run.get("config")
    for form in (run.get("context"), config.get("configurable") if isinstance(config, dict) else None):
        if isinstance(form, dict):
            yield form


http_app = Starlette(
    middleware=[
        Middleware(LocalOnly, pages=STUDIO_PAGES),
        Middleware(GamesAlone),
        Middleware(UsableForms),
    ]
)
"""What the server puts before all of its routes."""
