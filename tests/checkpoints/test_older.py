"""Checkpoints that LangGraph's savers kept for an earlier entente are brought into our tables, once and whole.

The fixture `store_v4` was left by schema 4, with two games. One was begun by schema 3, when values were kept inside
the checkpoints, and carried on by schema 4, which kept them beside; it paused in a round in which six of seven
powers had spoken. In the other, two people were asked for orders, and one has answered.
"""

import asyncio
import shutil
import signal
import sqlite3
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg.types.json import Jsonb
from pydantic import JsonValue

from checkpoints.locations import JOURNAL_FILE
from checkpoints.migrations import MIGRATIONS, SCHEMA_VERSION, schema_version
from checkpoints.older import FILE
from checkpoints.process import this_process
from checkpoints.store import Store, open_store
from checkpoints.tables import GAMES, HISTORY, LEASES
from entente.errors import StoreUnavailable
from entente.games.digest import journal_digest, state_digest
from entente.games.runner import GameMaster, RunEnd
from tests.checkpoints.test_migrations import FIXTURES
from tests.support.driver import scripted_answers
from tests.support.postgres import Server

PAUSED, ASKED = (f"0c1a7f04-0000-4000-8000-00000000000{n}" for n in (3, 4))


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A copy of the store that schema 4 left in a folder."""
    return str(shutil.copytree(FIXTURES / "store_v4", tmp_path / "store"))


@pytest.fixture
def database(postgres: Server) -> str:
    """The same store as schema 4 kept it in Postgres, where another program keeps a thread by LangGraph's own saver."""
    url = postgres.new_database()
    with psycopg.connect(url) as connection:
        _copy_journal(connection)
        _copy_checkpoints(connection)
    return url


@pytest.fixture(params=["folder", pytest.param("database", marks=pytest.mark.postgres)])
def older_store(request: pytest.FixtureRequest) -> str:
    """Either of them."""
    return request.getfixturevalue(request.param)


async def _ending(store: Store, game: str) -> tuple[RunEnd, str, str]:
    """Play the game to its end, and answer for people as the fixture's were answered for."""
    master = GameMaster(store)
    standing = await master.run(game)
    while standing.pending:
        standing = await master.answer(game, scripted_answers(standing))
    journal = await journal_digest(store.journal, game, standing.state)
    return standing.end, state_digest(standing.state), journal


@pytest.mark.postgres
@pytest.mark.parametrize("game", [PAUSED, ASKED])
async def test_a_game_goes_on_to_the_same_end_from_a_folder_and_from_a_database(
    folder: str, database: str, game: str
) -> None:
    endings: list[tuple[RunEnd, str, str]] = []
    for location in (folder, database):
        async with open_store(location) as store:
            assert await store.library.database.read(schema_version) == SCHEMA_VERSION
            endings.append(await _ending(store, game))
    assert endings[0][0] is RunEnd.FINISHED
    assert endings[0] == endings[1]


async def test_a_person_who_had_answered_is_not_asked_again(older_store: str) -> None:
    async with open_store(older_store) as store:
        standing = await GameMaster(store).look(ASKED)
        assert [(seat.power, seat.ask, seat.phase) for seat in standing.pending] == [
            ("ITALY", "orders", "F1901M")
        ]
        answers: dict[Any, JsonValue] = scripted_answers(standing)
        standing = await GameMaster(store).answer(ASKED, answers)
        assert standing.end is RunEnd.FINISHED


async def test_every_checkpoint_is_there_and_whole(folder: str) -> None:
    kept = _read(Path(folder) / FILE, "SELECT thread_id, checkpoint_id, type, checkpoint FROM checkpoints")
    blobs = {
        tuple(key): value
        for *key, value in _read(
            Path(folder) / FILE, "SELECT thread_id, channel, version, type, blob FROM checkpoint_blobs"
        )
    }
    assert blobs
    async with open_store(folder) as store:
        found = {
            (saved.config.get("configurable", {})["thread_id"], saved.checkpoint["id"]): saved
            async for saved in store.saver.alist(None)
        }
    assert found.keys() == {(thread, checkpoint) for thread, checkpoint, *_ in kept}
    serde = JsonPlusSerializer()
    for thread, checkpoint, kind, body in kept:
        older = serde.loads_typed((kind, body))
        apart = {
            channel: serde.loads_typed(("msgpack", value))
            for (of, channel, version, _), value in blobs.items()
            if of == thread and older["channel_versions"].get(channel) == version
        }
        assert found[thread, checkpoint].checkpoint["channel_values"] == {**older["channel_values"], **apart}


def test_the_older_file_is_gone_once_everything_is_in_the_new_tables(folder: str) -> None:
    asyncio.run(_open(folder))
    assert [path.name for path in Path(folder).iterdir()] == [JOURNAL_FILE]


async def _open(location: str) -> None:
    async with open_store(location):
        pass


@pytest.mark.parametrize("moment", ["sqlite3.connect", "os.remove"])
async def test_a_store_whose_bringing_over_was_killed_is_whole_when_it_is_opened_again(
    folder: str, tmp_path: Path, moment: str
) -> None:
    """Killed when the older file is opened, within the transaction, and when it is about to be removed, after it."""
    killed = await asyncio.create_subprocess_exec(sys.executable, "-c", _KILLED, folder, moment, FILE)
    assert await killed.wait() == -signal.SIGKILL
    assert (Path(folder) / FILE).is_file()
    never_killed = shutil.copytree(FIXTURES / "store_v4", tmp_path / "never-killed")
    async with open_store(folder) as store, open_store(str(never_killed)) as other:
        assert await _ending(store, ASKED) == await _ending(other, ASKED)
    assert not (Path(folder) / FILE).exists()


