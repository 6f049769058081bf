"""An answer is waited for until it is kept, and no longer than its run lasts."""

import asyncio

from checkpoints.store import Store
from entente.games.runner import GameMaster
from entente.games.waiting import wait_until_kept
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
