"""A cancellation that comes while a store closes is not lost: Ctrl-C between two games ends the program."""

import asyncio
from pathlib import Path

import pytest

from checkpoints.store import open_store
from tests.support.patience import PATIENCE


@pytest.mark.parametrize("steps", range(12))
async def test_a_cancellation_that_comes_while_a_store_closes_is_not_lost(tmp_path: Path, steps: int) -> None:
    is_closing = asyncio.Event()

    async def use() -> None:
        async with open_store(str(tmp_path / "store")) as store:
            waiting = asyncio.create_task(store.journal.wait_after(None, 0))
            await asyncio.sleep(0)
            is_closing.set()
        await asyncio.gather(waiting, return_exceptions=True)
        await asyncio.sleep(PATIENCE)  # only reached when the cancellation was lost

    using = asyncio.create_task(use())
    await is_closing.wait()
    for _ in range(steps):  # as many turns of the event loop, each of which finds the closing elsewhere
        await asyncio.sleep(0)
    using.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(using, PATIENCE / 2)
