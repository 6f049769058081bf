"""What seven language models in the seats cost us: calls in depth, waiting, CPU, prompt tokens, and the start.

`python -m benchmarks.models` plays two years with three simultaneous rounds against the scripted model's server, a
process of its own that takes 200 ms for each call, five times; what is measured by the clock is the median of all.
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

LATENCY_SECONDS = 0.2
STARTS = 9
GAMES = 5
ROUNDS = 3


class Played(NamedTuple):
    """A game, and what it took to play it once the first call was out."""

    turns: list[TurnRecord]
    wall_seconds: float
    cpu_seconds: float


@contextmanager
def scripted_model() -> Generator[str]:
    """The URL of a scripted model in a process of its own."""
    plan = f'{{"latency_ms": {LATENCY_SECONDS * 1000}}}'
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


def report(games: list[Played], started: float) -> list[tuple[str, str, str]]:
    """Each claim with its bar and what was measured."""
    played = games[0]  # the later ones have the same turns, and the provider has read their prompts before
    movement = [turn for turn in played.turns if turn.phase.endswith("M")]
    phases = len({turn.phase for turn in movement})
    spent: UsageSummary = summarize([call for turn in movement for call in turn.calls])
    calls = sum(len(turn.calls) for turn in played.turns)
    fresh = (spent.prompt_tokens - spent.cached_tokens) / phases
    waited = depth_of(played.turns) * LATENCY_SECONDS
    wall = statistics.median(game.wall_seconds for game in games)
    cpu = statistics.median(game.cpu_seconds for game in games)
    return [
        ("model calls in depth a movement phase", f"{ROUNDS + 1}", f"{depth_of(movement) / phases:.2f}"),
        ("wall time ÷ (depth × latency)", "1.10", f"{wall / waited:.3f}"),
        ("our CPU a model call", "4 ms", f"{1000 * cpu / calls:.1f} ms"),
        ("prompt tokens a provider can reuse", "80 %", f"{spent.cached_share:.1%}"),
        ("fresh prompt tokens a movement phase", "35 k", f"{fresh / 1000:.1f} k"),
        ("all prompt tokens a movement phase", "110 k", f"{spent.prompt_tokens / phases / 1000:.1f} k"),
        ("first call sent after the start", "1.5 s", f"{started:.2f} s"),
    ]


def main() -> None:
    """Print the table."""
    gc.disable()
    settle()  # as the command does
    with beside_the_yardstick():
        with scripted_model() as url:
            asyncio.run(play(url, 1901, "another"))  # what is loaded once is not a call's
            games = [asyncio.run(play(url, 1902)) for _ in range(GAMES)]
        start_seconds()  # compiles what was never run
        started = statistics.median(start_seconds() for _ in range(STARTS))
        print(markdown(("claim", "bar", "measured"), report(games, started)))


if __name__ == "__main__":
    main()
