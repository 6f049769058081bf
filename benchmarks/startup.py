"""How long `entente play` takes from the start of its process to the first turn that it asks for.

The child imports what the console script and its command import, and nothing else before it; its players' first
turn tells the time and ends the process. The first start of all is not counted: it compiles what was never run.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.tables import markdown

RUNS = 9
GAMES = {
    "play --all dumbbot --floor gunboat": ["play", "--all", "dumbbot", "--floor", "gunboat"],
    "play --all diplomat": ["play", "--all", "diplomat"],
}
CHILD = """
import gc, json, os, sys, time
began = float(sys.argv.pop(1))
gc.disable()
from entente.cli.main import run
import entente.cli.play_work
loaded = time.monotonic()
from entente.players.scripted.diplomat.player import DiplomatPlayer
from entente.players.scripted.dumbbot import DumbBotPlayer

async def first_turn(self, bundle):
    now = time.monotonic()
    print(json.dumps([now - began, now - loaded, time.process_time()]), flush=True)
    os._exit(0)

DiplomatPlayer.take_turn = DumbBotPlayer.take_turn = first_turn
run()
"""


class Start(NamedTuple):
    """Seconds from the start of the process."""

    first_turn: float
    since_imports: float
    """To the first turn from the moment when all modules were loaded."""
    cpu: float
    """Of the process, up to the first turn."""


def customary() -> dict[str, str]:
    """The environment, but for what would have Python compile our modules anew at every start."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def start(command: Sequence[str]) -> Start:
    """Run `entente` with these arguments until the first turn."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(began), *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=customary(),
        check=True,
    )
    return Start(*json.loads(done.stdout))


def print_startup() -> None:
    """The table of medians and bests."""
    rows: list[tuple[str, ...]] = []
    for name, command in GAMES.items():
        with tempfile.TemporaryDirectory() as folder:
            starts = [start([*command, "--store", folder]) for _ in range(RUNS + 1)][1:]
        wall = [s.first_turn for s in starts]
        figures = (
            statistics.median(wall),
            min(wall),
            statistics.median(s.cpu for s in starts),
        )
        rows.append((f"`entente {name}`", *(f"{seconds:.2f}" for seconds in figures)))
    print(f"\nSeconds from the start of the process, {RUNS} starts of each\n")
    print(markdown(("command", "first turn", "best", "CPU to first turn"), rows))


if __name__ == "__main__":
    print_startup()
