"""One store for a whole process that does not open its own: Studio, and whoever imports `graph.game:graph`.

`langgraph.json` names `checkpointer` as the factory, so that `langgraph dev` keeps its games where the
command line does, and either can go on with what the other began.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from checkpoints.store import Store, open_store
from entente.config import StoreSettings


class _Shared:
    """The process's store, opened on first use."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._stack = AsyncExitStack()
        self._store: Store | None = None

    async def store(self) -> Store:
        async with self._lock:
            if self._store is None:
                self._store = await self._stack.enter_async_context(open_store(StoreSettings().store))
            return self._store

    async def close(self) -> None:
        async with self._lock:
            self._store = None
            await self._stack.aclose()


_shared = _Shared()


async def shared_store() -> Store:
    """The process's store: where `ENTENTE_STORE` says, opened on first use; raises StoreUnavailable."""
    return await _shared.store()


@asynccontextmanager
async def checkpointer() -> AsyncGenerator[BaseCheckpointSaver[Any]]:
    """The process's checkpointer, for `langgraph.json`; the store is closed when the server ends."""
    try:
        yield (await shared_store()).saver
    finally:
        await _shared.close()
