"""LangGraph's saver over the store's own database: one for SQLite, memory and Postgres.

A checkpoint shares its transaction with whatever waits at the same moment, a turn or a task's writes, and each write is
fenced like a turn (`checkpoints.fence`). The serializer is strict: a checkpoint gives back plain values
and LangGraph's own, never an object of a class that the stored bytes name. The state is plain JSON, so
nothing is missed.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from functools import partial
from itertools import islice
from secrets import token_hex
from typing import Any, NoReturn

from cachetools import LRUCache
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    get_checkpoint_metadata,
)
from sqlalchemy import Connection, Select, func, select

from checkpoints import threads
from checkpoints.database import Database
from checkpoints.fence import Asker, Fence
from checkpoints.lease import Leases
from checkpoints.tables import CHECKPOINTS
from checkpoints.threads import Place, Threads, config_of, place_of, strict_serializer
from entente.errors import CheckpointError, EntenteError

_KEPT_SECONDS = 30
_LOOK_SECONDS = 0.01
_REFUSALS_KEPT = 64


class Saver(BaseCheckpointSaver[str]):
    """Checkpoints for graphs that are run asynchronously; raises StoreUnavailable, GameHeld and LeaseLost."""

    def __init__(self, database: Database, leases: Leases) -> None:
        super().__init__(serde=strict_serializer())
        self._database = database
        self._leases = leases
        self._fence = Fence(leases)
        self._threads = Threads(database.dialect)
        self._newest: dict[str, str] = {}
        """By thread, the checkpoint that was written last."""
        self._refused = LRUCache[str, EntenteError](_REFUSALS_KEPT)
        """By checkpoint, why it was not written, until whoever waits for it has been told."""

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint of the configuration's id, or else the newest."""
        place, checkpoint = place_of(config), _checkpoint_of(config)
        return await self._database.read(
            lambda connection: self._threads.get(connection, self.serde, place, checkpoint)
        )

    async def wait_until_kept(self, thread: str, checkpoint: str) -> None:
        """Return once the checkpoint is on disk; LangGraph may write it beside the step that begins from it.

        Returns at once for a thread that is kept elsewhere. Raises what the checkpoint was refused with, and
        CheckpointError when it is not written in time.
        """

        async def is_kept() -> bool:
            if self._newest.get(thread) == checkpoint:
                return True
            if refused := self._refused.pop(checkpoint, None):
                raise refused
            newest = await self._newest_of(thread)
            return newest is None or newest >= checkpoint  # ids grow with time

        await _look_until(
            is_kept,
            f"The checkpoint before the next step of game {thread} was not written within {_KEPT_SECONDS} "
            'seconds, so that nobody was asked; play it with durability="sync".',
        )

    async def wait_until_begun(self, thread: str) -> None:
        """Return once the thread has a checkpoint; raises CheckpointError when none is written in time."""

        async def has_begun() -> bool:
            return await self._newest_of(thread) is not None

        await _look_until(
            has_begun,
            f"A run that is kept was wanted and no checkpoint of {thread} was written within {_KEPT_SECONDS} "
            'seconds; no game was begun, please run it in a thread and with durability="sync" or "async".',
        )

    async def interrupted_before(self, thread: str, checkpoint: str) -> str | None:
        """The thread's newest checkpoint when new input came, whose first step began from `checkpoint`.

        None where the input began a branch from an earlier one, or the thread.
        """
        config = RunnableConfig(configurable={"thread_id": thread, "checkpoint_ns": ""})
        latest = [found async for found in self.alist(config, limit=3)]
        if len(latest) < 3 or _checkpoint_of(latest[0].config) != checkpoint:
            return None
        parents = [_checkpoint_of(found.parent_config or {}) for found in latest[:2]]
        return parents[1] if parents == [_checkpoint_of(found.config) for found in latest[1:]] else None

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's own word
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncGenerator[CheckpointTuple]:
        """The checkpoints whose metadata have what `filter` says, newest first, read as one."""
        query, wanted = _query(config, before), filter or {}

        def find(connection: Connection) -> list[CheckpointTuple]:
            return [*islice(self._threads.find(connection, self.serde, query, wanted), limit)]

        for found in await self._database.read(find):
            yield found

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Keep the checkpoint, and its values that are new; the configuration that points at it."""
        place, parent = place_of(config), _checkpoint_of(config)
        known = get_checkpoint_metadata(config, metadata)
        packed = threads.pack(self.serde, place, parent, checkpoint, known, new_versions)
        asker, source = Asker(place, self._leases.held(place.thread)), known.get("source", "")

        def put(connection: Connection) -> None:
            self._fence.check_checkpoint(connection, asker, checkpoint["id"], parent, source)
            self._threads.put(connection, packed)

        try:
            await self._database.write(put)
        except EntenteError as error:
            self._refused[checkpoint["id"]] = error
            raise
        self._note_newest(place, checkpoint["id"])
        return config_of(place, checkpoint["id"])

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Keep what a task has written before its checkpoint is made."""
        place, checkpoint = place_of(config), _checkpoint_of(config) or ""
        run = get_checkpoint_metadata(config, {}).get("run_id")
        rows = threads.pack_writes(self.serde, place, checkpoint, task_id, task_path, run, writes)
        asker = Asker(place, self._leases.held(place.thread))

        def put(connection: Connection) -> None:
            self._fence.check_writes(connection, asker, checkpoint)
            self._threads.put_writes(connection, rows)

        await self._database.write(put)

    async def check_newest(self, place: Place, checkpoint: str) -> None:
        """Raises LeaseLost where the place has a later checkpoint, past which a run cannot go on from this one."""
        await self._database.read(partial(self._fence.check_newest, place=place, checkpoint=checkpoint))

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete everything of a thread."""
        await self._database.write(partial(threads.delete_thread, thread=str(thread_id)))

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete what these runs of LangGraph's server have written."""
        runs = [*map(str, run_ids)]

        def delete_runs(connection: Connection) -> None:
            for thread in threads.threads_of_runs(connection, runs):
                threads.delete_runs(connection, self.serde, thread=thread, runs=runs)

        await self._database.write(delete_runs)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy everything of a thread, or nothing."""
        source, target = str(source_thread_id), str(target_thread_id)
        await self._database.write(partial(threads.copy_thread, source=source, target=target))

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Keep the latest checkpoint of each namespace, or with `delete` none."""
        for thread in map(str, thread_ids):
            if strategy == "delete":
                await self.adelete_thread(thread)
            else:
                await self._database.write(partial(threads.keep_latest, serde=self.serde, thread=thread))

    def get_next_version(self, current: str | None, channel: None) -> str:  # noqa: ARG002 - LangGraph's interface
        """A later version, which no other future of the same checkpoint has: values are found by it.

        Versions are compared as text, so they are as wide as those that LangGraph's server makes by itself.
        """
        number = int(str(current).split(".")[0]) + 1 if current else 1
        return f"{number:032}.{token_hex(5)}"

    async def _newest_of(self, thread: str) -> str | None:
        query = select(func.max(CHECKPOINTS.c.id)).where(
            CHECKPOINTS.c.thread == thread, CHECKPOINTS.c.namespace == ""
        )
        return await self._database.read(lambda connection: connection.scalar(query))

    def _note_newest(self, place: Place, checkpoint: str) -> None:
        if not place.namespace:
            self._newest[place.thread] = checkpoint

    def _refuse(self, *_arguments: Any, **_options: Any) -> NoReturn:
        raise CheckpointError(
            "A graph over this store was called synchronously; nothing was done, please call it by `ainvoke`,"
            " `astream`, `aget_state` and the like."
        )

    get_tuple = list = put = put_writes = delete_thread = _refuse


async def _look_until(is_so: Callable[[], Awaitable[bool]], otherwise: str) -> None:
    """Return once it is so; raises CheckpointError with the sentence when that does not come in time."""
    until = asyncio.get_running_loop().time() + _KEPT_SECONDS
    while not await is_so():
        if asyncio.get_running_loop().time() > until:
            raise CheckpointError(otherwise)
        await asyncio.sleep(_LOOK_SECONDS)


def _checkpoint_of(config: RunnableConfig) -> str | None:
    return config.get("configurable", {}).get("checkpoint_id")


def _query(config: RunnableConfig | None, before: RunnableConfig | None) -> Select[Any]:
    query = select(CHECKPOINTS).order_by(CHECKPOINTS.c.id.desc())
    if config is not None:
        where = config.get("configurable", {})
        columns = {
            "thread_id": CHECKPOINTS.c.thread,
            "checkpoint_ns": CHECKPOINTS.c.namespace,
            "checkpoint_id": CHECKPOINTS.c.id,
        }
        query = query.where(
            *(column == str(where[key]) for key, column in columns.items() if where.get(key) is not None)
        )
    if before is not None and (checkpoint := _checkpoint_of(before)):
        query = query.where(CHECKPOINTS.c.id < checkpoint)
    return query
