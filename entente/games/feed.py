"""A game as a reader's events, a page at a time in the order of commits: what every view and stream is made of."""

from collections.abc import AsyncGenerator
from typing import NamedTuple

from checkpoints.journal import PAGE, Journal
from checkpoints.store import Store
from entente.events import Event
from entente.games.line import Line, line_to
from entente.games.runner import GameMaster, RunEnd
from entente.players.projection import events_of
from entente.press.mailbox import Reader


class EventPage(NamedTuple):
    """Some of what a reader may know of what was committed after a number."""

    events: list[Event]
    """In the order of their commits; none is possible, since much is nobody's business but its owner's."""
    sequence: int
    """The number to go on after: all events up to it have been given."""
    has_more: bool
    """True when there is more already."""


async def events_after(
    journal: Journal, game: str, sequence: int, reader: Reader, limit: int = PAGE, *, line: Line | None = None
) -> EventPage:
    """The reader's events of up to so many turns and phases that were committed after this number.

    Without a `line` those of abandoned futures are among them, as they were committed. When there is no more,
    `journal.wait_after(game, page.sequence)` returns as soon as there is. Raises StoreUnavailable.
    """
    records, sequence, has_more = await journal.records_after(game, sequence, limit)
    told = [record for record in records if line is None or line.has(record)]
    return EventPage([event for record in told for event in events_of(record, reader)], sequence, has_more)


async def events_on_line(
    journal: Journal, game: str, reader: Reader, line: Line, sequence: int = 0
) -> list[Event]:
    """All of the reader's events on the line that were committed after this number. Raises StoreUnavailable."""
    found: list[Event] = []
    has_more = True
    while has_more:
        events, sequence, has_more = await events_after(journal, game, sequence, reader, line=line)
        found += events
    return found


async def follow(store: Store, game: str, reader: Reader, sequence: int = 0) -> AsyncGenerator[Event]:
    """The reader's events after this number, and then what is committed, as it comes, until the game is over.

    What the step that is being played has committed is among it, whichever process plays it. A future that is abandoned
    later has been shown; those that were abandoned before are left out. Raises UnknownGame, StoreUnavailable.
    """
    line, has_more = await _line_now(store, game), True
    while True:
        # Asked first: what was committed before the end is on the next pages then.
        is_over = (await store.library.summary(game)).status == RunEnd.FINISHED
        while has_more:
            events, sequence, has_more = await events_after(store.journal, game, sequence, reader, line=line)
            for event in events:
                yield event
        if is_over:
            return
        await store.journal.wait_after(game, sequence)
        has_more = True


async def _line_now(store: Store, game: str) -> Line:
    newest = await store.journal.newest()
    standing = await GameMaster(store).look(game)
    return await line_to(store.journal, game, standing.state, standing.tasks, newest)
