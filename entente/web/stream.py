"""A game as server-sent events: what its reader is told, once and in order, as long as its link is good."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import aclosing

from sse_starlette import ServerSentEvent

from entente.errors import EntenteError
from entente.games.views import GameView
from entente.web.access import BEAT_SECONDS, Visitor
from entente.web.house import House

_log = logging.getLogger(__name__)

_RESET, _END = (ServerSentEvent(event=name, data="{}").encode() for name in ("reset", "end"))


async def told(here: House, visitor: Visitor, game: str, cursor: str) -> AsyncGenerator[bytes]:
    """The game's events for the visitor after the cursor, and how it stands, for as long as the link is good.

    Raises NotAllowed where the link has as many streams as it may.
    """
    async with here.streams.taken(visitor.link.id), here.feeds.of(game, visitor.reader) as feed:
        await feed.ready()
        place = feed.place(cursor) if cursor else 0
        begin = b"" if place is not None else _RESET
        place = place or 0
        shown: GameView | None = None
        while True:
            news = feed.news
            if not await here.access.is_open(visitor.link.id):
                return
            told, place = here.written.after(feed, place)
            has_more = place < len(feed.events)
            if not has_more and (view := feed.view) is not shown and view is not None:
                told += ServerSentEvent(event="view", data=view.model_dump_json()).encode()
                shown = view
            if not has_more and feed.is_finished:
                told += _END
            if begin or told:
                yield begin + told
                begin = b""
            if has_more:
                continue
            if feed.has_ended:
                return
            await _wait(news)


async def begun(stream: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """The stream, once its first part is there; raises what keeps it from being told while that can be answered.

    What comes later ends it, and is logged: who listens asks again, and is told then.
    """
    first = await anext(stream, b"")

    async def parts() -> AsyncGenerator[bytes]:
        async with aclosing(stream):
            if first:
                yield first
            try:
                async for part in stream:
                    yield part
            except EntenteError as error:
                _log.warning("A stream was ended: %s", error)

    return parts()


async def _wait(news: asyncio.Event) -> None:
    try:
        async with asyncio.timeout(BEAT_SECONDS):
            await news.wait()
    except TimeoutError:  # time to see whether the link still opens anything
        return
