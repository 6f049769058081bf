"""A store of any age opens, and one of the future is left alone."""

import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Connection, MetaData, func, make_url, text, update

from checkpoints.archive import import_game
from checkpoints.database import Database, sqlite_memory
from checkpoints.database import postgres as open_postgres
from checkpoints.lease import Leases
from checkpoints.locations import JOURNAL_FILE
from checkpoints.migrations import MIGRATIONS, SCHEMA_VERSION, migrate, schema_version
from checkpoints.process import this_process
from checkpoints.store import Store, open_store
from checkpoints.tables import METADATA, PHASES
from entente.errors import NewerSchema
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, RunEnd
from entente.players.moments import moment_of
from entente.players.record import PhaseRecord, TurnRecord
from graph.state import GameState, board_of
from tests.checkpoints.small_graph import TURNS, answered, small_graph
from tests.support.postgres import Server
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
        await _put_a_whole_board(store, phase)
        assert await store.journal.phases(GAME, "p1") == [phase]
        assert (await answered(small_graph(store.saver), GAME, "late")) == [
            *TURNS,
            "FRANCE by itself",
            "late",
        ]
        # Its settings were made up, so that no game could be played by them.
        assert (await store.library.glance(await store.library.copy(GAME))).forked_from == GAME


async def _put_a_whole_board(store: Store, phase: PhaseRecord) -> None:
    """In place of the one in the fixture, which was made up of a single unit, and which no game can have."""
    made_up, board = '{"units":{"FRANCE":["A PAR"]}}', json.dumps(phase.board)
    whole = update(PHASES).values(body=func.replace(PHASES.c.body, made_up, board))
    await store.library.database.write(lambda connection: connection.execute(whole))


async def test_a_game_that_version_3_began_goes_on_to_its_end(tmp_path: Path) -> None:
    """It paused in a round that six of seven powers had finished; values and words stood where they no longer do.

    Its diplomats named no terms and kept agreements in their memories, and ids of messages were made of other things.
    """
    folder = shutil.copytree(FIXTURES / "store_v3", tmp_path / "store")
    async with open_store(str(folder)) as store:
        master = GameMaster(store)
        [begun] = await store.library.games()
        assert (begun.status, begun.settings["everyone"]) == ("paused", "diplomat")
        before = await _turns(store, begun.id, (await master.look(begun.id)).state)
        standing = await master.run(begun.id)
        assert standing.end is RunEnd.FINISHED
        assert board_of(standing.state).phase.year >= 1902
        after = await _turns(store, begun.id, standing.state)
        assert len(before) > 0
        assert {key: after[key] for key in before} == before
        ids = [message.id for turn in after.values() for message in turn.messages]
        assert len(ids) == len(set(ids))


WOKEN = {
    "S1901M.1.GERMANY.1": [1],
    "S1901M.1.ITALY.1": [1, 1],
    "S1901M.1.AUSTRIA.3": [],
    "S1901M.1.ITALY.2": [],
    "S1901M.1.FRANCE": [1, 1],
    "S1901M.2.GERMANY.4": [1],
    "S1901M.2.ITALY.3": [1],
}
"""Some moments of a game on the conductor's floor that version 13 left, and the rounds of what was said in them."""


@pytest.mark.parametrize("is_imported", [False, True])
async def test_turns_of_version_13_tell_their_stretch_and_how_often_their_powers_were_woken(
    tmp_path: Path, is_imported: bool
) -> None:
    """A person has answered once, so that there are two stretches; version 13 had the wakings in place of the round."""
    place = str(shutil.copytree(FIXTURES / "store_v13", tmp_path / "store"))
    async with open_store("memory" if is_imported else place) as store:
        if is_imported:
            await import_game(store.library, FIXTURES / "game_v13.zip")
        master = GameMaster(store)
        standing = await master.look("conducted")
        turns = (await _turns(store, "conducted", standing.state)).values()
        rounds = {str(moment_of(turn)): [message.round for message in turn.messages] for turn in turns}
        assert {moment: rounds[moment] for moment in WOKEN} == WOKEN
        assert all(turn.round == int(str(moment_of(turn))[7]) for turn in turns)
        [asked] = standing.pending
        after = await master.answer("conducted", {asked: "A MAR - SPA"})
        turns = (await _turns(store, "conducted", after.state)).values()
        assert "F1901M.1.GERMANY.1" in {str(moment_of(turn)) for turn in turns}


