"""A game's checkpoints as a file that LangGraph's own saver for SQLite opens, for tools that know no other.

It is written through that saver's own interface. The journal is not in it: the file can be looked at and run
on with a graph of one's own, and is not read by entente again.
"""

import asyncio
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import WRITES_IDX_MAP

from checkpoints.failures import translated
from checkpoints.library import Library
from checkpoints.portable import Unpacked, dump_thread, unpacked
from checkpoints.private import make_new_file
from checkpoints.threads import Place, config_of
from entente.errors import StoreUnavailable

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver


async def export_langgraph(library: Library, game: str, path: Path) -> None:
    """Write the file, in place of what is there; the game may be played meanwhile.

    Raises UnknownGame, and StoreUnavailable when the file cannot be written or LangGraph's saver is not installed.
    """
    await library.summary(game)
    serde = library.saver.serde
    lines = await library.database.read(lambda connection: dump_thread(connection, serde, game))
    part = path.with_name(f".{path.name}.partial")
    with translated(str(path), noun="file"):
        try:
            await asyncio.to_thread(make_new_file, part)
            async with _saver_class().from_conn_string(str(part)) as saver:
                for line in lines:
                    await _put(saver, game, unpacked(line, serde))
            await asyncio.to_thread(part.replace, path)
        finally:
            await asyncio.to_thread(_remove, part)


def _remove(part: Path) -> None:
    """What was not moved into place, with the files that SQLite leaves beside it on a disk that is full."""
    for ending in ("", "-wal", "-shm"):
        part.with_name(part.name + ending).unlink(missing_ok=True)


def _saver_class() -> "type[AsyncSqliteSaver]":
    try:
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
    except ImportError as error:  # an extra
        raise StoreUnavailable(
            "A file for LangGraph's own saver was wanted and that is not installed; nothing was written,"
            " please install entente[langgraph]."
        ) from error
    return AsyncSqliteSaver


async def _put(saver: "AsyncSqliteSaver", game: str, one: Unpacked) -> None:
    where = {"thread_id": game, "checkpoint_ns": one.namespace, "checkpoint_id": one.parent}
    versions = one.checkpoint["channel_versions"]
    await saver.aput(RunnableConfig(configurable=where), one.checkpoint, one.metadata, versions)
    here = config_of(Place(game, one.namespace), one.checkpoint["id"])
    # The saver numbers the writes of a call, and has numbers of its own for special channels: the two kinds apart.
    kinds = groupby(one.writes, key=lambda write: (write.task, write.path, write.channel in WRITES_IDX_MAP))
    for (task, task_path, _), writes in kinds:
        await saver.aput_writes(here, [(write.channel, write.value) for write in writes], task, task_path)
