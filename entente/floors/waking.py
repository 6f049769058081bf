"""The conductor's floor: every power is woken as soon as mail for it is committed, and talks and orders as it likes.

One coroutine decides who is woken. Scripted players answer at once: all that are due are asked together, read what
stands, and their turns are committed as one, in the order in which they waited. With such players alone the same
game is played in the same order every time, also when it is killed. Language models take seconds: each is asked
in a task of its own, and reads what stood when it was asked.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from enum import Enum, auto
from typing import Any

from checkpoints.early import EarlyAnswer
from entente.board.orders import read_orders
from entente.board.types import Power
from entente.errors import NotWaiting
from entente.floors.early import Sent
from entente.floors.journal_ledger import after_turns
from entente.floors.mail import Mail
from entente.floors.notices import with_advice, with_ignored_statements, with_notes, with_stand_in
from entente.floors.recorded import gives_orders, memories_after, rejected_lines, said_by
from entente.floors.recording import open_record, undelivered
from entente.floors.seats import Seats, Taken
from entente.floors.table import Table, turn_seed
from entente.floors.task import Task
from entente.players.actions import Action, SubmitOrders
from entente.players.bundle import Bundle
from entente.players.program import AgentPlayer
from entente.players.protocol import Reply
from entente.players.record import Notice, NoticeKind, TurnRecord, Waking
from entente.players.roster import HUMAN
from entente.players.seating import SeatKind
from entente.press.mailbox import inbox

_MODEL_DEBOUNCE_SECONDS = 0.25
"""Mail often comes in twos and threes, and a call is worth waiting a little for."""


class FloorEnd(Enum):
    """Why the floor came to rest."""

    QUIET = auto()
    """Nobody has anything unread; people may."""
    PAUSED = auto()
    """The run is being drained: the turns in progress have finished, and there are powers still to be woken."""
    CLOSED = auto()
    """The deadline has passed."""


class Conductor:
    """One stretch of a phase's talk: until nobody has anything unread, or the run is drained, or the deadline."""

    def __init__(
        self,
        task: Task,
        seats: Seats,
        mail: Mail,
        *,
        is_draining: Callable[[], bool],
        clock: Callable[[], float],
        seconds_open: float,
        sent: Callable[[], Awaitable[Sequence[Sent]]] | None,
    ) -> None:
        self._task = task
        self._seats = replace(seats, act_at_once=self._act)
        self._table = seats.table
        self._settings = seats.table.settings
        self._mail = mail
        self._is_draining = is_draining
        self._clock = clock
        self._sent = sent
        """What people have sent while others think; None where no people play."""
        self._seen = 0
        """In the order of commits: up to where it was looked what people have sent."""
        self._begun = clock() - seconds_open
        """When the phase would have begun if it had never been paused."""
        self._asked: dict[asyncio.Task[None], Power] = {}
        self._finishing: set[asyncio.Task[None] | None] = set()
        """Those that have their replies, and only have to keep them."""
        self._failure: BaseException | None = None
        self._has_ended = False
        self._news = asyncio.Event()
        """Set when somebody who is still awake has done something."""
        self._commits = asyncio.Lock()
        self._due_at: dict[Power, float] = {}
        """By the loop's clock: when a debounced power is woken."""
        self._numbers = {
            power: sum(turn.power == power for turn in seats.table.taken.values())
            for power in seats.table.board.powers
        }

    async def conduct(self, closes_at: float | None) -> FloorEnd:
        """Wake powers until the floor comes to rest; `closes_at` is a moment of the loop's clock.

        Raises PlayerError for a seat that failed, after all turns in progress have finished and are kept.
        """
        try:
            return await self._conduct(closes_at)
        finally:
            self._has_ended = True
            await self._cancel()

    async def _conduct(self, closes_at: float | None) -> FloorEnd:
        while True:
            await self._take_sent()
            if _is_past(closes_at):
                return FloorEnd.CLOSED
            is_stopping = self._failure is not None or self._is_draining()
            if not is_stopping and await self._wake_due():
                continue
            if not self._asked and (is_stopping or not self._due_at):
                return await self._rest()
            await self._wait(closes_at, is_stopping=is_stopping)

    async def _rest(self) -> FloorEnd:
        """How the floor came to rest, with nobody thinking any more."""
        if self._failure is not None:
            raise self._failure
        if self._wakeable():
            return FloorEnd.PAUSED
        await self._note_capped()
        return FloorEnd.QUIET

    async def _take_sent(self) -> None:
        """Keep what people have sent since it was looked for last: it is read at once."""
        if self._sent is None:
            return
        self._seen = await self._task.journal.newest()
        for early, answer in await self._sent():
            record = open_record(
                self._table.segment,
                early.power,
                HUMAN,
                answer.actions,
                board=self._table.board,
                reachable=[power for power in self._table.board.survivors if power != early.power],
                read_up_to=answer.read,
                said=said_by(early.power, self._mail.turns),
                reading=answer.orders,
            )
            await self._commit([record], len(self._mail.turns), was_asked=False, early=early)

    async def note_late(self, powers: list[Power]) -> None:
        """Put on record that these powers had given no orders when the deadline closed the phase."""
        for power in powers:
            seconds = self._settings.deadline_seconds
            detail = f"{power} gave no orders within {seconds:g} seconds; the phase was closed without them."
            await self._note(power, Notice(kind=NoticeKind.LATE, detail=detail))

    async def send_typed(self, power: Power, lines: Sequence[str]) -> None:
        """Give those of the person's typed orders that can be used; it is not late where there are any."""
        board, segment = self._table.board, self._table.segment
        reading = read_orders(board, power, lines)
        if not reading.orders:
            return
        said = (SubmitOrders(orders=tuple(lines)),)
        record = open_record(
            segment, power, HUMAN, said, board=board, reachable=(), read_up_to=None, reading=reading
        )
        detail = f"{power}'s typed orders were sent when the time for {segment.phase} was over."
        notice = Notice(kind=NoticeKind.SENT_AT_DEADLINE, detail=detail)
        record = record.model_copy(update={"notices": (*record.notices, notice)})
        await self._commit([record], len(self._mail.turns), was_asked=False)

    async def note_time(self, power: Power) -> None:
        """Keep how long the phase has been in play, where no turn says so."""
        await self._note(power)

    async def _wake_due(self) -> bool:
        """Ask the powers that are due, if any; True when there were some."""
        due = self._take_due()
        slow = [power for power in due if not self._answers_at_once(power)]
        for power in slow:
            self._asked[asyncio.create_task(self._wake([power]))] = power
        if scripted := [power for power in due if power not in slow]:
            self._failure = await _failure_of(self._wake(scripted))
        return bool(due)

    def _take_due(self) -> list[Power]:
        """The powers whose mail has gathered for long enough, those that have waited for longest first."""
        now = _now()
        wakeable = self._wakeable()
        for power in wakeable:
            self._due_at.setdefault(power, now + self._debounce_seconds(power))
        due = [power for power in wakeable if self._due_at[power] <= now]
        for power in due:
            del self._due_at[power]
        return due

    def _answers_at_once(self, power: Power) -> bool:
        return self._seats.chairs[power].kind is SeatKind.SCRIPTED

    def _orders_when_woken(self, power: Power) -> bool:
        is_model = self._seats.chairs[power].kind is SeatKind.MODEL
        return is_model or isinstance(self._seats.player(power), AgentPlayer)

    def _debounce_seconds(self, power: Power) -> float:
        """How long mail for the power gathers before it is woken."""
        if self._settings.debounce_ms is not None:
            return self._settings.debounce_ms / 1000
        return _MODEL_DEBOUNCE_SECONDS if self._seats.chairs[power].kind is SeatKind.MODEL else 0.0

    def _wakeable(self) -> list[Power]:
        busy = self._asked.values()
        return [
            p
            for p in self._mail.unread()
            if p not in busy and self._mail.wakes[p] < self._table.most_wakes(p)
        ]

    async def _wait(self, closes_at: float | None, *, is_stopping: bool) -> None:
        """Until a reply or news is there, a debounced power is due, or the deadline."""
        moments: list[float] = [] if is_stopping else [*self._due_at.values()]
        moments += [] if closes_at is None else [closes_at]
        timeout = max(0.0, min(moments) - _now()) if moments else None
        if not self._asked:
            await asyncio.sleep(timeout or 0)
            return
        news: list[asyncio.Future[Any]] = [asyncio.create_task(self._news.wait())]
        if self._sent is not None:
            news.append(asyncio.create_task(self._task.journal.wait_after(self._task.game, self._seen)))
        try:
            await asyncio.wait([*self._asked, *news], timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in news:
                each.cancel()
            await asyncio.gather(*news, return_exceptions=True)
        self._news.clear()
        for task in [task for task in self._asked if task.done()]:
            del self._asked[task]
            error = task.exception()  # asked for each, or asyncio complains of those that nobody looked at
            self._failure = self._failure or error

    async def _cancel(self) -> None:
        """End all calls that are under way; what was said already is kept first."""
        for task in self._asked.keys() - self._finishing:
            task.cancel()
        await asyncio.gather(*self._asked, return_exceptions=True)
        self._asked.clear()

    async def _wake(self, powers: Sequence[Power]) -> None:
        """A turn of each: what stands is read, the players are asked, and what they say is committed as one.

        Raises PlayerError for a seat that failed, after the others' turns are kept.
        """
        after, table = len(self._mail.turns), table_after(self._table, self._mail.turns)
        asked = (self._turn(table, power) for power in powers)
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        self._finishing.add(asyncio.current_task())
        await self._commit([turn for turn in outcomes if isinstance(turn, TurnRecord)], after)
        for failure in outcomes:
            if isinstance(failure, BaseException):
                raise failure

    async def _turn(self, table: Table, power: Power) -> TurnRecord:
        """What the player says at this table, not yet in its place."""
        seats = replace(self._seats, table=table)
        bundle = waking_bundle(table, power, self._mail.wakes[power] + 1)
        taken = await seats.ask(bundle)
        record = self._record(table, bundle, taken)
        if taken.stand_in or not self._orders_when_woken(power):
            # All others give orders when they are asked for them, and at no other time.
            ordered = await seats.ask(orders_bundle(table, bundle, record))
            record = _joined(record, self._record(table, replace(bundle, round=0), ordered))
        return record

    def _record(self, table: Table, bundle: Bundle, taken: Taken) -> TurnRecord:
        record = open_record(
            table.segment,
            bundle.power,
            self._settings.seat(bundle.power),
            taken.reply.actions,
            board=table.board,
            reachable=bundle.press_allowed,
            read_up_to=len(bundle.inbox),
            said=said_by(bundle.power, self._mail.turns),
            standing=self._mail.standing_orders(bundle.power),
            memory=bundle.memory,
        )
        record = with_ignored_statements(record, bundle.ledger, bundle.board)
        noted = with_advice(with_notes(record, taken.reply), taken.reply)
        return with_stand_in(noted, taken.stand_in, taken.why)

    async def _commit(
        self,
        records: Sequence[TurnRecord],
        after: int,
        *,
        was_asked: bool = True,
        early: EarlyAnswer | None = None,
    ) -> None:
        """Give the turns their places and keep all or none of them; only then does anybody read them."""
        async with self._commits:
            await self._keep(records, after, was_asked=was_asked, early=early)

    async def _keep(
        self,
        records: Sequence[TurnRecord],
        after: int,
        *,
        was_asked: bool,
        early: EarlyAnswer | None = None,
    ) -> None:
        placed = [
            self._placed(record, place, after, was_asked=was_asked)
            for place, record in enumerate(records, len(self._mail.turns))
        ]
        for turn in await self._task.commit_turns(placed, early):
            self._mail.take(turn)

    async def _act(self, bundle: Bundle, action: Action) -> None:
        """Keep at once what an agent does while it is awake; its mail stays unread until its turn is over.

        Raises NotWaiting when the floor has come to rest, or the phase was closed.
        """
        power = bundle.power
        async with self._commits:
            if self._has_ended:
                raise NotWaiting(
                    f"What {power} did in {bundle.board.phase} came when the floor was closed; nothing was changed."
                )
            record = self._record(self._table, bundle, Taken(Reply([action])))
            unread = self._mail.unread_since(power)
            await self._keep([record], len(self._mail.turns) if unread is None else unread, was_asked=False)
        self._news.set()

    def _placed(self, record: TurnRecord, place: int, after: int, *, was_asked: bool) -> TurnRecord:
        now = self._clock()
        is_timed = self._settings.deadline_seconds is not None
        waking = Waking(
            wake=self._mail.wakes[record.power] + (was_asked or record.power in self._asked.values()),
            position=place,
            after=after,
            at=now,
            open_seconds=round(now - self._begun, 3) if is_timed else None,
            was_asked=was_asked,
            was_rejected=was_asked and bool(rejected_lines(self._table.board, record)),
        )
        number = self._numbers[record.power]
        self._numbers[record.power] += 1
        return record.model_copy(update={"waking": waking, "number": number})

    async def _note_capped(self) -> None:
        """Put on record who was not woken for its mail any more, since it had been woken often enough."""
        for power in self._mail.unread():
            self._mail.skip(power)
            times = self._table.most_wakes(power)
            detail = f"{power} was woken {times} times in this phase; what came later was left unread."
            await self._note(power, Notice(kind=NoticeKind.WAKES_CAPPED, detail=detail))

    async def _note(self, power: Power, *notices: Notice) -> None:
        record = TurnRecord(
            game=self._task.game,
            segment=self._table.segment.id,
            power=power,
            number=0,
            phase=self._table.segment.phase,
            stage="talk",
            round=self._table.segment.round,
            player=self._settings.seat(power),
            read_up_to=None,
            actions=(),
            notices=notices,
        )
        await self._commit([record], len(self._mail.turns), was_asked=False)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _is_past(moment: float | None) -> bool:
    return moment is not None and _now() >= moment


async def _failure_of(turn: Awaitable[None]) -> BaseException | None:
    """What the turn raised: whoever is still thinking finishes first, and only then is it told."""
    try:
        await turn
    except Exception as error:  # noqa: BLE001 - it is raised when the others have finished
        return error
    return None


def turns_so_far(table: Table) -> list[TurnRecord]:
    """The phase's turns in the journal's order; those of this stretch were kept before the game was killed."""
    return [*table.earlier, *table.taken.values()]


def table_after(table: Table, turns: Sequence[TurnRecord]) -> Table:
    """The table with all that was committed in the phase so far, and nothing of what is committed later."""
    memories, folds = table.phase_memories, table.folds.values()
    return replace(
        table,
        messages=tuple(message for turn in turns for message in turn.messages),
        ledger=after_turns(table.phase_ledger, turns, table.board),
        earlier=tuple(turns),
        memories={**memories, **memories_after(memories, [*folds, *turns])},
    )


def waking_bundle(table: Table, power: Power, wake: int) -> Bundle:
    """The power's view when it is woken for the n-th time in a phase: all that stands, whoever sent it when.

    Its seed is the same each time: dice alone are no change of mind, and would wake the table without end.
    """
    segment = table.segment
    last = next(
        (turn for turn in reversed(table.earlier) if turn.power == power and gives_orders(turn)), None
    )
    return replace(
        table.bundle(power),
        inbox=inbox(power, table.messages, before_round=None),
        seed=turn_seed(table.settings.seed, segment.phase, "wake", 0, power),
        wake=wake,
        rejected=rejected_lines(table.board, last) if last else (),
    )


def orders_bundle(table: Table, bundle: Bundle, said: TurnRecord) -> Bundle:
    """The same moment for orders, when the power has just said something that nobody has heard yet."""
    memories = memories_after({bundle.power: bundle.memory}, [said])
    return replace(
        bundle,
        round=0,
        sent=(*bundle.sent, *said.messages),
        ledger=bundle.ledger.after_messages(said.messages, bundle.board),
        memory=memories.get(bundle.power, bundle.memory),
        seed=turn_seed(table.settings.seed, table.segment.phase, "orders", 0, bundle.power),
    )


def _joined(said: TurnRecord, ordered: TurnRecord) -> TurnRecord:
    """Both halves of a scripted player's turn as one."""
    actions: tuple[Action, ...] = (*said.actions, *ordered.actions)
    unheard = undelivered(ordered.power, (message.content for message in ordered.messages))
    notices = (*said.notices, *ordered.notices, *unheard)
    return said.model_copy(update={"actions": actions, "orders": ordered.orders, "notices": notices})
