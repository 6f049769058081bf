"""The front door: one store, with its journal, leases, saver and library, opened and closed together."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from sqlalchemy.engine import URL, make_url

from checkpoints.database import Database, postgres, sqlite_file, sqlite_memory
from checkpoints.failures import DRIVER_ERRORS, translated
from checkpoints.journal import Journal
from checkpoints.lease import Leases
from checkpoints.library import Library
from checkpoints.migrations import migrate
from checkpoints.process import this_process
from checkpoints.saver import MemorySaver, strict_serializer
from checkpoints.sqlite import open_sqlite
from entente.errors import StoreUnavailable

if TYPE_CHECKING:
    from checkpoints.postgres import PostgresSaver

    OpenSaver: TypeAlias = Callable[[str, str], AbstractAsyncContextManager[PostgresSaver]]

MEMORY = "memory"
CHECKPOINTS_FILE = "checkpoints.sqlite"
JOURNAL_FILE = "journal.sqlite"


@dataclass(frozen=True, slots=True)
class Store:
    """Everything that is kept at one location; one for a process and location."""

    location: str
    """Fit for showing: a folder, `memory`, or a URL whose password is masked."""
    journal: Journal
    leases: Leases
    saver: BaseCheckpointSaver[str]
    library: Library

    async def checkpoint_before(self, game: str, checkpoint: str) -> str | None:
        """The checkpoint that this one followed, if that was the game's latest; None where it branched off earlier."""
        config = RunnableConfig(configurable={"thread_id": game})
        latest = [found async for found in self.saver.alist(config, limit=2)]
        ids = [found.config.get("configurable", {}).get("checkpoint_id") for found in latest]
        if len(ids) < 2 or ids[0] != checkpoint:
            return None
        parent = (latest[0].parent_config or {}).get("configurable", {}).get("checkpoint_id")
        return parent if parent == ids[1] else None


@asynccontextmanager
async def open_store(location: str | None = None) -> AsyncGenerator[Store]:
    """The store at a folder, a `postgresql://` URL, `memory`, or None for the user's own folder.

    What is not there is created, and older tables are brought up to date. Raises StoreUnavailable
    and NewerSchema, and then nothing was changed.
    """
    if location == MEMORY:
        opened = _open_memory()
    elif location is not None and location.startswith(("postgresql://", "postgres://")):
        opened = _open_postgres(location)
    else:
        opened = _open_folder(default_folder() if location is None else Path(location))
    async with opened as store, store.leases.beating():
        try:
            yield store
        finally:
            store.journal.close()


def default_folder() -> Path:
    """The user's own store: `entente` in the XDG data folder, `~/.local/share` unless it is set."""
    data = os.environ.get("XDG_DATA_HOME", "")
    return (Path(data) if Path(data).is_absolute() else Path.home() / ".local" / "share") / "entente"


@asynccontextmanager
async def _open_folder(folder: Path) -> AsyncGenerator[Store]:
    location = str(folder)
    with translated(location):
        database = await asyncio.to_thread(_prepare_folder, folder)
    async with (
        _migrated(database) as journal,
        open_sqlite(folder / CHECKPOINTS_FILE, location) as checkpoints,
    ):
        yield await _assembled(journal, checkpoints)


@asynccontextmanager
async def _open_memory() -> AsyncGenerator[Store]:
    async with _migrated(sqlite_memory()) as journal:
        yield await _assembled(journal, MemorySaver(serde=strict_serializer()))


@asynccontextmanager
async def _open_postgres(location: str) -> AsyncGenerator[Store]:
    with translated("the URL that was given", (*DRIVER_ERRORS, ValueError)):  # ValueError: a port in letters
        database, open_saver = await asyncio.to_thread(_prepare_postgres, location)
    # The journal first: its driver tells at once that nobody answers, the saver's pool goes on trying.
    async with (
        _migrated(database) as journal,
        open_saver(location, journal.location) as checkpoints,
    ):
        yield await _assembled(journal, checkpoints)


# Making an engine loads modules and asks the file system: also work for a thread.


def _prepare_folder(folder: Path) -> Database:
    folder.mkdir(parents=True, exist_ok=True)
    return sqlite_file(folder / JOURNAL_FILE, str(folder))


def _prepare_postgres(location: str) -> "tuple[Database, OpenSaver]":
    try:
        from checkpoints.postgres import open_postgres  # its driver is an extra
    except ImportError as error:
        raise StoreUnavailable(
            "A store in Postgres was wanted and its driver is not installed; nothing was opened,"
            " please install entente[postgres]."
        ) from error
    url = make_url(location)
    return postgres(url.set(drivername="postgresql+psycopg"), _shown(url)), open_postgres


def _shown(url: URL) -> str:
    told = url.set(drivername="postgresql").difference_update_query(["password"])
    return told.render_as_string(hide_password=True)


@asynccontextmanager
async def _migrated(journal: Database) -> AsyncGenerator[Database]:
    try:
        await journal.write(partial(migrate, location=journal.location))
        yield journal
    finally:
        await journal.close()


async def _assembled(journal: Database, checkpoints: BaseCheckpointSaver[str]) -> Store:
    leases = Leases(journal, await asyncio.to_thread(this_process))
    return Store(
        location=journal.location,
        journal=Journal(journal, leases),
        leases=leases,
        saver=checkpoints,
        library=Library(journal, leases, checkpoints),
    )
