"""A game as a reader's events, a page at a time in the order of commits: what every view and stream is made of."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import NamedTuple

from checkpoints.journal import PAGE
from checkpoints.store import Store
from entente.events import Event
from entente.games.horizon import horizon_of
from entente.games.line import Line, line_to
from entente.games.runner import RunEnd, standing_of
from entente.players.projection import Horizon, events_of
from entente.press.mailbox import Reader

_HELD_SECONDS = 0.25
"""How often it is asked whether a round is over: no commit tells."""


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
    async with aclosing(follow_batches(store, game, reader, sequence)) as batches:
        async for batch in batches:
            for event in batch:
                yield event


async def follow_batches(
    store: Store, game: str, reader: Reader, sequence: int = 0
) -> AsyncGenerator[list[Event]]:
    """As `follow`, all that there is at a time: first what was committed before, then what came since.

    A batch is empty where only the game's row has changed, or where what came is none of the reader's business.
    """
    line = await line_now(store, game)
    while True:
        # Asked first: what was committed before the end is on the next pages then.
        is_over = (await store.library.summary(game)).status == RunEnd.FINISHED
        page, horizon = (
            EventPage([], sequence, has_more=True, is_held=False),
            await horizon_of(store, game, reader),
        )
        batch: list[Event] = []
        while page.has_more:
            page = await events_after(store, game, page.sequence, reader, line=line, horizon=horizon)
            batch += page.events
        sequence = page.sequence
        yield batch
        if is_over:
            return
        if page.is_held:
            await asyncio.sleep(_HELD_SECONDS)
        else:
            await store.journal.wait_after(game, sequence)


async def line_now(store: Store, game: str) -> Line:
    """What leads to the game's state, with what the step in play has committed and will; raises UnknownGame."""
    newest = await store.journal.newest()
    standing = await standing_of(store, game)
    return await line_to(store.journal, game, standing.state, standing.tasks, newest)
