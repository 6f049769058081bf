"""One store for a whole process that does not open its own: Studio, and whoever imports `graph.game:graph`.

`langgraph.json` names `checkpointer` as the factory, so that `langgraph dev` keeps its games where the
command line does, and either can go on with what the other began.
"""

import asyncio
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager

from checkpoints.saver import Saver
from checkpoints.store import Store, open_store
from entente.config import StoreSettings
from entente.errors import EntenteError, UnknownGame


class GameError(ValueError):
    """Raised to a server in place of any error of ours, with its words: it hides those of errors it does not know."""


@contextmanager
def told_to_a_server() -> Generator[None]:
    """Our errors as GameError."""
    try:
        yield
    except EntenteError as error:
        raise GameError(str(error)) from error


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


class WholeGames(Saver):
    """The store's saver, for one who knows nothing of its journal: what is done to a thread is done to the game."""

    def __init__(self, store: Store) -> None:
        super().__init__(store.library.database, store.leases)
        self._library = store.library

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete the game, its press too; a run of this process that plays it ends with its next write.

        Raises GameError while another process plays it.
        """
        with told_to_a_server():
            await self._library.drop(thread_id)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy the game, its press too; raises GameError."""
        with told_to_a_server():
            try:
                await self._library.copy(source_thread_id, target_thread_id)
            except UnknownGame:  # a thread in which no game was begun
                await super().acopy_thread(source_thread_id, target_thread_id)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep the games' latest checkpoints, or with another strategy nothing of them; raises GameError."""
        with told_to_a_server():
            for thread in thread_ids:
                if strategy != "keep_latest":
                    await self.adelete_thread(thread)
                    continue
                try:
                    await self._library.prune(thread)
                except UnknownGame:
                    await super().aprune([thread])


async def shared_store() -> Store:
    """The process's store: where `ENTENTE_STORE` says, opened on first use; raises StoreUnavailable."""
    return await _shared.store()


@asynccontextmanager
async def checkpointer() -> AsyncGenerator[WholeGames]:
    """The process's checkpointer, for `langgraph.json`; the store is closed when the server ends."""
    try:
        yield WholeGames(await shared_store())
    finally:
        await _shared.close()
