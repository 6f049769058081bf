"""The one place where what a database driver raises becomes an error of ours."""

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy import exc

from entente.errors import StoreUnavailable

DRIVER_ERRORS: tuple[type[Exception], ...] = (
    sqlite3.Error,
    OSError,
    exc.DBAPIError,
    exc.TimeoutError,
    exc.ArgumentError,
    exc.NoSuchModuleError,
    UnicodeDecodeError,  # of names in a damaged file; rows of ours are read whatever is in them
)
"""What SQLite, the file system and SQLAlchemy raise; `checkpoints.postgres` adds its driver's own."""

_CAUSES = (
    ("not a database", "the file is damaged, or is no store"),
    ("malformed", "the file is damaged"),
    ("codec can't decode", "the file is damaged"),
    ("disk is full", "the disk is full"),
    ("no space left", "the disk is full"),
    ("ioerr_shmsize", "the disk is full"),
    ("disk i/o error", "the disk fails, or the file may not grow"),
    ("readonly", "it may not be written"),
    ("no such file", "it is not there"),
    ("file exists", "a file stands where a folder should"),
    ("directory", "a file stands where a folder should, or the other way round"),
    ("permission denied", "it may not be read or written"),
    ("unable to open", "it cannot be opened or created"),
    ("is locked", "another program keeps it locked"),
    ("connection", "the database server cannot be reached or refuses us"),
)


@contextmanager
def translated(
    location: str, kinds: tuple[type[Exception], ...] = DRIVER_ERRORS, *, noun: str = "store"
) -> Generator[None]:
    """Turn errors of these kinds into StoreUnavailable; all others pass."""
    try:
        yield
    except kinds as error:
        detail = _detail(error)
        cause = next((text for sign, text in _CAUSES if sign in detail.lower()), "its driver failed")
        message = f"The {noun} at {location} cannot be used: {cause}; nothing was changed ({detail})."
        raise StoreUnavailable(message) from error


def _detail(error: Exception) -> str:
    # SQLAlchemy's own text would repeat the statement with its parameters: other people's private press.
    told = error.orig if isinstance(error, exc.DBAPIError) and error.orig is not None else error
    text = (str(told).strip() or type(told).__name__).splitlines()[0].rstrip(".")
    if isinstance(told, sqlite3.OperationalError) and told.sqlite_errorcode & 0xFF == sqlite3.SQLITE_IOERR:
        return f"{text}, {told.sqlite_errorname}"  # which of a dozen, SQLite says by this name alone
    return text
