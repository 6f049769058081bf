"""Work for a client that may go away before it is done."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request

from entente.errors import ServerStopping

_CLIENT_GONE = 499
"""As proxies log it; nobody reads the answer."""
_Done = TypeVar("_Done")


async def while_there(request: Request, work: Coroutine[Any, Any, _Done]) -> _Done:
    """What comes of the work, which is cancelled when the request's client goes away; the body must have been read.

    Other requests of its link do not wait for it. Raises ServerStopping where the work was cancelled because the
    server stops.
    """
    request.state.turn.close()
    working, leaving = asyncio.create_task(work), asyncio.create_task(_gone(request))
    try:
        await asyncio.wait([working, leaving], return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise HTTPException(_CLIENT_GONE, "The client has gone.")
        if working.cancelled():
            raise ServerStopping("The server stops; nothing was done.")
        return working.result()
    finally:
        working.cancel()
        leaving.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
