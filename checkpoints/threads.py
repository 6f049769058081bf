"""LangGraph's checkpoints as rows: what is read from a thread, and done to it, within one transaction.

The large values of a checkpoint have rows of their own, found by channel and version, so that each is kept once
until it changes; small ones stay in the checkpoint.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import count
from typing import Any, NamedTuple, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    writes_sort_key,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from sqlalchemy import (
    Column,
    Connection,
    Row,
    Select,
    bindparam,
    delete,
    func,
    literal,
    null,
    select,
    union,
    update,
)

from checkpoints.damage import damaged, missing, read_by
from checkpoints.database import insert_if_new, insert_into
from checkpoints.rows import RowValues
from checkpoints.tables import CHECKPOINTS, THREAD, VALUES, WRITES

_LARGE = "entente_large"
"""In a packed checkpoint, beside LangGraph's own keys: the channels whose values have rows of their own.

Of a channel that has a version and no value nobody could say else whether it is empty or was lost.
"""

_SESSION = ".crew."
"""Stands in the name of a thread between a game's id and a talk about it."""


class Place(NamedTuple):
    """A thread's graph, or a graph within it, each of which has checkpoints of its own."""

    thread: str
    namespace: str


class Packed(NamedTuple):
    """A checkpoint as rows."""

    checkpoint: RowValues
    values: list[RowValues]


def strict_serializer() -> JsonPlusSerializer:
    """The serializer that builds no object but of the types that LangGraph vouches for."""
    return JsonPlusSerializer(allowed_msgpack_modules=None)


def place_of(config: RunnableConfig) -> Place:
    """Where a configuration points; thread ids are compared as text."""
    where = config.get("configurable", {})
    return Place(str(where["thread_id"]), str(where.get("checkpoint_ns", "")))


def config_of(place: Place, checkpoint: str) -> RunnableConfig:
    """The configuration that points at a checkpoint."""
    where = {"thread_id": place.thread, "checkpoint_ns": place.namespace, "checkpoint_id": checkpoint}
    return RunnableConfig(configurable=where)


def pack(
    serde: SerializerProtocol,
    place: Place,
    parent: str | None,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    changed: ChannelVersions,
) -> Packed:
    """The checkpoint's row, and one for each large value that has `changed` since its parent."""
    versions, values = checkpoint["channel_versions"], checkpoint["channel_values"]
    large = {name for name, value in values.items() if name in versions and not _is_small(value)}
    small = {name: value for name, value in values.items() if name not in large}
    kind, body = serde.dumps_typed({**checkpoint, "channel_values": small, _LARGE: sorted(large)})
    row = {
        **place._asdict(),
        "id": checkpoint["id"],
        "parent": parent,
        "run": metadata.get("run_id"),
        "kind": kind,
        "body": body,
        "metadata": json.dumps(metadata),
    }
    new = sorted(large & changed.keys())
    return Packed(row, [_value_row(serde, place, name, versions[name], values[name]) for name in new])


def _is_small(value: object) -> bool:
    """True for what is about as small as its key.

    To call more small or less is safe only for what is packed together with all of its values: a checkpoint
    that goes on from an older one takes it for granted that the older one's large values have rows.
    """
    return (
        value is None
        or isinstance(value, (str, int, float))
        or (isinstance(value, (list, dict)) and not value)
    )


def _value_row(
    serde: SerializerProtocol, place: Place, channel: str, version: object, value: object
) -> RowValues:
    kind, packed = serde.dumps_typed(value)
    return {**place._asdict(), "version": str(version), "channel": channel, "kind": kind, "value": packed}


def pack_writes(
    serde: SerializerProtocol,
    place: Place,
    checkpoint: str,
    task: str,
    path: str,
    run: str | None,
    writes: Iterable[tuple[str, Any]],
) -> list[RowValues]:
    """A row for each write of a task, numbered from 0; LangGraph's special channels have numbers of their own."""
    plain, rows = count(), list[RowValues]()
    for channel, value in writes:
        kind, packed = serde.dumps_typed(value)
        position = WRITES_IDX_MAP[channel] if channel in WRITES_IDX_MAP else next(plain)
        key = {**place._asdict(), "checkpoint": checkpoint, "task": task, "position": position}
        rows.append({**key, "path": path, "run": run, "channel": channel, "kind": kind, "value": packed})
    return rows


