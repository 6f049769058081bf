"""Who waits is woken by whatever concerns it, whoever commits it, and costs nothing meanwhile."""

import asyncio
from collections.abc import AsyncGenerator, Collection
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import Connection, text

from checkpoints.changes import Changes
from checkpoints.commit_order import News
from checkpoints.store import Store, open_store
from entente.errors import StoreUnavailable
from tests.support.patience import PATIENCE, until
from tests.support.postgres import Server, postgres_server
from tests.support.stores import a_phase, a_segment, a_turn

GAME = "0c1a7f04-0000-4000-8000-000000000001"
OTHER = "0c1a7f04-0000-4000-8000-000000000002"


@asynccontextmanager
async def waiting(store: Store, game: str | None, after: int) -> AsyncGenerator[asyncio.Task[None]]:
    """A task that waits, and must have been woken when the block ends."""
    task = asyncio.create_task(store.journal.wait_after(game, after))
    yield task
    async with asyncio.timeout(PATIENCE):
        await task


async def are_waiting(store: Store, count: int) -> bool:
    """True when so many do."""
    return await _have_begun(store.library.database.changes, count)


async def _have_begun(changes: Changes, count: int) -> bool:
    return len(changes._waiting) >= count


async def _commit(store: Store, game: str, segment: str = "s1") -> int:
    return (await store.journal.commit_turn(a_turn(game, segment, "FRANCE"))).sequence


async def test_what_stands_already_is_not_waited_for(store: Store) -> None:
    async with store.leases.hold(GAME):
        number = await _commit(store, GAME)
    for game in (GAME, None):
        await store.journal.wait_after(game, number - 1)


async def test_a_commit_of_this_process_wakes_before_anything_else_is_done() -> None:
    """In memory nobody looks, so that nothing but the commit itself can wake anybody."""
    async with (
        open_store("memory") as store,
        store.leases.hold(GAME),
        waiting(store, GAME, 0),
        waiting(store, None, 0),
    ):
        await until(lambda: are_waiting(store, 2))
        await _commit(store, GAME)


@pytest.mark.parametrize("what", ["step", "turn", "phase", "status", "settings"])
async def test_whatever_changes_in_a_game_wakes_who_waits_for_it(store: Store, what: str) -> None:
    async with store.leases.hold(GAME):
        await store.journal.create_game(GAME, settings={})
        async with waiting(store, GAME, await store.journal.newest()):
            match what:
                case "step":
                    await store.journal.open_segment(a_segment(GAME, "s1"))
                case "turn":
                    await _commit(store, GAME)
                case "phase":
                    await store.journal.commit_phase(a_phase(GAME, "p1", None), "F1901M")
                case "status":
                    await store.journal.set_progress(GAME, phase="S1901M", status="finished")
                case _:
                    await store.journal.set_settings(GAME, {"rounds": 1})


async def test_a_commit_of_another_game_wakes_nobody_but_who_waits_for_all(store: Store) -> None:
    async with store.leases.hold(GAME), store.leases.hold(OTHER):
        await store.journal.create_game(OTHER, settings={})
        after = await store.journal.newest()
        async with waiting(store, OTHER, after) as other:
            async with waiting(store, None, after):
                await until(lambda: are_waiting(store, 2))
                await _commit(store, GAME)
            assert not other.done()
            await _commit(store, OTHER)


async def test_what_is_no_part_of_a_game_wakes_nobody(store: Store) -> None:
    async with store.leases.hold(GAME):
        await store.journal.create_game(GAME, settings={})
        await store.journal.open_segment(a_segment(GAME, "s1"))
        async with waiting(store, GAME, await store.journal.newest()) as task:
            await until(lambda: are_waiting(store, 1))
            await store.journal.keep_reply(a_segment(GAME, "s1"), "d", "{}")
            assert not task.done()
            await _commit(store, GAME)


@pytest.mark.parametrize("what", ["turn", "status", "deletion"])
async def test_another_process_wakes_as_well(shared_location: str, what: str) -> None:
    async with open_store(shared_location) as mine, open_store(shared_location) as another:
        async with another.leases.hold(GAME):
            await another.journal.create_game(GAME, settings={})
        async with waiting(mine, GAME, await mine.journal.newest()):
            await until(lambda: are_waiting(mine, 1))
            if what == "deletion":
                await another.library.delete(GAME)
                return
            async with another.leases.hold(GAME):
                if what == "turn":
                    await _commit(another, GAME)
                else:
                    await another.journal.set_progress(GAME, phase="S1901M", status="finished")


