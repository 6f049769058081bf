"""What feeds tell, as server-sent events: each is written once, for all streams that tell it."""

from itertools import accumulate, takewhile
from weakref import WeakKeyDictionary

from sse_starlette import ServerSentEvent

from entente.games.feeds import Feed
from entente.games.views import Told

MOST_UNREAD = 65_536
"""How many bytes of events a stream writes at once; one large event is written whole."""


class Written:
    """The events of feeds, as long as the feeds live."""

    def __init__(self) -> None:
        self._written: WeakKeyDictionary[Feed, list[bytes]] = WeakKeyDictionary()

    def after(self, feed: Feed, place: int) -> tuple[bytes, int]:
        """The feed's next events after so many, no more than a reader may leave unread, and the place behind them."""
        written = self._written.setdefault(feed, [])
        for event in feed.events[len(written) :]:
            data = Told.of(event).model_dump_json()
            written.append(ServerSentEvent(id=feed.cursor(len(written) + 1), data=data).encode())
        left = written[place:]
        count = sum(1 for _ in takewhile(lambda size: size <= MOST_UNREAD, accumulate(map(len, left))))
        part = left[: max(1, count)]
        return b"".join(part), place + len(part)
