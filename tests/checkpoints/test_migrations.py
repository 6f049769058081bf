"""A store of any age opens, and one of the future is left alone."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Connection, MetaData, text

from checkpoints.database import Database, sqlite_memory
from checkpoints.migrations import MIGRATIONS, SCHEMA_VERSION, migrate, schema_version
from checkpoints.store import JOURNAL_FILE, Store, open_store
from checkpoints.tables import METADATA
from entente.errors import NewerSchema
from graph.context import GameSettings
from graph.digest import journal_digest, state_digest
from graph.master import GameMaster, RunEnd
from tests.checkpoints.small_graph import TURNS, answered, small_graph
from tests.support.stores import a_phase, a_segment, a_turn

GAME = "0c1a7f04-0000-4000-8000-000000000001"
FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture
def old_store(tmp_path: Path) -> Path:
    """A copy of a store that schema version 1 left behind, with one game that waits for a person."""
    return shutil.copytree(FIXTURES / "store_v1", tmp_path / "store")


async def test_a_store_of_version_1_opens_and_everything_in_it_is_read(old_store: Path) -> None:
    async with open_store(str(old_store)) as store:
        [summary] = await store.library.games()
        assert (summary.id, summary.phase, summary.status) == (GAME, "F1901M", "waiting")
        assert (summary.settings, summary.forked_from) == ({"map": "standard", "rounds": 2}, None)
        assert await store.journal.segments(GAME) == [a_segment(GAME, "s1"), a_segment(GAME, "s2")]
        assert await store.journal.turns(GAME, ["s1", "s2"]) == [
            a_turn(GAME, "s1", power, says=[f"{power} says hello.", "And more."]).model_copy(
                # Version 1 kept no calls of models and no times, and its rows have got their places since.
                update={"calls": (), "sequence": place}
            )
            for place, power in enumerate(("FRANCE", "ITALY"), 1)
        ]
        phase = a_phase(GAME, "p1", None, "s1", "s2").model_copy(update={"sequence": 3})
        assert await store.journal.phases(GAME, "p1") == [phase]
        assert (await answered(small_graph(store.saver), GAME, "late")) == [
            *TURNS,
            "FRANCE by itself",
            "late",
        ]
        assert (await store.library.summary(await store.library.copy(GAME))).forked_from == GAME


async def test_a_game_that_version_3_began_goes_on_to_the_end_that_it_has_here(tmp_path: Path) -> None:
    """It paused in a round that six of seven powers had finished; values and words stood where they no longer do."""
    folder = shutil.copytree(FIXTURES / "store_v3", tmp_path / "store")
    async with open_store(str(folder)) as store:
        master = GameMaster(store)
        [begun] = await store.library.games()
        assert (begun.status, begun.settings["everyone"]) == ("paused", "diplomat")
        fresh = await master.begin(GameSettings(everyone="diplomat", rounds=2, max_year=1902))
        assert await _ending(master, store, begun.id) == await _ending(master, store, fresh)


async def _ending(master: GameMaster, store: Store, game: str) -> tuple[RunEnd, str, str]:
    standing = await master.run(game)
    journal = await journal_digest(store.journal, game, standing.state)
    return standing.end, state_digest(standing.state), journal


async def test_a_store_is_brought_up_to_date_once(old_store: Path) -> None:
    for _ in range(2):
        async with open_store(str(old_store)) as store:
            assert await store.library.database.read(schema_version) == SCHEMA_VERSION


@pytest.mark.parametrize("age", range(len(MIGRATIONS) + 1))
async def test_whatever_version_it_starts_from_a_store_ends_with_the_tables_we_use(age: int) -> None:
    database = sqlite_memory()
    await database.write(lambda connection: _at_version(connection, age))
    await database.write(lambda connection: migrate(connection, "memory"))
    assert await _columns(database) == _wanted()
    await database.close()


async def test_the_tables_of_each_backend_are_those_we_use(store: Store) -> None:
    found = await _columns(store.library.database)
    assert {table: found[table] for table in _wanted()} == _wanted()


async def test_a_store_of_a_newer_entente_is_refused_and_left_alone(old_store: Path) -> None:
    _set_version(old_store, SCHEMA_VERSION + 1)
    before = (old_store / JOURNAL_FILE).read_bytes()
    with pytest.raises(
        NewerSchema, match=f"schema version {SCHEMA_VERSION + 1} and this entente knows up to"
    ):
        async with open_store(str(old_store)):
            pass
    assert (old_store / JOURNAL_FILE).read_bytes() == before


async def test_a_migration_that_fails_leaves_the_store_as_it_was(
    old_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    *before, last = MIGRATIONS
    broken = last._replace(steps=(*last.steps, "NOT SQL"))
    monkeypatch.setattr("checkpoints.migrations.MIGRATIONS", (*before, broken))
    with pytest.raises(Exception, match="syntax error"):
        async with open_store(str(old_store)):
            pass
    monkeypatch.undo()
    async with open_store(str(old_store)) as store:
        assert len(await store.library.games()) == 1


def test_versions_are_numbered_from_one() -> None:
    assert [step.version for step in MIGRATIONS] == list(range(1, SCHEMA_VERSION + 1))


Columns = dict[str, list[tuple[str, str, bool, bool]]]


def _described(metadata: MetaData) -> Columns:
    return {
        table.name: [
            (column.name, _family(str(column.type)), bool(column.nullable), column.primary_key)
            for column in table.columns
        ]
        for table in metadata.sorted_tables
    }


def _family(name: str) -> str:
    return "DOUBLE" if name.startswith("DOUBLE") or name == "REAL" else name


def _wanted() -> Columns:
    return _described(METADATA)


async def _columns(database: Database) -> Columns:
    def reflect(connection: Connection) -> Columns:
        found = MetaData()
        found.reflect(connection)
        return _described(found)

    return await database.read(reflect)


def _at_version(connection: Connection, version: int) -> None:
    for step in MIGRATIONS[:version]:
        step.apply(connection)
    if version:
        connection.execute(text(f"INSERT INTO meta VALUES ('schema_version', '{version}')"))


def _set_version(folder: Path, version: int) -> None:
    connection = sqlite3.connect(folder / JOURNAL_FILE)
    with connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema_version'", [version])
    connection.close()
