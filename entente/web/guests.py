"""Programs that hold a person's seat by its link, for as long as the link is good.

Over a WebSocket each connection sits down for itself. Over MCP requests need not belong together, so that there is one
sitting for each link, and the SDK's server that has its tools.
"""

import asyncio
import importlib
import importlib.util
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from checkpoints.store import Store
from entente.errors import SettingsError
from entente.games.runner import GameMaster
from entente.games.sitting import Sitting
from entente.web.access import BEAT_SECONDS, Access, Visitor
from entente.web.errors import NotAllowed
from entente.web.host import Host
from entente.web.places import Places

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

T = TypeVar("T")

MOST_SOCKETS = 8
"""Connections that one link may have at once."""
MOST_CALLS = 8
"""Requests of one link at its tools that may be without their whole answer: one waits, and others act meanwhile."""
_REVOKED = "The link was revoked or has expired; nothing more is told."


@dataclass(frozen=True, slots=True)
class _Served:
    """A seat's tools as they are served over HTTP."""

    manager: "StreamableHTTPSessionManager"
    task: asyncio.Task[None]


class Guests:
    """Whoever holds a seat of a store's games from outside."""

    def __init__(self, store: Store, host: Host, access: Access) -> None:
        self._store = store
        self._host = host
        self._access = access
        self._sockets = Places("connections", MOST_SOCKETS)
        self.calls = Places("requests at /mcp", MOST_CALLS)
        self._served: dict[str, asyncio.Task[_Served]] = {}

    @asynccontextmanager
    async def socket(self, visitor: Visitor) -> AsyncGenerator[Sitting]:
        """The visitor's seat, for as long as its connection lasts; raises what `sit` raises, and NotAllowed."""
        async with self._sockets.taken(visitor.link.id):
            yield await self.sit(visitor)

    async def sit(self, visitor: Visitor) -> Sitting:
        """The seat of the visitor's link; raises NotAllowed, NotBegun, and SettingsError for no person's seat."""
        power, game = visitor.seat(), visitor.link.game
        master = GameMaster(self._store)
        return await Sitting.at(self._store, master, game, power, self._host.answer)

    async def check(self, visitor: Visitor) -> None:
        """Raise NotAllowed when the visitor's link lets nobody in any more."""
        if not await self._access.is_open(visitor.link.id):
            raise NotAllowed(_REVOKED)

    async def until_ended(self, visitor: Visitor) -> NoReturn:
        """Raise NotAllowed when the visitor's link ends: at once when it is revoked, and soon after it expires."""
        journal = self._store.journal
        while True:
            newest = await journal.newest()
            await self.check(visitor)
            with suppress(TimeoutError):  # nobody commits that a link has expired
                async with asyncio.timeout(BEAT_SECONDS):
                    await journal.wait_after(None, newest)

    async def while_welcome(self, visitor: Visitor, work: Coroutine[Any, Any, T]) -> T:
        """What the work brings; where the visitor's link ends first, the work is given up and NotAllowed raised."""
        ended, done = asyncio.create_task(self.until_ended(visitor)), asyncio.create_task(work)
        try:
            await asyncio.wait((ended, done), return_when=asyncio.FIRST_COMPLETED)
            if ended.done():
                ended.result()
            answer = await done
            await self.check(visitor)
            return answer
        finally:
            ended.cancel()
            done.cancel()
            await asyncio.gather(ended, done, return_exceptions=True)

    async def tools(self, visitor: Visitor) -> "StreamableHTTPSessionManager":
        """What answers MCP requests for the visitor's seat; raises as `sit`, and SettingsError without the extra."""
        if importlib.util.find_spec("mcp") is None:
            raise SettingsError(
                "MCP wants the package of the extra `mcp`, which is not installed on this server: "
                "pip install 'entente[mcp]'. Nothing was done."
            )
        link = visitor.link.id
        if link not in self._served:
            self._served[link] = asyncio.create_task(self._serve(visitor))
        served = self._served[link]
        try:
            return (await asyncio.shield(served)).manager
        except BaseException:
            if served.done() and self._served.get(link) is served:
                del self._served[link]
            raise

    async def close(self) -> None:
        """Serve no tools any more; turns in progress are the host's."""
        served = [*self._served.values()]
        self._served.clear()
        for each in await asyncio.gather(*served, return_exceptions=True):
            if isinstance(each, _Served):
                each.task.cancel()
                await asyncio.gather(each.task, return_exceptions=True)

    async def _serve(self, visitor: Visitor) -> _Served:
        # The SDK takes a second to be loaded, in which others are answered, and most servers never need it.
        await asyncio.to_thread(importlib.import_module, "entente.games.mcp_server")
        from entente.games.mcp_server import mcp_server, over_http

        sitting = await self.sit(visitor)
        manager = over_http(mcp_server(sitting, partial(self.while_welcome, visitor)))
        ready = asyncio.Event()

        async def run() -> None:
            async with manager.run():
                ready.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(run(), name=f"tools of {visitor.link.id}")
        await ready.wait()
        return _Served(manager, task)
