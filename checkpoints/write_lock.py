"""The lock that a SQLite store is written under: how it is waited for, and which process holds it.

A process that is stopped inside a transaction keeps it from all others until it is woken or ended.
"""

import logging
import os
import re
import sqlite3
import time
from pathlib import Path

from entente.errors import StoreLocked

_log = logging.getLogger(__name__)

BUSY_SECONDS = 30
"""How long a write waits for another process's: longer than any of ours takes, even on a slow disk."""

NOTICE_SECONDS = 1
"""How long it waits before that is said."""

_LOCKED_BYTE = 120
"""SQLite's WAL-index file format: whoever writes has locked this byte of the file that ends in `-shm`."""

_LOCK = re.compile(r"^\d+: POSIX +\w+ +WRITE (\d+) (\S+) (\d+) (\d+)$", re.MULTILINE)
"""A line of proc_locks(5): process, device with inode, first and last byte; a lock to the end of its file is none."""

_UNKNOWN = "another process (which one is not known)"


class WriteLock:
    """The lock of one file, as one process takes it."""

    def __init__(self, file: Path, location: str) -> None:
        self._file = file
        self._location = location
        self._is_told = False
        """Whether it was said who holds the lock, since we had it last."""

    def begin(self, connection: sqlite3.Connection) -> None:
        """Begin a transaction that has the lock, as soon as it is free; raises StoreLocked after BUSY_SECONDS."""
        until = time.monotonic() + BUSY_SECONDS
        _be_patient(connection, NOTICE_SECONDS)
        try:
            while not _has_begun(connection):
                self._go_on_waiting(time.monotonic() < until)
        finally:
            _be_patient(connection, BUSY_SECONDS)
        self._is_told = False

    def _go_on_waiting(self, may_wait: bool) -> None:
        holder = _holder_of(self._file)
        if not may_wait:
            raise StoreLocked(
                f"The store at {self._location} cannot be used: {holder} has kept it locked for {BUSY_SECONDS} s; "
                "nothing was changed."
            )
        if not self._is_told:
            self._is_told = True
            _log.warning(
                f"The store at {self._location} is locked by {holder}; a write waits for it, {BUSY_SECONDS} s at most."
            )


def _be_patient(connection: sqlite3.Connection, seconds: float) -> None:
    connection.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")


def _has_begun(connection: sqlite3.Connection) -> bool:
    """False when the lock did not become free while SQLite waited for it."""
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        # The lowest byte is the kind, the next one says why.
        if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


def _holder_of(file: Path) -> str:
    """The process that has locked this file for writing, in words; only Linux tells."""
    try:
        shared = Path(f"{file}-shm").stat()
        locks = Path("/proc/locks").read_text(encoding="ascii")
    except OSError:
        return _UNKNOWN
    place = f"{os.major(shared.st_dev):02x}:{os.minor(shared.st_dev):02x}:{shared.st_ino}"
    for pid, locked, first, last in _LOCK.findall(locks):
        if locked == place and int(first) <= _LOCKED_BYTE <= int(last):
            return f"process {pid}"
    return _UNKNOWN
