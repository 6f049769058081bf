"""What is damaged in a store is told in a sentence, and hurts no other game: a table of faults, on real stores.

Each fault is brought into a copy of a store with two games by SQL, the way that a disk, a hand or a bug may do it.
"""

import asyncio
import shutil
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from pydantic import JsonValue
from sqlalchemy import Connection, Table, create_engine, delete, select
from sqlalchemy.engine import URL, make_url

from checkpoints.locations import JOURNAL_FILE
from checkpoints.store import open_store
from checkpoints.tables import GAMES, HISTORY, METADATA, TURNS, VALUES
from entente.games.runner import GameMaster
from graph.context import GameSettings
from tests.games.faults import FAULTS, HURT, Fault, by_sql, set_to
from tests.support.answers import an_order
from tests.support.postgres import Server
from tests.support.stores import a_telling
from tests.support.terminal import entente, snapshot

SOUND = "0c1a9999-0000-4000-8000-000000000002"
"""The game beside it, which nothing is done to."""


async def _play(location: str) -> None:
    """A game that waits for a person's orders in its second phase, and one that is over."""
    async with open_store(location) as store:
        master = GameMaster(store)
        await master.begin(GameSettings(seats={"FRANCE": "human"}, rounds=1, max_year=1901), HURT)
        standing = await master.run(HURT)
        while standing.state["phase"] == "S1901M" or standing.pending[0].ask == "talk":
            seat = standing.pending[0]
            answer: JsonValue = (
                {"messages": [{"to": "ITALY", "text": "Peace?"}]} if seat.ask == "talk" else an_order(seat)
            )
            standing = await master.answer(HURT, {seat: answer})
        await store.words.keep(a_telling(HURT, standing.state["history"] or ""))
        await master.run(await master.begin(GameSettings(everyone="hold", rounds=1, max_year=1901), SOUND))


@pytest.fixture(scope="module")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("template") / "store"
    asyncio.run(_play(str(folder)))
    return folder


@pytest.fixture(scope="module")
def postgres_template(postgres: Server) -> str:
    url = postgres.new_database()
    asyncio.run(_play(url))
    return make_url(url).database or ""


@pytest.fixture
def in_sqlite(sqlite_template: Path, tmp_path: Path) -> str:
    """A copy of the store, for one test."""
    return str(shutil.copytree(sqlite_template, tmp_path / "store"))


@pytest.fixture
def in_postgres(postgres: Server, postgres_template: str) -> str:
    return postgres.new_database(postgres_template)


@contextmanager
def _connected(location: str) -> Generator[Connection]:
    if location.startswith("postgresql"):
        url = make_url(location).set(drivername="postgresql+psycopg")
    else:
        url = URL.create("sqlite", database=str(Path(location) / JOURNAL_FILE))
    engine = create_engine(url)
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def _content(location: str) -> object:
    """All that is kept there."""
    if not location.startswith("postgresql"):
        return snapshot(Path(location))
    with _connected(location) as connection:
        return {
            table.name: sorted(map(repr, connection.execute(select(table))))
            for table in METADATA.sorted_tables
        }


def _rows(location: str, table: str) -> set[str]:
    """The rows of a table; none for what is no table."""
    if table not in METADATA.tables:
        return set()
    if location.startswith("postgresql"):
        with _connected(location) as connection:
            return {repr(row) for row in connection.execute(select(METADATA.tables[table]))}
    with closing(sqlite3.connect(Path(location) / JOURNAL_FILE)) as connection:
        connection.text_factory = bytes
        return {repr(row) for row in connection.execute(f"SELECT * FROM {table}")}


def _cases(backend: str) -> list[object]:
    return [
        pytest.param(fault, id=fault.id, marks=pytest.mark.slow if _is_tried_beside(fault, backend) else ())
        for fault in FAULTS
        if fault.only in ("", backend)
    ]


def _is_tried_beside(fault: Fault, backend: str) -> bool:
    """True where `make test` tries it in SQLite, and in Postgres another fault of its table; all are read alike."""
    first = next(other for other in FAULTS if other.table == fault.table and other.only in ("", backend))
    return backend == "postgres" and not fault.only and fault is not first


@pytest.mark.parametrize("fault", _cases("sqlite"))
def test_a_fault_in_a_folder_is_told_and_hurts_no_other_game(in_sqlite: str, fault: Fault) -> None:
    _check(in_sqlite, fault)


@pytest.mark.postgres
@pytest.mark.parametrize("fault", _cases("postgres"))
def test_a_fault_in_postgres_is_told_and_hurts_no_other_game(in_postgres: str, fault: Fault) -> None:
    _check(in_postgres, fault)


def test_a_sound_store_is_told_to_be_so(in_sqlite: str) -> None:
    before = snapshot(Path(in_sqlite))
    ran = entente("selfcheck", in_sqlite)
    assert (ran.code, ran.out) == (0, ""), ran
    assert "2 games read" in ran.err
    assert snapshot(Path(in_sqlite)) == before


