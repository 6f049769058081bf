"""How the journal's tables came to be, step by step, in statements that SQLite and Postgres both understand.

A step is never changed once it has been released: stores in the field have taken it.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, inspect, select, text

from checkpoints import older
from checkpoints.database import insert_into
from checkpoints.lease import Leases
from checkpoints.numbering import number_old_rows
from checkpoints.old_wakings import with_wakes
from checkpoints.tables import META
from entente.errors import DamagedRow, NewerSchema, StoreUnavailable

Step: TypeAlias = str | Callable[[Connection, Path | None], None]
"""A statement, or what takes more than one to say; it is given where a store before schema 5 has its checkpoints."""


class Migration(NamedTuple):
    """The steps that lead from the version before to this one."""

    version: int
    steps: tuple[Step, ...]

    def apply(self, connection: Connection, file: Path | None) -> None:
        """Take the steps, within the transaction of `connection`."""
        for step in self.steps:
            if callable(step):
                step(connection, file)
            else:
                connection.exec_driver_sql(_in_words_of(connection.dialect.name, step))


def _number_all_games(connection: Connection, _: Path | None) -> None:
    """Number what was committed before there were numbers, the oldest game first, and then the games themselves."""
    last = 0
    for game in _games_oldest_first(connection):
        rows = number_old_rows(
            _rows(connection, "SELECT id, position, body FROM segments WHERE game = :game", game),
            _rows(
                connection, "SELECT game, segment, power, number, body FROM turns WHERE game = :game", game
            ),
            _rows(connection, "SELECT game, id, body FROM phases WHERE game = :game", game),
        )
        for statement, lines in ((_NUMBER_TURN, rows.turns), (_NUMBER_PHASE, rows.phases)):
            if lines:
                moved = [line | {"sequence": line["sequence"] + last} for line in lines]
                connection.execute(text(statement), moved)
        last += len(rows.turns) + len(rows.phases) + 1
        connection.execute(
            text("UPDATE games SET sequence = :last WHERE game = :game"), {"last": last, "game": game}
        )
    connection.execute(text("INSERT INTO commit_order VALUES (:last)"), {"last": last})


def _count_all_wakings(connection: Connection, _: Path | None) -> None:
    """Say of turns on the conductor's floor in which stretch they were taken, and how often the power was woken."""
    for game in _games_oldest_first(connection):
        turns = _rows(
            connection, "SELECT game, segment, power, number, body FROM turns WHERE game = :game", game
        )
        messages = _rows(connection, "SELECT * FROM messages WHERE game = :game", game)
        for statement, old, new in zip(
            (_WRITE_TURN, _WRITE_MESSAGE), (turns, messages), with_wakes(turns, messages), strict=True
        ):
            if changed := [line for line, before in zip(new, old, strict=True) if line is not before]:
                connection.execute(text(statement), changed)


def _games_oldest_first(connection: Connection) -> Sequence[str]:
    every = "SELECT game FROM turns UNION SELECT game FROM phases UNION SELECT game FROM games"
    ordered = (
        f"SELECT game FROM ({every}) AS each_game LEFT JOIN games USING (game) ORDER BY created_at, game"  # noqa: S608 - ours
    )
    return connection.execute(text(ordered)).scalars().all()


def _rows(connection: Connection, statement: str, game: str) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(text(statement), {"game": game}).mappings()]


_NUMBER_TURN = """
    UPDATE turns SET sequence = :sequence, committed_at = :committed_at, body = :body
    WHERE game = :game AND segment = :segment AND power = :power AND number = :number
    """
_WRITE_TURN = """
    UPDATE turns SET body = :body
    WHERE game = :game AND segment = :segment AND power = :power AND number = :number
    """
_WRITE_MESSAGE = f"{_WRITE_TURN.replace('turns', 'messages')} AND position = :position"
_NUMBER_PHASE = "UPDATE phases SET sequence = :sequence WHERE game = :game AND id = :id"