class ThreadStatements:
    """The statements of every step, built once for a dialect."""

    def __init__(self, dialect: str) -> None:
        checkpoint = insert_into(dialect, CHECKPOINTS)
        self.put = checkpoint.on_conflict_do_update(
            index_elements=CHECKPOINTS.primary_key,
            set_={name: checkpoint.excluded[name] for name in ("parent", "run", "kind", "body", "metadata")},
        )
        self.put_value = insert_if_new(dialect, VALUES)
        self.put_write = insert_if_new(dialect, WRITES)
        write = insert_into(dialect, WRITES)
        self.replace_write = write.on_conflict_do_update(
            index_elements=WRITES.primary_key,
            set_={name: write.excluded[name] for name in ("path", "run", "channel", "kind", "value")},
        )
        here = select(CHECKPOINTS).where(
            CHECKPOINTS.c.thread == bindparam("thread"), CHECKPOINTS.c.namespace == bindparam("namespace")
        )
        self.by_id = here.where(CHECKPOINTS.c.id == bindparam("id"))
        self.newest = here.order_by(CHECKPOINTS.c.id.desc()).limit(1)
        self.values = select(VALUES).where(
            VALUES.c.thread == bindparam("thread"),
            VALUES.c.namespace == bindparam("namespace"),
            VALUES.c.version.in_(bindparam("versions", expanding=True)),
        )
        self.writes = select(WRITES).where(
            WRITES.c.thread == bindparam("thread"),
            WRITES.c.namespace == bindparam("namespace"),
            WRITES.c.checkpoint == bindparam("checkpoint"),
        )


@cache
def _statements_of(dialect: str) -> ThreadStatements:
    """The statements of this dialect, one object for all stores."""
    return ThreadStatements(dialect)


