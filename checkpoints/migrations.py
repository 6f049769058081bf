"""How the journal's tables came to be, step by step, in SQL that SQLite and Postgres both understand.

A step is never changed once it has been released: stores in the field have taken it.
"""

from typing import NamedTuple

from sqlalchemy import Connection, inspect, select, text

from checkpoints.database import insert_into
from checkpoints.tables import META
from entente.errors import NewerSchema


class Migration(NamedTuple):
    """The statements that lead from the version before to this one."""

    version: int
    statements: tuple[str, ...]


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
)

SCHEMA_VERSION = MIGRATIONS[-1].version
_LOCK = 0x656E74656E7465  # "entente" in ASCII, the advisory lock of migrations on Postgres


def schema_version(connection: Connection) -> int:
    """The version of the tables that are there, 0 when there are none."""
    if not inspect(connection).has_table(META.name):
        return 0
    found = connection.scalar(select(META.c.value).where(META.c.key == "schema_version"))
    return int(found or 0)


def migrate(connection: Connection, location: str) -> None:
    """Bring the tables to the current version, within the transaction of `connection`; raises NewerSchema."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    version = schema_version(connection)
    if version > SCHEMA_VERSION:
        raise NewerSchema(
            f"The store at {location} has schema version {version} and this entente knows up to"
            f" {SCHEMA_VERSION}; nothing was changed, please use a newer entente."
        )
    for step in MIGRATIONS[version:]:
        for statement in step.statements:
            connection.execute(text(statement))
    if version < SCHEMA_VERSION:
        _note_version(connection)


def _note_version(connection: Connection) -> None:
    row = insert_into(connection.dialect.name, META).values(key="schema_version", value=str(SCHEMA_VERSION))
    connection.execute(row.on_conflict_do_update(index_elements=["key"], set_={"value": row.excluded.value}))
