"""What is kept at hand of games that are played: each step of a game asks again for its last phases, boards and turns.

Nothing here is the only copy of anything: what falls out is read from the store, or computed, once more.
"""

from typing import Any, TypeVar
from weakref import WeakValueDictionary

from cachetools import LRUCache

GAMES = 128
"""So many games at once are played as quickly as one alone. docs/benchmarks.md says what that takes."""

V = TypeVar("V")


class GameCache(LRUCache[tuple[str, str], V]):
    """What is kept by a game and an id in it, until the game is forgotten; `each` values for each of `GAMES` games."""

    def __init__(self, each: int) -> None:
        super().__init__(each * GAMES)
        _all[id(self)] = self


_all: "WeakValueDictionary[int, GameCache[Any]]" = WeakValueDictionary()


def forget(game: str) -> None:
    """Let go of a game that is played no more: in a batch others come in its place."""
    for cache in [*_all.values()]:
        for key in [key for key in cache if key[0] == game]:
            del cache[key]
