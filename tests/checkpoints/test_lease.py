"""One process plays a game at a time, and one that was replaced can't write any more."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from sqlalchemy import select

from checkpoints.journal import Journal
from checkpoints.lease import HEARTBEAT_SECONDS, TTL_SECONDS, Leases
from checkpoints.process import Process, is_alive, this_process
from checkpoints.store import Store, open_store
from checkpoints.tables import LEASES
from entente.errors import GameHeld, LeaseLost, StoreUnavailable
from tests.support.patience import PATIENCE
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


async def test_holding_again_in_the_same_process_ends_with_the_last(store: Store) -> None:
    async with store.leases.hold(GAME):
        async with store.leases.hold(GAME):
            assert GAME in await store.leases.holders()
        assert GAME in await store.leases.holders()
        assert store.leases.is_held_here(GAME)
    assert await store.leases.holders() == {}
    assert not store.leases.is_held_here(GAME)


async def test_many_may_enter_and_leave_at_once(store: Store) -> None:
    async def visit() -> None:
        async with store.leases.hold(GAME):
            await store.journal.open_segment(a_segment(GAME, "s1"))

    for _ in range(5):
        await asyncio.gather(*(visit() for _ in range(7)))
    assert await store.leases.holders() == {}


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
            clock.now += HEARTBEAT_SECONDS
            await here.beat()
        with pytest.raises(GameHeld):
            async with there.hold(GAME):
                pass
        assert not here.lost(GAME).is_set()


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
        with pytest.raises(LeaseLost):
            async with here.hold(GAME):
                pass
    assert await store.journal.turns(GAME, ["s1"]) == [mine, theirs]


async def test_a_heartbeat_finds_out_that_the_lease_was_taken(store: Store) -> None:
    clock = Clock()
    (here, _), (there, _) = elsewhere(clock, store, "near"), elsewhere(clock, store, "far")
    async with here.hold(GAME):
        clock.now += TTL_SECONDS
        async with there.hold(GAME):
            await here.beat()
            assert here.lost(GAME).is_set()
            with pytest.raises(LeaseLost):
                here.token(GAME)
        assert not here.is_held_here("another game")
    async with here.hold(GAME):  # a new lease after the old one was left
        assert not here.lost(GAME).is_set()


async def test_the_heart_beats_by_itself_and_stops_with_the_store(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    leases = Leases(store.library.database, this_process(), ttl_seconds=3600, heartbeat_seconds=0.001)
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
    leases = Leases(store.library.database, this_process(), heartbeat_seconds=0.001)
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
            assert sorted(type(result).__name__ for result in results) == ["GameHeld", "NoneType"]
            await attempts[results.index(None)].__aexit__(None, None, None)


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
