"""What is damaged in a store is told in a sentence, and hurts no other game: a table of faults, on real stores.

Each fault is brought into a copy of a store with two games by SQL, the way that a disk, a hand or a bug may do it.
"""

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue
from sqlalchemy import Connection, Table, create_engine, delete, insert, select, text, update
from sqlalchemy.engine import URL, make_url

from checkpoints.locations import JOURNAL_FILE
from checkpoints.store import open_store
from checkpoints.tables import (
    CHECKPOINTS,
    GAMES,
    HISTORY,
    LEASES,
    MESSAGES,
    METADATA,
    PHASES,
    SEGMENTS,
    TURNS,
    VALUES,
    WORDS,
    WRITES,
)
from checkpoints.threads import strict_serializer
from entente.games.runner import GameMaster
from graph.context import GameSettings
from tests.support.answers import an_order
from tests.support.postgres import Server
from tests.support.stores import a_telling
from tests.support.terminal import entente, snapshot

ASKED = {"text": "", "asked": {"prompt": "lost", "prompt_set": "default"}}
HURT, SOUND = "0c1a7f04-0000-4000-8000-000000000001", "0c1a9999-0000-4000-8000-000000000002"
Damage = Callable[[Connection], None]


@dataclass(frozen=True)
class Fault:
    """Something that can be wrong with a store, and what is said of it."""

    id: str
    damage: Damage
    table: str
    told: str
    """Part of the sentence."""
    refused: str = "log"
    """A command on the hurt game that is refused with the sentence."""
    everywhere: bool = False
    """True where it hurts the whole store."""
    only: str = ""
    """The one database in which it can be."""


def _set(table: Table, **values: object) -> Damage:
    """Put these values into all rows of the hurt game."""
    owner = table.c.get("game", table.c.get("thread"))
    return lambda connection: connection.execute(update(table).where(owner == HURT).values(**values)) and None


def _drop(table: Table) -> Damage:
    owner = table.c.get("game", table.c.get("thread"))
    return lambda connection: connection.execute(delete(table).where(owner == HURT)) and None


def _sql(*statements: str) -> Damage:
    def damage(connection: Connection) -> None:
        for statement in statements:
            connection.execute(text(statement), {"game": HURT} if ":game" in statement else {})

    return damage


def _lease(expires_at: float, acquired_at: float = 0.0) -> Damage:
    row = {
        "game": HURT,
        "token": "t",
        "machine": "elsewhere",
        "host": "far",
        "pid": 7,
        "started": "",
        "command": "entente play",
        "acquired_at": acquired_at,
        "expires_at": expires_at,
    }
    return lambda connection: connection.execute(insert(LEASES).values(row)) and None


def _all(*damages: Damage) -> Damage:
    def damage(connection: Connection) -> None:
        for each in damages:
            each(connection)

    return damage


def _lose_a_message(connection: Connection) -> None:
    found = connection.execute(select(MESSAGES).where(MESSAGES.c.game == HURT).limit(1)).one()
    key = [column == getattr(found, column.name) for column in MESSAGES.primary_key]
    connection.execute(delete(MESSAGES).where(*key))


def _flip(table: Table, column: str, *, at: int = 7) -> Damage:
    """Flip the bits of a byte of all values of the hurt game, as bytes that are no text."""
    owner = table.c.get("game", table.c.get("thread"))

    def damage(connection: Connection) -> None:
        for row in connection.execute(select(table).where(owner == HURT)).all():
            value = getattr(row, column)
            data = bytearray(value.encode() if isinstance(value, str) else value)
            data[min(at, len(data) - 1)] ^= 0xFF
            new = text("CAST(:data AS TEXT)").bindparams(data=bytes(data)) if isinstance(value, str) else None
            key = [part == getattr(row, part.name) for part in table.primary_key]
            connection.execute(
                update(table).where(*key).values({column: bytes(data) if new is None else new})
            )

    return damage


