"""A store is opened by whoever comes first, and by many at once."""

import asyncio

from checkpoints.store import Store, open_store
from tests.checkpoints.small_graph import answered, played_to_the_question
from tests.support.patience import PATIENCE
from tests.support.stores import a_turn


async def test_many_open_an_empty_place_at_once(shared_location: str) -> None:
    ready = asyncio.Barrier(4)

    async def play(game: str) -> None:
        async with open_store(shared_location) as store:
            await ready.wait()
            await _use(store, game)

    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as group:
        for number in range(4):
            group.create_task(play(f"game {number}"))


async def test_nothing_of_a_store_is_left_running_when_it_is_closed(location: str) -> None:
    before = asyncio.all_tasks()
    async with open_store(location) as store:
        await _use(store, "a game")
    assert asyncio.all_tasks() == before


async def _use(store: Store, game: str) -> None:
    async with store.leases.hold(game):
        await store.journal.commit_turn(a_turn(game, "s1", "FRANCE"))
    assert (await answered(await played_to_the_question(store.saver, game), game, "yes"))[-1] == "yes"
