"""A process of its own that holds a game or commits turns, for tests that kill it; it says what it has done."""

import asyncio
import os
from itertools import count
from multiprocessing.connection import Connection
from typing import Literal

from checkpoints.store import Store, open_store
from tests.support.piped import Piped
from tests.support.stores import a_turn

What = Literal["hold", "commit"]


def holder(what: What, location: str, game: str) -> Piped:
    """Start the process."""
    return Piped(_run, what, location, game)


def _run(out: Connection, err: Connection, what: What, location: str, game: str) -> None:
    asyncio.run(_main(out.fileno(), what, location, game))


async def _hold(told: int) -> None:
    os.write(told, b"holding\n")
    await asyncio.Event().wait()


async def _commit(told: int, store: Store, game: str) -> None:
    for number in count():
        says = [f"Message {place} of turn {number}." for place in range(3)]
        await store.journal.commit_turn(a_turn(game, "s1", "FRANCE", number, says=says))
        os.write(told, f"{number}\n".encode())


async def _main(told: int, what: What, location: str, game: str) -> None:
    async with open_store(location) as store, store.leases.hold(game):
        await (_hold(told) if what == "hold" else _commit(told, store, game))