async def test_commits_that_came_while_nobody_waited_are_not_missed(shared_location: str) -> None:
    async with (
        open_store(shared_location) as mine,
        open_store(shared_location) as another,
        another.leases.hold(GAME),
        another.leases.hold(OTHER),
    ):
        async with waiting(mine, OTHER, 0):  # from here on it is looked for others' commits
            await _commit(another, OTHER)
        number = await _commit(another, GAME)
        async with asyncio.timeout(PATIENCE):
            await mine.journal.wait_after(GAME, number - 1)
            await mine.journal.wait_after(GAME, 0)


async def test_who_is_cancelled_leaves_nothing_behind(store: Store) -> None:
    tasks = [asyncio.create_task(store.journal.wait_after(GAME, 0)) for _ in range(20)]
    await until(lambda: are_waiting(store, 20))
    for task in tasks[1:]:
        task.cancel()
    await asyncio.gather(*tasks[1:], return_exceptions=True)
    assert all(task.cancelled() for task in tasks[1:])
    async with store.leases.hold(GAME):
        await _commit(store, GAME)
    await tasks[0]
    assert not store.library.database.changes._waiting


async def test_a_wait_ends_with_the_store(location: str) -> None:
    async with open_store(location) as store:
        tasks = [asyncio.create_task(store.journal.wait_after(game, 0)) for game in (GAME, None)]
        await until(lambda: are_waiting(store, 2))
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        assert isinstance(outcome, StoreUnavailable)
        assert "was closed" in str(outcome)


class _Looks:
    """A store of which it is counted how often somebody looked into it."""

    def __init__(self) -> None:
        self.looked_after: list[int] = []
        self.news = News(0, {})
        self.hints = asyncio.Queue[int | None]()

    async def look(self, after: int, games: Collection[str]) -> News:
        self.looked_after.append(after)
        await asyncio.sleep(0)
        return self.news

    async def hear(self) -> AsyncGenerator[int | None]:
        while True:
            yield await self.hints.get()


async def test_two_hundred_who_wait_are_looked_for_once() -> None:
    looks = _Looks()
    changes = Changes(looks.look, looks.hear, "here")
    looks.news = News(70, {})
    tasks = [asyncio.create_task(changes.wait_after(f"game {number}", 70)) for number in range(200)]
    await until(lambda: _have_begun(changes, 200))
    assert looks.looked_after == [70], "what came before is nobody's news"
    looks.news = News(270, {f"game {number}": number + 71 for number in range(100)})
    looks.hints.put_nowait(270)
    await asyncio.gather(*tasks[:100])
    assert not any(task.done() for task in tasks[100:])
    assert looks.looked_after == [70, 70]
    await changes.close()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_hint_at_what_is_known_already_costs_no_look() -> None:
    looks = _Looks()
    changes = Changes(looks.look, looks.hear, "here")
    async with asyncio.TaskGroup() as group:
        group.create_task(changes.wait_after("other", 3))
        await changes.wait_after("mine", -1)
        changes.note("mine", 1, 2)
        before = len(looks.looked_after)
        for hint in (1, 2):
            looks.hints.put_nowait(hint)
        changes.note("other", 4, 5)
    assert len(looks.looked_after) == before
    await changes.close()


@pytest.mark.postgres
async def test_a_lost_connection_that_listened_is_made_anew(postgres: Server) -> None:
    location = postgres.new_database()
    async with open_store(location) as mine, open_store(location) as another, another.leases.hold(GAME):
        for _ in range(3):
            async with waiting(mine, GAME, await mine.journal.newest()):
                await until(lambda: another.library.database.read(_listeners))
                await another.library.database.read(_end_listeners)
                await _commit(another, GAME, str(await another.journal.newest()))


@pytest.mark.postgres
async def test_a_server_that_goes_is_told_to_all_who_wait() -> None:
    with postgres_server() as server:
        async with open_store(server.new_database()) as store:
            tasks = [asyncio.create_task(store.journal.wait_after(game, 0)) for game in (GAME, None)]
            await until(lambda: store.library.database.read(_listeners))
            server.stop()
            async with asyncio.timeout(PATIENCE):
                outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    for outcome in outcomes:
        assert isinstance(outcome, StoreUnavailable)
        assert "cannot be used" in str(outcome)


def _listeners(connection: Connection) -> int:
    return connection.execute(text(f"SELECT count(*) {_LISTENING}")).scalar_one()


def _end_listeners(connection: Connection) -> None:
    connection.execute(text(f"SELECT pg_terminate_backend(pid) {_LISTENING}")).all()


_LISTENING = "FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %'"
