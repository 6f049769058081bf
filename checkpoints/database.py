"""A database of the store, used from threads of its own so that nothing blocks the event loop.

SQLAlchemy's asyncio layer is not used: it crosses threads a dozen times in one transaction. A
turn's commit was measured at 0.6 to 1.2 ms of CPU there and at 0.3 ms here, where a transaction is
one function that runs in one thread.
"""

import asyncio
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar, cast

from sqlalchemy import Connection, Engine, NullPool, StaticPool, Table, create_engine, event
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import URL

from checkpoints.changes import Changes, Hints, ticks
from checkpoints.commit_order import News, news_after, take_numbers
from checkpoints.failures import translated
from checkpoints.open_file import OpenFile
from checkpoints.write_lock import BUSY_SECONDS, WriteLock
from entente.errors import StoreLocked, StoreUnavailable

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

T = TypeVar("T")
Begin: TypeAlias = Callable[[sqlite3.Connection], object]
"""Begins a transaction in SQLite, which has several ways."""

_SWITCH_SECONDS = 0.01
_READERS = 4
AWAY_SECONDS = 10
"""How long a server is waited for that has gone away; it takes a second or two to be started anew."""
_AGAIN_SECONDS = 0.2


class _Write(NamedTuple, Generic[T]):
    """Work that waits for a transaction."""

    work: Callable[[Connection, int], T]
    """Is given the first of its numbers in the order of commits."""
    numbers: int
    """How many it takes."""
    done: Callable[[T], None] | None
    outcome: asyncio.Future[T]


class _ServerGone(StoreUnavailable):
    """Raised where the connection to a server was lost before anything was committed."""


