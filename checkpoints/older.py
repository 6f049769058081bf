"""Checkpoints of stores before schema 5, which were kept by LangGraph's own savers, brought into our tables.

In a folder they had a file of their own, `checkpoints.sqlite`: at first with all values inside the checkpoints,
later with large ones beside them. It is removed once everything is in our tables. In Postgres they were in
LangGraph's tables, which other programs may use as well: our games' rows are moved out of them, and all else there
stays as it is.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from langgraph.checkpoint.serde.base import SerializerProtocol
from sqlalchemy import Connection, Table, inspect, text

from checkpoints.database import insert_if_new
from checkpoints.rows import RowValues
from checkpoints.tables import VALUES, WRITES
from checkpoints.threads import Packed, Place, Threads, pack, strict_serializer
from checkpoints.write_lock import BUSY_SECONDS

FILE = "checkpoints.sqlite"
_ROWS_AT_ONCE = 500


def bring_over(connection: Connection, file: Path | None) -> None:
    """Enter what a file of an older store has, or what LangGraph's tables in Postgres have of our games."""
    if file is not None and file.is_file():
        with closing(sqlite3.connect(file, timeout=BUSY_SECONDS)) as older:
            older.row_factory = sqlite3.Row
            _from_file(connection, older)
    if connection.dialect.name == "postgresql" and set(inspect(connection).get_table_names()) >= _LANGGRAPHS:
        for statement in _MOVE:
            connection.execute(text(statement))


def remove(file: Path) -> None:
    """Remove the file of a store that was brought up to date, and what SQLite keeps beside it, if they are there."""
    for end in ("", "-wal", "-shm"):
        file.with_name(file.name + end).unlink(missing_ok=True)


def _from_file(connection: Connection, older: sqlite3.Connection) -> None:
    threads, serde = Threads(connection.dialect.name), strict_serializer()
    tables = {name for (name,) in older.execute("SELECT name FROM sqlite_master")}
    if "checkpoint_blobs" in tables:
        _enter(connection, VALUES, map(_value, older.execute("SELECT * FROM checkpoint_blobs")))
    if "checkpoints" in tables:
        for row in older.execute("SELECT * FROM checkpoints"):
            threads.put(connection, _checkpoint(serde, row))
    if "writes" in tables:
        _enter(connection, WRITES, map(_write, older.execute("SELECT * FROM writes")))


def _enter(connection: Connection, table: Table, rows: Iterator[RowValues]) -> None:
    insert = insert_if_new(connection.dialect.name, table)
    while some := [*islice(rows, _ROWS_AT_ONCE)]:
        connection.execute(insert, some)


def _place(row: sqlite3.Row) -> Place:
    return Place(row["thread_id"], row["checkpoint_ns"])


def _checkpoint(serde: SerializerProtocol, row: sqlite3.Row) -> Packed:
    """With a row for each large value that was kept inside it."""
    checkpoint = serde.loads_typed((row["type"], row["checkpoint"]))
    versions, metadata = checkpoint["channel_versions"], json.loads(row["metadata"] or "{}")
    return pack(serde, _place(row), row["parent_checkpoint_id"], checkpoint, metadata, versions)


def _value(row: sqlite3.Row) -> RowValues:
    kept = {name: row[name] for name in ("version", "channel")}
    return {**_place(row)._asdict(), **kept, "kind": row["type"], "value": row["blob"]}


def _write(row: sqlite3.Row) -> RowValues:
    return {
        **_place(row)._asdict(),
        "checkpoint": row["checkpoint_id"],
        "task": row["task_id"],
        "position": row["idx"],
        "path": row["task_path"] if "task_path" in row.keys() else "",  # noqa: SIM118 - a Row's own `in` looks at values
        "run": None,
        "channel": row["channel"],
        "kind": row["type"],
        "value": row["value"],
    }


_LANGGRAPHS = {"checkpoint_migrations", "checkpoints", "checkpoint_blobs", "checkpoint_writes"}
"""By these together LangGraph's tables are known, in Postgres."""

_MOVE = (
    """
    INSERT INTO thread_checkpoints (thread, namespace, id, parent, run, kind, body, metadata)
    SELECT thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, metadata ->> 'run_id',
        'json', convert_to(checkpoint::text, 'UTF8'), metadata::text
    FROM checkpoints WHERE thread_id IN (SELECT game FROM games)
    """,
    """
    INSERT INTO thread_values (thread, namespace, version, channel, kind, value)
    SELECT thread_id, checkpoint_ns, version, channel, type, blob
    FROM checkpoint_blobs WHERE thread_id IN (SELECT game FROM games) AND blob IS NOT NULL
    """,
    """
    INSERT INTO thread_writes (thread, namespace, checkpoint, task, position, path, channel, kind, value)
    SELECT thread_id, checkpoint_ns, checkpoint_id, task_id, idx, task_path, channel, type, blob
    FROM checkpoint_writes WHERE thread_id IN (SELECT game FROM games)
    """,
    "DELETE FROM checkpoints WHERE thread_id IN (SELECT game FROM games)",
    "DELETE FROM checkpoint_blobs WHERE thread_id IN (SELECT game FROM games)",
    "DELETE FROM checkpoint_writes WHERE thread_id IN (SELECT game FROM games)",
)
