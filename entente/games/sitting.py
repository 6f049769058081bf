"""A person's seat held by a program: the requests of the seat protocol, answered from a game that is kept in a store.

It looks and answers as a person's terminal does: through the runner, the seat's bundle and the question that is open.
Whoever carries the program's requests makes one `Sitting` for it. What is written in a round of press is kept in the
seat's draft from the moment it is given until the round is sent, so that it outlives this process.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias

from langgraph.runtime import RunControl
from pydantic import JsonValue

from checkpoints.store import Store
from entente.board.types import Power
from entente.errors import (
    EntenteError,
    NotBegun,
    NotWaiting,
    PressError,
    SettingsError,
    told_outside,
)
from entente.floors.answers import MOST_NAMES, check
from entente.games.drafts import draft_of, keep_draft
from entente.games.runner import GameMaster, PendingSeat, RunEnd, Standing
from entente.games.seat_at import seat_at
from entente.games.waiting import commit_or_end, told_no_names, wait_until_kept
from entente.players.bundle import Bundle
from entente.players.roster import HUMAN
from entente.players.seat_protocol import (
    Answer,
    BoardState,
    Event,
    GiveOrders,
    MyPossibleOrders,
    OrdersRead,
    PossibleOrders,
    Refused,
    Request,
    SendPress,
    Sent,
    Told,
    View,
    WaitForEvent,
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


Answering: TypeAlias = Callable[[str, Power, str, JsonValue], Awaitable[asyncio.Task[Standing] | None]]
"""Gives a power's answer to the question of this id in a game; once it is kept, returns the run that goes on."""


