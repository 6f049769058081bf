"""DumbBot's weighted pick: mostly the best, sometimes the next, never one that is much worse."""

import random
from collections.abc import Sequence


def walk(values: Sequence[float], rng: random.Random | None) -> int:
    """The index of the value picked from a list sorted best first (or, to remove, worst first).

    From each item it goes on to the next with probability one half, less when the next one is worse:
    a drop of a fifth is never taken. Lists that rise are walked in plain steps of one half.
    Without an `rng` the first is taken. The list must not be empty.
    """
    if rng is None:
        return 0
    for i in range(len(values) - 1):
        chance = (values[i] - values[i + 1]) * 500 / values[i] if values[i] else 0.0
        if rng.random() >= 0.5 or rng.random() * 100 < chance:
            return i
    return len(values) - 1
