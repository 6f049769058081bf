"""A game as server-sent events: what its reader is told, once and in order, as long as its link is good."""

import asyncio
from collections.abc import AsyncGenerator

from sse_starlette import ServerSentEvent

from entente.web.access import Visitor
from entente.web.house import House

BEAT_SECONDS = 15
"""How often a silent stream says that it lives, and looks whether its link still opens anything."""

_RESET, _END = (ServerSentEvent(event=name, data="{}").encode() for name in ("reset", "end"))


async def told(here: House, visitor: Visitor, game: str, cursor: str) -> AsyncGenerator[bytes]:
    """The game's events for the visitor after the cursor, and how it stands, for as long as the link is good."""
    async with here.feeds.of(game, visitor.reader) as feed:
        await feed.ready()
        place = feed.place(cursor) if cursor else 0
        begin = b"" if place is not None else _RESET
        place, shown = place or 0, None
        while True:
            news = feed.news
            if not await here.access.is_open(visitor.link.id):
                return
            told = begin + here.written.after(feed, place)
            place, begin = len(feed.events), b""
            if feed.view is not None and feed.view is not shown:
                told += ServerSentEvent(event="view", data=feed.view.model_dump_json()).encode()
                shown = feed.view
            if feed.is_finished:
                told += _END
            if told:
                yield told
            if feed.has_ended:
                return
            await _wait(news)


async def _wait(news: asyncio.Event) -> None:
    try:
        async with asyncio.timeout(BEAT_SECONDS):
            await news.wait()
    except TimeoutError:  # time to see whether the link still opens anything
        return