class Threads:
    """The threads of one database."""

    def __init__(self, dialect: str) -> None:
        self._sql = _statements_of(dialect)

    def put(self, connection: Connection, packed: Packed) -> None:
        """Keep the checkpoint in place of one of the same id, and the values that have no row yet."""
        connection.execute(self._sql.put, packed.checkpoint)
        if packed.values:
            connection.execute(self._sql.put_value, packed.values)

    def put_writes(self, connection: Connection, rows: Sequence[RowValues]) -> None:
        """Keep what tasks have written: the first of a key, or the last where the channel is a special one."""
        for statement, is_special in ((self._sql.put_write, False), (self._sql.replace_write, True)):
            if chosen := [row for row in rows if (row["channel"] in WRITES_IDX_MAP) is is_special]:
                connection.execute(statement, chosen)

    def get(
        self, connection: Connection, serde: SerializerProtocol, place: Place, checkpoint: str | None
    ) -> CheckpointTuple | None:
        """The checkpoint of this id, or the newest."""
        if checkpoint is None:
            found = connection.execute(self._sql.newest, place._asdict())
        else:
            found = connection.execute(self._sql.by_id, {**place._asdict(), "id": checkpoint})
        row = found.one_or_none()
        return None if row is None else self.load(connection, serde, row)

    def find(
        self, connection: Connection, serde: SerializerProtocol, query: Select[Any], wanted: Mapping[str, Any]
    ) -> Iterator[CheckpointTuple]:
        """The checkpoints that the query finds and whose metadata say what is wanted."""
        for row in connection.execute(query):
            metadata = _metadata(row)
            # Compared here, because each database has its own way to look into JSON.
            if all(metadata.get(key) == value for key, value in wanted.items()):
                yield self.load(connection, serde, row)

    def load(self, connection: Connection, serde: SerializerProtocol, row: Row[Any]) -> CheckpointTuple:
        """The checkpoint of a row, with its values and what was written to it; raises DamagedRow."""
        place = Place(row.thread, row.namespace)
        checkpoint, metadata = _unpacked(row, serde)
        large = set(checkpoint.pop(_LARGE, ()))
        values = self._values(connection, serde, place, checkpoint)
        for name in sorted(large - values.keys()):
            version = checkpoint["channel_versions"].get(name)
            raise missing(VALUES, row.thread, f"{row.namespace}/{version}/{name}", f"the checkpoint {row.id}")
        checkpoint["channel_values"].update(values)
        key = {**place._asdict(), "checkpoint": row.id}
        writes = sorted(
            connection.execute(self._sql.writes, key),
            key=_order,
        )
        return CheckpointTuple(
            config_of(place, row.id),
            cast("Checkpoint", checkpoint),
            metadata,
            config_of(place, row.parent) if row.parent else None,
            [(write.task, write.channel, _written(write, serde)) for write in writes],
        )

    def _values(
        self, connection: Connection, serde: SerializerProtocol, place: Place, checkpoint: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The values that have rows of their own."""
        small, versions = checkpoint["channel_values"], checkpoint["channel_versions"]
        apart = {name: str(version) for name, version in versions.items() if name not in small}
        parameters = {**place._asdict(), "versions": sorted({*apart.values()})}
        rows = connection.execute(self._sql.values, parameters)
        # Channels that changed at the same moment have the same version, and need not have it still.
        return {row.channel: _value(row, serde) for row in rows if apart.get(row.channel) == row.version}


@read_by(CHECKPOINTS)
def _unpacked(row: Row[Any], serde: SerializerProtocol) -> tuple[dict[str, Any], CheckpointMetadata]:
    """A checkpoint as it was packed, and its metadata."""
    checkpoint = serde.loads_typed((row.kind, row.body))
    large: object = checkpoint.get(_LARGE, [])
    names_large = isinstance(large, list) and all(
        isinstance(name, str) for name in cast("list[object]", large)
    )
    has_all = all(isinstance(checkpoint[name], dict) for name in ("channel_values", "channel_versions"))
    is_whole = names_large and has_all and isinstance(checkpoint["v"], int)
    if not (is_whole and checkpoint["id"] == row.id):
        raise damaged(CHECKPOINTS, row, "it is not what was put into it")
    return checkpoint, _metadata(row)


@read_by(CHECKPOINTS)
def _metadata(row: Row[Any]) -> CheckpointMetadata:
    """What LangGraph notes beside the checkpoint."""
    metadata = json.loads(row.metadata)
    if not isinstance(metadata, dict):
        raise damaged(CHECKPOINTS, row, "its metadata is not what was put into it")
    return cast("CheckpointMetadata", metadata)


@read_by(VALUES)
def _place_of_value(row: Row[Any]) -> tuple[str, str, str]:
    """What finds the value in its thread."""
    return row.namespace, row.version, row.channel


@read_by(VALUES)
def _value(row: Row[Any], serde: SerializerProtocol) -> Any:
    return serde.loads_typed((row.kind, row.value))


@read_by(WRITES)
def _order(row: Row[Any]) -> tuple[Any, ...]:
    """Where a write stands among those to its checkpoint."""
    if not (isinstance(row.path, str) and isinstance(row.task, str) and isinstance(row.position, int)):
        raise TypeError("a write stands nowhere")
    return writes_sort_key(row.path, row.task, row.position)


@read_by(WRITES)
def _written(row: Row[Any], serde: SerializerProtocol) -> Any:
    return serde.loads_typed((row.kind, row.value))


def delete_thread(connection: Connection, thread: str) -> None:
    """Delete all that is kept of the thread."""
    for table in THREAD:
        connection.execute(delete(table).where(table.c.thread == thread))


def session_thread(game: str, session: str) -> str:
    """The thread of a talk about the game, which ends with the game."""
    return f"{game}{_SESSION}{session}"


def delete_sessions(connection: Connection, game: str) -> None:
    """Delete all that is kept of talks about the game."""
    for table in THREAD:
        connection.execute(
            delete(table).where(table.c.thread.startswith(f"{game}{_SESSION}", autoescape=True))
        )


def copy_thread(connection: Connection, source: str, target: str) -> None:
    """Copy all that is kept of a thread into one that has nothing; no run of a server has written the copy."""
    given = {"thread": literal(target), "run": null()}
    for table in THREAD:
        columns = [given.get(column.name, column) for column in table.columns]
        rows = select(*columns).where(table.c.thread == source)
        connection.execute(table.insert().from_select([*table.columns.keys()], rows))


def keep_latest(connection: Connection, serde: SerializerProtocol, thread: str) -> None:
    """Drop all checkpoints of the thread but the latest of each namespace; raises NotImplementedError."""
    mine = CHECKPOINTS.c.thread == thread
    noted = connection.execute(select(*CHECKPOINTS.primary_key, CHECKPOINTS.c.metadata).where(mine))
    if any("counters_since_delta_snapshot" in _metadata(row) for row in noted):
        raise NotImplementedError(
            f"Thread {thread} has a DeltaChannel, whose value is in its earlier checkpoints; nothing was pruned."
        )
    latest = select(CHECKPOINTS.c.namespace, func.max(CHECKPOINTS.c.id)).where(mine)
    for namespace, checkpoint in connection.execute(latest.group_by(CHECKPOINTS.c.namespace)).all():
        here = CHECKPOINTS.c.namespace == namespace
        connection.execute(delete(CHECKPOINTS).where(mine, here, CHECKPOINTS.c.id < checkpoint))
        earlier = (WRITES.c.namespace == namespace, WRITES.c.checkpoint < checkpoint)
        connection.execute(delete(WRITES).where(WRITES.c.thread == thread, *earlier))
    connection.execute(update(CHECKPOINTS).where(mine).values(parent=None))
    _drop_unused_values(connection, serde, thread)


def threads_of_runs(connection: Connection, runs: Sequence[str]) -> list[str]:
    """The threads in which these runs of a server have made checkpoints, or written to some."""
    made = (select(table.c.thread).where(table.c.run.in_(runs)) for table in (CHECKPOINTS, WRITES))
    return sorted(connection.scalars(union(*made)))


def delete_runs(
    connection: Connection, serde: SerializerProtocol, *, thread: str, runs: Sequence[str]
) -> None:
    """Delete the checkpoints that these runs have made in the thread, what was written to them, and what they wrote."""
    made = (CHECKPOINTS.c.thread == thread, CHECKPOINTS.c.run.in_(runs))
    gone = connection.execute(select(CHECKPOINTS.c.namespace, CHECKPOINTS.c.id).where(*made)).all()
    connection.execute(delete(WRITES).where(WRITES.c.thread == thread, WRITES.c.run.in_(runs)))
    connection.execute(delete(CHECKPOINTS).where(*made))
    for namespace, checkpoint in gone:
        connection.execute(
            delete(WRITES).where(
                WRITES.c.thread == thread,
                WRITES.c.namespace == namespace,
                WRITES.c.checkpoint == checkpoint,
            )
        )
    _drop_unused_values(connection, serde, thread)


class Head(NamedTuple):
    """Where a thread stands."""

    checkpoint: str
    values: dict[str, Any]
    """What the checkpoint itself holds, a game's phase and status among it; large values have rows of their own."""


def head_of(connection: Connection, serde: SerializerProtocol, thread: str) -> Head | None:
    """The thread's latest checkpoint; None where it has none. Raises DamagedRow."""
    latest = select(CHECKPOINTS).where(CHECKPOINTS.c.thread == thread, CHECKPOINTS.c.namespace == "")
    row = connection.execute(latest.order_by(CHECKPOINTS.c.id.desc()).limit(1)).first()
    return None if row is None else Head(row.id, _unpacked(row, serde)[0]["channel_values"])


def _drop_unused_values(connection: Connection, serde: SerializerProtocol, thread: str) -> None:
    """Delete the values that no checkpoint has any more."""
    used: set[tuple[str, str, str]] = set()
    for row in connection.execute(select(CHECKPOINTS).where(CHECKPOINTS.c.thread == thread)):
        checkpoint, _ = _unpacked(row, serde)
        used |= {
            (row.namespace, str(version), channel)
            for channel, version in checkpoint["channel_versions"].items()
        }
    key = (VALUES.c.namespace, VALUES.c.version, VALUES.c.channel)
    columns: list[Column[Any]] = [VALUES.c.thread, *key]
    kept = {
        _place_of_value(row) for row in connection.execute(select(*columns).where(VALUES.c.thread == thread))
    }
    unused = delete(VALUES).where(
        VALUES.c.thread == thread, *(column == bindparam(f"of_{column.name}") for column in key)
    )
    names = [f"of_{column.name}" for column in key]
    if gone := [dict(zip(names, value, strict=True)) for value in kept - used]:
        connection.execute(unused, gone)