_KILLED = """
import asyncio, os, signal, sys
from checkpoints.store import open_store

folder, moment, file = sys.argv[1:]

def kill(event, arguments):
    if event == moment and str(arguments[0]).endswith(file):
        os.kill(os.getpid(), signal.SIGKILL)

async def opened():
    async with open_store(folder):
        pass

sys.addaudithook(kill)
asyncio.run(opened())
"""


async def test_while_an_older_entente_plays_nothing_is_brought_over(older_store: str) -> None:
    until, me = time.time() + 3600, this_process()
    row = (PAUSED, "token", me.machine, me.host, me.pid, me.started, "entente play", 0.0, until)
    if older_store.startswith("postgresql"):
        with psycopg.connect(older_store) as connection:
            _insert(connection, "leases", ", ".join(LEASES.columns.keys()), [row])
    else:
        with closing(sqlite3.connect(Path(older_store) / JOURNAL_FILE)) as connection, connection:
            connection.execute(f"INSERT INTO leases VALUES ({', '.join('?' * len(row))})", row)
    with pytest.raises(StoreUnavailable, match=f"process {me.pid} on .* uses it for {PAUSED}; nothing was"):
        await _open(older_store)


@pytest.mark.postgres
async def test_in_postgres_the_threads_of_other_programs_stay_where_they_are(database: str) -> None:
    async with open_store(database) as store:
        assert await store.saver.aget_tuple({"configurable": {"thread_id": "theirs"}}) is None
    with psycopg.connect(database) as connection:
        for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
            left = connection.execute(f"SELECT DISTINCT thread_id FROM {table}".encode()).fetchall()
            assert left == ([("theirs",)] if table == "checkpoints" else [])


def _read(file: Path, statement: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(statement).fetchall()


def _insert(
    connection: "psycopg.Connection[Any]", table: str, columns: str, rows: Sequence[Sequence[Any]]
) -> None:
    marks = ", ".join(["%s"] * len(columns.split(",")))
    with connection.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})".encode(), rows)


def _copy_journal(connection: "psycopg.Connection[Any]") -> None:
    for step in MIGRATIONS[:4]:
        for statement in step.steps:
            connection.execute(str(statement).encode())
    connection.execute("INSERT INTO meta VALUES ('schema_version', '4')")
    for table in (GAMES, *HISTORY):
        kept = _read(
            FIXTURES / "store_v4" / JOURNAL_FILE, f"SELECT name FROM pragma_table_info('{table.name}')"
        )
        if not kept:
            continue  # a table of later versions
        columns = ", ".join(name for (name,) in kept)
        rows = _read(FIXTURES / "store_v4" / JOURNAL_FILE, f"SELECT {columns} FROM {table.name}")
        _insert(connection, table.name, columns, rows)


def _copy_checkpoints(connection: "psycopg.Connection[Any]") -> None:
    """As LangGraph's saver for Postgres kept them: plain values in the checkpoint, all others beside it."""
    for statement in _LANGGRAPHS:
        connection.execute(statement)
    file, serde = FIXTURES / "store_v4" / FILE, JsonPlusSerializer()
    columns = "thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id"
    rows: list[tuple[Any, ...]] = []
    blobs = {
        tuple(key): tuple(value)
        for *key, kind, blob in _read(
            file, "SELECT thread_id, checkpoint_ns, channel, version, type, blob FROM checkpoint_blobs"
        )
        for value in [(kind, blob)]
    }
    for *key, kind, body, metadata in _read(
        file, f"SELECT {columns}, type, checkpoint, metadata FROM checkpoints"
    ):
        checkpoint = serde.loads_typed((kind, body))
        values, versions = checkpoint["channel_values"], checkpoint["channel_versions"]
        for name in [name for name, value in values.items() if isinstance(value, (list, dict))]:
            blobs[key[0], key[1], name, versions[name]] = serde.dumps_typed(values.pop(name))
        rows.append((*key, Jsonb(checkpoint), Jsonb(serde.loads_typed(("json", metadata)))))
    rows.append(("theirs", "", "1", None, Jsonb({"v": 4}), Jsonb({})))
    _insert(connection, "checkpoints", f"{columns}, checkpoint, metadata", rows)
    blob_columns = "thread_id, checkpoint_ns, channel, version, type, blob"
    _insert(connection, "checkpoint_blobs", blob_columns, [(*key, *value) for key, value in blobs.items()])
    names = "thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type"
    writes = _read(file, f"SELECT {names}, value FROM writes")
    _insert(connection, "checkpoint_writes", f"{names}, blob", writes)


_LANGGRAPHS = (
    "CREATE TABLE checkpoint_migrations (v INTEGER PRIMARY KEY)",
    """
    CREATE TABLE checkpoints (
        thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL,
        parent_checkpoint_id TEXT, type TEXT, checkpoint JSONB NOT NULL, metadata JSONB NOT NULL DEFAULT '{}',
        PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id))
    """,
    """
    CREATE TABLE checkpoint_blobs (
        thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', channel TEXT NOT NULL,
        version TEXT NOT NULL, type TEXT NOT NULL, blob BYTEA,
        PRIMARY KEY (thread_id, checkpoint_ns, channel, version))
    """,
    """
    CREATE TABLE checkpoint_writes (
        thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL,
        task_id TEXT NOT NULL, task_path TEXT NOT NULL DEFAULT '', idx INTEGER NOT NULL, channel TEXT NOT NULL,
        type TEXT, blob BYTEA NOT NULL,
        PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx))
    """,
)
"""LangGraph's tables as its saver for Postgres, 3.2, made them."""
