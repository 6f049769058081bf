"""How long a test waits for what never comes."""

import asyncio
from collections.abc import Awaitable, Callable

PATIENCE = 180.0
"""Seconds; only a test that fails takes them, so they are many on a quick machine and enough on a slow one."""


async def until(is_so: Callable[[], Awaitable[object]]) -> None:
    """Return once this is so."""
    async with asyncio.timeout(PATIENCE):
        while not await is_so():  # noqa: ASYNC110 - what is waited for tells nobody
            await asyncio.sleep(0)
