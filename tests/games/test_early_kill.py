"""kill -9 while a person writes ahead of its question: no early answer is lost, and none is used twice.

The process that keeps the answer is the one that is killed, be it also the one that plays or not.
"""

import asyncio
import random
import signal

import pytest

from checkpoints.store import open_store
from entente.games.runner import GameMaster, RunEnd
from tests.games.test_early import thinking
from tests.support.processes import FORKED
from tests.support.sending import TEXTS, Moment, begin, run, run_sender, said, sent


async def end_of(location: str, game: str) -> list[str]:
    """What the person has said in a game that is over."""
    async with open_store(location) as store:
        assert (await GameMaster(store).look(game)).end is RunEnd.FINISHED
        assert await store.early.waiting(game) == []
        return await said(store, game)


def life(location: str, game: str, moment: Moment | None, seconds: float | None = None) -> int | None:
    """One life of the process that plays the game, and how it ended."""
    process = FORKED.Process(target=run, args=(location, game, moment))
    process.start()
    process.join(seconds)
    process.kill()
    process.join()
    return process.exitcode


@pytest.mark.slow
@pytest.mark.parametrize("floor", ["rounds", "conductor"])
def test_a_kill_at_each_moment_of_an_early_answer_gives_it_once(shared_location: str, floor: str) -> None:
    game = asyncio.run(begin(shared_location, floor))
    for moment in Moment:
        assert life(shared_location, game, moment) == -signal.SIGKILL, moment
    assert life(shared_location, game, None) == 0
    assert asyncio.run(end_of(shared_location, game)) == TEXTS


@pytest.mark.parametrize(
    ("moment", "stands"),
    [(Moment.WHILE_KEPT, []), (Moment.ONCE_KEPT, TEXTS[:1])],
)
async def test_whoever_plays_goes_on_when_the_process_that_keeps_an_answer_is_killed(
    shared_location: str, moment: Moment, stands: list[str]
) -> None:
    async with open_store(shared_location) as store, thinking(store, rounds=1) as table:
        sender = FORKED.Process(target=run_sender, args=(shared_location, table.game, moment))
        await asyncio.to_thread(sender.start)
        await asyncio.to_thread(sender.join)
        assert sender.exitcode == -signal.SIGKILL
        assert await sent(store, table.game) == stands
        assert (await table.question() is None) == bool(stands)
        standing = await table.let_them_answer()
        assert await said(store, table.game) == stands
        assert [seat.power for seat in standing.pending] == ["ENGLAND", *["FRANCE"] * (not stands)]


@pytest.mark.slow
@pytest.mark.parametrize("floor", ["rounds", "conductor"])
def test_so_it_is_over_scores_of_kills_at_random_moments(shared_location: str, floor: str) -> None:
    dice, kills = random.Random(f"{floor} {shared_location[:8]}"), 0
    while kills < 20:
        game, longest = asyncio.run(begin(shared_location, floor)), 0.5
        while life(shared_location, game, None, dice.uniform(0.1, longest)) != 0:
            kills, longest = (
                kills + 1,
                longest + 0.2,
            )  # however slow the machine is, some life reaches the end
        assert asyncio.run(end_of(shared_location, game)) == TEXTS
