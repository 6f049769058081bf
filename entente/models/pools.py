"""The connections to one address, in several pools when many calls are under way."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

ROOM = 16
"""Calls at once in a pool: httpx2 looks at all connections of a pool before and after each call."""


class Pools:
    """The pools of an address, each opened when all before it are full."""

    def __init__(self, open_pool: "Callable[[], httpx2.AsyncClient]") -> None:
        self._open_pool = open_pool
        self._places: list[httpx2.AsyncClient] = []
        """A pool for each call more that can be made at once; the one that was left last is warm, and taken first."""

    @contextmanager
    def one(self) -> "Generator[httpx2.AsyncClient]":
        """A pool for one call, which keeps its place there until the block ends."""
        if not self._places:
            self._places += [self._open_pool()] * ROOM
        pool = self._places.pop()
        try:
            yield pool
        finally:
            self._places.append(pool)
