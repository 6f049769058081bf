"""How quick the machine is just now, by work that is not ours: a random game on the bare engine, 1901 to 1920.

Bars in seconds were set where such a game takes 0.185 s; a figure means little without this one beside it.

python -m benchmarks.yardstick
"""

import random
import statistics
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, cast

import diplomacy

SET_AT = 0.185
"""CPU seconds of such a game where the bars were set."""

_GAMES = 5
_RULES = ["IGNORE_ERRORS", "POWER_CHOICE"]


def random_game(seed: int) -> float:
    """CPU seconds that the engine takes for a game of random orders, until 1921 begins or somebody wins."""
    rng, game = random.Random(seed), cast("Any", diplomacy.Game)(rules=_RULES)
    began = time.process_time()
    while not game.is_game_done and int(game.get_current_phase()[1:5]) <= 1920:
        possible = game.get_all_possible_orders()
        for power in game.powers:
            chosen = [
                rng.choice(sorted(possible[place]))
                for place in game.get_orderable_locations(power)
                if possible[place]
            ]
            game.set_orders(power, chosen)
        game.process()
    return time.process_time() - began


def slowness() -> float:
    """How many times as long as where the bars were set this machine takes for everything just now."""
    random_game(_GAMES)  # loads the map
    return statistics.median(map(random_game, range(_GAMES))) / SET_AT


@contextmanager
def beside_the_yardstick() -> Generator[None]:
    """Say, under what the block prints, how quick the machine was before and after it."""
    before = slowness()
    yield
    print(
        f"\nThis machine took {before:.2f} (before) and {slowness():.2f} (after) times as long as where bars were set."
    )


if __name__ == "__main__":
    print(f"{slowness():.2f}")
