"""Writes that wait together are committed together, and fail one by one."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Barrier, Event, Thread
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection, event, make_url, text

from checkpoints.database import postgres as open_postgres
from checkpoints.database import switch_to_wal
from checkpoints.store import Store, open_store
from entente.errors import LeaseLost, StoreUnavailable
from tests.support.patience import PATIENCE
from tests.support.postgres import Server
from tests.support.stores import a_turn, as_made

GAME, LOST = "0c1a7f04-0000-4000-8000-000000000001", "0c1a9999-0000-4000-8000-000000000002"
_END_OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


async def test_a_write_that_fails_does_not_harm_those_that_waited_with_it(store: Store) -> None:
    async with store.leases.hold(GAME), store.leases.hold(LOST):
        await store.library.database.write(lambda c: c.execute(text(_TAKE_OVER), {"game": LOST}))
        turns = [a_turn(game, "s1", power) for power in POWERS for game in (GAME, LOST)]
        outcomes = await asyncio.gather(*map(store.journal.commit_turn, turns), return_exceptions=True)
    kept = await store.journal.turns(GAME, ["s1"])
    assert outcomes[::2] == kept
    assert [as_made(turn) for turn in kept] == turns[::2]
    assert {type(outcome) for outcome in outcomes[1::2]} == {LeaseLost}
    assert await store.journal.turns(LOST, ["s1"]) == []


async def test_writes_that_wait_together_share_a_commit(memory_store: Store) -> None:
    commits: list[Connection] = []
    event.listen(memory_store.library.database._engine, "commit", commits.append)
    async with memory_store.leases.hold(GAME):
        commits.clear()
        turns = [a_turn(GAME, f"s{round}", power) for round in range(9) for power in POWERS]  # noqa: A001 - the game's word
        await asyncio.gather(*map(memory_store.journal.commit_turn, turns))
        assert len(commits) < len(turns) / 2


async def test_an_error_of_the_work_itself_reaches_its_caller(store: Store) -> None:
    def fail(connection: Connection) -> None:
        raise ZeroDivisionError

    for run in (store.library.database.write, store.library.database.read):
        with pytest.raises(ZeroDivisionError):
            await run(fail)


async def test_what_comes_after_the_store_was_closed_is_refused(location: str) -> None:
    async with open_store(location) as store:
        pass
    for run in (store.library.database.write, store.library.database.read):
        with pytest.raises(StoreUnavailable, match="is closed"):
            await run(lambda _: None)


@pytest.mark.postgres
async def test_a_server_that_was_gone_is_missed_once_and_not_by_every_thread(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("checkpoints.database.AWAY_SECONDS", 0)
    url = make_url(postgres.new_database()).set(drivername="postgresql+psycopg")
    database = open_postgres(url, "the test's")
    all_threads = Barrier(4)

    def count_backends(connection: Connection) -> int:
        all_threads.wait(timeout=PATIENCE)
        return connection.execute(text("SELECT count(*) FROM pg_stat_activity")).scalar_one()

    async def use_all_threads() -> None:
        await asyncio.gather(*(database.read(count_backends) for _ in range(4)))

    def end_all(connection: Connection) -> None:
        for those in ("<>", "="):
            connection.execute(text(f"{_END} AND pid {those} pg_backend_pid()"))

    await use_all_threads()
    with pytest.raises(StoreUnavailable):
        await database.write(end_all)
    await use_all_threads()
    await database.close()


class _Watched(sqlite3.Connection):
    """A connection that tells when something it executes is refused."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_refused = Event()

    def execute(self, *args: Any) -> sqlite3.Cursor:
        try:
            return super().execute(*args)
        except sqlite3.OperationalError:
            self.is_refused.set()
            raise


@pytest.mark.postgres
async def test_a_turn_is_kept_by_a_server_that_was_started_anew_meanwhile(postgres: Server) -> None:
    location = postgres.new_database()
    async with open_store(location) as store, store.leases.hold(GAME):
        turn = a_turn(GAME, "s1", "FRANCE")
        with psycopg.connect(location, autocommit=True) as connection:
            connection.execute(_END_OTHERS)
        kept = await store.journal.commit_turn(turn)
    assert as_made(kept) == turn


@pytest.mark.postgres
async def test_a_server_that_goes_away_while_it_commits_is_not_asked_again(postgres: Server) -> None:
    location = postgres.new_database()
    async with open_store(location) as store:
        database, worked = store.library.database, list[int]()

        def work(connection: Connection) -> None:
            worked.append(connection.execute(text("SELECT 1")).scalar_one())

        def end(connection: Connection) -> None:
            with psycopg.connect(location, autocommit=True) as other:
                other.execute(_END_OTHERS)

        await database.write(lambda connection: connection.execute(text("SELECT 1")))
        event.listen(database._engine, "commit", end)
        with pytest.raises(StoreUnavailable):
            await database.write(work)
        event.remove(database._engine, "commit", end)
    assert worked == [1]


def test_a_file_that_others_use_at_this_moment_is_switched_when_they_are_done(tmp_path: Path) -> None:
    path = tmp_path / "new.sqlite"
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as other,
        closing(sqlite3.connect(path, factory=_Watched, timeout=0, check_same_thread=False)) as ours,
    ):
        other.execute("BEGIN EXCLUSIVE")
        switching = Thread(target=switch_to_wal, args=[ours])
        switching.start()
        assert ours.is_refused.wait(timeout=PATIENCE)
        other.execute("COMMIT")
        switching.join()
        assert ours.execute("PRAGMA journal_mode").fetchone() == ("wal",)


async def test_a_reader_sees_nothing_that_is_committed_while_it_reads(shared_location: str) -> None:
    has_read, is_committed = Event(), Event()

    def count(connection: Connection) -> int:
        return connection.execute(text("SELECT count(*) FROM turns")).scalar_one()

    def twice(connection: Connection) -> tuple[int, int]:
        first = count(connection)
        has_read.set()
        assert is_committed.wait(PATIENCE)
        return first, count(connection)

    async with open_store(shared_location) as store, open_store(shared_location) as other:
        reading = asyncio.create_task(store.library.database.read(twice))
        assert await asyncio.to_thread(has_read.wait, PATIENCE)
        async with other.leases.hold(GAME):
            await other.journal.commit_turn(a_turn(GAME, "s1", "FRANCE"))
        is_committed.set()
        assert await reading == (0, 0)
        assert await store.library.database.read(count) == 1


_END = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
_TAKE_OVER = "UPDATE leases SET token = 'another' WHERE game = :game"
