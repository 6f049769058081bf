"""What many games at once cost: waiting side by side, CPU a phase and a call, games an hour, memory.

`python -m benchmarks.arena` plays 100 games of seven language models against the scripted model's server, a process of
its own that takes a second for each call, and one such game alone; then 200 games of seven diplomats with press to
1910. `--games` and `--scripted` play fewer.
"""

import argparse
import asyncio
import gc
import os
import resource
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks.models import scripted_model
from benchmarks.tables import markdown
from benchmarks.yardstick import beside_the_yardstick
from checkpoints.store import Store, open_store
from entente.arena import Batch, BatchReport, run_batch
from entente.cli.options import settle
from entente.games.line import phases_on_line
from entente.games.runner import standing_of
from entente.models.client import Connections
from entente.players.seating import Seating
from graph.context import GameSettings

LATENCY_SECONDS = 1.0
_CONCURRENCY = 10_000
"""Of the model's address: more than is ever wanted, so that nobody waits for it."""


class Played(NamedTuple):
    """A batch, and what it took."""

    report: BatchReport
    phases: int
    wall_seconds: float
    cpu_seconds: float
    peak_mb: float
    """Of the process, since it began."""

    @property
    def calls(self) -> int:
        """Of language models."""
        return sum(row.calls for row in self.report.seats)


async def play(batch: Batch) -> Played:
    """Play the batch in a new folder."""
    with TemporaryDirectory() as folder:
        async with open_store(folder) as store, Connections() as connections:
            wall, cpu = time.monotonic(), time.process_time()
            ran = await run_batch(store, batch, Seating(connections, os.environ))
            wall, cpu = time.monotonic() - wall, time.process_time() - cpu
            assert ran.report.finished == batch.games, ran.report
            phases = sum([await phases_of(store, game.game) for game in ran.report.games])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Played(ran.report, phases, wall, cpu, peak)


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


def cpu_seconds_of(pid: int) -> float:
    """What another process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def waiting(games: int) -> list[tuple[str, str, str]]:
    """One game alone, and so many at once."""
    with scripted_model(LATENCY_SECONDS) as url:
        asyncio.run(play(of_models(url, 1)))  # what is loaded once is not a game's
        one = asyncio.run(play(of_models(url, 1)))
        many = asyncio.run(play(of_models(url, games)))
    ratio = many.wall_seconds / one.wall_seconds
    return [
        (f"wall of {games} games ÷ wall of one, calls of 1 s", "1.25", f"{ratio:.2f}"),
        ("wall of one game, of all", "", f"{one.wall_seconds:.1f} s, {many.wall_seconds:.1f} s"),
        (
            "our CPU a call: one game, all",
            "",
            f"{_ms(one.cpu_seconds, one.calls)}, {_ms(many.cpu_seconds, many.calls)}",
        ),
        ("our CPU ÷ wall, all", "", f"{many.cpu_seconds / many.wall_seconds:.0%}"),
        ("peak memory", "", f"{many.peak_mb:.0f} MB"),
    ]


def scripted(games: int, parallel: int) -> list[tuple[str, str, str]]:
    """Full-press games of seven diplomats, to 1910."""
    settings = GameSettings(everyone="diplomat", max_year=1910, stalemate_years=0)
    played = asyncio.run(play(Batch(game=settings, games=games, parallel=parallel)))
    bar = 400 + 3 * parallel
    return [
        (
            f"{games} games to 1910, {parallel} at once: games an hour of CPU",
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
    given = parser.parse_args()
    gc.disable()
    settle()  # as the command does
    with beside_the_yardstick():
        rows = scripted(given.scripted, given.parallel) if given.scripted else []
        rows += waiting(given.games) if given.games else []
        print(markdown(("claim", "bar", "measured"), rows))


if __name__ == "__main__":
    main()
