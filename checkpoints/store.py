"""The front door: one store, with its journal, leases, saver and library, opened and closed together."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sqlalchemy.engine import URL, make_url

from checkpoints import older
from checkpoints.database import Database, postgres, sqlite_file, sqlite_memory
from checkpoints.drafts import Drafts
from checkpoints.early import EarlyAnswers
from checkpoints.failures import DRIVER_ERRORS, translated
from checkpoints.journal import Journal
from checkpoints.lease import TTL_SECONDS, Leases
from checkpoints.library import Library
from checkpoints.links import Links
from checkpoints.locations import JOURNAL_FILE, MEMORY, default_folder
from checkpoints.migrations import SCHEMA_VERSION, migrate, schema_version
from checkpoints.private import is_only_readable, make_file, make_folder
from checkpoints.process import this_process
from checkpoints.saver import Saver
from checkpoints.words import CrewWords
from entente.errors import StoreUnavailable

_POSTGRES = ("postgresql://", "postgres://")
_BAD_URL = (*DRIVER_ERRORS, ValueError)
"""What a URL that cannot be used raises; ValueError: a port in letters."""


@dataclass(frozen=True, slots=True)
class Store:
    """Everything that is kept at one location; one for a process and location."""

    location: str
    """Fit for showing: a folder, `memory`, or a URL whose password is masked."""
    journal: Journal
    leases: Leases
    saver: Saver
    library: Library
    drafts: Drafts
    early: EarlyAnswers
    links: Links
    """Who may look at games over the page's server."""
    words: CrewWords


@asynccontextmanager
async def open_store(
    location: str | None = None, *, lease_seconds: float = TTL_SECONDS
) -> AsyncGenerator[Store]:
    """The store at a folder, a `postgresql://` URL, `memory`, or None for the user's own folder.

    What is not there is created, and older tables are brought up to date. A run that has not been heard of for
    `lease_seconds` is taken for dead. A folder that may not be written can be read; what would write in it raises
    StoreUnavailable. Raises StoreUnavailable and NewerSchema, and then nothing was changed.
    """
    folder = _folder_of(location)
    is_read_only = folder is not None and await asyncio.to_thread(is_only_readable, folder / JOURNAL_FILE)
    database = await asyncio.to_thread(_database_at, location, folder, is_read_only=is_read_only)
    try:
        leases = Leases(database, await asyncio.to_thread(this_process), ttl_seconds=lease_seconds)
        await _bring_up_to_date(database, leases, None if is_read_only else folder)
        store = _assembled(database, leases)
        async with leases.beating():
            try:
                yield store
            finally:
                store.journal.close()
    finally:
        await database.close()


@asynccontextmanager
async def open_to_read(location: str | None = None) -> AsyncGenerator[Store]:
    """The store as it is, of whatever schema, for reading alone: nothing in it can be changed through this.

    It must be there. Raises StoreUnavailable.
    """
    database = await asyncio.to_thread(_database_at, location, _folder_of(location), is_read_only=True)
    try:
        yield _assembled(database, Leases(database, await asyncio.to_thread(this_process)))
    finally:
        await database.close()


def _folder_of(location: str | None) -> Path | None:
    """None for a store that is no folder."""
    if location is None:
        return default_folder()
    return None if location == MEMORY or location.startswith(_POSTGRES) else Path(location)


def _database_at(location: str | None, folder: Path | None, *, is_read_only: bool = False) -> Database:
    """For a thread: making an engine loads modules and asks the file system."""
    if folder is not None:
        if is_read_only:
            return sqlite_file(folder / JOURNAL_FILE, str(folder), is_read_only=True)
        with translated(str(folder)):
            make_folder(folder)
            make_file(folder / JOURNAL_FILE)  # SQLite gives its mode to the files that it adds
            return sqlite_file(folder / JOURNAL_FILE, str(folder))
    if location is None or location == MEMORY:
        return sqlite_memory()
    with translated("the URL that was given", _BAD_URL):
        return _in_postgres(make_url(location), is_read_only=is_read_only)


def _in_postgres(url: URL, *, is_read_only: bool) -> Database:
    try:
        return postgres(url.set(drivername="postgresql+psycopg"), _shown(url), is_read_only=is_read_only)
    except ImportError as error:  # its driver is an extra
        raise StoreUnavailable(
            "A store in Postgres was wanted and its driver is not installed; nothing was opened,"
            " please install entente[postgres]."
        ) from error


def _shown(url: URL) -> str:
    told = url.set(drivername="postgresql").difference_update_query(["password"])
    return told.render_as_string(hide_password=True)


async def _bring_up_to_date(database: Database, leases: Leases, folder: Path | None) -> None:
    file = folder / older.FILE if folder else None
    # Read first: a writer that is stopped inside a transaction hinders no reader.
    if await database.read(schema_version) != SCHEMA_VERSION:
        await database.write(partial(migrate, leases=leases, location=database.location, file=file))
    if file is not None:
        with translated(database.location):
            await asyncio.to_thread(older.remove, file)


def _assembled(database: Database, leases: Leases) -> Store:
    saver = Saver(database, leases)
    return Store(
        location=database.location,
        journal=Journal(database, leases),
        leases=leases,
        saver=saver,
        library=Library(database, leases, saver),
        drafts=Drafts(database),
        early=EarlyAnswers(database),
        links=Links(database),
        words=CrewWords(database),
    )
