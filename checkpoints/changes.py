"""Waiting for what is committed next, by this process or by another one.

A commit of this process is told here by itself, and wakes who waits for its game at once. For those of other
processes one task looks for all who wait: when Postgres has notified it, or several times a second in SQLite.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping
from contextlib import aclosing
from math import inf
from typing import TypeAlias

from checkpoints.commit_order import News
from entente.errors import StoreUnavailable

Hints: TypeAlias = AsyncGenerator[int | None]
"""Yields whenever another process may have committed something: the number if it is known, else None."""

POLL_SECONDS = 0.025
"""How late a commit of another process may be noticed in SQLite."""


class Changes:
    """Who waits for which game of a store, and up to where the store has been looked through for them."""

    def __init__(
        self,
        look: Callable[[int, Collection[str]], Awaitable[News]],
        hints: Callable[[], Hints] | None,
        location: str,
    ) -> None:
        self._look_after = look
        self._hints = hints
        """None where no other process can commit."""
        self._location = location
        self._watcher: asyncio.Task[None] | None = None
        self._waiting: dict[asyncio.Future[None], tuple[str | None, int]] = {}
        self._newest: dict[str | None, int] = {}
        """The latest number that was noticed, by game; of the whole store under None."""
        self._since: float = inf
        """What came after this number was noticed, up to `_looked`."""
        self._looked = 0
        self._catching_up = asyncio.Lock()
        self._is_stale = False
        """True when others may have committed something after `_looked` while nobody was waiting."""

    async def wait_after(self, game: str | None, sequence: int) -> None:
        """Return as soon as something of the game, or of any, stands that was committed after this number.

        A change of the game's row in the list counts too, and so does its end by deletion. Raises
        StoreUnavailable.
        """
        self._start()
        async with self._catching_up:  # one look does for all who begin to wait at the same moment
            if sequence < self._since:
                await self._look(sequence)
            elif self._is_stale:
                await self._look(self._looked)
        if self._newest.get(game, 0) > sequence:
            return
        news = asyncio.get_running_loop().create_future()
        self._waiting[news] = (game, sequence)
        try:
            await news
        finally:
            del self._waiting[news]

    def note(self, game: str, first: int, last: int) -> None:
        """Notice a commit of this process, with the numbers that it took."""
        if first == self._looked + 1:
            self._looked = last
        self._tell({game: last}, last)

    def end(self) -> None:
        """End every wait with StoreUnavailable."""
        message = f"The store at {self._location} was closed while something waited for its games."
        self._fail(StoreUnavailable(message))

    async def close(self) -> None:
        """End every wait, and look no more."""
        self.end()
        if self._watcher is not None:
            self._watcher.cancel()
            # Gathered, so that a cancellation that comes for the caller at this moment is not taken for the watcher's.
            await asyncio.gather(self._watcher, return_exceptions=True)

    def _start(self) -> None:
        if self._hints is not None and (self._watcher is None or self._watcher.done()):
            self._watcher = asyncio.create_task(self._watch(self._hints()), name="watch of commits")

    async def _watch(self, hints: Hints) -> None:
        try:
            async with aclosing(hints):
                async for number in hints:
                    if number is None or number > self._looked:
                        await self._notice()
        except Exception as error:  # noqa: BLE001 - handed to all who wait
            self._since = inf
            self._fail(error)

    async def _notice(self) -> None:
        if not self._waiting:
            self._is_stale = True
            return
        try:
            await self._look(self._looked)
        except StoreUnavailable:  # a server that was started anew is missed once by the connections to it
            await self._look(self._looked)

    async def _look(self, after: int) -> None:
        self._is_stale = False
        watched = {game for game, _ in self._waiting.values() if game is not None}
        news = await self._look_after(after, watched)
        self._since = min(self._since, after)
        self._looked = max(self._looked, news.newest)
        self._tell(news.games, news.newest)

    def _tell(self, games: Mapping[str, int], newest: int) -> None:
        for game, number in {None: newest, **games}.items():
            self._newest[game] = max(number, self._newest.get(game, 0))
        for news, (game, sequence) in self._waiting.items():
            if self._newest.get(game, 0) > sequence and not news.done():
                news.set_result(None)

    def _fail(self, error: Exception) -> None:
        for news in self._waiting:
            if not news.done():
                news.set_exception(error)


async def ticks() -> Hints:
    """A hint several times a second, where nobody tells of commits."""
    while True:
        yield None
        await asyncio.sleep(POLL_SECONDS)
