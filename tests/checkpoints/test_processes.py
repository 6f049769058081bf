"""What happens to a store when the processes that use it are killed."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from checkpoints.store import open_store
from entente.errors import GameHeld
from tests.checkpoints.holder import What, holder
from tests.support.piped import Piped
from tests.support.stores import a_turn

GAME = "0c1a7f04-0000-4000-8000-000000000001"


@contextmanager
def _another_process(what: What, location: str) -> Generator[Piped]:
    with holder(what, location, GAME) as process:
        try:
            yield process
        finally:
            process.kill()


async def test_a_second_process_is_refused_until_the_first_is_killed(shared_location: str) -> None:
    with _another_process("hold", shared_location) as first:
        await asyncio.to_thread(first.stdout.readline)
        async with open_store(shared_location) as store:
            with pytest.raises(GameHeld, match=f"process {first.pid} on"):
                async with store.leases.hold(GAME):
                    pass
            first.kill()
            first.wait()
            async with store.leases.hold(GAME):
                assert store.leases.held(GAME)


@pytest.mark.parametrize("seen", [1, 7, 40])
async def test_a_kill_in_the_middle_of_commits_loses_nothing_and_doubles_nothing(
    shared_location: str, seen: int
) -> None:
    with _another_process("commit", shared_location) as victim:
        for _ in range(seen):
            assert victim.stdout.readline()
        victim.kill()
        rest = victim.communicate()[0].split()
    async with open_store(shared_location) as store, store.leases.hold(GAME):
        before = await store.journal.turns(GAME, ["s1"])
        numbers = [turn.number for turn in before]
        assert numbers == list(range(len(numbers)))
        assert len(numbers) >= seen + len(rest)
        assert all(len(turn.messages) == 3 for turn in before)
        again = [
            await store.journal.commit_turn(a_turn(GAME, "s1", "FRANCE", number, says=["Another reply."]))
            for number in numbers
        ]
        assert again == before == await store.journal.turns(GAME, ["s1"])
