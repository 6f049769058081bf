"""Checkpoints in Postgres; imported only where a store is there, since its driver is an extra."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncConnection, Error
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool

from checkpoints.database import BUSY_SECONDS
from checkpoints.failures import DRIVER_ERRORS, translated
from checkpoints.saver import strict_serializer

_DRIVER_ERRORS = (*DRIVER_ERRORS, Error)
_CONNECT_SECONDS = 10
_POLL_SECONDS = 0.05
_SETUP_LOCK = 0x636865636B  # "check" in ASCII

Pool = AsyncConnectionPool[AsyncConnection[DictRow]]


class PostgresSaver(AsyncPostgresSaver):
    """Checkpoints in a Postgres database, through a pool; raises StoreUnavailable."""

    def __init__(self, pool: Pool, location: str) -> None:
        super().__init__(pool, serde=strict_serializer())
        self._location = location
        self._pool = pool

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """As the saver does."""
        with self._translated():
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
        with self._translated():
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
        with self._translated():
            return await super().aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """As the saver does."""
        with self._translated():
            await super().aput_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """As the saver does."""
        with self._translated():
            await super().adelete_thread(thread_id)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy everything of a thread, or nothing."""
        parameters = {"source": source_thread_id, "target": target_thread_id}
        with self._translated():
            async with self._pool.connection() as connection, connection.transaction():
                for statement in _COPY:
                    await connection.execute(statement, parameters)

    async def setup(self) -> None:
        """Create the tables that are missing; processes that do so at once go one after the other."""
        async with asyncio.timeout(BUSY_SECONDS), self._pool.connection() as connection:
            # Asked for again and again: one that waits in Postgres would itself be waited for by the other's
            # CREATE INDEX CONCURRENTLY, for ever. langgraph-checkpoint-postgres 3.2 takes no lock of its own.
            while not await _try_lock(connection):  # noqa: ASYNC110 - what is waited for is another process
                await asyncio.sleep(_POLL_SECONDS)
            try:
                await super().setup()
            finally:
                await connection.execute("SELECT pg_advisory_unlock(%s)", (_SETUP_LOCK,))

    def _translated(self) -> AbstractContextManager[None]:
        return translated(self._location, _DRIVER_ERRORS)


async def _try_lock(connection: AsyncConnection[DictRow]) -> bool:
    found = await connection.execute("SELECT pg_try_advisory_lock(%s) AS locked", (_SETUP_LOCK,))
    row = await found.fetchone()
    return row is not None and bool(row["locked"])


# The tables are langgraph-checkpoint-postgres's; a test notices a column that it adds.
_COPY = (
    """
    INSERT INTO checkpoints
        (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)
    SELECT %(target)s, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata
    FROM checkpoints WHERE thread_id = %(source)s
    """,
    """
    INSERT INTO checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
    SELECT %(target)s, checkpoint_ns, channel, version, type, blob
    FROM checkpoint_blobs WHERE thread_id = %(source)s
    """,
    """
    INSERT INTO checkpoint_writes
        (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob)
    SELECT %(target)s, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob
    FROM checkpoint_writes WHERE thread_id = %(source)s
    """,
)


@asynccontextmanager
async def open_postgres(url: str, location: str) -> AsyncGenerator[PostgresSaver]:
    """The saver over the database at this URL; raises StoreUnavailable."""
    pool = Pool(
        url,
        min_size=1,
        max_size=4,
        open=False,
        timeout=_CONNECT_SECONDS,
        kwargs={"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row},
    )
    try:
        saver = PostgresSaver(pool, location)
        with translated(location, _DRIVER_ERRORS):
            await pool.open(wait=True, timeout=_CONNECT_SECONDS)
            await saver.setup()
        yield saver
    finally:
        await pool.close()
