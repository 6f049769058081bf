"""What others do while a person writes: told above the line that is being typed, as soon as it is committed."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

from entente.cli.lines import message_line
from entente.cli.output import columns_to_say
from entente.cli.situation import Situation
from entente.errors import EntenteError
from entente.events import Event, EventKind
from entente.floors.floor import floor_in
from entente.games.feed import follow
from entente.press.messages import Message


class News:
    """What has become known to a seat since its question was shown."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._shown = {message.id for message in situation.view.press}

    @property
    def read(self) -> int:
        """How many messages of the phase the person has been shown, its own among them."""
        return len(self._shown)

    async def tell(self, say: Callable[[str], Awaitable[None]]) -> None:
        """Say each message as it comes, and who has ordered, until the phase is over, and then that."""
        try:
            async with aclosing(self._events()) as events:
                async for event in events:
                    if event.kind is EventKind.PHASE:
                        await say(f"{event.phase} is over: it was adjudicated.")
                        return
                    if told := self._told(event):
                        await say(told)
        except EntenteError as error:  # what is typed is not lost for it
            await say(f"What others do is not told any more: {error}")

    async def _events(self) -> AsyncGenerator[Event]:
        """The phase's, from its beginning."""
        situation = self._situation
        journal, game = situation.store.journal, situation.standing.game
        before = situation.standing.state["history"]
        record = await journal.phase(game, before) if before else None
        sequence = record.sequence if record else 0
        async with aclosing(follow(situation.store, game, situation.seat.power, sequence)) as events:
            async for event in events:
                if event.phase == situation.seat.phase:
                    yield event

    def _told(self, event: Event) -> str:
        """Empty for what was shown with the question, for the person's own, and for notes."""
        view = self._situation.view
        if event.kind is EventKind.MESSAGE:
            message = Message.model_validate(event.data)
            if message.id in self._shown:
                return ""
            self._shown.add(message.id)
            moment = floor_in(self._situation.standing.state).moment_of(message)
            return message_line(message, moment, event.at, columns=columns_to_say())
        is_news = event.kind is EventKind.ORDERED and event.power not in (view.power, *view.orders_in)
        return f"{event.power} has given orders." if is_news and view.ask == "open" else ""
