"""A thread's checkpoints as values that any saver can be given, through the savers' own interface."""

from base64 import b64decode, b64encode
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    PendingWrite,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from pydantic import BaseModel, ConfigDict, JsonValue

from entente.errors import ImportRefused

Packed = tuple[str, str]
"""A value as LangGraph's serializer packs it: the kind, and the bytes in base64."""


class WriteLine(BaseModel):
    """One write of a task that no checkpoint has taken in yet."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str
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


class Unpacked(NamedTuple):
    """One checkpoint, ready for a saver."""

    namespace: str
    parent: str | None
    checkpoint: Checkpoint
    metadata: CheckpointMetadata
    writes: Sequence[PendingWrite]


async def dump_thread(saver: BaseCheckpointSaver[Any], thread: str) -> list[CheckpointLine]:
    """Every checkpoint of the thread, oldest first."""
    config = RunnableConfig(configurable={"thread_id": thread})
    lines = [_packed(found, saver.serde) async for found in saver.alist(config)]
    return lines[::-1]


async def load_thread(saver: BaseCheckpointSaver[Any], thread: str, checkpoints: Iterable[Unpacked]) -> None:
    """Put the checkpoints into a thread that has none."""
    for one in checkpoints:
        where = {"thread_id": thread, "checkpoint_ns": one.namespace}
        parent = {"checkpoint_id": one.parent} if one.parent else {}
        versions = one.checkpoint["channel_versions"]
        here = await saver.aput(
            RunnableConfig(configurable=where | parent), one.checkpoint, one.metadata, versions
        )
        await _put_writes(saver, here, one.writes)


def unpacked(line: CheckpointLine, serializer: SerializerProtocol) -> Unpacked:
    """What a line holds; raises ImportRefused."""
    try:
        checkpoint = _unpack(line.checkpoint, serializer)
        writes = [(write.task, write.channel, _unpack(write.value, serializer)) for write in line.writes]
        missing = Checkpoint.__required_keys__ - {"updated_channels"} - checkpoint.keys()
    except (ValueError, TypeError, AttributeError, NotImplementedError) as error:
        raise ImportRefused(f"A checkpoint cannot be read ({error}); nothing was imported.") from error
    if missing:
        raise ImportRefused(f"A checkpoint lacks {', '.join(sorted(missing))}; nothing was imported.")
    metadata = cast("CheckpointMetadata", line.metadata)
    return Unpacked(line.namespace, line.parent, checkpoint, metadata, writes)


async def _put_writes(
    saver: BaseCheckpointSaver[Any], config: RunnableConfig, writes: Sequence[PendingWrite]
) -> None:
    for task, group in groupby(writes, key=lambda write: write[0]):
        values = [(channel, value) for _, channel, value in group]
        # Savers number a task's plain writes from 0 and give the special ones places of their own, by
        # which they overwrite them; LangGraph itself never puts the two kinds in one call.
        for kind in (True, False):
            if chosen := [write for write in values if (write[0] in WRITES_IDX_MAP) is kind]:
                await saver.aput_writes(config, chosen, task)


def _packed(found: CheckpointTuple, serializer: SerializerProtocol) -> CheckpointLine:
    where = found.config.get("configurable", {})
    parent = (found.parent_config or {}).get("configurable", {})
    # A task's path is not kept, so writes are in the order that savers give them without one. Nothing
    # but DeltaChannel, which we don't use, reads stored paths: LangGraph computes them again.
    writes = sorted(found.pending_writes or (), key=lambda write: write[0])
    return CheckpointLine(
        namespace=where["checkpoint_ns"],
        parent=parent.get("checkpoint_id"),
        checkpoint=_pack(_ordered_checkpoint(found.checkpoint), serializer),
        metadata=_ordered(found.metadata, levels=2),
        writes=tuple(
            WriteLine(task=task, channel=channel, value=_pack(value, serializer))
            for task, channel, value in writes
        ),
    )


def _ordered(value: Any, *, levels: int) -> Any:
    """The same with its keys in order for so many levels; each saver gives LangGraph's own in another order."""
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
