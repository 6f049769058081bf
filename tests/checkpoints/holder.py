"""A process of its own that holds a game or commits turns, for tests that kill it.

Run as `python -m tests.checkpoints.holder hold|commit LOCATION GAME`; it says on stdout what it has done.
"""

import asyncio
import sys
from itertools import count

from checkpoints.store import Store, open_store
from tests.support.stores import a_turn


async def _hold() -> None:
    print("holding", flush=True)  # noqa: T201 - the parent reads it
    await asyncio.Event().wait()


async def _commit(store: Store, game: str) -> None:
    for number in count():
        says = [f"Message {place} of turn {number}." for place in range(3)]
        await store.journal.commit_turn(a_turn(game, "s1", "FRANCE", number, says=says))
        print(number, flush=True)  # noqa: T201 - the parent reads it


async def _main(what: str, location: str, game: str) -> None:
    async with open_store(location) as store, store.leases.hold(game):
        await (_hold() if what == "hold" else _commit(store, game))


if __name__ == "__main__":
    asyncio.run(_main(*sys.argv[1:]))
