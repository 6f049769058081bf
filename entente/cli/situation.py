"""A seat's question as a terminal shows it: the board, the last orders, and the press that its power may read."""

from collections.abc import Iterable
from dataclasses import dataclass

from checkpoints.locations import MEMORY
from checkpoints.store import Store
from entente.board.engine import Board
from entente.board.render import board_text
from entente.cli.lines import clock_text, event_line, message_line, stand_in_line
from entente.cli.output import columns_to_say, hanging
from entente.events import Event, EventKind
from entente.floors.floor import floor_in
from entente.floors.seat_view import SeatView
from entente.games.feed import events_on_line, line_now
from entente.games.line import records_on_line, stand_ins
from entente.games.pending import PendingSeat
from entente.games.runner import Standing
from entente.players.record import PhaseRecord, ResultRecord, TurnRecord
from entente.press.messages import Message
from graph.state import board_from

_INDENT = "  "
_NEW = "* "
_NEWS = "New since your last answer"


@dataclass(frozen=True, slots=True)
class Situation:
    """A seat's question, and where to look for the press of earlier phases."""

    store: Store
    standing: Standing
    seat: PendingSeat

    @property
    def view(self) -> SeatView:
        """All that the person may know to answer."""
        return self.seat.view

    @property
    def board(self) -> Board:
        """The board in play."""
        return board_from(self.view.board)

    @property
    def is_kept(self) -> bool:
        """False in a store that ends with the process."""
        return self.store.location != MEMORY

    @property
    def unsent_at_deadline(self) -> str:
        """What becomes then of orders that were typed and not sent."""
        return (
            f"typed orders are {'sent then' if self.view.sends_drafts else 'not given unless you /send them'}"
        )

    async def text(self) -> str:
        """All that is shown before the question."""
        view, events = self.view, await self._events()
        read = [message for message in view.press if not self._is_new(message)]
        press = f"Press of {view.phase}"
        parts = [
            *await self._since(),
            self._card(),
            board_text(self.board, columns_to_say()),
            await self._stand_ins(),
            _titled(press, self._listed(read, events)),
            *self._news(_NEWS if read else press, events),
        ]
        return "\n\n".join(filter(None, parts))

    async def news(self) -> str:
        """What is shown where the phase was shown before: what is new in it, and the question."""
        return "\n\n".join(filter(None, self._news(_NEWS, await self._events())))

    def _news(self, title: str, events: Iterable[Event]) -> list[str]:
        new = [message for message in self.view.press if self._is_new(message)]
        listed = _titled(title, self._listed(new, events))
        return [listed, self._orders_in(), self.view.text, self._deadline()]

    def _card(self) -> str:
        return f"You play\n{self.view.leader}" if self.view.leader else ""

    async def press(self) -> str:
        """All press that this power may read by now, oldest first, what is new behind an asterisk."""
        events = await self._events()
        messages = [Message.model_validate(e.data) for e in events if e.kind is EventKind.MESSAGE]
        return self._listed(messages, events, mark=_NEW) or "There is no press yet."

    async def log(self) -> str:
        """All that this power may know by now of what happened, oldest first."""
        columns = columns_to_say()
        told = [event_line(event, columns=columns) for event in await self._events()]
        return "\n".join(told) or "Nothing has happened yet."

    async def _events(self) -> list[Event]:
        store, game = self.store, self.standing.game
        return await events_on_line(store, game, self.seat.power, await line_now(store, game))

    def _is_new(self, message: Message) -> bool:
        """True for what others have written since the person's last answer; rounds are read when they are over."""
        view = self.view
        if message.phase != view.phase or message.sender == view.power:
            return False
        if view.ask == "open":
            return message.id in view.unread or all(message.id != shown.id for shown in view.press)
        over = view.round - 1 if view.ask == "talk" else self.standing.state["round"]
        return message.round == over

    async def _since(self) -> list[str]:
        """What became of the orders of every phase that was adjudicated since the person's last answer."""
        records = await records_on_line(self.store.journal, self.standing.game, self.standing.state)
        own = [
            place
            for place, record in enumerate(records)
            if isinstance(record, TurnRecord) and record.power == self.seat.power and not record.is_note
        ]
        since = [r for r in records[own[-1] if own else 0 :] if isinstance(r, PhaseRecord)]
        columns = columns_to_say()
        told = [f"Orders of {record.phase}:\n{results_text(record.results, columns)}" for record in since]
        return ["Since you last looked:", *told] if told else []

    async def _stand_ins(self) -> str:
        """Who plays for whom at the moment; which model at which address cannot be called is the operator's to know."""
        found = await stand_ins(self.store.journal, self.standing.game, self.standing.state)
        return "\n".join(f"{power}: {name} stands in at the moment." for power, name in found.items())

    def _listed(self, messages: Iterable[Message], events: Iterable[Event], mark: str = _INDENT) -> str:
        """A line for each, with the time of its commit; `mark` stands before what is new."""
        floor, times = floor_in(self.standing.state), {event.id: event.at for event in events}
        columns = columns_to_say()
        room = None if columns is None else columns - len(_INDENT)
        return "\n".join(
            (mark if self._is_new(message) else _INDENT)
            + message_line(
                message, floor.moment_of(message), times.get(f"message:{message.id}"), columns=room
            )
            for message in messages
        )

    def _orders_in(self) -> str:
        """Who has given orders while there is talk, which everybody may know; the orders are their owner's."""
        view = self.view
        if view.ask != "open":
            return ""
        told = [f"Orders are in from {', '.join(sorted(view.orders_in))}."] if view.orders_in else []
        own = [f"Your orders so far: {', '.join(view.orders_given)}."] if view.orders_given else []
        return "\n".join([*told, *own])

    def _deadline(self) -> str:
        if self.view.closes_at is None:
            return ""
        return (
            f"You have until {clock_text(self.view.closes_at)}; the phase is then adjudicated as it stands."
        )


def _titled(title: str, text: str) -> str:
    return f"{title}:\n{text}" if text else ""


async def stand_in_lines(store: Store, standing: Standing) -> list[str]:
    """A line for each seat that somebody else plays at the moment, for the operator."""
    found = await stand_ins(store.journal, standing.game, standing.state)
    seats = standing.state["settings"]["seats"]
    return [stand_in_line(power, seats[power], name) for power, name in found.items()]


def results_text(results: Iterable[ResultRecord], columns: int | None = None) -> str:
    """A phase's orders and what became of them, a line each; `columns` is how wide the terminal is, if it is one."""
    return "\n".join(
        hanging(
            f"  {result.power:<8} {result.order:<22} ", result.reason or ", ".join(result.outcomes), columns
        ).rstrip()
        for result in results
    )