def _change_json(table: Table, column: str, change: Callable[[dict[str, Any]], None]) -> Damage:
    """Change the JSON of the hurt game's first row."""

    def damage(connection: Connection) -> None:
        row = connection.execute(select(table).where(table.c.game == HURT).limit(1)).one()
        change(body := json.loads(getattr(row, column)))
        key = [part == getattr(row, part.name) for part in table.primary_key]
        connection.execute(update(table).where(*key).values({column: json.dumps(body)}))

    return damage


def _change_state(channel: str, change: Callable[[Any], None], *, earliest: bool = False) -> Damage:
    """Change a value in all states of the hurt game, or in the earliest alone."""

    def damage(connection: Connection) -> None:
        serde, here = strict_serializer(), (VALUES.c.thread == HURT, VALUES.c.channel == channel)
        rows = connection.execute(select(VALUES).where(*here).order_by(VALUES.c.version)).all()
        for row in rows[:1] if earliest else rows:
            change(value := serde.loads_typed((row.kind, row.value)))
            kind, packed = serde.dumps_typed(value)
            same = (*here, VALUES.c.version == row.version, VALUES.c.namespace == row.namespace)
            connection.execute(update(VALUES).where(*same).values(kind=kind, value=packed))

    return damage


def _in_checkpoints(connection: Connection, **parts: JsonValue) -> None:
    """Put these parts into each checkpoint of the hurt game."""
    serde, here = strict_serializer(), CHECKPOINTS.c.thread == HURT
    for row in connection.execute(select(CHECKPOINTS).where(here)).all():
        checkpoint = serde.loads_typed((row.kind, row.body))
        kind, body = serde.dumps_typed({**checkpoint, **parts})
        connection.execute(
            update(CHECKPOINTS).where(here, CHECKPOINTS.c.id == row.id).values(kind=kind, body=body)
        )


def _in_phases(old: str, new: str) -> Damage:
    """Put other words into the bodies of the hurt game's phases."""
    return _sql(f"UPDATE phases SET body = replace(body, '{old}', '{new}') WHERE game = :game")


ELSEWHERE = [
    Fault(
        "a board with a center off the map", _in_phases('"VIE"', '"XYZ"'), "phases", "its board is not what"
    ),
    Fault(
        "a board with a unit off the map", _in_phases('"A VIE"', '"A XYZ"'), "phases", "its board is not what"
    ),
    Fault("a board with an army at sea", _in_phases('"F LON"', '"A NTH"'), "phases", "its board is not what"),
    Fault(
        "a board with two units in a province",
        _in_phases('"A VIE"', '"A BUD"'),
        "phases",
        "its board is not what",
    ),
    Fault(
        "a board with a power off the map",
        _in_phases('"TURKEY":["', '"ATLANTIS":["'),
        "phases",
        "its board is not what",
    ),
    Fault(
        "a board of no map", _in_phases('"map":"standard"', '"map":"tea"'), "phases", "its board is not what"
    ),
    Fault(
        "a board without centers", _in_phases('"centers":', '"centres":'), "phases", "its board is not what"
    ),
    Fault(
        "an order from off the map",
        _in_phases('"order":"A VIE', '"order":"A XYZ'),
        "phases",
        "an order that nobody can have given",
    ),
    Fault(
        "an order that is none",
        _in_phases('"order":"', '"order":"tea '),
        "phases",
        "an order in it is not what",
    ),
    Fault(
        "an order of a power off the map",
        _in_phases('"power":"TURKEY"', '"power":"ATLANTIS"'),
        "phases",
        "an order that nobody can have given",
    ),
    Fault(
        "a state with a center off the map",
        _change_state("board", lambda board: board["centers"]["FRANCE"].append("XYZ")),
        "thread_checkpoints",
        "is not what was put into it",
        "fork --at F1901M",
    ),
    Fault(
        "a state with a unit off the map",
        _change_state("board", lambda board: board["units"]["FRANCE"].append("A XYZ")),
        "thread_checkpoints",
        "is not what was put into it",
        "press",
    ),
    Fault(
        "a state with a colour off the map",
        _change_state("board", lambda board: board["influence"]["FRANCE"].append("XYZ")),
        "thread_checkpoints",
        "is not what was put into it",
        "usage",
    ),
    Fault(
        "a state that seats nobody in a power",
        _change_state("settings", lambda settings: settings["seats"].pop("TURKEY")),
        "thread_checkpoints",
        "a part of it is missing",
        "board",
    ),
    Fault(
        "settings that seat nobody in a power",
        _change_json(GAMES, "settings", lambda settings: settings["seats"].pop("TURKEY")),
        "games",
        "its settings seat nobody in TURKEY",
        "selfcheck",
    ),
    Fault(
        "settings that seat a number",
        _change_json(GAMES, "settings", lambda settings: settings["seats"].update(TURKEY=7)),
        "games",
        "is not what was put into it",
        "games prune",
    ),
    Fault(
        "an earlier state that no game can have",
        _change_state("board", lambda board: board["units"]["FRANCE"].append("A XYZ"), earliest=True),
        "thread_checkpoints",
        "is not what was put into it",
        "selfcheck",
    ),
    Fault(
        "a turn whose prompt has lost its last part",
        _change_json(TURNS, "body", lambda body: body.update(replies=[ASKED])),
        "prompts",
        "it is missing, and the turn",
        "selfcheck",
    ),
]
"""Names that are well written and that the map, the seats or another table has not."""