class Database:
    """An engine and its threads. One of them writes, so that commits come in the order in which they were asked for.

    Writes that wait at the same moment share a transaction: the seven powers of a simultaneous round
    cost one trip to the disk. When one of them fails, all are undone and each is tried by itself. Where there is an
    engine for reading, several threads read with it at once; else the writer reads too.
    """

    def __init__(
        self,
        engine: Engine,
        location: str,
        *,
        reading: Engine | None = None,
        hints: Callable[[], Hints] | None = None,
        lock: WriteLock | None = None,
        check: Callable[[], None] = lambda: None,
        check_room: Callable[[], None] = lambda: None,
    ) -> None:
        """`check` is called before each transaction is committed, and undoes it by raising an error."""
        self.check_room = check_room
        """For a transaction: raises StoreUnavailable where there is no room for a step of a game."""
        self.dialect = engine.dialect.name
        self.location = location
        self.changes = Changes(self._news_after, hints, location)
        self._engine = engine
        self._reading = reading or engine
        self._begin_to_write = lock.begin if lock else _begin
        self._check = check
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="reader") if reading else self._writer
        self._own = threading.local()
        self._connections: list[Connection] = []
        self._losses = 0
        """How often a server was found to be gone; each thread renews its connection once for it."""
        self._is_given_up = False
        """True once a server was waited for in vain: until it is there again, nobody waits for it."""
        self._waiting: deque[_Write[Any]] = deque()
        self._is_called = False
        self._is_closed = False

    async def read(self, work: Callable[[Connection], T]) -> T:
        """What `work` returns, which sees the store as it is at one moment; raises StoreUnavailable."""
        self._check_open()
        loop = asyncio.get_running_loop()
        return await _finished(
            loop.run_in_executor(
                self._readers, lambda: self._patiently(self._reading, _begin, work, is_read=True)
            )
        )

    async def write(self, work: Callable[[Connection], T], done: Callable[[T], None] | None = None) -> T:
        """What `work` returns, once its transaction is committed; raises StoreUnavailable and what `work` raises.

        `work` may be run a second time, after its first attempt was undone. A caller that is cancelled
        meanwhile goes on only after the transaction has ended, whole or not at all. `done` is called with
        what was committed, on the event loop, before the caller goes on.
        """
        return await self._write(lambda connection, _: work(connection), 0, done)

    async def commit(self, game: str, count: int, work: Callable[[Connection, int], T]) -> T:
        """As `write`, in the order of commits: `work` is given the first of so many numbers that follow each other.

        What has a lower number was committed before, and can be read by all who can read this.
        """

        def numbered(connection: Connection, number: int) -> tuple[T, int]:
            return work(connection, number), number

        def note(committed: tuple[T, int]) -> None:
            self.changes.note(game, committed[1], committed[1] + count - 1)

        return (await self._write(numbered, count, note))[0]

    async def _write(
        self, work: Callable[[Connection, int], T], count: int, done: Callable[[T], None] | None
    ) -> T:
        self._check_open()
        write = _Write(work, count, done, asyncio.get_running_loop().create_future())
        self._waiting.append(write)
        if not self._is_called:
            self._is_called = True
            # Once all have run who are ready now: players that answer at the same moment share the trip.
            asyncio.get_running_loop().call_soon(self._writer.submit, self._write_waiting)
        return await _finished(write.outcome)

    async def close(self) -> None:
        """End every wait for changes, wait for transactions under way, then let go of the database."""
        await self.changes.close()
        self._is_closed = True
        for threads in (self._writer, self._readers):
            await asyncio.to_thread(threads.shutdown)
        await asyncio.to_thread(self._let_go)

    def _check_open(self) -> None:
        if self._is_closed:
            raise StoreUnavailable(f"The store at {self.location} is closed; nothing was read or written.")

    async def _news_after(self, number: int, games: Collection[str]) -> News:
        return await self.read(lambda connection: news_after(connection, number, games))

    def _write_waiting(self) -> None:
        # First the flag, then the queue; `write` does so in the opposite order, so that nothing is left lying.
        self._is_called = False
        writes: list[_Write[Any]] = []
        with suppress(IndexError):  # empty
            while True:
                writes.append(self._waiting.popleft())
        if writes:
            outcomes = self._commit(writes)
            writes[0].outcome.get_loop().call_soon_threadsafe(_tell, writes, outcomes)

    def _commit(self, writes: Sequence[_Write[Any]]) -> list[Any]:
        """What each returned, or the error that it raised."""
        try:
            # A writer takes its lock at once: one that reads first would fail instead of waiting.
            return self._patiently(
                self._engine, self._begin_to_write, lambda connection: _worked(writes, connection)
            )
        except Exception as error:  # noqa: BLE001 - handed to the caller, who waits on the event loop
            # Each by itself would wait as long again.
            if len(writes) == 1 or isinstance(error, StoreLocked | _ServerGone):
                return [error for _ in writes]
            return [outcome for write in writes for outcome in self._commit([write])]

    def _patiently(
        self, engine: Engine, begin: Begin, work: Callable[[Connection], T], *, is_read: bool = False
    ) -> T:
        """As `_transact`; a server that went away before anything was committed is waited for.

        What a model said was paid for. A server that goes away while it commits may have done so: it is not waited for.
        """
        until = time.monotonic() + (0 if self._is_given_up else AWAY_SECONDS)
        while True:
            try:
                returned = self._transact(engine, begin, work, is_read=is_read)
            except _ServerGone:
                self._is_given_up = time.monotonic() > until
                if self._is_given_up:
                    raise
                time.sleep(_AGAIN_SECONDS)
            else:
                self._is_given_up = False
                return returned

    def _transact(self, engine: Engine, begin: Begin, work: Callable[[Connection], T], *, is_read: bool) -> T:
        """What `work` returns, in a transaction of its own; raises _ServerGone, and then nothing was committed."""
        connection, is_worked = None, False
        try:
            with translated(self.location):
                connection = self._connection(engine)
                with connection.begin():
                    if self.dialect == "sqlite":
                        begin(driver_connection(connection))
                    returned = work(connection)
                    self._check()
                    is_worked = True
                return returned
        except StopIteration as error:  # no future takes it, and whoever waits would wait for ever
            raise RuntimeError("work on the store ended in the midst of a generator") from error
        except StoreUnavailable as error:
            is_lost = connection.invalidated if connection else bool(self._connections)
            if not is_lost or (is_worked and not is_read):
                raise
            raise _ServerGone(str(error)) from error.__cause__
        finally:
            if connection is not None and connection.invalidated:  # and every thread's with it
                self._losses += 1

    def _connection(self, engine: Engine) -> Connection:
        """The thread's own; to take one from a pool and give it back costs a fifth of a small transaction."""
        own = self._own
        if not hasattr(own, "connection"):
            own.connection = engine.connect()
            self._connections.append(own.connection)
        elif own.losses != self._losses:
            own.connection.invalidate()  # it is made anew when it is used
        own.losses = self._losses
        return own.connection

    def _let_go(self) -> None:
        for connection in self._connections:
            connection.close()
        for engine in {self._engine, self._reading}:
            engine.dispose()


