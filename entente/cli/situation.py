"""What a person at a seat is shown: the board, the last orders, and the press that this power may read.

It is cut from the same projections as a program's bundle; nothing else of the journal gets in here.
"""

from dataclasses import dataclass

from checkpoints.store import Store
from entente.board.engine import Board
from entente.board.render import board_text
from entente.cli.lines import clock_text, message_line, stand_in_line
from entente.floors.conductor import unread
from entente.floors.floor import floor_in
from entente.floors.table import latest_movement
from entente.games.line import records_on_line, stand_ins
from entente.games.runner import PendingSeat, Standing
from entente.players.projection import press_of
from entente.players.record import PhaseRecord, TurnRecord
from entente.press.messages import Message
from graph.state import board_of


@dataclass(frozen=True, slots=True)
class Situation:
    """A seat's question, and where to look for what its power may know."""

    store: Store
    standing: Standing
    seat: PendingSeat

    @property
    def board(self) -> Board:
        """The board in play."""
        return board_of(self.standing.state)

    async def text(self) -> str:
        """All that is shown before the question."""
        parts = [
            board_text(self.board),
            await self._stand_ins(),
            await self._last_orders(),
            *(await self._press_of_phase()),
            self._orders_in(),
            self.seat.text,
            self._deadline(),
        ]
        return "\n\n".join(filter(None, parts))

    @property
    def orders_given(self) -> list[str] | None:
        """The power's own orders of this phase; None while it has given none."""
        return self.standing.state["orders"].get(self.seat.power)

    async def history(self) -> str:
        """The press of the earlier phases that this power may read, oldest first."""
        records = await records_on_line(self.store.journal, self.standing.game, self.standing.state)
        turns = [record for record in records if isinstance(record, TurnRecord)]
        earlier = press_of((turn for turn in turns if turn.phase != self.seat.phase), self.seat.power)
        return self._listed(earlier) or "There is no press of earlier phases."

    async def _stand_ins(self) -> str:
        return "\n".join(await stand_in_lines(self.store, self.standing))

    async def _press_of_phase(self) -> list[str]:
        """What this power may read by now; where it was asked before, what is new since stands by itself."""
        segments, power = self.standing.state.get("segments", []), self.seat.power
        turns = await self.store.journal.turns(self.standing.game, segments)
        if self.seat.ask != "open":
            read = [message for message in press_of(turns, power) if self._is_read(message)]
            return [self._press(f"Press of {self.seat.phase}", read)]
        new = press_of(unread(power, turns), power)
        read = [message for message in press_of(turns, power) if message not in new]
        title = "New since your last answer" if read else f"Press of {self.seat.phase}"
        return [self._press(f"Press of {self.seat.phase}", read), self._press(title, new)]

    def _press(self, title: str, messages: list[Message]) -> str:
        return f"{title}:\n{self._listed(messages)}" if messages else ""

    def _listed(self, messages: list[Message]) -> str:
        floor = floor_in(self.standing.state)
        return "\n".join(f"  {message_line(message, floor.moment_of(message))}" for message in messages)

    def _is_read(self, message: Message) -> bool:
        """What others say in a round is read from the next one on; orders (round 0) come after all rounds."""
        return not self.seat.round or message.round < self.seat.round

    def _orders_in(self) -> str:
        """Who has given orders while there is talk, which is everybody's to know; what they are is their owner's."""
        if self.seat.ask != "open":
            return ""
        others = sorted(self.standing.state["orders"].keys() - {self.seat.power})
        told = [f"Orders are in from {', '.join(others)}."] if others else []
        own = [f"Your orders so far: {', '.join(self.orders_given)}."] if self.orders_given else []
        return "\n".join([*told, *own])

    def _deadline(self) -> str:
        if self.standing.until is None:
            return ""
        return f"You have until {clock_text(self.standing.until)}; the phase is then judged as it stands."

    async def _last_orders(self) -> str:
        last = await latest_movement(
            self.store.journal, self.standing.game, self.standing.state.get("history")
        )
        return f"Orders of {last.phase}:\n{results_text(last)}" if last else ""


async def stand_in_lines(store: Store, standing: Standing) -> list[str]:
    """A line for each seat that somebody else plays at the moment."""
    found = await stand_ins(store.journal, standing.game, standing.state)
    seats = standing.state["settings"]["seats"]
    return [stand_in_line(power, seats[power], name) for power, name in found.items()]


def results_text(played: PhaseRecord) -> str:
    """A phase's orders and what became of them, a line each."""
    return "\n".join(
        f"  {result.power:<8} {result.order:<22} {result.reason or ', '.join(result.outcomes)}".rstrip()
        for result in played.results
    )
