"""A person's seat held by a program: the requests of the seat protocol, answered from a game that is kept in a store.

It looks and answers as a person's terminal does: through the runner, the seat's bundle and the question that is open.
Whoever carries the program's requests makes one `Sitting` for it.
"""

import asyncio
from typing import NamedTuple

from langgraph.runtime import RunControl
from pydantic import JsonValue

from checkpoints.store import Store
from entente.board.types import Power
from entente.errors import NotBegun, NotWaiting, PressError, SettingsError
from entente.floors.answers import check
from entente.games.runner import GameMaster, PendingSeat, RunEnd, Standing
from entente.games.seat_at import seat_at
from entente.games.waiting import commit_or_end, wait_until_kept
from entente.players.bundle import Bundle
from entente.players.roster import HUMAN
from entente.players.seat_protocol import (
    Event,
    OrdersRead,
    PossibleOrders,
    Sent,
    Told,
    View,
    Wanted,
    lines_of,
    possible_orders_of,
    view_of,
)
from entente.press.mailbox import address, check_content
from graph.state import board_of, settings_of

WAIT_SECONDS = 60.0
"""How long `wait_for_event` waits where nothing else is said."""

_WANTS: dict[str, tuple[Wanted, ...]] = {
    "talk": ("press",),
    "orders": ("orders",),
    "open": ("press", "orders"),
}
"""By what a person is asked for."""


