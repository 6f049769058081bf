"""Writes that wait together are committed together, and fail one by one."""

import asyncio

import pytest
from sqlalchemy import Connection, event, text

from checkpoints.store import Store
from entente.errors import LeaseLost
from tests.support.stores import a_turn

GAME, LOST = "0c1a7f04-0000-4000-8000-000000000001", "0c1a9999-0000-4000-8000-000000000002"
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


async def test_a_write_that_fails_does_not_harm_those_that_waited_with_it(store: Store) -> None:
    async with store.leases.hold(GAME), store.leases.hold(LOST):
        await store.library.database.write(lambda c: c.execute(text(_TAKE_OVER), {"game": LOST}))
        turns = [a_turn(game, "s1", power) for power in POWERS for game in (GAME, LOST)]
        outcomes = await asyncio.gather(*map(store.journal.commit_turn, turns), return_exceptions=True)
    assert outcomes[::2] == turns[::2] == await store.journal.turns(GAME, ["s1"])
    assert {type(outcome) for outcome in outcomes[1::2]} == {LeaseLost}
    assert await store.journal.turns(LOST, ["s1"]) == []


async def test_writes_that_wait_together_share_a_commit(memory_store: Store) -> None:
    commits: list[Connection] = []
    event.listen(memory_store.library.database._writer, "commit", commits.append)
    async with memory_store.leases.hold(GAME):
        commits.clear()
        turns = [a_turn(GAME, f"s{round}", power) for round in range(9) for power in POWERS]  # noqa: A001 - the game's word
        await asyncio.gather(*map(memory_store.journal.commit_turn, turns))
        assert len(commits) < len(turns) / 2


async def test_an_error_of_the_work_itself_reaches_its_caller(store: Store) -> None:
    def fail(connection: Connection) -> None:
        raise ZeroDivisionError

    for run in (store.library.database.write, store.library.database.read):
        with pytest.raises(ZeroDivisionError):
            await run(fail)


_TAKE_OVER = "UPDATE leases SET token = 'another' WHERE game = :game"
