"""Programs that hold a person's seat by its link, for as long as the link is good.

Over a WebSocket each connection sits down for itself. Over MCP requests need not belong together, so that there is one
sitting for each link, and the SDK's server that has its tools.
"""

import asyncio
import importlib.util
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from checkpoints.store import Store
from entente.errors import SettingsError
from entente.games.runner import GameMaster
from entente.games.sitting import Sitting
from entente.web.access import Access, Visitor
from entente.web.errors import NotAllowed
from entente.web.host import Host

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

MOST_SOCKETS = 8
"""Connections that one link may have at once."""
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
        self._sockets = Counter[str]()
        self._served: dict[str, asyncio.Task[_Served]] = {}

    @asynccontextmanager
    async def socket(self, visitor: Visitor) -> AsyncGenerator[Sitting]:
        """The visitor's seat, for as long as its connection lasts; raises what `sit` raises, and NotAllowed."""
        link = visitor.link.id
        if self._sockets[link] >= MOST_SOCKETS:
            raise NotAllowed(
                f"At most {MOST_SOCKETS} connections of a link were wanted and one more came; it was refused.",
                status=429,
            )
        self._sockets[link] += 1
        try:
            yield await self.sit(visitor)
        finally:
            self._sockets[link] -= 1

    async def sit(self, visitor: Visitor) -> Sitting:
        """The seat of the visitor's link; raises NotAllowed, NotBegun, and SettingsError for no person's seat."""
        power, game = visitor.seat(), visitor.link.game
        master = GameMaster(self._store)
        return await Sitting.at(self._store, master, game, power, self._host.answer)

    async def check(self, visitor: Visitor) -> None:
        """Raise NotAllowed when the visitor's link lets nobody in any more."""
        if not await self._access.is_open(visitor.link.id):
            raise NotAllowed(_REVOKED)

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
        # The SDK takes a second to be loaded, and most servers never need it.
        from entente.games.mcp_server import mcp_server, over_http

        sitting = await self.sit(visitor)
        manager = over_http(mcp_server(sitting, lambda: self.check(visitor)))
        ready = asyncio.Event()

        async def run() -> None:
            async with manager.run():
                ready.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(run(), name=f"tools of {visitor.link.id}")
        await ready.wait()
        return _Served(manager, task)
