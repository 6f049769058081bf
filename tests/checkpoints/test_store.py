"""A store is opened by whoever comes first, and by many at once."""

import asyncio
import os
from pathlib import Path

import pytest

from checkpoints.locations import JOURNAL_FILE
from checkpoints.store import Store, open_store, open_to_read
from entente.errors import StoreUnavailable
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


async def test_what_was_read_while_another_wrote_is_not_given_out(tmp_path: Path) -> None:
    location = str(tmp_path)
    async with open_store(location):
        pass
    async with open_to_read(location) as reading:
        assert await reading.library.games() == []
        async with open_store(location) as writing, writing.leases.hold("a-game"):
            await writing.journal.create_game("a-game", settings={})
            with pytest.raises(
                StoreUnavailable, match="while it was read; nothing was done, please try again"
            ):
                await reading.library.games()
            async with open_to_read(location) as again:
                assert [game.id for game in await again.library.games()] == ["a-game"]
    assert await asyncio.to_thread(os.listdir, tmp_path) == [JOURNAL_FILE]
