"""LangGraph's savers with what they lack: our errors, and copying and pruning in every one of them.

The serializer is handed in, and is strict: a checkpoint gives back plain values and LangGraph's own,
never an object of a class that the stored bytes name. The state is plain JSON, so nothing is missed.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiosqlite
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from checkpoints.database import BUSY_SECONDS
from checkpoints.failures import DRIVER_ERRORS, translated
from entente.errors import StoreUnavailable


def strict_serializer() -> JsonPlusSerializer:
    """The serializer that builds no object but of the types that LangGraph vouches for."""
    return JsonPlusSerializer(allowed_msgpack_modules=None)


class TranslatedErrors(BaseCheckpointSaver[str]):
    """Puts itself before a saver and raises StoreUnavailable for its driver's errors."""

    location: str
    driver_errors: tuple[type[Exception], ...] = DRIVER_ERRORS

    @asynccontextmanager
    async def guarded(self) -> AsyncGenerator[None]:
        """What every call to the saver beneath goes through."""
        with translated(self.location, self.driver_errors):
            yield

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """As the saver does."""
        async with self.guarded():
            return await super().aget_tuple(config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - the saver's own word
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncGenerator[CheckpointTuple]:
        """As the saver does."""
        async with self.guarded():
            async for found in super().alist(config, filter=filter, before=before, limit=limit):
                yield found

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """As the saver does."""
        async with self.guarded():
            return await super().aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """As the saver does."""
        async with self.guarded():
            await super().aput_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """As the saver does."""
        async with self.guarded():
            await super().adelete_thread(thread_id)


class MemorySaver(InMemorySaver):
    """Checkpoints that end with the process."""

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy everything of a thread."""
        for namespace, found in list(self.storage.get(source_thread_id, {}).items()):
            self.storage[target_thread_id][namespace] = dict(found)
        for key in [key for key in self.writes if key[0] == source_thread_id]:
            self.writes[target_thread_id, key[1], key[2]] = dict(self.writes[key])
        for key in [key for key in self.blobs if key[0] == source_thread_id]:
            self.blobs[target_thread_id, key[1], key[2], key[3]] = self.blobs[key]

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep the latest checkpoint of each namespace, or with `delete` none."""
        for thread in thread_ids:
            if strategy == "delete":
                self.delete_thread(thread)
            else:
                self._keep_latest(thread)

    def _keep_latest(self, thread: str) -> None:
        for namespace, found in self.storage.get(thread, {}).items():
            latest = max(found)
            checkpoint, metadata, _ = found[latest]
            for gone in found.keys() - {latest}:
                self.writes.pop((thread, namespace, gone), None)
            self.storage[thread][namespace] = {latest: (checkpoint, metadata, None)}
            used = self.serde.loads_typed(checkpoint)["channel_versions"].items()
            for key in [key for key in self.blobs if key[:2] == (thread, namespace)]:
                if key[2:] not in used:
                    del self.blobs[key]


class SqliteSaver(TranslatedErrors, AsyncSqliteSaver):
    """Checkpoints in a SQLite file; one for a process, since each holds a connection."""

    def __init__(self, connection: aiosqlite.Connection, location: str) -> None:
        super().__init__(connection, serde=strict_serializer())
        self.location = location

    @asynccontextmanager
    async def guarded(self) -> AsyncGenerator[None]:
        """Undo what a failed call had written: the next call's commit would keep half of it."""
        try:
            async with super().guarded():
                yield
        except StoreUnavailable:
            async with self.lock:
                await self.conn.rollback()
            raise

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy everything of a thread, or nothing."""
        await self._transact(_COPY, {"source": source_thread_id, "target": target_thread_id})

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep the latest checkpoint of each namespace, or with `delete` none."""
        for thread in thread_ids:
            if strategy == "delete":
                await self.adelete_thread(thread)
            else:
                await self._transact(_KEEP_LATEST, {"thread": thread})

    async def _transact(self, statements: Sequence[str], parameters: dict[str, str]) -> None:
        await self.setup()
        async with self.guarded(), self.lock:
            for statement in statements:
                await self.conn.execute(statement, parameters)
            await self.conn.commit()


# The tables are langgraph-checkpoint-sqlite's; a test notices a column that it adds.
_COPY = (
    """
    INSERT INTO checkpoints
        (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)
    SELECT :target, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata
    FROM checkpoints WHERE thread_id = :source
    """,
    """
    INSERT INTO writes
        (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value)
    SELECT :target, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, value
    FROM writes WHERE thread_id = :source
    """,
)
_KEEP_LATEST = (
    """
    DELETE FROM writes WHERE thread_id = :thread AND checkpoint_id < (
        SELECT max(checkpoint_id) FROM checkpoints AS latest
        WHERE latest.thread_id = writes.thread_id AND latest.checkpoint_ns = writes.checkpoint_ns)
    """,
    """
    DELETE FROM checkpoints WHERE thread_id = :thread AND checkpoint_id < (
        SELECT max(checkpoint_id) FROM checkpoints AS latest
        WHERE latest.thread_id = checkpoints.thread_id AND latest.checkpoint_ns = checkpoints.checkpoint_ns)
    """,
    "UPDATE checkpoints SET parent_checkpoint_id = NULL WHERE thread_id = :thread",
)


@asynccontextmanager
async def open_sqlite(path: Path, location: str) -> AsyncGenerator[SqliteSaver]:
    """The saver over this file, which is created when it is not there; raises StoreUnavailable."""
    async with _connected(path, location) as connection:
        saver = SqliteSaver(connection, location)
        async with saver.guarded():
            await connection.execute("PRAGMA synchronous = FULL")
            await saver.setup()
        yield saver


@asynccontextmanager
async def _connected(path: Path, location: str) -> AsyncGenerator[aiosqlite.Connection]:
    with translated(location):
        connection = await aiosqlite.connect(path, timeout=BUSY_SECONDS)
    try:
        yield connection
    finally:
        await connection.close()
