"""A batch in several processes of this machine: the same games, deaths of processes, pauses, and what is refused."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
from langgraph.runtime import RunControl

from checkpoints.store import Store, open_store
from entente.arena import Batch, GameEnd, in_processes, run_batch
from entente.errors import SettingsError
from entente.games.runner import RunEnd
from entente.models.client import Connections
from entente.players.seating import Seating
from graph.context import GameSettings
from tests.arena.support import digests_of
from tests.support.gated import gated
from tests.support.patience import PATIENCE, until

BATCH = Batch(
    game=GameSettings(everyone="diplomat", seats={"FRANCE": "dumbbot"}, rounds=1, max_year=1901),
    games=4,
    parallel=4,
    rotate=True,
)
LONG = BATCH.model_copy(update={"game": BATCH.game.model_copy(update={"max_year": 1950})})
"""So long that it is not over before both processes play."""


async def pids_playing(store: Store) -> set[int]:
    """The processes that hold a game, ours apart."""
    return {holder.pid for holder in (await store.leases.holders()).values()} - {os.getpid()}


async def test_two_processes_play_the_games_that_one_plays(tmp_path: Path) -> None:
    async with open_store("memory") as alone:
        expected = (await run_batch(alone, BATCH)).report
        wanted = await digests_of(alone, expected)
    location, control = str(tmp_path / "store"), RunControl()
    async with open_store(location) as store:
        async with in_processes(2, location, control) as play:
            report = (await run_batch(store, BATCH, control=control, play=play)).report
        assert report == expected
        assert await digests_of(store, report) == wanted
        assert all(game.was_over for game in (await run_batch(store, BATCH)).report.games)


async def _are_two(store: Store, playing: "asyncio.Task[object]") -> bool:
    assert not playing.done(), "the batch ended before both processes were seen to play"
    return len(await pids_playing(store)) == 2


async def test_games_whose_process_is_killed_have_failed_and_the_others_are_played(tmp_path: Path) -> None:
    location, control = str(tmp_path / "store"), RunControl()
    async with open_store(location) as store, gated("I will", " hold.") as model:
        waiting = BATCH.game.model_copy(
            update={
                "everyone": "hold",
                "seats": {"FRANCE": model.spec},
                "models": {"first_token_seconds": PATIENCE},
            }
        )
        batch = BATCH.model_copy(update={"game": waiting})
        async with in_processes(2, location, control) as play:
            playing = asyncio.create_task(run_batch(store, batch, control=control, play=play))
            await until(lambda: _are_two(store, playing))
            os.kill(min(await pids_playing(store)), signal.SIGKILL)
            model.go.set()
            ran = await playing
        left = {(game.end, game.reason) for game in ran.report.games}
        assert left == {(RunEnd.FINISHED, ""), (RunEnd.PAUSED, "The process that was to play it has ended.")}
        assert (ran.report.failed, ran.exit_code) == (2, 3)
        async with Connections() as connections:
            again = (await run_batch(store, batch, Seating(connections, {}))).report
        assert [game.end for game in again.games] == [RunEnd.FINISHED] * batch.games
        assert sum(game.was_over for game in again.games) == 2


async def test_a_drain_pauses_the_games_of_all_processes_and_none_has_failed(tmp_path: Path) -> None:
    location, control = str(tmp_path / "store"), RunControl()
    async with open_store(location) as store:
        async with in_processes(2, location, control) as play:
            playing = asyncio.create_task(run_batch(store, LONG, control=control, play=play))
            await until(lambda: _are_two(store, playing))
            control.request_drain("SIGINT")
            ran = await playing
        assert {(game.end, game.reason) for game in ran.report.games} == {(RunEnd.PAUSED, "")}
        assert (ran.report.is_paused, ran.exit_code) == (True, 0)
        assert not await pids_playing(store)


async def test_when_the_block_is_left_the_processes_end(tmp_path: Path) -> None:
    location, control = str(tmp_path / "store"), RunControl()
    async with open_store(location) as store:
        async with in_processes(2, location, control) as play:
            playing = asyncio.create_task(run_batch(store, LONG, control=control, play=play))
            await until(lambda: _are_two(store, playing))
            pids = await pids_playing(store)
            playing.cancel()
        for pid in pids:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)
        assert not await pids_playing(store)


async def test_processes_want_a_store_that_they_share() -> None:
    with pytest.raises(SettingsError, match="A store that processes share was wanted and memory came"):
        async with in_processes(2, "memory", RunControl()):
            pass


async def test_a_game_that_the_processes_cannot_play_is_told_with_its_reason(tmp_path: Path) -> None:
    location, control = str(tmp_path / "store"), RunControl()
    broken = GameSettings(everyone="exec:/bin/false", floor="gunboat")
    (game, *_) = Batch(game=broken, games=1).plan()
    async with open_store(location), in_processes(1, location, control) as play:
        end: GameEnd = await play(game.game)  # pyright: ignore[reportAssignmentType] - an Awaitable
    assert end.end is RunEnd.PAUSED
    assert "AUSTRIA (exec:/bin/false) failed in S1901M" in end.reason
    assert end.exit_code == 4