def test_a_file_whose_own_names_are_no_text_is_told_as_damaged(in_sqlite: str) -> None:
    file = Path(in_sqlite) / JOURNAL_FILE
    file.write_bytes(file.read_bytes().replace(b"CREATE TABLE drafts", b"CREATE TAB\xff\xff drafts"))
    for command in (["selfcheck", in_sqlite], ["games", "list", "--store", in_sqlite]):
        ran = entente(*command)
        assert (ran.code, "the file is damaged" in ran.err) == (3, True), ran


def test_a_number_that_is_none_does_not_end_a_repair(in_sqlite: str) -> None:
    with _connected(in_sqlite) as connection:
        by_sql("UPDATE phases SET sequence = 'x' || rowid WHERE game = :game")(connection)
    assert entente("repair", in_sqlite, SOUND).code == 0
    assert HURT in entente("repair", in_sqlite).out


def test_a_game_whose_row_does_not_say_how_it_stands_is_listed_anew_by_a_repair_alone(in_sqlite: str) -> None:
    with _connected(in_sqlite) as connection:
        set_to(GAMES, status="nonsense", phase="tea")(connection)
    ran = entente("repair", in_sqlite, HURT)
    assert (ran.code, "stands in F1901M" in ran.out) == (0, True), ran
    assert entente("selfcheck", in_sqlite).code == 0
    assert entente("resume", HURT, "--store", in_sqlite).code == 6


@pytest.mark.parametrize("table", [GAMES, TURNS, VALUES], ids=str)
def test_rows_of_a_game_whose_id_is_no_text_are_told_by_their_table(in_sqlite: str, table: Table) -> None:
    owner = "thread" if table is VALUES else "game"
    with _connected(in_sqlite) as connection:
        by_sql(f"UPDATE {table.name} SET {owner} = CAST(X'B3' || {owner} AS TEXT) WHERE {owner} = :game")(
            connection
        )
    ran = entente("selfcheck", in_sqlite)
    assert (ran.code, f"of {table.name}: its game's id holds bytes that are no text" in ran.out) == (
        3,
        True,
    ), ran
    assert entente("repair", in_sqlite).code == 3
    assert entente("log", SOUND, "--store", in_sqlite).code == 0


def test_no_new_game_begins_the_order_of_commits_anew_where_its_number_is_a_word(in_sqlite: str) -> None:
    with _connected(in_sqlite) as connection:
        by_sql("UPDATE commit_order SET last = 'many'")(connection)
    before = _rows(in_sqlite, "commit_order")
    ran = entente("play", "--all", "hold", "--max-year", "1901", "--store", in_sqlite)
    assert (ran.code, "the table commit_order" in ran.err) == (3, True), ran
    assert _rows(in_sqlite, "commit_order") == before


def test_checkpoints_without_a_journal_are_told_as_what_they_are(in_sqlite: str) -> None:
    with _connected(in_sqlite) as connection:
        for table in (GAMES, *HISTORY):
            connection.execute(delete(table).where(table.c.game == HURT))
    ran = entente("selfcheck", in_sqlite)
    assert (ran.code, HURT in ran.out) == (3, True), ran
    assert "checkpoints and no journal: what was said in it is lost" in ran.out
    assert SOUND not in ran.out


@pytest.mark.postgres
def test_a_sound_server_is_told_to_be_so(in_postgres: str) -> None:
    assert entente("selfcheck", in_postgres).code == 0


def _check(location: str, fault: Fault) -> None:
    with _connected(location) as connection:
        fault.damage(connection)
    where = ("--store", location)
    before, rows = _content(location), _rows(location, fault.table)
    checked = entente("selfcheck", location)
    assert checked.code == 3, checked
    assert f"of {fault.table}" in checked.out or f"the table {fault.table}" in checked.out, checked
    assert "Peace?" not in checked.out
    assert _content(location) == before, "it was changed"
    for command in sorted({fault.refused, "games show", "resume"} - {"selfcheck"}):
        ran = entente(*command.split(), *([] if command == "games list" else [HURT]), *where)
        if command == fault.refused:
            told = ran.out + ran.err
            assert f"the table {fault.table}" in told or f" of {fault.table}" in told, ran
            assert fault.told in told, ran
            assert "Peace?" not in told
            assert ran.code == (0 if command == "games show" else 3), ran
        assert ran.code in (0, 3, 6), ran
        if ran.code == 3:
            assert rows <= _rows(location, fault.table), f"{command} wrote over it"
    if fault.everywhere:
        return
    listed = entente("games", "list", *where)
    assert (listed.code, HURT[:8] in listed.out, SOUND[:8] in listed.out) == (0, True, True), listed
    ran = entente("log", SOUND, *where)
    assert (ran.code, "damaged" in ran.err) == (0, False), ran
    assert entente("games", "delete", HURT, *where).code == 0
    assert HURT[:8] not in entente("games", "list", *where).out