FAULTS = [
    *ELSEWHERE,
    Fault("a turn that is no JSON", _set(TURNS, body="{"), "turns", "is not what was put into it"),
    Fault("a turn that is another's", _set(TURNS, body="{}"), "turns", "a part of it is missing"),
    Fault(
        "a turn with flipped bytes",
        _flip(TURNS, "body"),
        "turns",
        "it holds bytes that are no text",
        only="sqlite",
    ),
    Fault(
        "a turn numbered in words",
        _sql("UPDATE turns SET sequence = 'x' || rowid WHERE game = :game"),
        "commit_order",
        "",
        "selfcheck",
        only="sqlite",
    ),
    Fault("a lost message", _lose_a_message, "turns", "messages and"),
    Fault("a message that is no JSON", _set(MESSAGES, body="]"), "messages", "is not what was put into it"),
    Fault("a message that is a number", _set(MESSAGES, body="7"), "messages", "is not what was put into it"),
    Fault(
        "a segment that is no JSON",
        _set(SEGMENTS, body=""),
        "segments",
        "is not what was put into it",
        "resume",
    ),
    Fault("a phase that is no JSON", _set(PHASES, body="null"), "phases", "is not what was put into it"),
    Fault("a phase that is its own parent", _set(PHASES, parent=PHASES.c.id), "phases", "lead back to it"),
    Fault(
        "a phase whose parent is lost",
        _set(PHASES, parent="nowhere"),
        "phases",
        "row nowhere of phases: it is missing",
    ),
    Fault("words that are no JSON", _set(WORDS, body="{"), "words", "is not what was put into it"),
    Fault(
        "words of a phase that is lost",
        _set(WORDS, history="nowhere"),
        "phases",
        "row nowhere of phases",
        "selfcheck",
    ),
    Fault("all phases lost", _drop(PHASES), "phases", "it is missing"),
    Fault(
        "an outcome that is none",
        _sql(
            "UPDATE phases SET body = replace(body, '\"bounced\"', '\"won\"') WHERE game = :game",
            "UPDATE phases SET body = replace(body, 'succeeded', 'won') WHERE game = :game",
        ),
        "phases",
        "outcome",
    ),
    Fault(
        "a board with a list in a center's place",
        _sql("UPDATE phases SET body = replace(body, '\"VIE\"', '[]') WHERE game = :game"),
        "phases",
        "board is not what was put into it",
    ),
    Fault(
        "a board with a center that is none",
        _sql("UPDATE phases SET body = replace(body, '\"VIE\"', '\"S1901M\"') WHERE game = :game"),
        "phases",
        "board is not what was put into it",
    ),
    Fault(
        "a link whose id is bytes",
        _sql(
            "INSERT INTO links (id, digest, game, role, created_at, expires_at) "
            "VALUES (X'FF', 'd', :game, 'FRANCE', 1, 9999999999)"
        ),
        "links",
        "its id is not what was put into it",
        "selfcheck",
        only="sqlite",
    ),
    Fault(
        "settings that are null",
        _set(GAMES, settings="null"),
        "games",
        "is not what was put into it",
        "resume",
    ),
    Fault(
        "settings that are a list",
        _set(GAMES, settings="[]"),
        "games",
        "is not what was put into it",
        "resume",
    ),
    Fault(
        "settings that are empty", _set(GAMES, settings="{}"), "games", "its settings seat nobody", "resume"
    ),
    Fault(
        "settings that are no JSON",
        _set(GAMES, settings="{'"),
        "games",
        "is not what was put into it",
        "resume",
    ),
    Fault(
        "settings with flipped bytes",
        _flip(GAMES, "settings"),
        "games",
        "it holds bytes that are no text",
        "resume",
        only="sqlite",
    ),
    Fault(
        "settings that no game can have",
        _sql(
            "UPDATE games SET settings = replace(settings, '\"leaders\":{}', '\"leaders\":[7]') WHERE game = :game"
        ),
        "games",
        "leaders is not what was put into it",
    ),
    Fault(
        "a status that is none", _set(GAMES, status="nonsense"), "games", "its game has no status", "resume"
    ),
    Fault("a status that is empty", _set(GAMES, status=""), "games", "its game has no status", "games show"),
    Fault(
        "a status of bytes",
        _sql("UPDATE games SET status = X'FF00' WHERE game = :game"),
        "games",
        "its status is not what was put into it",
        "resume",
        only="sqlite",
    ),
    Fault(
        "a phase that no game is in", _set(GAMES, phase="tea"), "games", "its game is in no phase", "resume"
    ),
    Fault(
        "a game that was forked from a path",
        _set(GAMES, forked_from="../x"),
        "games",
        "forked from",
        "resume",
    ),
    Fault(
        "a name that none may have", _set(GAMES, name="a\nb"), "games", "a name that none may have", "resume"
    ),
    Fault(
        "a game's row whose number is a word",
        _sql("UPDATE games SET sequence = 'many' WHERE game = :game"),
        "games",
        "its sequence is not what was put into it",
        "resume",
        only="sqlite",
    ),
    Fault(
        "a turn of a power whose name is no text",
        _sql("UPDATE turns SET power = CAST(X'B3' || power AS TEXT) WHERE game = :game"),
        "turns",
        "it holds bytes that are no text",
        "games show",
        only="sqlite",
    ),
    Fault(
        "a part of a prompt that is not its digest's",
        _sql("INSERT INTO prompts (game, digest, body) VALUES (:game, 'd', 'NOBODY')"),
        "prompts",
        "its digest is not that of its words",
        "train export",
    ),
    Fault(
        "a prompt that runs in a circle",
        _sql("INSERT INTO prompts (game, digest, parent, body) VALUES (:game, 'd', 'd', '{}')"),
        "prompts",
        "its digest is not that of its words",
        "train export",
    ),
    Fault(
        "a kept reply that is none",
        _sql(
            "INSERT INTO replies (game, segment, digest, body) SELECT :game, id, 'd', '{' FROM segments LIMIT 1"
        ),
        "replies",
        "is not what was put into it",
        "selfcheck",
    ),
    Fault(
        "a draft that is none",
        _sql("INSERT INTO drafts (game, power, phase, body) VALUES (:game, 'FRANCE', 'F1901M', '{')"),
        "drafts",
        "is not what was put into it",
        "selfcheck",
    ),
    Fault(
        "an early answer that is none",
        _sql(
            "INSERT INTO early_answers (game, power, phase, ask, number, body, is_taken) "
            "VALUES (:game, 'FRANCE', 'F1901M', 'orders', 0, '{', 0)"
        ),
        "early_answers",
        "is not what was put into it",
        "resume",
    ),
    Fault(
        "a link from the end of time",
        _sql(
            "INSERT INTO links (id, digest, game, role, created_at, expires_at) "
            "VALUES ('l', 'd', :game, 'FRANCE', 1e20, 1e20)"
        ),
        "links",
        "is not what was put into it",
        "selfcheck",
    ),
    Fault(
        "a game begun after the end of time",
        _set(GAMES, created_at=1e20),
        "games",
        "is not what was put",
        "games show",
    ),
    Fault("a lease from the year 3000", _lease(32503680000.0), "leases", "longer than any run", "resume"),
    Fault(
        "a lease of no time", _lease(float("inf"), float("inf")), "leases", "longer than any run", "resume"
    ),
    Fault(
        "a lease that ends in words",
        _all(_lease(0), _sql("UPDATE leases SET expires_at = 'soon'")),
        "leases",
        "is not what was put into it",
        "resume",
        only="sqlite",
    ),
    Fault(
        "a checkpoint with flipped bytes",
        _flip(CHECKPOINTS, "body", at=0),
        "thread_checkpoints",
        "is not what was put",
    ),
    Fault(
        "a checkpoint that is empty", _set(CHECKPOINTS, body=b""), "thread_checkpoints", "is not what was put"
    ),
    Fault(
        "a checkpoint of a version that is a word",
        lambda connection: _in_checkpoints(connection, v="XYZ"),
        "thread_checkpoints",
        "is not what was put",
        "games prune",
    ),
    Fault(
        "a checkpoint of no kind",
        _set(CHECKPOINTS, kind=""),
        "thread_checkpoints",
        "is not what was put",
        "games prune",
    ),
    Fault(
        "metadata that are no JSON",
        _set(CHECKPOINTS, metadata="{"),
        "thread_checkpoints",
        "is not what was put",
    ),
    Fault(
        "values with flipped bytes",
        _flip(VALUES, "value", at=0),
        "thread_checkpoints",
        "is not what was put into it",
    ),
    Fault(
        "values of another shape",
        _set(VALUES, kind="json", value=b"7"),
        "thread_checkpoints",
        "is not what was put",
    ),
    Fault("a blob gone", _drop(VALUES), "thread_values", "it is missing"),
    Fault(
        "writes that are no values",
        _set(WRITES, value=b"\xc1"),
        "thread_writes",
        "is not what was put into it",
    ),
    Fault(
        "a checkpoint whose parent is no text",
        _sql("UPDATE thread_checkpoints SET parent = X'FF0080' WHERE thread = :game"),
        "thread_checkpoints",
        "is not what was put into it",
        "games export",
        only="sqlite",
    ),
    Fault(
        "metadata that are a number",
        _set(CHECKPOINTS, metadata="7"),
        "thread_checkpoints",
        "is not what was put into it",
        "games export",
    ),
    Fault(
        "metadata that are bytes",
        _sql("UPDATE thread_checkpoints SET metadata = X'FF0080' WHERE thread = :game"),
        "thread_checkpoints",
        "it holds bytes that are no text",
        "games prune",
        only="sqlite",
    ),
    Fault(
        "a checkpoint that names a table for a value",
        lambda connection: _in_checkpoints(connection, entente_large=[{}]),
        "thread_checkpoints",
        "is not what was put into it",
    ),
    Fault(
        "writes that stand nowhere",
        _sql("UPDATE thread_writes SET position = 'x' || rowid WHERE thread = :game"),
        "thread_writes",
        "is not what was put into it",
        "games export",
        only="sqlite",
    ),
    Fault(
        "turns that were committed at bytes",
        _sql("UPDATE turns SET committed_at = X'FF0080' WHERE game = :game"),
        "turns",
        "is not what was put into it",
        "games export",
        only="sqlite",
    ),
    Fault(
        "a segment whose name is bytes",
        _sql("UPDATE segments SET id = CAST(X'FF' || id AS BLOB) WHERE game = :game"),
        "segments",
        "is not what was put into it",
        "games export",
        only="sqlite",
    ),
    Fault(
        "a message whose power is no text",
        _sql("UPDATE messages SET power = CAST(X'B3' || power AS TEXT) WHERE game = :game"),
        "messages",
        "its power holds bytes that are no text",
        "games export",
        only="sqlite",
    ),
    Fault(
        "a turn without a number",
        _sql("UPDATE turns SET sequence = 'x' || sequence WHERE game = :game"),
        "commit_order",
        "a commit of it has a number that is none",
        "games copy",
        only="sqlite",
    ),
    Fault(
        "settings that no file can be made of",
        _set(GAMES, settings="{'"),
        "games",
        "is not what was put into it",
        "games export",
    ),
    Fault(
        "a game that was forked from bytes",
        _sql("UPDATE games SET forked_from = X'FF0080' WHERE game = :game"),
        "games",
        "is not what was put into it",
        "games export",
        only="sqlite",
    ),
    Fault(
        "values whose channel is no text",
        _sql("UPDATE thread_values SET channel = CAST(X'B3' || channel AS TEXT) WHERE thread = :game"),
        "thread_values",
        "it holds bytes that are no text",
        "games prune",
        only="sqlite",
    ),
    Fault(
        "a phase that is no text",
        _sql("UPDATE games SET phase = CAST(X'B3' AS TEXT) WHERE game = :game"),
        "games",
        "holds bytes that are no text",
        "games copy",
        only="sqlite",
    ),
    Fault(
        "metadata of the first checkpoint that are cut off",
        _sql(
            "UPDATE thread_checkpoints SET metadata = '{' WHERE thread = :game AND id = "
            "(SELECT min(id) FROM thread_checkpoints WHERE thread = :game)"
        ),
        "thread_checkpoints",
        "is not what was put into it",
        "games export",
    ),
    Fault("checkpoints lost", _drop(CHECKPOINTS), "thread_checkpoints", "it is missing, and the journal"),
    Fault(
        "no number of the schema",
        _sql("DELETE FROM meta"),
        "meta",
        "number of the schema",
        "games list",
        everywhere=True,
    ),
    Fault(
        "a schema in words",
        _sql("UPDATE meta SET value = 'six'"),
        "meta",
        "number of the schema",
        "games list",
        everywhere=True,
    ),
    Fault(
        "no number of the last commit",
        _sql("DELETE FROM commit_order"),
        "commit_order",
        "number of the last commit",
        everywhere=True,
    ),
    Fault(
        "a last commit in words",
        _sql("UPDATE commit_order SET last = 'many'"),
        "commit_order",
        "number of the last commit",
        everywhere=True,
        only="sqlite",
    ),
]


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
        _sql("UPDATE phases SET sequence = 'x' || rowid WHERE game = :game")(connection)
    assert entente("repair", in_sqlite, SOUND).code == 0
    assert HURT in entente("repair", in_sqlite).out


def test_a_game_whose_row_does_not_say_how_it_stands_is_listed_anew_by_a_repair_alone(in_sqlite: str) -> None:
    with _connected(in_sqlite) as connection:
        _set(GAMES, status="nonsense", phase="tea")(connection)
    ran = entente("repair", in_sqlite, HURT)
    assert (ran.code, "stands in F1901M" in ran.out) == (0, True), ran
    assert entente("selfcheck", in_sqlite).code == 0
    assert entente("resume", HURT, "--store", in_sqlite).code == 6


@pytest.mark.parametrize("table", [GAMES, TURNS, VALUES], ids=str)
def test_rows_of_a_game_whose_id_is_no_text_are_told_by_their_table(in_sqlite: str, table: Table) -> None:
    owner = "thread" if table is VALUES else "game"
    with _connected(in_sqlite) as connection:
        _sql(f"UPDATE {table.name} SET {owner} = CAST(X'B3' || {owner} AS TEXT) WHERE {owner} = :game")(
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
        _sql("UPDATE commit_order SET last = 'many'")(connection)
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
