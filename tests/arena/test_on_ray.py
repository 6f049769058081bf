"""A batch on a Ray cluster of this machine and a real Postgres: workers are killed, and every game is finished once."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from langgraph.runtime import RunControl

from checkpoints.store import Store, open_store
from entente.arena import Batch, on_ray, run_batch
from entente.errors import SettingsError
from entente.games.runner import RunEnd
from graph.context import GameSettings
from tests.arena.support import digests_of
from tests.support.players import Cast
from tests.support.postgres import Server
from tests.support.stores import new_location

WORKERS = 4
BATCH = Batch(
    game=GameSettings(
        everyone="diplomat", seats={"FRANCE": "dumbbot"}, rounds=2, max_year=1902, stalemate_years=0
    ),
    games=4,
    parallel=WORKERS,
    rotate=True,
)


@contextmanager
def cluster() -> Generator[str]:
    """The address of a cluster of this machine, on loopback alone, that ends with the block."""
    with TemporaryDirectory(prefix="ray") as folder:  # its sockets' names must be short
        yield from _cluster_in(Path(folder))


def _cluster_in(folder: Path) -> Generator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    environment = {
        **os.environ,
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # a machine that can be reached would listen at its own address
    }
    command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block", "--port", port]
    options = ["--node-ip-address", "127.0.0.1", "--num-cpus", str(WORKERS), "--include-dashboard", "false"]
    sizes = ["--object-store-memory", "80000000", "--temp-dir", str(folder)]
    with subprocess.Popen(
        [*command, *options, *sizes],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        env=environment,
    ) as ray:
        assert ray.stdout is not None
        try:
            told = ""
            while "Ray runtime started" not in told:
                line = ray.stdout.readline()
                assert line, f"the cluster did not start: {told}"
                told += line
            yield f"127.0.0.1:{port}"
        finally:
            ray.terminate()


async def kill_two_workers(store: Store) -> set[int]:
    """Kill two processes while they play a game; who they were."""
    killed = set[int]()
    while len(killed) < 2:
        for holder in (await store.leases.holders()).values():
            if holder.pid not in killed and len(killed) < 2:
                os.kill(holder.pid, signal.SIGKILL)
                killed.add(holder.pid)
        await asyncio.sleep(0.05)
    return killed


@pytest.mark.slow
@pytest.mark.postgres
async def test_two_workers_are_killed_and_every_game_is_finished_once_as_in_one_process(
    postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # read when Ray is imported
    pytest.importorskip("ray")
    location = new_location("postgres", tmp_path, lambda: postgres)
    async with open_store("memory") as alone:
        expected = (await run_batch(alone, BATCH, Cast())).report
        wanted = await digests_of(alone, expected)
    control = RunControl()
    with cluster() as address:
        async with open_store(location) as store, on_ray(address, location, control) as play:
            killing = asyncio.create_task(kill_two_workers(store))
            report = (await run_batch(store, BATCH, Cast(), control=control, play=play)).report
            assert len(await killing) == 2
            assert [game.end for game in report.games] == [RunEnd.FINISHED] * BATCH.games
            assert report == expected
            assert await digests_of(store, report) == wanted
            again = (await run_batch(store, BATCH, Cast(), control=control, play=play)).report
            assert all(game.was_over for game in again.games)


async def test_a_cluster_wants_a_store_that_its_workers_share() -> None:
    with pytest.raises(SettingsError, match="A store that workers share"):
        async with on_ray("auto", "memory", RunControl()):
            pass


async def test_a_budget_of_the_whole_batch_is_kept_in_one_process_alone(memory_store: Store) -> None:
    async def nowhere(_game: object) -> object:
        raise AssertionError

    with pytest.raises(SettingsError, match="a budget of its own") as refused:
        await run_batch(memory_store, BATCH.model_copy(update={"budget_tokens": 9}), Cast(), play=nowhere)  # pyright: ignore[reportArgumentType] - never asked
    assert refused.value.setting == ("budget_tokens",)
