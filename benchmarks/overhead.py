"""`make bench`: what a game costs beside its players, how soon it starts, and what it leaves in the store.

python -m benchmarks.overhead [--years N] [--seeds N] [--only costs|startup|growth]
"""

import argparse
import asyncio
import gc
import statistics
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass

from benchmarks import growth, startup
from benchmarks.ledger import Ledger, process_seconds
from benchmarks.tables import markdown
from benchmarks.yardstick import beside_the_yardstick
from checkpoints.store import open_store
from entente.cli.options import settle
from entente.games.runner import GameMaster
from graph.context import GameSettings

FIRST_YEAR = 1901
GAMES = {
    "gunboat": GameSettings(everyone="dumbbot", floor="gunboat", stalemate_years=0),
    "press, 3 rounds": GameSettings(everyone="diplomat", rounds=3, stalemate_years=0),
}
HEADINGS = ("game", "store", "phases", "turns", "engine", "players", "graph + checkpoint", "all")


@dataclass(frozen=True, slots=True)
class Cost:
    """What a game took: the last four in CPU milliseconds a phase."""

    phases: float
    turns: float
    engine: float
    players: float
    graph: float
    """All else: graph, reading of orders, journal, checkpoints, and their threads."""
    total: float


async def cost_of(settings: GameSettings, location: str) -> Cost:
    """Play the game to its end in a new store."""
    ledger = Ledger()
    async with open_store(location) as store:
        master = GameMaster(store, ledger.seat)
        game = await master.begin(settings)
        with ledger.over_the_engine(), process_seconds() as run:
            standing = await master.run(game)
        phases = len(await store.journal.phases(game, standing.state["history"]))
    engine, players = ledger.seconds["engine"], ledger.seconds["players"]
    rest = run.seconds - engine - players
    return Cost(
        phases, ledger.calls["players"], *(1000 * s / phases for s in (engine, players, rest, run.seconds))
    )


def measure(settings: GameSettings, backend: str) -> Cost:
    """One game, in a store that is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(cost_of(settings, folder if backend == "SQLite" else backend))


def costs(years: int, seeds: int) -> list[tuple[str, ...]]:
    """A row for each game and store: the median over the seeds from 0 on."""
    rows: list[tuple[str, ...]] = []
    for name, settings in GAMES.items():
        for backend in ("memory", "SQLite"):
            lasting = {"max_year": FIRST_YEAR + years - 1}
            each = [
                measure(settings.model_copy(update={**lasting, "seed": s}), backend) for s in range(seeds)
            ]
            middle = [statistics.median(column) for column in zip(*map(astuple, each), strict=True)]
            rows.append(
                (name, backend, *(f"{n:.0f}" for n in middle[:2]), *(f"{ms:.1f}" for ms in middle[2:]))
            )
    return rows


def print_costs(years: int, seeds: int) -> None:
    """Print them as a table."""
    print(f"\nCPU milliseconds a phase, {years} game years, median of {seeds} seeds\n")
    print(markdown(HEADINGS, costs(years, seeds)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--years", type=int, default=12, help="game years of the games that are costed")
    parser.add_argument("--seeds", type=int, default=5, help="games of each kind that are costed")
    parser.add_argument("--only", choices=("costs", "startup", "growth"))
    args = parser.parse_args()
    gc.disable()
    settle()  # as the command does
    parts: Mapping[str, Callable[[], None]] = {
        "costs": lambda: print_costs(args.years, args.seeds),
        "startup": startup.print_startup,
        "growth": growth.print_growth,
    }
    for name, part in parts.items():
        if args.only in (None, name):
            with beside_the_yardstick():
                part()


if __name__ == "__main__":
    main()
