"""What many games at once cost: waiting side by side, CPU a phase and a call, games an hour, memory.

`python -m benchmarks.arena` plays 200 games of seven diplomats with press to 1910; then 100 games of seven language
models against the scripted model's server, a process of its own that takes a second for each call, and one such game
alone; and the same of a policy's seats against a policy server. `--games` and `--scripted` play fewer, `--processes` in
several processes, but for the policy's.
"""

import argparse
import asyncio
import gc
import os
import resource
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, nullcontext
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeAlias

from langgraph.runtime import RunControl

from benchmarks.models import scripted_model
from benchmarks.policy import served
from benchmarks.tables import markdown
from benchmarks.yardstick import beside_the_yardstick
from checkpoints.store import Store, open_store
from entente.arena import Batch, in_processes, run_batch
from entente.cli.options import settle
from entente.games.line import phases_on_line
from entente.games.runner import standing_of
from entente.games.spending import spending_of
from entente.models.client import Connections
from entente.players.seating import PlayerFactory, Seating
from entente.training.completions import POLICY, PolicySeats, PolicyServer
from graph.context import GameSettings

LATENCY_SECONDS = 1.0
_WHOSE = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
_CONCURRENCY = 10_000
"""Of the model's address: more than is ever wanted, so that nobody waits for it."""


Seated: TypeAlias = Callable[[Connections], PlayerFactory]
"""Who fills the seats, over the connections of a batch."""


class Played(NamedTuple):
    """A batch, and what it took."""

    phases: int
    calls: int
    """Of language models and policies."""
    wall_seconds: float
    cpu_seconds: float
    peak_mb: float
    """Of the process that took most, since it began."""


def anybody(connections: Connections) -> PlayerFactory:
    """Whoever a seat can name."""
    return Seating(connections, os.environ)


async def play(batch: Batch, processes: int = 1, seated: Seated = anybody) -> Played:
    """Play the batch in a new folder, the start of other processes counted; `seated` fills seats of this one."""
    with TemporaryDirectory() as folder:
        async with open_store(folder) as store, Connections() as connections:
            wall, cpu = time.monotonic(), cpu_seconds()
            async with AsyncExitStack() as elsewhere:
                control = RunControl()
                there = in_processes(processes, folder, control) if processes > 1 else nullcontext()
                ran = await run_batch(
                    store,
                    batch,
                    seated(connections),
                    control=control,
                    play=await elsewhere.enter_async_context(there),
                )
            wall, cpu = time.monotonic() - wall, cpu_seconds() - cpu
            assert ran.report.finished == batch.games, ran.report
            games = [game.game for game in ran.report.games]
            phases = sum([await phases_of(store, game) for game in games])
            calls = sum([(await spending_of(store, game)).total.calls for game in games])
    peak = max(resource.getrusage(who).ru_maxrss for who in _WHOSE) / 1024
    return Played(phases, calls, wall, cpu, peak)


def cpu_seconds() -> float:
    """Of this process and of those that it started and that have ended."""
    used = [resource.getrusage(who) for who in _WHOSE]
    return sum(each.ru_utime + each.ru_stime for each in used)


async def phases_of(store: Store, game: str) -> int:
    """How many phases the game had."""
    standing = await standing_of(store, game)
    return len(await phases_on_line(store.journal, game, standing.state)) - 1


def of_models(url: str, games: int) -> Batch:
    """A year with two rounds of press, each game's prompts its own."""
    seats = f"openai:mock@{url}"
    settings = GameSettings(
        everyone=seats, rounds=2, max_year=1901, models={"concurrency": _CONCURRENCY, "attempt_seconds": 600}
    )
    return Batch(game=settings, games=games, parallel=games)


def of_policy(games: int) -> Batch:
    """The same games with a policy in all seats."""
    settings = GameSettings(everyone=POLICY, rounds=2, max_year=1901)
    return Batch(game=settings, games=games, parallel=games)


def policy_at(url: str) -> Seated:
    """Each seat a client of the policy server's."""
    server = PolicyServer(url, timeout_seconds=600, concurrency=_CONCURRENCY)
    return lambda connections: PolicySeats(server, frozenset({POLICY}), connections, anybody(connections))


def waiting(games: int, processes: int) -> list[tuple[str, str, str]]:
    """Games of language models."""
    with scripted_model(LATENCY_SECONDS) as url:
        asyncio.run(play(of_models(url, 1)))  # what is loaded once is not a game's
        one = asyncio.run(play(of_models(url, 1)))
        many = asyncio.run(play(of_models(url, games), processes))
    return told(f"{games} games of models, processes: {processes}", one, many)


def waiting_for_a_policy(games: int) -> list[tuple[str, str, str]]:
    """Games of a policy."""
    with served(_CONCURRENCY, LATENCY_SECONDS) as url:
        asyncio.run(play(of_policy(1), seated=policy_at(url)))
        one = asyncio.run(play(of_policy(1), seated=policy_at(url)))
        many = asyncio.run(play(of_policy(games), seated=policy_at(url)))
    return told(f"{games} games of a policy", one, many)


def told(which: str, one: Played, many: Played) -> list[tuple[str, str, str]]:
    """What waiting side by side has cost."""
    ratio = many.wall_seconds / one.wall_seconds
    return [
        (f"{which}: wall ÷ wall of one, calls of 1 s", "1.25", f"{ratio:.2f}"),
        ("wall of one game, of all", "", f"{one.wall_seconds:.1f} s, {many.wall_seconds:.1f} s"),
        (
            "our CPU a call: one game, all",
            "",
            f"{_ms(one.cpu_seconds, one.calls)}, {_ms(many.cpu_seconds, many.calls)}",
        ),
        ("our CPU ÷ wall, all", "", f"{many.cpu_seconds / many.wall_seconds:.0%}"),
        ("peak memory", "", f"{many.peak_mb:.0f} MB"),
    ]


def scripted(games: int, parallel: int, processes: int) -> list[tuple[str, str, str]]:
    """Full-press games of seven diplomats, to 1910."""
    settings = GameSettings(everyone="diplomat", max_year=1910, stalemate_years=0)
    played = asyncio.run(play(Batch(game=settings, games=games, parallel=parallel), processes))
    bar = 400 + 3 * parallel
    return [
        (
            f"{games} games to 1910, {parallel} at once, processes: {processes}; games an hour of CPU",
            "",
            f"{3600 * games / played.cpu_seconds:.0f}",
        ),
        ("games an hour by the clock", "", f"{3600 * games / played.wall_seconds:.0f}"),
        ("our CPU a phase", "", _ms(played.cpu_seconds, played.phases)),
        ("peak memory", f"{bar} MB", f"{played.peak_mb:.0f} MB"),
    ]


def _ms(seconds: float, count: int) -> str:
    return f"{1000 * seconds / count:.1f} ms"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="of language models")
    parser.add_argument("--scripted", type=int, default=200, help="of scripted players")
    parser.add_argument("--parallel", type=int, default=20, help="scripted games at once")
    parser.add_argument("--processes", type=int, default=1, help="for many games")
    given = parser.parse_args()
    gc.disable()
    settle()  # as the command does
    with beside_the_yardstick():
        rows = scripted(given.scripted, given.parallel, given.processes) if given.scripted else []
        rows += waiting(given.games, given.processes) if given.games else []
        rows += waiting_for_a_policy(given.games) if given.games else []
        print(markdown(("claim", "bar", "measured"), rows))


if __name__ == "__main__":
    main()
