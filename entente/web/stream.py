"""A game as server-sent events: what its reader is told, once and in order, as long as its link is good."""

import asyncio
from collections.abc import AsyncGenerator

from sse_starlette import ServerSentEvent

from entente.web.access import Visitor
from entente.web.house import House
from entente.web.views import Told

BEAT_SECONDS = 15
"""How often a silent stream says that it lives, and looks whether its link still opens anything."""


async def told(here: House, visitor: Visitor, game: str, cursor: str) -> AsyncGenerator[ServerSentEvent]:
    """The game's events for the visitor after the cursor, and how it stands, for as long as the link is good."""
    async with here.feeds.of(game, visitor.reader) as feed:
        await feed.ready()
        place = feed.place(cursor) if cursor else 0
        if place is None:
            yield ServerSentEvent(event="reset", data="{}")
            place = 0
        shown = None
        while True:
            news = feed.news
            if not await here.access.is_open(visitor.link.id):
                return
            for event in feed.events[place:]:
                place += 1
                yield ServerSentEvent(id=feed.cursor(place), data=Told.of(event).model_dump_json())
            if feed.view != shown:
                shown = await feed.ready()
                yield ServerSentEvent(event="view", data=shown.model_dump_json())
            if feed.is_finished:
                yield ServerSentEvent(event="end", data="{}")
            if feed.has_ended:
                return
            await _wait(news)


async def _wait(news: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(news.wait(), BEAT_SECONDS)
    except TimeoutError:  # time to see whether the link still opens anything
        return