def _begin(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN")


def driver_connection(connection: Connection) -> sqlite3.Connection:
    """The driver's own connection under one to SQLite."""
    return cast("sqlite3.Connection", connection.connection.driver_connection)


def _worked(writes: Sequence[_Write[Any]], connection: Connection) -> list[Any]:
    """What each work returns; the numbers of all are taken before anything else is locked."""
    count = sum(write.numbers for write in writes)
    number = take_numbers(connection, count) if count else 0
    outcomes: list[Any] = []
    for write in writes:
        outcomes.append(write.work(connection, number))
        number += write.numbers
    return outcomes


def _tell(writes: Sequence[_Write[Any]], outcomes: Sequence[Any]) -> None:
    for write, outcome in zip(writes, outcomes, strict=True):
        if isinstance(outcome, Exception):
            write.outcome.set_exception(outcome)
            continue
        if write.done is not None:
            write.done(outcome)
        write.outcome.set_result(outcome)


async def _finished(future: asyncio.Future[T]) -> T:
    """What the future brings; a caller that is cancelled waits for it all the same.

    A thread cannot be stopped, and what the caller does next, giving back a lease for one, must come after.
    """
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        await asyncio.wait([future])
        if not future.cancelled():
            future.exception()  # read, or asyncio reports it as forgotten
        raise


def insert_into(dialect: str, table: Table) -> "postgresql.Insert | sqlite.Insert":
    """An insert in the dialect's own words, which can say what becomes of a key that is taken."""
    if dialect != "postgresql":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # takes 20 ms to load, which only Postgres is worth

    return postgresql.insert(table)


def insert_if_new(dialect: str, table: Table) -> "postgresql.Insert | sqlite.Insert":
    """An insert that leaves a row alone which already has the key; its `rowcount` is 0 or 1."""
    # SQLAlchemy forgets the count of an insert unless it is told not to.
    return insert_into(dialect, table).on_conflict_do_nothing().execution_options(preserve_rowcount=True)


def sqlite_file(path: Path, location: str, *, is_read_only: bool = False) -> Database:
    """The database in this file, which need not exist yet; nothing is opened before it is used."""
    if is_read_only:
        return _file_to_read(path, location)
    engine = _prepared(_sqlite_engine(URL.create("sqlite", database=str(path))))
    file, lock = OpenFile(path, location), WriteLock(path, location)
    return Database(engine, location, hints=ticks, lock=lock, check=file.check, check_room=file.check_room)


def _sqlite_engine(url: URL) -> Engine:
    return create_engine(
        url, poolclass=NullPool, connect_args={"check_same_thread": False, "timeout": BUSY_SECONDS}
    )


def _file_to_read(path: Path, location: str) -> Database:
    """SQLite reads a file that is written ahead with files of its own beside it, which some folders do not let it make.

    Where nobody has it open, it is read without them, and without a lock; what was read while somebody began to write
    is not given out then. It is not opened by `mode=ro`, with which SQLite would leave files of its own behind.
    """
    lay = _as_it_lies(path)
    if lay.is_open:
        url, check = URL.create("sqlite", database=str(path)), OpenFile(path, location).check
    else:
        query = {"immutable": "1", "uri": "true"}
        url = URL.create("sqlite", database=path.absolute().as_uri(), query=query)

        def check() -> None:
            if _as_it_lies(path) != lay:
                raise StoreUnavailable(
                    f"The store at {location} was written by another process while it was read; nothing was done, "
                    "please try again."
                )

    engine = _sqlite_engine(url)
    event.listen(engine, "connect", _on_connect_to_read)
    return Database(engine, location, check=check)


class _Lying(NamedTuple):
    """A file of SQLite as it lies on the disk."""

    is_open: bool
    """True while anybody writes ahead of it."""
    written_ns: int
    size: int


def _as_it_lies(path: Path) -> _Lying:
    is_open = path.with_name(f"{path.name}-wal").exists()
    if not path.exists():
        return _Lying(is_open, 0, 0)
    stat = path.stat()
    return _Lying(is_open, stat.st_mtime_ns, stat.st_size)


def sqlite_memory() -> Database:
    """A database that ends with the process."""
    engine = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
    return Database(_prepared(engine), "memory")


def postgres(url: URL, location: str, *, is_read_only: bool = False) -> Database:
    """The database at a `postgresql+psycopg` URL; nothing is opened before it is used."""
    from checkpoints.notifications import notifications  # its driver is an extra

    listened = url.set(drivername="postgresql").render_as_string(hide_password=False)
    options = {"options": "-c default_transaction_read_only=on"} if is_read_only else {}
    connecting = {"connect_timeout": 10, **options}
    engine = create_engine(url, poolclass=NullPool, connect_args=connecting)
    # Else each statement of a reader would see what was committed before it, and not before the first one.
    reading = create_engine(
        url, poolclass=NullPool, connect_args=connecting, isolation_level="REPEATABLE READ"
    )
    return Database(engine, location, reading=reading, hints=lambda: notifications(listened))


def _prepared(engine: Engine) -> Engine:
    event.listen(engine, "connect", _on_connect)
    return engine


def _on_connect_to_read(connection: sqlite3.Connection, _record: object) -> None:
    _read_as_it_is(connection)
    connection.execute("PRAGMA query_only = ON")


def _read_as_it_is(connection: sqlite3.Connection) -> None:
    # A text whose bytes are none is read all the same, so that its row can be named (`checkpoints.damage`).
    connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
    connection.isolation_level = None  # we begin transactions ourselves, in `Database`


def _on_connect(connection: sqlite3.Connection, _record: object) -> None:
    _read_as_it_is(connection)
    switch_to_wal(connection)
    connection.execute("PRAGMA synchronous = FULL")  # a turn is a model call that was paid for


def switch_to_wal(connection: sqlite3.Connection) -> None:
    """Have the file written ahead, if it is not already; others who switch it at this moment are waited for.

    SQLite waits for every other lock, but not for this one.
    """
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(_SWITCH_SECONDS)
        else:
            return
