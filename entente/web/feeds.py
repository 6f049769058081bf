"""A game as one reader may follow it, read once for all streams that show it.

A stream's place is told by a cursor: how many events its reader has been told, and a sign of the last one. Both are
the reader's to know already, whatever else was committed meanwhile, so that a cursor tells nothing. The journal's own
numbers would: their gaps are what was said and done behind the reader's back. A cursor is good for every server over
the store, since a reader is told the same events in the same order; where a future was abandoned since, its sign does
not fit any more, and the reader is told all anew.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from hashlib import sha256

from checkpoints.store import Store
from entente.errors import EntenteError, StoreUnavailable
from entente.events import Event
from entente.games.feed import follow_batches
from entente.press.mailbox import Reader
from entente.web.views import GameView, game_view

_SIGN_DIGITS = 8


class Feed:
    """What one reader has been told of one game by now, and is told next."""

    def __init__(self, store: Store, game: str, reader: Reader) -> None:
        self.game = game
        self.reader = reader
        self.events: list[Event] = []
        """In the order in which they are told."""
        self.view: GameView | None = None
        """How the game stands, as the reader may know; None until it was read."""
        self.error: EntenteError | None = None
        """Why it ended before the game was over."""
        self.is_finished = False
        """True when all has been told of a game that is over."""
        self.has_ended = False
        """True when nothing more comes, the game being over or not."""
        self.news = asyncio.Event()
        """Set when something has changed; from then on another one is here, for what changes next."""
        self._store = store

    async def run(self) -> None:
        """Follow the game until it is over."""
        try:
            async with aclosing(follow_batches(self._store, self.game, self.reader)) as batches:
                async for batch in batches:
                    self.events += batch
                    self.view = await game_view(self._store, self.game, self.reader, self.events)
                    self._tell()
            self.is_finished = True
        except EntenteError as error:
            self.error = error
        finally:
            self.has_ended = True
            self._tell()

    async def refresh(self) -> None:
        """Look again how the game stands; some of that is no commit, such as who plays it."""
        if self.view is not None:
            self.view = await game_view(self._store, self.game, self.reader, self.events)
            self._tell()

    async def ready(self) -> GameView:
        """How the game stands, once all that there is has been read; raises what has ended the feed."""
        while self.view is None:
            if self.has_ended:
                raise self.error or StoreUnavailable("The server stops; nothing was read.")
            await self.news.wait()
        return self.view

    def cursor(self, count: int) -> str:
        """The place behind so many events."""
        sign = sha256(self.events[count - 1].id.encode()).hexdigest()[:_SIGN_DIGITS] if count else ""
        return f"{count}-{sign}"

    def place(self, cursor: str) -> int | None:
        """How many events have been told at the cursor; None for one that is not of this game and reader."""
        count = cursor.partition("-")[0]
        if not count.isdecimal() or len(count) > len(str(len(self.events))) or int(count) > len(self.events):
            return None
        return int(count) if self.cursor(int(count)) == cursor else None

    def _tell(self) -> None:
        told, self.news = self.news, asyncio.Event()
        told.set()


class Feeds:
    """The feeds that somebody is reading."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._open: dict[tuple[str, Reader], tuple[Feed, asyncio.Task[None]]] = {}
        self._users: dict[tuple[str, Reader], int] = {}

    @asynccontextmanager
    async def of(self, game: str, reader: Reader) -> AsyncGenerator[Feed]:
        """The reader's feed of the game, for as long as the block lasts."""
        key = (game, reader)
        feed = self._feed(key)
        self._users[key] = self._users.get(key, 0) + 1
        try:
            yield feed
        finally:
            self._users[key] -= 1
            if not self._users[key]:
                del self._users[key]
                await self._end(key)

    async def close(self) -> None:
        """End all feeds, and with them the streams that show them."""
        for key in [*self._open]:
            await self._end(key)

    async def refresh(self, game: str) -> None:
        """Look again how the game stands, for all its readers."""
        for feed, _ in [*self._open.values()]:
            if feed.game == game:
                await feed.refresh()

    def _feed(self, key: tuple[str, Reader]) -> Feed:
        standing = self._open.get(key)
        if standing is not None and (standing[0].is_finished or not standing[0].has_ended):
            return standing[0]
        feed = Feed(self._store, *key)
        self._open[key] = (feed, asyncio.create_task(feed.run(), name=f"feed of {key[0]}"))
        return feed

    async def _end(self, key: tuple[str, Reader]) -> None:
        _, task = self._open.pop(key, (None, None))
        if task is not None:
            task.cancel()
            # Gathered, so that a cancellation that comes for the caller at this moment is not taken for the feed's.
            await asyncio.gather(task, return_exceptions=True)
