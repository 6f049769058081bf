"""Checkpoints in a SQLite file, through the journal's way to a database.

LangGraph's own asynchronous saver crosses threads seven times for a checkpoint and its writes, and keeps them in
two transactions. Here its synchronous one runs in the database's thread, and what waits at the same moment shares a
transaction.
"""

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.sqlite import SqliteSaver as LangGraphSaver
from sqlalchemy import Connection

from checkpoints.database import BUSY_SECONDS, Database, sqlite_file
from checkpoints.failures import translated
from checkpoints.saver import strict_serializer

T = TypeVar("T")


class SqliteSaver(LangGraphSaver):
    """Checkpoints in a SQLite file; raises StoreUnavailable."""

    def __init__(self, database: Database, connection: sqlite3.Connection) -> None:
        super().__init__(connection, serde=strict_serializer())
        self._database = database

    @contextmanager
    def cursor(self, transaction: bool = True) -> Generator[sqlite3.Cursor]:  # noqa: ARG002
        """A cursor in the database's transaction, which ends after the saver's work."""
        with closing(self.conn.cursor()) as cursor:
            yield cursor

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """As `get_tuple` does."""
        return await self._database.read(self._over(partial(self.get_tuple, config)))

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - the saver's own word
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncGenerator[CheckpointTuple]:
        """As `list` does, read as one."""
        listed = partial(self.list, config, filter=filter, before=before, limit=limit)
        for found in await self._database.read(self._over(lambda: [*listed()])):
            yield found

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """As `put` does."""
        return await self._database.write(
            self._over(partial(self.put, config, checkpoint, metadata, new_versions))
        )

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """As `put_writes` does."""
        await self._database.write(self._over(partial(self.put_writes, config, writes, task_id, task_path)))

    async def adelete_thread(self, thread_id: str) -> None:
        """As `delete_thread` does."""
        await self._database.write(self._over(partial(self.delete_thread, thread_id)))

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy everything of a thread, or nothing."""
        await self._execute(_COPY, {"source": source_thread_id, "target": target_thread_id})

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep the latest checkpoint of each namespace, or with `delete` none."""
        for thread in thread_ids:
            if strategy == "delete":
                await self.adelete_thread(thread)
            else:
                await self._execute(_KEEP_LATEST, {"thread": thread})

    async def _execute(self, statements: Sequence[str], parameters: dict[str, str]) -> None:
        def work(connection: Connection) -> None:
            for statement in statements:
                connection.exec_driver_sql(statement, parameters)

        await self._database.write(work)

    def _over(self, work: Callable[[], T]) -> Callable[[Connection], T]:
        """The saver's work over the transaction's connection."""

        def run(connection: Connection) -> T:
            self.conn = _driver_connection(connection)
            return work()

        return run


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
    with translated(location):
        database = await asyncio.to_thread(_prepare_file, path, location)
    try:
        yield SqliteSaver(database, await database.read(_driver_connection))
    finally:
        await database.close()


def _prepare_file(path: Path, location: str) -> Database:
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
        LangGraphSaver(connection).setup()
    return sqlite_file(path, location)


def _driver_connection(connection: Connection) -> sqlite3.Connection:
    return cast("sqlite3.Connection", connection.connection.driver_connection)
