"""An answer is waited for until it is kept, and no longer than its run lasts."""

import asyncio

import pytest

from checkpoints.store import Store
from entente.errors import NotWaiting, PlayerError
from entente.games.runner import GameMaster
from entente.games.waiting import told_no_names, wait_until_kept
from graph.context import GameSettings

SETTINGS = GameSettings(everyone="hold", seats={"FRANCE": "human", "ITALY": "human"}, rounds=0)


async def test_an_answer_is_kept_before_its_run_is_over_and_anothers_is_not_taken_for_it(
    memory_store: Store,
) -> None:
    journal, master = memory_store.journal, GameMaster(memory_store)
    standing = await master.run(await master.begin(SETTINGS))
    game, before = standing.game, await journal.newest()
    goes_on: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    france = asyncio.create_task(wait_until_kept(journal, game, "FRANCE", before, goes_on))
    italy = asyncio.create_task(wait_until_kept(journal, game, "ITALY", before, goes_on))
    (seat,) = [seat for seat in standing.pending if seat.power == "FRANCE"]
    await master.answer(game, {seat: {"orders": ["A PAR H", "A MAR H", "F BRE H"]}})
    assert await france
    assert not italy.done()
    goes_on.set_exception(RuntimeError("what stopped the run is for its owner to ask for"))
    assert not await italy
    assert await wait_until_kept(journal, game, "FRANCE", before, goes_on)
    goes_on.exception()


def test_a_seat_is_told_that_a_player_failed_and_not_which() -> None:
    with (
        pytest.raises(NotWaiting, match="Game g1 is paused, since a player failed") as told,
        told_no_names("g1"),
    ):
        raise PlayerError("GERMANY: openai:secret-model answered 401.")
    assert "GERMANY" not in str(told.value)
