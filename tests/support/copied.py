"""Stores that are filled once and copied for each test."""

import asyncio
import shutil
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from checkpoints.store import Store, open_store

T = TypeVar("T")


def fill(folder: Path, play: Callable[[Store], Awaitable[T]]) -> T:
    """Make a store in the folder and fill it; what `play` returns."""

    async def filled() -> T:
        async with open_store(str(folder)) as store:
            return await play(store)

    return asyncio.run(filled())


@asynccontextmanager
async def copy_of(folder: Path, to: Path) -> AsyncGenerator[Store]:
    """The store of the folder as it was filled, for one test alone."""
    async with open_store(str(shutil.copytree(folder, to))) as store:
        yield store
