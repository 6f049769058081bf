"""A game as a reader's events, a page at a time in the order of commits: what every view and stream is made of."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from typing import NamedTuple

from checkpoints.pages import PAGE
from checkpoints.store import Store
from entente.events import Event
from entente.games.horizon import Seen, horizon_in, horizon_of, see
from entente.games.line import Line, line_to
from entente.games.standing import RunEnd, standing_of
from entente.players.projection import Horizon, events_of
from entente.players.record import Record
from entente.press.mailbox import Reader

_SILENT_SECONDS = 5.0
"""How often a game is looked at in which nothing is committed."""
_ENDING_SECONDS = 0.1
"""After how long one is that is over and whose last state, which is no commit, is being written; then seldom."""


class EventPage(NamedTuple):
    """Some of what a reader may know of what was committed after a number."""

    events: list[Event]
    """In the order of their commits; none is possible, since much is nobody's business but its owner's."""
    sequence: int
    """The number to go on after: all events up to it have been given."""
    has_more: bool
    """True when there is more already."""
    is_held: bool
    """True when there is more that the reader is told later, being of a round or phase that is not over for it."""


async def events_after(
    store: Store,
    game: str,
    sequence: int,
    reader: Reader,
    limit: int = PAGE,
    *,
    line: Line | None = None,
    horizon: Horizon | None = None,
) -> EventPage:
    """The reader's events of up to so many turns and phases that were committed after this number.

    Without a `line` those of abandoned futures are among them, as they were committed. When there is no more,
    `store.journal.wait_after(game, page.sequence)` returns as soon as there is; what is held comes some time later.
    `horizon` is the reader's, where it is known already. Raises UnknownGame, StoreUnavailable.
    """
    horizon = horizon or await horizon_of(store, game, reader)
    records, sequence, has_more = await store.journal.records_after(game, sequence, limit)
    told = [record for record in records if line is None or line.has(record)]
    hidden = next((place for place, record in enumerate(told) if horizon.hides(record)), None)
    if hidden is not None:
        sequence, has_more = told[hidden].sequence - 1, False
    events = [event for record in told[:hidden] for event in events_of(record, reader)]
    return EventPage(events, sequence, has_more, hidden is not None)


async def events_on_line(
    store: Store, game: str, reader: Reader, line: Line, sequence: int = 0
) -> list[Event]:
    """All of the reader's events on the line that were committed after this number, as far as it is told by now.

    Raises UnknownGame, StoreUnavailable.
    """
    horizon = await horizon_of(store, game, reader)
    found: list[Event] = []
    has_more = True
    while has_more:
        page = await events_after(store, game, sequence, reader, line=line, horizon=horizon)
        sequence, has_more = page.sequence, page.has_more
        found += page.events
    return found


async def follow(store: Store, game: str, reader: Reader, sequence: int = 0) -> AsyncGenerator[Event]:
    """The reader's events after this number, and then what is committed, as it comes, until the game is over.

    What the step that is being played has committed is among it, whichever process plays it, unless the reader has to
    wait for the end of a round or of phases. A future that is abandoned later has been shown; those that were abandoned
    before are left out. Raises UnknownGame, StoreUnavailable.
    """
    telling, newsreader = Telling(store, reader), Newsreader(store, game, sequence)
    while True:
        news = await newsreader.read()
        for event in await telling.told(news):
            yield event
        if news.is_last:
            return
        await newsreader.wait()


class News(NamedTuple):
    """What has become of a game: the same for all who follow it, each of whom is told what is its business."""

    seen: Seen
    records: Sequence[Record]
    """What was committed since the news before, on the game's line; empty where only its row or state has changed."""

    @property
    def is_last(self) -> bool:
        """True when the game is over, and its state says so too: nothing comes after it."""
        return self.seen.is_over and self.seen.standing.end is RunEnd.FINISHED


class Newsreader:
    """Reads what becomes of a game: first all that was committed after a number, then what has come since."""

    def __init__(self, store: Store, game: str, sequence: int = 0) -> None:
        self._store = store
        self._game = game
        self._sequence = sequence
        self._line: Line | None = None
        self._pause = _SILENT_SECONDS
        """After how long it is read again where nothing is committed."""
        self._was_over = False

    async def read(self) -> News:
        """What has become of the game since it was read last; raises UnknownGame, DamagedRow, StoreUnavailable."""
        if self._line is None:
            self._line = await line_now(self._store, self._game)
        seen = await see(self._store, self._game, self._sequence)
        records = await _records_seen(self._store, seen)
        self._sequence = seen.newest
        longer = min(2 * self._pause, _SILENT_SECONDS) if self._was_over else _ENDING_SECONDS
        self._was_over, self._pause = seen.is_over, longer if seen.is_over else _SILENT_SECONDS
        return News(seen, [record for record in records if self._line.has(record)])

    async def wait(self) -> None:
        """Return when there is more, and some time later without any: who was killed tells nobody."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._pause):
                await self._store.journal.wait_after(self._game, self._sequence)


async def line_now(store: Store, game: str) -> Line:
    """What leads to the game's state, with what the step in play has committed and will; raises UnknownGame."""
    newest = await store.journal.newest()
    standing = await standing_of(store, game)
    return await line_to(store.journal, game, standing.state, standing.tasks, newest)


class Telling:
    """What one reader is told of a game's news: each event in its turn, as soon as it may know."""

    def __init__(self, store: Store, reader: Reader) -> None:
        self._store = store
        self._reader = reader
        self._untold = deque[Record]()

    async def told(self, news: News) -> list[Event]:
        """The reader's next events."""
        self._untold += news.records
        horizon = await horizon_in(self._store, news.seen, self._reader)
        events: list[Event] = []
        while self._untold and not horizon.hides(self._untold[0]):
            events += events_of(self._untold.popleft(), self._reader)
            if not len(self._untold) % PAGE:
                await asyncio.sleep(0)  # a whole game takes a while
        return events


async def _records_seen(store: Store, seen: Seen) -> list[Record]:
    """What was committed after the number that was asked for, up to the store's latest."""
    page, sequence, has_more = seen.page
    found = [*page]
    while has_more:
        page, sequence, has_more = await store.journal.records_after(seen.summary.id, sequence)
        found += page
    return [record for record in found if record.sequence <= seen.newest]
