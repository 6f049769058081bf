"""What has been pushed to a trainer's queue, kept in a file: the queue takes the same group twice and tells nobody.

A push is entered before it is made. One that was under way when its process was killed stays open, until somebody has
found out what became of it.
"""

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal, TypeAlias

from checkpoints.failures import translated
from checkpoints.private import make_file
from entente.errors import SettingsError

State: TypeAlias = Literal["open", "received", "unknown"]
"""`open`: the push is under way. `unknown`: nobody can say whether it arrived."""

_TABLE = "CREATE TABLE IF NOT EXISTS pushes (at INTEGER PRIMARY KEY, push TEXT UNIQUE NOT NULL, state TEXT NOT NULL)"


class Pushes:
    """The pushes of one file; one process at a time has it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def state(self, push: str) -> State | None:
        """What became of the push; None for one that was never begun."""
        return self._one("SELECT state FROM pushes WHERE push = ?", push)

    def open_push(self) -> str | None:
        """The push that was under way when the file was left."""
        return self._one("SELECT push FROM pushes WHERE state = 'open' ORDER BY at DESC")

    def last_received(self) -> str | None:
        """The latest push that arrived."""
        return self._one("SELECT push FROM pushes WHERE state = 'received' ORDER BY at DESC")

    def enter(self, push: str, state: State) -> None:
        """Keep this, on disk when it returns; what is entered anew becomes the latest."""
        self._connection.execute("INSERT OR REPLACE INTO pushes (push, state) VALUES (?, ?)", (push, state))

    def strike(self, push: str) -> None:
        """Forget a push that was never made."""
        self._connection.execute("DELETE FROM pushes WHERE push = ?", (push,))

    def _one(self, query: str, *values: str) -> State | None:
        row = self._connection.execute(query, values).fetchone()
        return row and row[0]


@contextmanager
def open_pushes(path: Path) -> Generator[Pushes]:
    """The pushes of this file, which is made where there is none.

    Raises SettingsError for a file that is none, or that another process has open.
    """
    with translated(str(path), noun="file"):
        make_file(path)
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_TABLE)
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise SettingsError(
                f"The file of what was pushed was wanted and {path} cannot be used ({error}); nothing was pushed."
            ) from error
        yield Pushes(connection)