MIGRATIONS = (
    Migration(
        1,
        (
            "CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)",
            """
            CREATE TABLE games (
                game TEXT NOT NULL PRIMARY KEY, created_at DOUBLE PRECISION NOT NULL,
                settings TEXT NOT NULL, phase TEXT NOT NULL, status TEXT NOT NULL)
            """,
            """
            CREATE TABLE segments (
                game TEXT NOT NULL, id TEXT NOT NULL, position INTEGER NOT NULL, body TEXT NOT NULL,
                PRIMARY KEY (game, id))
            """,
            """
            CREATE TABLE turns (
                game TEXT NOT NULL, segment TEXT NOT NULL, power TEXT NOT NULL, number INTEGER NOT NULL,
                body TEXT NOT NULL,
                PRIMARY KEY (game, segment, power, number))
            """,
            """
            CREATE TABLE messages (
                game TEXT NOT NULL, segment TEXT NOT NULL, power TEXT NOT NULL, number INTEGER NOT NULL,
                position INTEGER NOT NULL, body TEXT NOT NULL,
                PRIMARY KEY (game, segment, power, number, position))
            """,
            """
            CREATE TABLE phases (
                game TEXT NOT NULL, id TEXT NOT NULL, parent TEXT, body TEXT NOT NULL,
                PRIMARY KEY (game, id))
            """,
            """
            CREATE TABLE leases (
                game TEXT NOT NULL PRIMARY KEY, token TEXT NOT NULL, machine TEXT NOT NULL, host TEXT NOT NULL,
                pid INTEGER NOT NULL, started TEXT NOT NULL, command TEXT NOT NULL,
                acquired_at DOUBLE PRECISION NOT NULL, expires_at DOUBLE PRECISION NOT NULL)
            """,
        ),
    ),
    Migration(2, ("ALTER TABLE games ADD COLUMN forked_from TEXT",)),
    Migration(
        3,
        (
            """
            CREATE TABLE replies (
                game TEXT NOT NULL, segment TEXT NOT NULL, digest TEXT NOT NULL, body TEXT NOT NULL,
                PRIMARY KEY (game, segment, digest))
            """,
        ),
    ),
    # Values beside the checkpoints of SQLite: an entente before it would read states without them.
    Migration(4, ()),
    Migration(
        5,
        (
            """
            CREATE TABLE thread_checkpoints (
                thread TEXT NOT NULL, namespace TEXT NOT NULL, id TEXT NOT NULL, parent TEXT, run TEXT,
                kind TEXT NOT NULL, body BLOB NOT NULL, metadata TEXT NOT NULL,
                PRIMARY KEY (thread, namespace, id))
            """,
            """
            CREATE TABLE thread_values (
                thread TEXT NOT NULL, namespace TEXT NOT NULL, version TEXT NOT NULL, channel TEXT NOT NULL,
                kind TEXT NOT NULL, value BLOB NOT NULL,
                PRIMARY KEY (thread, namespace, version, channel))
            """,
            """
            CREATE TABLE thread_writes (
                thread TEXT NOT NULL, namespace TEXT NOT NULL, checkpoint TEXT NOT NULL, task TEXT NOT NULL,
                position INTEGER NOT NULL, path TEXT NOT NULL, run TEXT, channel TEXT NOT NULL,
                kind TEXT NOT NULL, value BLOB NOT NULL,
                PRIMARY KEY (thread, namespace, checkpoint, task, position))
            """,
            "CREATE INDEX thread_checkpoints_by_run ON thread_checkpoints (run) WHERE run IS NOT NULL",
            "CREATE INDEX thread_writes_by_run ON thread_writes (run) WHERE run IS NOT NULL",
            older.bring_over,
        ),
    ),
    Migration(
        6,
        (
            "CREATE TABLE commit_order (last BIGINT NOT NULL)",
            "ALTER TABLE games ADD COLUMN sequence BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE turns ADD COLUMN sequence BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE turns ADD COLUMN committed_at DOUBLE PRECISION",
            "ALTER TABLE phases ADD COLUMN sequence BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE phases ADD COLUMN committed_at DOUBLE PRECISION",
            _number_all_games,
            "CREATE UNIQUE INDEX games_in_order ON games (sequence)",
            "CREATE UNIQUE INDEX turns_in_order ON turns (sequence)",
            "CREATE UNIQUE INDEX phases_in_order ON phases (sequence)",
            "CREATE INDEX turns_of_game_in_order ON turns (game, sequence)",
            "CREATE INDEX phases_of_game_in_order ON phases (game, sequence)",
        ),
    ),
    Migration(7, ("CREATE TABLE untrusted (game TEXT NOT NULL PRIMARY KEY)",)),
    Migration(
        8,
        (
            """
            CREATE TABLE drafts (
                game TEXT NOT NULL, power TEXT NOT NULL, phase TEXT NOT NULL, body TEXT NOT NULL,
                PRIMARY KEY (game, power, phase))
            """,
        ),
    ),
    Migration(
        9,
        (
            """
            CREATE TABLE links (
                id TEXT NOT NULL PRIMARY KEY, digest TEXT NOT NULL, game TEXT NOT NULL, role TEXT NOT NULL,
                created_at DOUBLE PRECISION NOT NULL, expires_at DOUBLE PRECISION NOT NULL)
            """,
        ),
    ),
    Migration(
        10,
        (
            "ALTER TABLE games ADD COLUMN name TEXT",
            "ALTER TABLE games ADD COLUMN note TEXT",
            # What lists say of all games at once; `checkpoints.lists` asks in the same words.
            "CREATE INDEX outcomes ON thread_values (thread, version) WHERE channel = 'outcome'",
            """
            CREATE INDEX turns_of_stand_ins ON turns (sequence)
            WHERE body LIKE '%"stand_in":"%' AND body NOT LIKE '%"stand_in":""%'
            """,
        ),
    ),
    Migration(
        11,
        (
            """
            CREATE TABLE early_answers (
                game TEXT NOT NULL, power TEXT NOT NULL, phase TEXT NOT NULL, ask TEXT NOT NULL,
                number INTEGER NOT NULL, body TEXT NOT NULL, is_taken INTEGER NOT NULL,
                PRIMARY KEY (game, power, phase, ask, number))
            """,
        ),
    ),
    Migration(
        12,
        (
            """
            CREATE TABLE words (
                game TEXT NOT NULL, id TEXT NOT NULL, history TEXT, session TEXT NOT NULL, body TEXT NOT NULL,
                sequence BIGINT NOT NULL, committed_at DOUBLE PRECISION,
                PRIMARY KEY (game, id))
            """,
            "CREATE UNIQUE INDEX words_in_order ON words (sequence)",
            "CREATE INDEX words_of_game_in_order ON words (game, sequence)",
        ),
    ),
    Migration(
        13,
        (
            """
            CREATE TABLE prompts (
                game TEXT NOT NULL, digest TEXT NOT NULL, parent TEXT, body TEXT NOT NULL,
                PRIMARY KEY (game, digest))
            """,
        ),
    ),
    Migration(14, (_count_all_wakings,)),
)

