"""Games from 1901 to 1920: bytes a movement phase adds, and the time to look at a game and to resume it.

A game is paused when 1921 begins, another when 1902 does, and looked at and resumed there: the first by
the process that played it, the second by `entente resume`, which ends when it asks for its first turn.
"""

import asyncio
import statistics
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from benchmarks.startup import Start, start
from benchmarks.tables import markdown
from checkpoints.store import open_store
from entente.errors import PlayerError
from entente.games.runner import GameMaster
from graph.context import GameSettings
from tests.support.growth import Grown, Growth, Meter, Scale, mean_growth
from tests.support.postgres import postgres_server

LOOKS = 100
RESUMES = 9
FIRST, LAST = range(1902, 1907), range(1916, 1921)
GAMES = {
    "gunboat": GameSettings(everyone="dumbbot", floor="gunboat", max_year=1921, stalemate_years=0),
    "press": GameSettings(everyone="diplomat", rounds=3, max_year=1921, stalemate_years=0),
}


@dataclass(frozen=True, slots=True)
class History:
    """A game up to the beginning of a year."""

    year: int
    grown: list[Grown]
    look: float
    """Seconds of `GameMaster.look`, a median."""
    resumes: list[Start]
    """`entente resume`, each from the start of its process to the first turn that it asks for."""


async def play(game: str, location: str, year: int) -> History:
    """Play the game in an empty store until that year begins, look at it, and resume it."""
    with Meter(location) as meter:
        scale = Scale(meter, stop_at=f"S{year}M")
        async with open_store(location) as store:
            master = GameMaster(store, scale)
            name = await master.begin(GAMES[game])
            with suppress(PlayerError):
                await master.run(name)
            look = await _look(master, name)
    resumes = [start(["resume", name, "--store", location]) for _ in range(RESUMES)]
    return History(year, scale.grown(), look, resumes)


async def _look(master: GameMaster, game: str) -> float:
    times: list[float] = []
    for _ in range(LOOKS):
        began = time.perf_counter()
        await master.look(game)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


@contextmanager
def _location(backend: str) -> Generator[str]:
    if backend == "Postgres":
        with postgres_server() as server:
            yield server.new_database()
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield folder


def history(game: str, backend: str, year: int) -> History:
    """The game up to that year, in a store that is thrown away."""
    with _location(backend) as location:
        return asyncio.run(play(game, location, year))


def print_growth() -> None:
    """Bytes by year, their ratios, and the times after one year and after twenty."""
    kinds = [(game, backend) for game in GAMES for backend in ("SQLite", "Postgres")]
    names = [f"{game}, {backend}" for game, backend in kinds]
    short, long = ([history(*kind, year) for kind in kinds] for year in (FIRST.start, LAST.stop))
    print("\nMean bytes that a movement phase adds: checkpoints + journal\n")
    print(markdown(("year", *names), [*_years(long), *_ratios(long)]))
    print(f"\nMilliseconds, medians of {LOOKS} looks and {RESUMES} resumes\n")
    times = [
        _times(name, h) for name, both in zip(names, zip(short, long, strict=True), strict=True) for h in both
    ]
    print(markdown(("game", "at", "look", "resume", "best", "CPU of resume", "since imports"), times))


def _years(played: Sequence[History]) -> list[tuple[str, ...]]:
    return [
        (str(year), *(_bytes(mean_growth(h.grown, range(year, year + 1))) for h in played))
        for year in range(1901, LAST.stop)
    ]


def _bytes(growth: Growth) -> str:
    return f"{growth.checkpoints:.0f} + {growth.journal:.0f}"


def _ratios(played: Sequence[History]) -> list[tuple[str, ...]]:
    """The last five years over the first five after 1901, and how far any year is from the mean and from 1901."""
    pairs = [(mean_growth(h.grown, FIRST), mean_growth(h.grown, LAST)) for h in played]
    phase = (f"{b.checkpoints / a.checkpoints:.2f}, {b.journal / a.journal:.2f}" for a, b in pairs)
    turn = (f"{b.journal / b.turns / (a.journal / a.turns):.2f}" for a, b in pairs)
    totals = [_totals(h) for h in played]
    return [
        ("ratio", *phase),
        ("ratio, journal, a turn", *turn),
        ("all, to their mean", *(_spread(years, statistics.mean(years)) for years in totals)),
        ("all, to 1901", *(_spread(years, years[0]) for years in totals)),
    ]


def _totals(played: History) -> list[float]:
    years = (mean_growth(played.grown, range(year, year + 1)) for year in range(1901, LAST.stop))
    return [growth.checkpoints + growth.journal for growth in years]


def _spread(years: Sequence[float], unit: float) -> str:
    return f"{min(years) / unit:.2f} to {max(years) / unit:.2f}"


def _times(name: str, played: History) -> tuple[str, ...]:
    wall = [resume.first_turn for resume in played.resumes]
    cpu, since = (
        statistics.median(column)
        for column in zip(*((r.cpu, r.since_imports) for r in played.resumes), strict=True)
    )
    return (
        name,
        f"S{played.year}M",
        f"{1000 * played.look:.1f}",
        *(f"{1000 * seconds:.0f}" for seconds in (statistics.median(wall), min(wall), cpu, since)),
    )


if __name__ == "__main__":
    print_growth()