class Sitting:
    """One program at one person's seat of one game."""

    def __init__(
        self, store: Store, master: GameMaster, game: str, power: Power, answering: Answering | None
    ) -> None:
        self.game = game
        self.power = power
        self._store = store
        self._master = master
        self._told = Told()
        self._asked: tuple[object, ...] = ()
        """The question that `wait_for_event` has told of."""
        self._answering = answering
        self._acts = asyncio.Lock()
        """One thing is done after the other, however many requests come at once."""
        self._read = 0
        """How many messages of the phase it has been told of."""
        self._run: asyncio.Task[Standing] | None = None
        self._control = RunControl()

    @classmethod
    async def at(
        cls,
        store: Store,
        master: GameMaster,
        game: str,
        power_name: str,
        answering: Answering | None = None,
    ) -> "Sitting":
        """The seat of that name, whose answers the master plays on with where nobody else takes them.

        Raises UnknownGame, NotBegun, UnknownPower, and SettingsError for no person's seat.
        """
        standing = await master.look(game)
        if not standing.has_begun:
            raise NotBegun(f"Game {game} was opened and has not begun.")
        power = board_of(standing.state).check_power(power_name)
        player = settings_of(standing.state).seat(power)
        if player != HUMAN:
            raise SettingsError(
                f"A person's seat was wanted and {player} plays {power} in game {game}; nobody was seated."
            )
        return cls(store, master, game, power, answering)

    async def answer(self, request: Request) -> Answer:
        """The answer to one request; what cannot be met is refused with its reason."""
        try:
            match request:
                case WaitForEvent():
                    return await self.wait_for_event(None, request.after)
                case BoardState():
                    return await self.board_state()
                case MyPossibleOrders():
                    return await self.my_possible_orders()
                case SendPress():
                    return await self.send_press(request.phase, request.to, request.text)
                case GiveOrders():
                    return await self.submit_orders(request.phase, [*request.orders])
        except EntenteError as error:
            return Refused(why=told_outside(error))

    async def wait_for_event(self, seconds: float | None = WAIT_SECONDS, after: str | None = None) -> Event:
        """What is new for the seat, as soon as there is something; after so many seconds an event without news.

        `after` is the cursor of the last event that the program has read, where it may have missed one since.
        Where people talk in rounds it ends the round that was told before: what was written is sent. Raises what has
        stopped the game since the seat's answer, NotWaiting where a player failed, and GameHeld.
        """
        async with self._acts:
            await self._finish_what_was_told()
        if after and after != self._told.cursor:
            self._told, self._asked = Told(after), ()
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
        question = await self._question()
        return view_of(await self._bundle(), _wants(question), await self._to_be_sent(question))

    async def my_possible_orders(self) -> PossibleOrders:
        """All legal orders of the seat."""
        return possible_orders_of(await self._bundle())

    async def send_press(self, phase: str, to: str, text: str) -> Sent:
        """Send a message; in a round of press it is sent with the round.

        Raises NotWaiting, PressError and GameHeld; then it was sent to nobody.
        """
        async with self._acts:
            return await self._send_press(phase, to, text)

    async def _send_press(self, phase: str, to: str, text: str) -> Sent:
        question = await self._open_for("press", phase)
        recipient = address(to, sender=self.power, reachable=question.view.can_write_to, to_all="ALL")
        message: dict[str, JsonValue] = {"to": recipient, "text": check_content(text)}
        written = await self._written(question) if question.ask == "talk" else []
        answer: dict[str, JsonValue] = {"messages": [*written, message]}
        if verdicts := check(question.view, answer).verdicts:
            raise PressError(" ".join(verdicts))
        if question.ask == "talk":
            draft = await draft_of(self._store, self.game, self.power, phase)
            lines = (*draft.messages, f"{recipient}: {message['text']}")
            await keep_draft(
                self._store, self.game, self.power, phase, draft.model_copy(update={"messages": lines})
            )
        else:
            await self._answer(question, answer)
        return Sent(to=recipient)

    async def submit_orders(self, phase: str, orders: list[str]) -> OrdersRead:
        """Give orders: all lines or, when one of them cannot be used, none.

        Raises NotWaiting and GameHeld, and SettingsError for what cannot be used though no line is wrong.
        """
        answer: dict[str, JsonValue] = {"orders": [*orders]}
        async with self._acts:
            question = await self._open_for("orders", phase)
            checked = check(question.view, answer)
            if not checked.verdicts:
                await self._answer(question, answer)
            elif not any(line.error for line in checked.orders.verdicts):
                raise SettingsError(" ".join(checked.verdicts))
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
            await self._answer(question, {"messages": [*await self._written(question)]})
        elif question.ask == "open" and question.view.orders_given is not None and not question.is_optional:
            await self._answer(question, {"messages": []})

    async def _answer(self, question: PendingSeat, answer: dict[str, JsonValue]) -> None:
        """Give the answer, and return when it is kept; the game is played on meanwhile."""
        if question.ask == "open":
            answer = {**answer, "read": self._read}
        answering = self._answering or self._play_on
        with told_no_names(self.game):
            self._run = await answering(self.game, self.power, question.interrupt, answer)

    async def _play_on(
        self, game: str, power: Power, question: str, answer: JsonValue
    ) -> asyncio.Task[Standing]:
        journal = self._store.journal
        seen = await journal.newest()
        seat = await self._question()
        if seat is None or seat.interrupt != question:
            raise NotWaiting("The game went on meanwhile; nothing was taken.")
        self._run = run = asyncio.create_task(
            self._master.answer(game, {seat: answer}, control=self._control)
        )
        if not await wait_until_kept(journal, game, power, seen, run):
            self._run = None
            await run
        return run

    async def _to_be_sent(self, question: PendingSeat | None) -> tuple[str, ...]:
        written = await self._written(question) if question else []
        return tuple(f"{message['to']}: {message['text']}" for message in written)

    async def _written(self, question: PendingSeat) -> list[dict[str, JsonValue]]:
        """What the seat's draft has to be said in this round; what nobody can get is left out."""
        draft = await draft_of(self._store, self.game, self.power, question.phase)
        written: list[dict[str, JsonValue]] = []
        for line in draft.messages:
            names, _, text = line.partition(":")
            each = [{"to": name.strip(), "text": text.strip()} for name in names.split(",", MOST_NAMES)]
            usable = [one for one in each if not check(question.view, {"messages": [{**one}]}).verdicts]
            if usable:
                written.append({"to": ", ".join(one["to"] for one in usable), "text": text.strip()})
        return written

    async def _news(self) -> "_News":
        newest = await self._store.journal.newest()
        standing = await self._master.look(self.game)
        question = standing.question_for(self.power)
        is_over = standing.end is RunEnd.FINISHED
        written = await self._to_be_sent(question)
        event = self._told.news(await self._bundle(), _wants(question), written, is_over=is_over)
        has_come = bool(event.press or event.last_phase) or is_over
        return _News(
            event, question, newest, has_come or bool(question and _name_of(question) != self._asked)
        )

    async def _until_something_happens(self, seen: int) -> None:
        run = self._run
        await commit_or_end(self._store.journal, self.game, seen, run)
        if run is not None and run.done():
            self._run = None
            with told_no_names(self.game):
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
