"""One store for a whole process that does not open its own: Studio, and whoever imports `graph.game:graph`.

`langgraph.json` names `checkpointer` as the factory, so that `langgraph dev` keeps its games where the
command line does, and either can go on with what the other began.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)

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


class WholeGames(BaseCheckpointSaver[str]):
    """The store's saver, for one who knows nothing of its journal: what is done to a thread is done to the game."""

    def __init__(self, store: Store) -> None:
        super().__init__(serde=store.saver.serde)
        self._saver = store.saver
        self._library = store.library

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """As the saver does."""
        return await self._saver.aget_tuple(config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - the saver's own word
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """As the saver does."""
        async for found in self._saver.alist(config, filter=filter, before=before, limit=limit):
            yield found

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """As the saver does."""
        return await self._saver.aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """As the saver does."""
        await self._saver.aput_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete the game, its press too; raises GameError while anybody plays it."""
        with told_to_a_server():
            try:
                await self._library.delete(thread_id)
            except UnknownGame:  # a thread in which no game was begun
                await self._saver.adelete_thread(thread_id)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy the game, its press too; raises GameError."""
        with told_to_a_server():
            try:
                await self._library.copy(source_thread_id, target_thread_id)
            except UnknownGame:
                await self._saver.acopy_thread(source_thread_id, target_thread_id)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep the games' latest checkpoints, or with another strategy nothing of them; raises GameError."""
        with told_to_a_server():
            for thread in thread_ids:
                if strategy == "keep_latest":
                    await self._library.prune(thread)
                else:
                    await self.adelete_thread(thread)

    def get_next_version(self, current: str | None, channel: None) -> str:
        """As the saver does."""
        return self._saver.get_next_version(current, channel)


async def shared_store() -> Store:
    """The process's store: where `ENTENTE_STORE` says, opened on first use; raises StoreUnavailable."""
    return await _shared.store()


@asynccontextmanager
async def checkpointer() -> AsyncGenerator[BaseCheckpointSaver[Any]]:
    """The process's checkpointer, for `langgraph.json`; the store is closed when the server ends."""
    try:
        yield WholeGames(await shared_store())
    finally:
        await _shared.close()
