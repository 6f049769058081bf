"""Checkpoints in a SQLite file, through the journal's way to a database.

LangGraph's own asynchronous saver crosses threads seven times for a checkpoint and its writes, and keeps them in
two transactions. Here its synchronous one runs in the database's thread, and what waits at the same moment shares a
transaction. It also writes every value of the state into every checkpoint; here a value is kept once, until it
changes, in a table like the one that LangGraph's saver for Postgres has.
"""

import asyncio
import json
import sqlite3
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from cachetools import LRUCache
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.sqlite import SqliteSaver as LangGraphSaver
from sqlalchemy import Connection

from checkpoints.database import BUSY_SECONDS, Database, driver_connection, sqlite_file, switch_to_wal
from checkpoints.failures import translated
from checkpoints.saver import strict_serializer

T = TypeVar("T")

_THREADS_KEPT = 64


class SqliteSaver(LangGraphSaver):
    """Checkpoints in a SQLite file; raises StoreUnavailable."""

    def __init__(self, database: Database, connection: sqlite3.Connection) -> None:
        super().__init__(connection, serde=strict_serializer())
        self._database = database
        self._kept = LRUCache[tuple[str, str], ChannelVersions](_THREADS_KEPT)
        """By thread and namespace, the versions whose values are known to be in the file."""

    @contextmanager
    def cursor(self, transaction: bool = True) -> Generator[sqlite3.Cursor]:  # noqa: ARG002
        """A cursor in the database's transaction, which ends after the saver's work."""
        with closing(self.conn.cursor()) as cursor:
            yield cursor

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint with the values that are kept beside it."""
        found = super().get_tuple(config)
        return found and self._whole(found)

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - the saver's own word
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """The checkpoints, newest first, each with the values that are kept beside it."""
        yield from map(self._whole, super().list(config, filter=filter, before=before, limit=limit))

    def delete_thread(self, thread_id: str) -> None:
        """Delete everything of a thread."""
        super().delete_thread(thread_id)
        self.conn.execute("DELETE FROM checkpoint_blobs WHERE thread_id = ?", (thread_id,))

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
        """As `put` does, but for the values that the file has already."""
        place = _place(config)
        versions = dict(checkpoint["channel_versions"])
        values = checkpoint["channel_values"]
        apart = {name: value for name, value in values.items() if _is_kept_apart(value) and name in versions}
        kept = self._kept.get(place, {})
        new = {name: value for name, value in apart.items() if kept.get(name) != versions[name]}
        rest = {name: value for name, value in values.items() if name not in apart}
        bare: Checkpoint = {**checkpoint, "channel_values": rest}

        def work() -> RunnableConfig:
            rows = [
                (*place, name, versions[name], *self.serde.dumps_typed(value)) for name, value in new.items()
            ]
            self.conn.executemany(_PUT_VALUE, rows)
            return self.put(config, bare, metadata, new_versions)

        def committed(_: RunnableConfig) -> None:
            self._kept[place] = versions

        return await self._database.write(self._over(work), committed)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """As `put_writes` does."""
        await self._database.write(self._over(partial(self.put_writes, config, writes, task_id, task_path)))

    async def adelete_thread(self, thread_id: str) -> None:
        """As `delete_thread` does."""
        await self._replace(thread_id, partial(self.delete_thread, thread_id))

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy everything of a thread, or nothing."""
        parameters = {"source": source_thread_id, "target": target_thread_id}
        await self._replace(target_thread_id, partial(self._execute, _COPY, parameters))

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep the latest checkpoint of each namespace, or with `delete` none."""
        for thread in thread_ids:
            if strategy == "delete":
                await self.adelete_thread(thread)
            else:
                await self._replace(thread, partial(self._keep_latest, thread))

    async def _replace(self, thread: str, work: Callable[[], None]) -> None:
        """Do this to all that is kept of a thread."""
        await self._database.write(self._over(work), lambda _: self._forget(thread))

    def _forget(self, thread: str) -> None:
        for key in [key for key in self._kept if key[0] == thread]:
            del self._kept[key]

    def _keep_latest(self, thread: str) -> None:
        self._execute(_KEEP_LATEST, {"thread": thread})
        for latest in [*super().list(RunnableConfig(configurable={"thread_id": thread}))]:
            self.conn.execute(_DROP_OTHER_VALUES, _whereabouts(latest))

    def _execute(self, statements: Sequence[str], parameters: dict[str, str]) -> None:
        for statement in statements:
            self.conn.execute(statement, parameters)

    def _whole(self, found: CheckpointTuple) -> CheckpointTuple:
        """The checkpoint with the values that are kept beside it; old ones hold all of them."""
        rows = self.conn.execute(_VALUES, _whereabouts(found))
        found.checkpoint["channel_values"].update(
            (channel, self.serde.loads_typed((kind, value))) for channel, kind, value in rows
        )
        return found

    def _over(self, work: Callable[[], T]) -> Callable[[Connection], T]:
        """The saver's work over the transaction's connection."""

        def run(connection: Connection) -> T:
            self.conn = driver_connection(connection)
            return work()

        return run


def _is_kept_apart(value: object) -> bool:
    """True for what may be large; what is as small as its key stays in the checkpoint."""
    return isinstance(value, (dict, list))


def _place(config: RunnableConfig) -> tuple[str, str]:
    """The thread and the namespace."""
    where = config.get("configurable", {})
    return str(where["thread_id"]), str(where.get("checkpoint_ns", ""))


def _whereabouts(found: CheckpointTuple) -> dict[str, str]:
    """Where a checkpoint's values are."""
    thread, namespace = _place(found.config)
    versions = json.dumps(found.checkpoint["channel_versions"])
    return {"thread": thread, "namespace": namespace, "versions": versions}


_CREATE_VALUES = """
    CREATE TABLE IF NOT EXISTS checkpoint_blobs (
        thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL, channel TEXT NOT NULL, version TEXT NOT NULL,
        type TEXT NOT NULL, blob BLOB,
        PRIMARY KEY (thread_id, checkpoint_ns, version, channel))
    """
_PUT_VALUE = "INSERT OR IGNORE INTO checkpoint_blobs VALUES (?, ?, ?, ?, ?, ?)"
# CROSS JOIN keeps the order: the other way round SQLite looks through all values that the thread ever had.
_VALUES = """
    SELECT channel, kept.type, blob FROM json_each(:versions) CROSS JOIN checkpoint_blobs AS kept
    ON thread_id = :thread AND checkpoint_ns = :namespace AND channel = key AND version = value
    """
_DROP_OTHER_VALUES = """
    DELETE FROM checkpoint_blobs WHERE thread_id = :thread AND checkpoint_ns = :namespace
    AND NOT EXISTS (SELECT 1 FROM json_each(:versions) WHERE key = channel AND value = version)
    """

# The other tables are langgraph-checkpoint-sqlite's; a test notices a column that it adds.
_COPY = (
    """
    INSERT INTO checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
    SELECT :target, checkpoint_ns, channel, version, type, blob
    FROM checkpoint_blobs WHERE thread_id = :source
    """,
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
        yield SqliteSaver(database, await database.read(driver_connection))
    finally:
        await database.close()


def _prepare_file(path: Path, location: str) -> Database:
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
        switch_to_wal(connection)
        LangGraphSaver(connection).setup()
        connection.execute(_CREATE_VALUES)
    return sqlite_file(path, location)
