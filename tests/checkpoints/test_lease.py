"""One run plays a game at a time, and one that was replaced can't write any more."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from contextvars import Context
from dataclasses import dataclass

import psycopg
import pytest
from sqlalchemy import select

from checkpoints.journal import Journal
from checkpoints.lease import TTL_SECONDS, Hold, Leases
from checkpoints.process import Process, is_alive, this_process
from checkpoints.store import Store, open_store
from checkpoints.tables import LEASES
from entente.errors import GameHeld, LeaseLost, StoreUnavailable
from tests.support.patience import PATIENCE
from tests.support.postgres import Server
from tests.support.stores import a_segment, a_turn

GAME = "0c1a7f04-0000-4000-8000-000000000001"


@dataclass
class Clock:
    """A clock that a test moves."""

    now: float = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def elsewhere(clock: Clock, store: Store, host: str = "far") -> tuple[Leases, Journal]:
    """The leases and the journal of a process on another machine, over the same store."""
    process = Process(machine=host, host=host, pid=4711, started="", command="entente play")
    leases = Leases(store.library.database, process, clock=clock)
    return leases, Journal(store.library.database, leases)


async def test_a_game_is_held_by_one_process_and_the_other_is_told_by_whom(store: Store) -> None:
    clock = Clock()
    (here, _), (there, _) = elsewhere(clock, store, "near"), elsewhere(clock, store, "far")
    async with here.hold(GAME):
        with pytest.raises(GameHeld, match=r"'entente play' \(process 4711 on near, since 1970-01-12"):
            async with there.hold(GAME):
                pass
    async with there.hold(GAME):
        assert (await here.holders())[GAME].host == "far"
    assert await here.holders() == {}


async def test_holding_again_in_the_same_run_ends_with_the_first(store: Store) -> None:
    async with store.leases.hold(GAME) as outer:
        async with store.leases.hold(GAME) as inner:
            assert inner is outer
        assert GAME in await store.leases.holders()
        assert store.leases.held(GAME) is outer
    assert await store.leases.holders() == {}
    assert store.leases.held(GAME) is None


async def test_tasks_of_a_run_write_with_its_lease(store: Store) -> None:
    async def visit(number: int) -> None:
        async with store.leases.hold(GAME):
            await store.journal.commit_turn(a_turn(GAME, "s1", "FRANCE", number))

    async with store.leases.hold(GAME):
        await asyncio.gather(*map(visit, range(7)))
    assert len(await store.journal.turns(GAME, ["s1"])) == 7


async def test_a_second_run_of_the_same_process_is_told_that_this_process_plays_the_game(
    store: Store,
) -> None:
    async def another_run() -> None:
        async with store.leases.hold(GAME):
            pass

    began = asyncio.Event()

    async def run() -> None:
        async with store.leases.hold(GAME):
            began.set()
            await asyncio.Event().wait()

    running = asyncio.create_task(run())
    await began.wait()
    with pytest.raises(GameHeld, match=f"process {this_process().pid} on"):
        await another_run()
    with pytest.raises(LeaseLost):
        await store.journal.commit_turn(a_turn(GAME, "s1", "FRANCE"))
    running.cancel()
    await asyncio.wait([running])
    await another_run()


async def test_steps_of_a_run_that_hold_the_game_each_for_itself_share_a_lease(store: Store) -> None:
    one, another = object(), object()
    both_hold = asyncio.Barrier(2)

    async def step(run: object) -> None:
        async with store.leases.hold(GAME, run=run):
            await both_hold.wait()
            with pytest.raises(GameHeld):
                await asyncio.create_task(_hold(store, another), context=Context())
            await store.journal.open_segment(a_segment(GAME, "s1"))

    await asyncio.gather(step(one), step(one))
    assert await store.leases.holders() == {}
    await _hold(store, another)


async def _hold(store: Store, run: object) -> None:
    async with store.leases.hold(GAME, run=run):
        pass


async def test_what_is_left_in_another_context_than_it_was_entered_in_is_given_back(store: Store) -> None:
    holds = [store.leases.hold(game) for game in (GAME, "another")]
    for hold in holds:
        await hold.__aenter__()
    assert store.leases.held(GAME)
    for hold in holds:
        await asyncio.create_task(_leave(hold), context=Context())
    assert await store.leases.holders() == {}
    assert store.leases.held(GAME) is None
    async with store.leases.hold(GAME):
        await store.journal.open_segment(a_segment(GAME, "s1"))


async def _leave(hold: AbstractAsyncContextManager[Hold]) -> None:
    await hold.__aexit__(None, None, None)


async def test_a_generator_whose_steps_run_in_different_contexts_writes_with_its_lease(store: Store) -> None:
    async def steps() -> AsyncGenerator[None]:
        async with store.leases.hold(GAME) as hold:
            for name in ("s1", "s2"):
                with hold.here():
                    await store.journal.open_segment(a_segment(GAME, name))
                yield

    running = steps()
    for _ in range(2):
        await asyncio.create_task(_next(running), context=Context())
    await running.aclose()
    assert [segment.id for segment in await store.journal.segments(GAME)] == ["s1", "s2"]
    assert await store.leases.holders() == {}


async def _next(steps: AsyncGenerator[None]) -> None:
    await anext(steps)


async def test_a_lease_is_given_back_when_the_holder_fails_or_is_cancelled(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        async with store.leases.hold(GAME):
            raise ZeroDivisionError
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0), store.leases.hold(GAME):
            await asyncio.Event().wait()
    assert await store.leases.holders() == {}


async def test_a_lease_can_be_taken_only_after_it_has_expired(store: Store) -> None:
    clock = Clock()
    (here, _), (there, _) = elsewhere(clock, store, "near"), elsewhere(clock, store, "far")
    async with here.hold(GAME):
        clock.now += TTL_SECONDS - 1
        with pytest.raises(GameHeld):
            async with there.hold(GAME):
                pass
        clock.now += 1
        async with there.hold(GAME):
            assert (await here.holders())[GAME].host == "far"
        assert await here.holders() == {}


async def test_heartbeats_keep_a_lease_for_as_long_as_it_is_held(store: Store) -> None:
    clock = Clock()
    (here, _), (there, _) = elsewhere(clock, store, "near"), elsewhere(clock, store, "far")
    async with here.hold(GAME):
        for _ in range(10):
            clock.now += TTL_SECONDS / 3
            await here.beat()
        with pytest.raises(GameHeld):
            async with there.hold(GAME):
                pass


async def test_who_was_replaced_cannot_write_and_what_the_other_wrote_stands(store: Store) -> None:
    clock = Clock()
    here, my_journal = elsewhere(clock, store, "near")
    there, their_journal = elsewhere(clock, store, "far")
    async with here.hold(GAME):
        mine = await my_journal.commit_turn(a_turn(GAME, "s1", "FRANCE"))
        clock.now += TTL_SECONDS
        async with there.hold(GAME):
            with pytest.raises(LeaseLost, match=GAME):
                await my_journal.commit_turn(a_turn(GAME, "s1", "ITALY"))
            with pytest.raises(LeaseLost):
                await my_journal.commit_turn(mine)  # reading back counts as writing: the run must end
            theirs = await their_journal.commit_turn(a_turn(GAME, "s1", "ITALY", says=["Other."]))
        with pytest.raises(LeaseLost):
            await my_journal.open_segment(a_segment(GAME, "s1"))
    assert await store.journal.turns(GAME, ["s1"]) == [mine, theirs]


async def test_a_heartbeat_leaves_a_lease_alone_that_was_taken(store: Store) -> None:
    clock = Clock()
    (here, my_journal), (there, _) = elsewhere(clock, store, "near"), elsewhere(clock, store, "far")
    async with here.hold(GAME):
        clock.now += TTL_SECONDS
        async with there.hold(GAME):
            await here.beat()
            with pytest.raises(LeaseLost):
                await my_journal.open_segment(a_segment(GAME, "s1"))
            assert (await here.holders())[GAME].host == "far"
    async with here.hold(GAME):  # a new lease after the old one was left
        await my_journal.open_segment(a_segment(GAME, "s1"))


async def test_the_heart_beats_by_itself_and_stops_with_the_store(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    leases = Leases(store.library.database, this_process(), ttl_seconds=0.003)
    beaten = asyncio.Event()

    async def beat() -> None:
        await Leases.beat(leases)
        beaten.set()

    monkeypatch.setattr(leases, "beat", beat)
    async with leases.hold(GAME):
        first = await _expiry(store)
        async with leases.beating(), asyncio.timeout(PATIENCE):
            await beaten.wait()
        assert await _expiry(store) > first


async def test_a_heart_that_fails_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    leases = Leases(store.library.database, this_process(), ttl_seconds=0.003)
    failures = iter([StoreUnavailable("The disk is full.")])
    beaten = asyncio.Event()

    async def beat() -> None:
        for failure in failures:
            raise failure
        beaten.set()

    monkeypatch.setattr(leases, "beat", beat)
    async with leases.beating(), asyncio.timeout(PATIENCE):
        await beaten.wait()
    assert "The disk is full." in caplog.text


async def test_a_dead_process_on_this_machine_is_replaced_at_once(store: Store) -> None:
    process = this_process()
    for dead in (process._replace(pid=2**22 + 1), process._replace(started="1")):
        async with _left_behind(store, dead), store.leases.hold(GAME):
            pass


async def test_a_dead_process_on_another_machine_is_waited_for(store: Store) -> None:
    dead = this_process()._replace(machine="another", pid=2**22 + 1)
    async with _left_behind(store, dead):
        with pytest.raises(GameHeld):
            async with store.leases.hold(GAME):
                pass


async def test_two_stores_of_one_process_are_two_holders(shared_location: str) -> None:
    async with open_store(shared_location) as one, open_store(shared_location) as two:
        async with one.leases.hold(GAME):
            with pytest.raises(GameHeld):
                async with two.leases.hold(GAME):
                    pass
        async with two.leases.hold(GAME):
            pass


async def test_of_many_that_race_for_a_game_one_gets_it(shared_location: str) -> None:
    async with open_store(shared_location) as one, open_store(shared_location) as two:
        for _ in range(10):
            attempts = [one.leases.hold(GAME), two.leases.hold(GAME)]
            results = await asyncio.gather(*(a.__aenter__() for a in attempts), return_exceptions=True)
            assert sorted(type(result).__name__ for result in results) == ["GameHeld", "Hold"]
            [winner] = [
                attempt for attempt, got in zip(attempts, results, strict=True) if isinstance(got, Hold)
            ]
            await winner.__aexit__(None, None, None)


def test_this_process_lives_and_its_number_alone_does_not_make_another_one_live() -> None:
    me = this_process()
    assert is_alive(me.pid, me.started)
    assert is_alive(me.pid, "")
    assert not is_alive(me.pid, "0")
    assert not is_alive(2**22 + 1, "")


@pytest.mark.parametrize(
    ("argv", "command"),
    [
        (["/usr/bin/entente", "play", "--store", "postgresql://u:secret@host/db"], "entente play"),
        (["/usr/bin/entente", "games", "list"], "entente games list"),
        (["langgraph", "dev", "--port", "1"], "langgraph dev"),
        (["/lib/langgraph_cli/__main__.py", "dev", "--port", "1"], "langgraph_cli dev"),
        (["entente", "postgresql://u:secret@host/db"], "entente"),
        ([""], "python"),
        ([], "python"),
    ],
)
def test_a_command_is_told_without_its_arguments(
    argv: list[str], command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", argv)
    assert this_process().command == command


async def _expiry(store: Store) -> float:
    return await store.library.database.read(lambda c: c.execute(select(LEASES.c.expires_at)).scalar_one())


@asynccontextmanager
async def _left_behind(store: Store, process: Process) -> AsyncGenerator[None]:
    """A lease of that process, which no longer renews it."""
    leases = Leases(store.library.database, process)
    async with leases.hold(GAME):
        yield


@pytest.mark.postgres
async def test_a_lease_that_could_not_be_given_back_is_free_to_its_own_process_at_once(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("checkpoints.database.AWAY_SECONDS", 0)
    location = postgres.new_database()
    ends = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    async with open_store(location) as store, open_store(location) as other:
        async with store.leases.hold(GAME):
            with psycopg.connect(location, autocommit=True) as connection:
                connection.execute(ends)
        assert await store.leases.holders() == {}
        with pytest.raises(StoreUnavailable):  # it has lost its connection too, and has a new one from now on
            await other.leases.holders()
        with pytest.raises(GameHeld):
            async with other.leases.hold(GAME):
                pass
        async with store.leases.hold(GAME):
            await store.journal.commit_turn(a_turn(GAME, "s1", "FRANCE"))
