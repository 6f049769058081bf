"""Where programs come to a person's seat: the seat protocol over a WebSocket, and the same as tools of an MCP server.

Both are told as whom they come by the link's token in the header `Authorization: Bearer TOKEN`; a WebSocket of a page,
which can have no such header, by the link's cookie. What is no request of the protocol ends a connection, and does
nothing.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from entente.errors import EntenteError, told_outside
from entente.games.sitting import Sitting
from entente.players.seat_protocol import REQUESTS, Request
from entente.web.access import LinkId, Visitor, bearer, visitor
from entente.web.errors import status_of
from entente.web.guests import Guests
from entente.web.house import House

_MOST_AHEAD = 16
"""Requests that may wait for the answer to the one before."""
_POLICY = 1008
"""The close code of who did what it may not (RFC 6455, 7.4.1)."""

router = APIRouter(prefix="/at/{link}")


class _Ended(Exception):
    """Raised where a connection is ended by us."""


@router.websocket("/socket")
async def socket(websocket: WebSocket, link: LinkId) -> None:
    """The seat protocol: a request a message, and an answer to each; what is new waits for `wait_for_event`."""
    here: House = websocket.app.state.house
    try:
        who = await _who(here, link, websocket)
        async with here.guests.socket(who) as sitting:
            await websocket.accept()
            await _Conversation(websocket, here.guests, who, sitting).hold()
    except EntenteError as error:
        await websocket.send_denial_response(JSONResponse({"error": told_outside(error)}, status_of(error)))


async def _who(here: House, link: str, websocket: WebSocket) -> Visitor:
    if "authorization" in websocket.headers:
        return await bearer(here.access, link, websocket.headers)
    return await visitor(link, websocket)


@dataclass
class _Conversation:
    """One connection, from when it was accepted."""

    websocket: WebSocket
    guests: Guests
    who: Visitor
    sitting: Sitting
    requests: asyncio.Queue[str] = field(default_factory=lambda: asyncio.Queue[str](_MOST_AHEAD))

    async def hold(self) -> None:
        """Answer until the program leaves, its link ends, or it sends what is no request."""
        try:
            async with asyncio.TaskGroup() as group:
                for each in (self._read(), self._answer(), self.guests.until_ended(self.who)):
                    group.create_task(each)
        except* WebSocketDisconnect:
            pass
        except* (_Ended, EntenteError) as ended:
            error = ended.exceptions[0]
            why = told_outside(error) if isinstance(error, EntenteError) else str(error)
            with suppress(WebSocketDisconnect):  # who has left by now need not be told
                await self.websocket.close(_POLICY, why)

    async def _read(self) -> None:
        while True:
            message = await self.websocket.receive()
            if message["type"] == "websocket.disconnect":
                raise WebSocketDisconnect
            if self.requests.full():
                raise _Ended("One request after the other was wanted and too many came.")
            self.requests.put_nowait(message.get("text") or "")

    async def _answer(self) -> None:
        while True:
            told = await self.sitting.answer(_request(await self.requests.get()))
            await self.guests.check(self.who)
            await self.websocket.send_text(told.model_dump_json())


def _request(text: str) -> Request:
    try:
        return REQUESTS.validate_json(text)
    except ValidationError as error:
        raise _Ended("A request of the seat protocol was wanted; nothing was done.") from error


class _Tools:
    """The MCP endpoint: one POST, one request."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; raises NotAllowed, and what `Guests.tools` raises."""
        request = HTTPConnection(scope)
        here: House = request.app.state.house
        who = await bearer(here.access, request.path_params["link"], request.headers)
        async with here.guests.calls.taken(who.link.id):
            manager = await here.guests.tools(who)
            await manager.handle_request(scope, receive, send)


tools = Route("/at/{link}/mcp", _Tools())