class Sitting:
    """One program at one person's seat of one game."""

    def __init__(self, store: Store, master: GameMaster, game: str, power: Power) -> None:
        self.game = game
        self.power = power
        self._store = store
        self._master = master
        self._told = Told()
        self._asked: tuple[object, ...] = ()
        """The question that `wait_for_event` has told of."""
        self._written: list[dict[str, JsonValue]] = []
        """What is to be said in this round, which a person says all at once."""
        self._read = 0
        """How many messages of the phase it has been told of."""
        self._run: asyncio.Task[Standing] | None = None
        self._control = RunControl()

    @classmethod
    async def at(cls, store: Store, master: GameMaster, game: str, power_name: str) -> "Sitting":
        """The seat of that name; raises UnknownGame, NotBegun, UnknownPower, and SettingsError for no person's seat."""
        standing = await master.look(game)
        if not standing.has_begun:
            raise NotBegun(f"Game {game} was opened and has not begun.")
        power = board_of(standing.state).check_power(power_name)
        player = settings_of(standing.state).seat(power)
        if player != HUMAN:
            raise SettingsError(
                f"A person's seat was wanted and {player} plays {power} in game {game}; nobody was seated."
            )
        return cls(store, master, game, power)

    async def wait_for_event(self, seconds: float = WAIT_SECONDS) -> Event:
        """What is new for the seat, as soon as there is something; after so many seconds an event without news.

        Where people talk in rounds it ends the round that was told before: what was written is sent. Raises what has
        stopped the game since the seat's answer, PlayerError among it, NotWaiting and GameHeld.
        """
        await self._finish_what_was_told()
        try:
            async with asyncio.timeout(seconds):
                while not (news := await self._news()).is_new:
                    await self._until_something_happens(news.newest)
        except TimeoutError:
            news = await self._news()
        self._told.note(news.event)
        self._asked = _name_of(news.question)
        self._read = len(news.question.view.press) if news.question else 0
        return news.event

    async def board_state(self) -> View:
        """All that the seat may know."""
        bundle = await self._bundle()
        return view_of(bundle, _wants(await self._question()))

    async def my_possible_orders(self) -> PossibleOrders:
        """All legal orders of the seat."""
        return possible_orders_of(await self._bundle())

    async def send_press(self, phase: str, to: str, text: str) -> Sent:
        """Send a message; in a round of press it is sent with the round.

        Raises NotWaiting, PressError and GameHeld; then it was sent to nobody.
        """
        question = await self._open_for("press", phase)
        recipient = address(to, sender=self.power, reachable=question.view.can_write_to, to_all="ALL")
        message: dict[str, JsonValue] = {"to": recipient, "text": check_content(text)}
        answer: dict[str, JsonValue] = {"messages": [*self._written, message]}
        if verdicts := check(question.view, answer).verdicts:
            raise PressError(" ".join(verdicts))
        if question.ask == "talk":
            self._written.append(message)
        else:
            await self._answer(question, answer)
        return Sent(to=recipient)

    async def submit_orders(self, phase: str, orders: list[str]) -> OrdersRead:
        """Give orders: all lines or, when one of them cannot be used, none; raises NotWaiting and GameHeld."""
        question = await self._open_for("orders", phase)
        answer: dict[str, JsonValue] = {"orders": [*orders]}
        checked = check(question.view, answer)
        if not checked.verdicts:
            await self._answer(question, answer)
        return OrdersRead(is_taken=not checked.verdicts, lines=lines_of(checked.orders.verdicts))

    async def aclose(self) -> None:
        """Leave the seat: what is being played is paused, and its turns in progress are finished first."""
        self._control.request_drain("the program at the seat left")
        if self._run is not None:
            await asyncio.gather(self._run, return_exceptions=True)

    async def _finish_what_was_told(self) -> None:
        """Send what the seat was to say to a question that it has heard of: its round, or that it has read its mail."""
        question = await self._question()
        if question is None or _name_of(question) != self._asked:
            return
        if question.ask == "talk":
            await self._answer(question, {"messages": [*self._written]})
        elif question.ask == "open" and question.view.orders_given is not None and not question.is_optional:
            await self._answer(question, {"messages": []})

    async def _answer(self, question: PendingSeat, answer: dict[str, JsonValue]) -> None:
        """Give the answer, and return when it is kept; the game is played on meanwhile."""
        if question.ask == "open":
            answer = {**answer, "read": self._read}
        seen = await self._store.journal.newest()
        self._run = run = asyncio.create_task(
            self._master.answer(self.game, {question: answer}, control=self._control)
        )
        if not await wait_until_kept(self._store.journal, self.game, self.power, seen, run):
            self._run = None
            await run
        self._written = []

    async def _news(self) -> "_News":
        newest = await self._store.journal.newest()
        standing = await self._master.look(self.game)
        question = standing.question_for(self.power)
        is_over = standing.end is RunEnd.FINISHED
        event = self._told.news(await self._bundle(), _wants(question), is_over=is_over)
        has_come = bool(event.press or event.last_phase) or is_over
        return _News(
            event, question, newest, has_come or bool(question and _name_of(question) != self._asked)
        )

    async def _until_something_happens(self, seen: int) -> None:
        run = self._run
        await commit_or_end(self._store.journal, self.game, seen, run)
        if run is not None and run.done():
            self._run = None
            await run

    async def _bundle(self) -> Bundle:
        """The seat's; while people are asked for a round, as it was before that round, which is not over."""
        talks = [seat for seat in (await self._master.look(self.game)).open if seat.ask == "talk"]
        at = f"{talks[0].phase}.{talks[0].round}" if talks else None
        return (await seat_at(self._store, self.game, self.power, at)).bundle

    async def _question(self) -> PendingSeat | None:
        return (await self._master.look(self.game)).question_for(self.power)

    async def _open_for(self, wanted: Wanted, phase: str) -> PendingSeat:
        if (
            self._run is not None
        ):  # the seat's last answer is being played on, and nothing is open until it stops
            await asyncio.wait([self._run], timeout=WAIT_SECONDS)
        question = await self._question()
        if question is None or wanted not in _wants(question) or question.phase != phase:
            now = f"{' and '.join(_wants(question))} of {question.phase}" if question else "nothing"
            raise NotWaiting(
                f"{self.power} is asked for {now} and {wanted} of {phase} came; nothing of it was taken."
            )
        return question


class _News(NamedTuple):
    """What there is to tell, and up to where the game was looked at for it."""

    event: Event
    question: PendingSeat | None
    newest: int
    is_new: bool


def _wants(question: PendingSeat | None) -> tuple[Wanted, ...]:
    return _WANTS[question.ask] if question else ()


def _name_of(question: PendingSeat | None) -> tuple[object, ...]:
    """The same for a question that is asked anew to the same end."""
    if question is None:
        return ()
    return (question.phase, question.ask, question.round if question.ask == "talk" else 0)
