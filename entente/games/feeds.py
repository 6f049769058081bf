"""A game as its readers may follow it: read once for all of them, and cut once for all streams of a reader.

A stream's place is told by a cursor: how many events its reader has been told, and a sign of the last one. Both are
the reader's to know already, whatever else was committed meanwhile, so that a cursor tells nothing. The journal's own
numbers would: their gaps are what was said and done behind the reader's back. A cursor is good for every server over
the store, since a reader is told the same events in the same order; where a future was abandoned since, its sign does
not fit any more, and the reader is told all anew.
"""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from typing import Any, TypeVar

from checkpoints.store import Store
from entente.errors import EntenteError, ServerStopping
from entente.events import Event, EventKind
from entente.games.feed import News, Newsreader, Telling
from entente.games.horizon import Seen
from entente.games.roles import seat_of
from entente.games.views import GameView, game_view
from entente.players.record import Record, TurnRecord
from entente.press.mailbox import Reader

T = TypeVar("T")

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
        self._telling = Telling(store, reader)
        self._phases: list[str] = []
        self._own: list[TurnRecord] = []
        """The turns of the reader's seat."""

    async def take(self, news: News) -> None:
        """Take in what has become of the game; what cannot be read ends the feed."""
        if self.has_ended:
            return
        try:
            events = await self._telling.told(news)
            self._phases += [event.phase for event in events if event.kind is EventKind.PHASE]
            turns = (each for each in news.records if isinstance(each, TurnRecord))
            self._own += [turn for turn in turns if turn.power == seat_of(self.reader)]
            view = await game_view(self._store, news.seen, self.reader, [*self._phases], self._own)
            self.view = self.view if view == self.view else view
            self.events += events
        except EntenteError as error:
            self.end(error)
        else:
            self._tell()

    def end(self, error: EntenteError | None = None, *, is_finished: bool = False) -> None:
        """Nothing more comes."""
        if not self.has_ended:
            self.error, self.is_finished, self.has_ended = error, is_finished, True
            self._tell()

    async def ready(self) -> GameView:
        """How the game stands, once all that there is has been read; raises what has ended the feed."""
        while self.view is None:
            if self.has_ended:
                raise self.error or ServerStopping("The server stops; nothing was read.")
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


class _Following:
    """A game that is followed, for all its readers together."""

    def __init__(self, store: Store, game: str) -> None:
        self.users = 0
        self.has_failed = False
        """True when it ended before the game was over."""
        self._error: EntenteError | None = None
        """Why it did, where that was foreseen."""
        self._store = store
        self._game = game
        self._feeds: dict[Reader, Feed] = {}
        self._seen: Seen | None = None
        self._records: list[Record] = []
        """All of the game's line, for readers who come later."""
        self._newsreader = Newsreader(store, game)
        self._taking = asyncio.Lock()
        self._works = set[asyncio.Task[Any]]()
        self._task = asyncio.create_task(self._follow(), name=f"feed of {game}")

    async def feed(self, reader: Reader) -> Feed:
        """The reader's, with all that it may know by now."""
        return await self._whole(self._feed(reader))

    async def _feed(self, reader: Reader) -> Feed:
        async with self._taking:
            feed = self._feeds.get(reader)
            if feed is None or feed.error:
                feed = self._feeds[reader] = Feed(self._store, self._game, reader)
                if self._seen is not None:
                    await feed.take(News(self._seen, self._records))
                if self._task.done():
                    feed.end(self._error, is_finished=not self.has_failed)
        return feed

    async def refresh(self) -> None:
        """Take in what has become of the game by now; some of that is no commit, such as who plays it.

        What cannot be read is met again, and told, by the feeds' own next look.
        """
        if self._seen is not None and not self._task.done():
            with suppress(EntenteError):
                await self._whole(self._look())

    async def _whole(self, work: Coroutine[Any, Any, T]) -> T:
        """What the work brings. It is done to its end, whoever gives up waiting: other readers are told by it."""
        task = asyncio.create_task(work)
        self._works.add(task)
        task.add_done_callback(self._works.discard)
        return await asyncio.shield(task)

    async def stop(self) -> None:
        """End all feeds, and let go of what was read for them."""
        self._task.cancel()
        # Gathered, so that a cancellation that comes for the caller at this moment is not taken for the task's.
        await asyncio.gather(self._task, *self._works, return_exceptions=True)
        # The traceback of the cancelled task holds this object until Python looks for garbage.
        self._records.clear()
        self._feeds.clear()

    async def _follow(self) -> None:
        is_over = False
        try:
            while not (is_over := (await self._look()).is_last):
                await self._newsreader.wait()
        except EntenteError as error:
            self._error = error
        finally:
            self._end_feeds(is_finished=is_over)

    def _end_feeds(self, *, is_finished: bool) -> None:
        self.has_failed = not is_finished
        for feed in self._feeds.values():
            feed.end(self._error, is_finished=is_finished)

    async def _look(self) -> News:
        async with self._taking:
            news = await self._newsreader.read()
            self._seen = news.seen
            self._records += news.records
            for feed in self._feeds.values():
                await feed.take(news)
        return news


class Feeds:
    """The games that somebody is reading."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._followed: dict[str, _Following] = {}

    @asynccontextmanager
    async def of(self, game: str, reader: Reader) -> AsyncGenerator[Feed]:
        """The reader's feed of the game, for as long as the block lasts."""
        following = self._followed.get(game)
        if following is None or following.has_failed:
            following = self._followed[game] = _Following(self._store, game)
        following.users += 1
        try:
            yield await following.feed(reader)
        finally:
            following.users -= 1
            if not following.users:
                if self._followed.get(game) is following:
                    del self._followed[game]
                await following.stop()

    async def close(self) -> None:
        """End all feeds, and with them the streams that show them."""
        for following in [*self._followed.values()]:
            await following.stop()

    async def refresh(self, game: str) -> None:
        """Take in what has become of the game by now, for all its readers."""
        if following := self._followed.get(game):
            await following.refresh()
