"""What feeds tell, as server-sent events: each is written once, for all streams that tell it."""

from weakref import WeakKeyDictionary

from sse_starlette import ServerSentEvent

from entente.games.feeds import Feed
from entente.games.views import Told


class Written:
    """The events of feeds, as long as the feeds live."""

    def __init__(self) -> None:
        self._written: WeakKeyDictionary[Feed, list[bytes]] = WeakKeyDictionary()

    def after(self, feed: Feed, place: int) -> bytes:
        """All events of the feed after so many."""
        written = self._written.setdefault(feed, [])
        for event in feed.events[len(written) :]:
            data = Told.of(event).model_dump_json()
            written.append(ServerSentEvent(id=feed.cursor(len(written) + 1), data=data).encode())
        return b"".join(written[place:])
