"""One store for each event loop in which nobody opens one: Studio's, and that of whoever imports `graph.game:graph`.

`langgraph.json` names `checkpointer` as the factory, so that `langgraph dev` keeps its games where the
command line does, and either can go on with what the other began.
"""

import asyncio
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import Context
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from pydantic import ValidationError

from checkpoints.damage import UNREADABLE
from checkpoints.saver import Saver
from checkpoints.store import Store, open_store
from checkpoints.threads import place_of
from entente.config import StoreSettings
from entente.errors import BoardError, CheckpointError, EntenteError, UnknownGame
from entente.validation import first_error
from graph.state import GameState, check_state


class GameError(ValueError):
    """Raised to a server in place of any error of ours, with its words: it hides those of errors it does not know."""


@contextmanager
def told_to_a_server() -> Generator[None]:
    """Our errors as GameError."""
    try:
        yield
    except EntenteError as error:
        raise GameError(str(error)) from error


class _LoopsStore:
    """The store of one event loop, which a task of that loop keeps open.

    A loop that ends cancels its tasks and waits for them, so the store is closed in it at the latest then.
    """

    def __init__(self) -> None:
        self.users = 0
        self._loop = asyncio.get_running_loop()
        self._opened: asyncio.Future[Store] = self._loop.create_future()
        self._is_over = asyncio.Event()
        # In a context of its own: whoever needs the store first may hold a game.
        self._keeper = self._loop.create_task(self._keep(), name="shared store", context=Context())

    async def store(self) -> Store:
        await asyncio.wait([self._opened, self._keeper], return_when=asyncio.FIRST_COMPLETED)
        if not self._opened.done():
            await self._keeper  # which has failed to open it
        return self._opened.result()

    async def close(self) -> None:
        self._forget()
        self._is_over.set()
        await asyncio.wait([self._keeper])

    async def _keep(self) -> None:
        try:
            async with open_store(StoreSettings().store) as store:
                self._opened.set_result(store)
                await self._is_over.wait()
        finally:
            self._forget()

    def _forget(self) -> None:
        if _stores.get(self._loop) is self:
            del _stores[self._loop]


_stores: dict[asyncio.AbstractEventLoop, _LoopsStore] = {}


def _loops_store() -> _LoopsStore:
    loop = asyncio.get_running_loop()
    if loop not in _stores:
        _stores[loop] = _LoopsStore()
    return _stores[loop]


def unlike_a_game(thread: str, error: Exception) -> CheckpointError:
    """What is told of an edit that has raised this."""
    parts = first_error(error)["loc"] if isinstance(error, ValidationError) else ()
    what = f" by its {parts[0]}" if parts else ""
    return CheckpointError(
        f"A state that a game can have was wanted for {thread}, and what came is none{what}; nothing was written."
    )


def _check(config: RunnableConfig, values: dict[str, Any]) -> None:
    """Raise GameError for values of a game that has begun which are none of a game; talks have no status."""
    if "status" not in values:
        return
    try:
        check_state(values)
    except (BoardError, *UNREADABLE) as error:
        with told_to_a_server():
            raise unlike_a_game(place_of(config).thread, error) from error


class WholeGames(Saver):
    """The store's saver, for one who knows nothing of its journal: what is done to a thread is done to the game."""

    def __init__(self, store: Store) -> None:
        super().__init__(store.library.database, store.leases)
        self._library = store.library
        self._journal = store.journal

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """As any saver; raises GameError for a state that no game can have, which an edit may make."""
        _check(config, checkpoint["channel_values"])
        if metadata.get("source") == "update":
            await self._check_past(config, checkpoint["channel_values"])
        return await super().aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """As any saver; raises GameError for what makes such a state and no step has written, but a command."""
        changes = {channel: value for channel, value in writes if channel in GameState.__annotations__}
        if changes and not task_path and (kept := await self.aget_tuple(config)):
            _check(config, kept.checkpoint["channel_values"] | changes)
            await self._check_past(config, changes)
        await super().aput_writes(config, writes, task_id, task_path)

    async def _check_past(self, config: RunnableConfig, values: dict[str, Any]) -> None:
        """Raise GameError where an edit names a phase or a segment that the game's journal has not."""
        thread, history = place_of(config).thread, values.get("history")
        with told_to_a_server():
            opened = {segment.id for segment in await self._journal.segments(thread)}
            is_there = history is None or await self._journal.phase(thread, history)
        if not is_there or not opened.issuperset(values.get("segments") or ()):
            raise GameError(
                f"A state that a game can have was wanted for {thread}, and one with a past that its journal has not "
                "came; nothing was written."
            )

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete the game, its press too; a run of this process that plays it ends with its next write.

        Raises GameError while another process plays it.
        """
        with told_to_a_server():
            await self._library.drop(thread_id)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Take back what these runs have played; a game that one of them has begun is deleted, its press too.

        Raises GameError while another process plays the game.
        """
        with told_to_a_server():
            await self._library.take_back([*map(str, run_ids)])

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
    """The running loop's store: where `ENTENTE_STORE` says, opened on first use; raises StoreUnavailable."""
    return await _loops_store().store()


@asynccontextmanager
async def checkpointer() -> AsyncGenerator[WholeGames]:
    """A checkpointer over the running loop's store, for `langgraph.json`; its last user closes the store."""
    shared = _loops_store()
    shared.users += 1
    try:
        yield WholeGames(await shared.store())
    finally:
        shared.users -= 1
        if not shared.users:
            await shared.close()