async def _turns(store: Store, game: str, state: GameState) -> dict[tuple[str, str, int], TurnRecord]:
    line = await records_on_line(store.journal, game, state)
    return {(r.segment, r.power, r.number): r for r in line if isinstance(r, TurnRecord)}


async def test_a_store_is_brought_up_to_date_once(old_store: Path) -> None:
    for _ in range(2):
        async with open_store(str(old_store)) as store:
            assert await store.library.database.read(schema_version) == SCHEMA_VERSION


@pytest.mark.parametrize("age", range(len(MIGRATIONS) + 1))
async def test_whatever_version_it_starts_from_a_store_ends_with_the_tables_we_use(age: int) -> None:
    database = sqlite_memory()
    await database.write(lambda connection: _at_version(connection, age))
    await database.write(lambda connection: migrate(connection, Leases(database, this_process()), "memory"))
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


@pytest.mark.parametrize("backend", ["memory", pytest.param("postgres", marks=pytest.mark.postgres)])
async def test_rows_of_before_there_was_an_order_are_numbered_game_by_game(
    backend: str, request: pytest.FixtureRequest
) -> None:
    database = sqlite_memory() if backend == "memory" else _postgres(request.getfixturevalue("postgres"))
    await database.write(lambda connection: _at_version(connection, 4))
    await database.write(_enter_old_games)
    await database.write(lambda connection: migrate(connection, Leases(database, this_process()), "here"))
    found = await database.read(lambda connection: connection.execute(text(_NUMBERS)).all())
    assert [tuple(row) for row in found] == [
        ("early s1 ITALY", 1, None),
        ("early s2 FRANCE", 2, 8.5),
        ("early s2 AUSTRIA", 3, 9.5),
        ("early p1", 4, None),
        ("early", 5, None),
        ("late s1 ITALY", 6, None),
        ("late", 7, None),
        ("last", 7, None),
    ]
    await database.close()


def _postgres(server: Server) -> Database:
    url = make_url(server.new_database()).set(drivername="postgresql+psycopg")
    return open_postgres(url, "the test's")


def _enter_old_games(connection: Connection) -> None:
    """Two games, the later one first; in one of them powers were woken in a second stretch of talk."""
    for game, created in (("late", 2), ("early", 1)):
        row = {"game": game, "created": created}
        connection.execute(text("INSERT INTO games VALUES (:game, :created, '{}', '', 'paused', NULL)"), row)
        for segment, position in (("s2", 1), ("s1", 0)):
            body = json.dumps({"round": position + 1})
            values = row | {"segment": segment, "position": position, "body": body}
            connection.execute(
                text("INSERT INTO segments VALUES (:game, :segment, :position, :body)"), values
            )
        turn = row | {"body": "{}"}
        connection.execute(text("INSERT INTO turns VALUES (:game, 's1', 'ITALY', 0, :body)"), turn)
    for power, place in (("AUSTRIA", 1), ("FRANCE", 0)):
        body = json.dumps({"waking": {"position": place, "at": 8.5 + place}})
        turn = {"power": power, "body": body}
        connection.execute(text("INSERT INTO turns VALUES ('early', 's2', :power, 0, :body)"), turn)
    phase = {"body": json.dumps({"segments": ["s1", "s2"]})}
    connection.execute(text("INSERT INTO phases VALUES ('early', 'p1', NULL, :body)"), phase)


_NUMBERS = """
    SELECT game || ' ' || segment || ' ' || power AS name, sequence, committed_at FROM turns
    UNION ALL SELECT game || ' ' || id, sequence, committed_at FROM phases
    UNION ALL SELECT game, sequence, NULL FROM games
    UNION ALL SELECT 'last', last, NULL FROM commit_order ORDER BY 2, 1 DESC
    """


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
    if name.startswith("DOUBLE") or name == "REAL":
        return "DOUBLE"
    return "BLOB" if name == "BYTEA" else name


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
        step.apply(connection, None)
    if version:
        connection.execute(text(f"INSERT INTO meta VALUES ('schema_version', '{version}')"))


def _set_version(folder: Path, version: int) -> None:
    connection = sqlite3.connect(folder / JOURNAL_FILE)
    with connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema_version'", [version])
    connection.close()