SCHEMA_VERSION = MIGRATIONS[-1].version
_VERSION_KEY = "schema_version"
_LOCK = 0x656E74656E7465  # "entente" in ASCII, the advisory lock of migrations on Postgres


def schema_version(connection: Connection) -> int:
    """The version of the tables that are there, 0 when there are none; raises DamagedRow."""
    if not inspect(connection).has_table(META.name):
        return 0
    found = connection.scalar(select(META.c.value).where(META.c.key == _VERSION_KEY))
    if found is None or not str(found).isdecimal() or str(found) == "0":
        raise DamagedRow("", META.name, _VERSION_KEY, "the number of the schema is missing, or is none")
    return int(found)


def migrate(connection: Connection, leases: Leases, location: str, file: Path | None = None) -> None:
    """Bring the tables to the current version, within the transaction of `connection`.

    `file` is where a store before schema 5 has its checkpoints. Raises NewerSchema, and StoreUnavailable as long as an
    older entente plays one of the games.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    version = schema_version(connection)
    if version > SCHEMA_VERSION:
        raise NewerSchema(
            f"The store at {location} has schema version {version} and this entente knows up to"
            f" {SCHEMA_VERSION}; nothing was changed, please use a newer entente."
        )
    if 0 < version < SCHEMA_VERSION:
        _check_idle(connection, leases, location)
    for step in MIGRATIONS[version:]:
        step.apply(connection, file)
    if version < SCHEMA_VERSION:
        _note_version(connection)


def _check_idle(connection: Connection, leases: Leases, location: str) -> None:
    """Refuse to bring a store up to date beneath a run of the entente that it is left by."""
    for game, holder in leases.living(connection).items():
        raise StoreUnavailable(
            f"The store at {location} is of an older entente, and {holder.command!r} (process {holder.pid} on"
            f" {holder.host}) uses it for {game}; nothing was changed, please stop that first."
        )


def _in_words_of(dialect: str, statement: str) -> str:
    """The statement as the driver takes it: nothing is compiled of what each new store says forty times."""
    if dialect != "postgresql":
        return statement
    return statement.replace("BLOB", "BYTEA").replace("%", "%%")  # a driver's placeholder begins with one


def _note_version(connection: Connection) -> None:
    row = insert_into(connection.dialect.name, META).values(key=_VERSION_KEY, value=str(SCHEMA_VERSION))
    connection.execute(row.on_conflict_do_update(index_elements=["key"], set_={"value": row.excluded.value}))
