"""What seven language models in the seats cost us: calls in depth, waiting, CPU, prompt tokens, and the start.

`python -m benchmarks.models` plays two years with three simultaneous rounds against the scripted model's server, a
process of its own that takes 200 ms for each call, five times, and three times where it takes a second, as real
models do at least; what is measured by the clock is the median of all.
"""

import asyncio
import gc
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Generator
from contextlib import contextmanager
from typing import NamedTuple

from benchmarks.startup import customary
from benchmarks.tables import markdown
from benchmarks.yardstick import beside_the_yardstick
from checkpoints.store import open_store
from entente.cli.options import settle
from entente.games.line import records_on_line
from entente.games.runner import GameMaster
from entente.models.client import Connections
from entente.models.usage import UsageSummary, summarize
from entente.players.record import TurnRecord
from entente.players.seating import Seating
from graph.context import GameSettings

GAMES = {0.2: 5, 1.0: 3}
"""How many games are played, by the seconds that a call takes."""
STARTS = 9
ROUNDS = 3


class Played(NamedTuple):
    """A game, and what it took to play it once the first call was out."""

    turns: list[TurnRecord]
    wall_seconds: float
    cpu_seconds: float


@contextmanager
def scripted_model(latency_seconds: float) -> Generator[str]:
    """The URL of a scripted model in a process of its own."""
    plan = f'{{"latency_ms": {latency_seconds * 1000}}}'
    command = [sys.executable, "-m", "entente", "mock-model", "--port", "0", "--plan", plan]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        try:
            with core_of_its_own(server.pid):
                yield server.stderr.readline().split(" answers at ")[1].split(";")[0]
        finally:
            server.terminate()


@contextmanager
def core_of_its_own(pid: int) -> Generator[None]:
    """The process apart from this one, as a provider is; some schedulers would pack both on one core."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) > 1:
        os.sched_setaffinity(pid, cores[-1:])
        os.sched_setaffinity(0, cores[:-1])
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


async def play(url: str, max_year: int, model: str = "mock") -> Played:
    """Play the game over a store in memory; the provider keeps what it has read for each model apart."""
    settings = GameSettings(
        everyone=f"openai:{model}@{url}", rounds=ROUNDS, max_year=max_year, stalemate_years=0
    )
    async with open_store("memory") as store, Connections() as connections:
        master = GameMaster(store, Seating(connections, os.environ))
        game = await master.begin(settings)
        wall, cpu = time.monotonic(), time.process_time()
        standing = await master.run(game)
        wall, cpu = time.monotonic() - wall, time.process_time() - cpu
        records = await records_on_line(store.journal, game, standing.state)
    return Played([record for record in records if isinstance(record, TurnRecord)], wall, cpu)


def start_seconds() -> float:
    """From the start of a process of `entente play` until the first call reaches the provider."""
    with socket.create_server(("127.0.0.1", 0)) as provider, tempfile.TemporaryDirectory() as folder:
        provider.settimeout(60)
        seats = f"openai:mock@http://127.0.0.1:{provider.getsockname()[1]}/v1"
        command = [sys.executable, "-m", "entente", "play", "--all", seats, "--store", folder]
        began = time.monotonic()
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=customary()
        ) as game:
            try:
                with provider.accept()[0] as call:
                    call.recv(1)
                    return time.monotonic() - began
            finally:
                game.kill()


def depth_of(turns: list[TurnRecord]) -> int:
    """Calls one after the other: the most that any power made, phase by phase; diaries are folded beside them."""
    made: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for turn in turns:
        if turn.stage != "diary":
            made[turn.phase][turn.power] += len(turn.calls)
    return sum(max(powers.values()) for powers in made.values())


def games_at(latency_seconds: float) -> list[Played]:
    """The games against a model that takes so long for a call; the first is the only one with prompts that are new."""
    with scripted_model(latency_seconds) as url:
        asyncio.run(play(url, 1901, "another"))  # what is loaded once is not a call's
        return [asyncio.run(play(url, 1902)) for _ in range(GAMES[latency_seconds])]


def waited(games: list[Played], latency_seconds: float) -> float:
    """The median game's time by what its calls take one after the other."""
    wall = statistics.median(game.wall_seconds for game in games)
    return wall / (depth_of(games[0].turns) * latency_seconds)


def report(short: list[Played], long: list[Played], started: float) -> list[tuple[str, str, str]]:
    """Each claim with its bar and what was measured in games of calls that take 200 ms, and a second."""
    played = short[0]
    movement = [turn for turn in played.turns if turn.phase.endswith("M")]
    phases = len({turn.phase for turn in movement})
    spent: UsageSummary = summarize([call for turn in movement for call in turn.calls])
    calls = sum(len(turn.calls) for turn in played.turns)
    fresh = (spent.prompt_tokens - spent.cached_tokens) / phases
    cpu = statistics.median(game.cpu_seconds for game in short)
    return [
        ("model calls in depth a movement phase", f"{ROUNDS + 1}", f"{depth_of(movement) / phases:.2f}"),
        ("wall time ÷ (depth × latency), calls of 1 s", "1.05", f"{waited(long, 1.0):.3f}"),
        ("the same, calls of 200 ms", "1.25", f"{waited(short, 0.2):.3f}"),
        ("our CPU a model call", "8 ms", f"{1000 * cpu / calls:.1f} ms"),
        ("prompt tokens a provider can reuse", "80 %", f"{spent.cached_share:.1%}"),
        ("fresh prompt tokens a movement phase", "40 k", f"{fresh / 1000:.1f} k"),
        ("all prompt tokens a movement phase", "none", f"{spent.prompt_tokens / phases / 1000:.1f} k"),
        ("first call sent after the start", "2 s", f"{started:.2f} s"),
    ]


def main() -> None:
    """Print the table."""
    gc.disable()
    settle()  # as the command does
    with beside_the_yardstick():
        short, long = games_at(0.2), games_at(1.0)
        start_seconds()  # compiles what was never run
        started = statistics.median(start_seconds() for _ in range(STARTS))
        print(markdown(("claim", "bar", "measured"), report(short, long, started)))


if __name__ == "__main__":
    main()
