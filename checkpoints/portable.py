"""A thread's checkpoints as lines of text, to be entered into another store."""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple, cast

from langgraph.checkpoint.base import Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.serde.base import SerializerProtocol
from pydantic import BaseModel, ConfigDict, JsonValue
from sqlalchemy import Connection, Row, select

from checkpoints.damage import check_types, read_by
from checkpoints.tables import CHECKPOINTS, WRITES
from checkpoints.threads import Place, Threads, pack, pack_writes
from entente.errors import ImportRefused

Packed = tuple[str, str]
"""A value as LangGraph's serializer packs it: the kind, and the bytes in base64."""


class WriteLine(BaseModel):
    """One write of a task that no checkpoint has taken in yet."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str
    path: str = ""
    """Of the task; files of before schema 5 have none."""
    channel: str
    value: Packed


class CheckpointLine(BaseModel):
    """One checkpoint as it stands in a file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    namespace: str
    parent: str | None
    checkpoint: Packed
    metadata: dict[str, JsonValue]
    writes: tuple[WriteLine, ...]


class Write(NamedTuple):
    """What a task has written to one channel."""

    task: str
    path: str
    channel: str
    value: Any


class Unpacked(NamedTuple):
    """One checkpoint, ready to be kept."""

    namespace: str
    parent: str | None
    checkpoint: Checkpoint
    metadata: CheckpointMetadata
    writes: Sequence[Write]


def dump_thread(connection: Connection, serde: SerializerProtocol, thread: str) -> list[CheckpointLine]:
    """Every checkpoint of the thread, oldest first."""
    oldest_first = select(CHECKPOINTS).where(CHECKPOINTS.c.thread == thread).order_by(CHECKPOINTS.c.id)
    key = (WRITES.c.namespace, WRITES.c.checkpoint, WRITES.c.task)
    paths = {
        tuple(key): path
        for *key, path in connection.execute(select(*key, WRITES.c.path).where(WRITES.c.thread == thread))
    }
    threads = Threads(connection.dialect.name)

    @read_by(CHECKPOINTS)
    def line(row: Row[Any]) -> CheckpointLine:
        check_types(CHECKPOINTS, row)
        return _packed(threads.load(connection, serde, row), serde, paths)

    return [line(row) for row in connection.execute(oldest_first)]


def load_thread(
    connection: Connection, serde: SerializerProtocol, thread: str, checkpoints: Iterable[Unpacked]
) -> None:
    """Put the checkpoints into a thread that has none."""
    threads = Threads(connection.dialect.name)
    for one in checkpoints:
        place = Place(thread, one.namespace)
        versions = one.checkpoint["channel_versions"]
        threads.put(connection, pack(serde, place, one.parent, one.checkpoint, one.metadata, versions))
        for (task, path), writes in groupby(one.writes, key=lambda write: (write.task, write.path)):
            values = [(write.channel, write.value) for write in writes]
            rows = pack_writes(serde, place, one.checkpoint["id"], task, path, None, values)
            threads.put_writes(connection, rows)


def unpacked(line: CheckpointLine, serializer: SerializerProtocol) -> Unpacked:
    """What a line holds; raises ImportRefused."""
    try:
        checkpoint = _unpack(line.checkpoint, serializer)
        writes = [Write(w.task, w.path, w.channel, _unpack(w.value, serializer)) for w in line.writes]
        missing = Checkpoint.__required_keys__ - {"updated_channels"} - checkpoint.keys()
    except (ValueError, TypeError, AttributeError, NotImplementedError) as error:
        raise ImportRefused(f"A checkpoint cannot be read ({error}); nothing was imported.") from error
    if missing:
        raise ImportRefused(f"A checkpoint lacks {', '.join(sorted(missing))}; nothing was imported.")
    metadata = cast("CheckpointMetadata", line.metadata)
    return Unpacked(line.namespace, line.parent, checkpoint, metadata, writes)


def _packed(
    found: CheckpointTuple, serializer: SerializerProtocol, paths: Mapping[tuple[str, ...], str]
) -> CheckpointLine:
    """The line of a checkpoint; `paths` of tasks by namespace, checkpoint and task."""
    where = found.config.get("configurable", {})
    parent = (found.parent_config or {}).get("configurable", {})
    here = (where["checkpoint_ns"], where["checkpoint_id"])
    return CheckpointLine(
        namespace=where["checkpoint_ns"],
        parent=parent.get("checkpoint_id"),
        checkpoint=_pack(_ordered_checkpoint(found.checkpoint), serializer),
        metadata=_ordered(found.metadata, levels=2),
        writes=tuple(
            WriteLine(task=task, path=paths[*here, task], channel=channel, value=_pack(value, serializer))
            for task, channel, value in found.pending_writes or ()
        ),
    )


def _ordered(value: Any, *, levels: int) -> Any:
    """The same with its keys in order for so many levels, so that equal checkpoints are equal lines."""
    if levels == 0 or not isinstance(value, dict):
        return value
    items = cast("dict[str, Any]", value).items()
    return {key: _ordered(item, levels=levels - 1) for key, item in sorted(items)}


def _ordered_checkpoint(checkpoint: Checkpoint) -> dict[str, Any]:
    # The values of channels are the game's, and keep their order: a board lists its powers in the map's.
    return {
        key: _ordered(value, levels=1 if key == "channel_values" else 2)
        for key, value in sorted(checkpoint.items())
    }


def _pack(value: object, serializer: SerializerProtocol) -> Packed:
    kind, data = serializer.dumps_typed(value)
    return kind, b64encode(data).decode("ascii")


def _unpack(packed: Packed, serializer: SerializerProtocol) -> Any:
    kind, data = packed
    return serializer.loads_typed((kind, b64decode(data, validate=True)))
