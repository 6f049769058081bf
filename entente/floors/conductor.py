"""The floor on which a power is woken as soon as something happens for it."""

import asyncio
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from entente.board.engine import Board
from entente.board.types import Power
from entente.floors.asked import Asked
from entente.floors.asking import SeatTask, ask_seat
from entente.floors.early import sent_early
from entente.floors.mail import Mail, has_answered_enough, unread_by_person
from entente.floors.opened import Stretch
from entente.floors.phase_clock import is_timed, seconds_open
from entente.floors.recorded import draw_votes
from entente.floors.table import Table, TalkRules, most_wakes
from entente.floors.turns import gather_all
from entente.floors.waking import Conductor, FloorEnd, table_after, turns_so_far, waking_bundle
from entente.players.bundle import Bundle
from entente.players.record import TurnRecord
from entente.players.roster import HUMAN
from entente.players.seating import SeatKind, kind_of
from entente.press.mailbox import may_read
from entente.press.messages import Message
from graph.context import GameSettings
from graph.state import GameState, board_of, people, settings_of


class ConductorFloor:
    """A power is woken as soon as something happens for it; it talks and orders, in any order, as often as it likes."""

    turns_are = "wakes"
    reads_at_once = True

    def rules(self, settings: GameSettings, board: Board) -> TalkRules:
        """What the players of a phase are told of the floor; those that think for themselves see their whole game."""
        kinds = {power: kind_of(settings.seat(power)) for power in board.survivors}
        lived_by = [power for power, kind in kinds.items() if kind in (SeatKind.MODEL, SeatKind.PROGRAM)]
        return TalkRules(0, has_press=True, reads_at_once=True, lived_by=tuple(lived_by))

    def is_open(self, state: GameState) -> bool:
        """True while somebody in the movement phase in play has something to say or to read."""
        return board_of(state).phase.is_movement and not state.get("talk_over", False)

    async def play(self, stretch: Stretch) -> dict[str, Any]:
        """Let the powers that programs play talk and order until nobody has anything unread; then people are asked."""
        task, state = stretch.task, stretch.state
        opened = await stretch.open(
            self.rules(settings_of(state), board_of(state)), "talk", state["round"] + 1
        )
        settings, clock = opened.seats.table.settings, stretch.services.clock
        mail = Mail(_programs(state), settings.wake, turns_so_far(opened.seats.table))
        has_waited = bool(state["waiting"]) and not task.is_resumed(opened.segment)
        open_for = seconds_open(mail.turns, clock() if has_waited else None)
        conductor = Conductor(
            task,
            opened.seats,
            mail,
            is_draining=stretch.is_draining,
            clock=clock,
            seconds_open=open_for,
            sent=partial(sent_early, stretch, self.early) if people(state) else None,
        )
        closes_at = _closes_at(settings, open_for)
        ended, _ = await gather_all([conductor.conduct(closes_at), opened.diaries.fold()])
        late = await _close(stretch, conductor, mail, settings) if ended is FloorEnd.CLOSED else []
        waiting = _people_to_ask(state, mail) if ended is FloorEnd.QUIET else []
        if waiting and settings.deadline_seconds is not None and not is_timed(mail.turns):
            await conductor.note_time(waiting[0])  # no program plays, and only programs' turns are timed
        return {
            "round": state["round"] + 1,
            "segments": opened.segments,
            "orders": _orders(mail, late),
            "votes": draw_votes(mail.turns),
            "waiting": waiting,
            "talk_over": ended is FloorEnd.CLOSED or (ended is FloorEnd.QUIET and not waiting),
        }

    def asked(self, state: GameState, turns: Sequence[TurnRecord]) -> Asked:
        """The powers that have something unread and may still be woken for it; none where a person plays.

        Who is woken has mail, and whose mail that is, is nobody's to know at a table with people.
        """
        if people(state):
            return {}
        settings = settings_of(state)
        mail = Mail(_programs(state), settings.wake, turns)
        due = [power for power in mail.unread() if mail.wakes[power] < most_wakes(settings, power)]
        return {power: _came_at(turns, mail.unread_since(power)) for power in due}

    def questions(self, state: GameState) -> Sequence[SeatTask]:
        """A question to each person who is waited for, then to all others: they may write while somebody is."""
        waiting = state.get("waiting", [])
        alive = board_of(state).survivors
        others = [power for power in people(state) if power in alive and power not in waiting]
        asked = [ask_seat(state, power, "open") for power in waiting]
        optional = [ask_seat(state, power, "open", is_optional=True) for power in others]
        return [*asked, *optional] if waiting else []

    def early(self, state: GameState, turns: Sequence[TurnRecord]) -> Sequence[SeatTask]:
        """A question to every person: what it sends while others think is read at once."""
        mail = Mail((), settings_of(state).wake, turns)
        given = {power: [*turn.orders] for power, turn in mail.orders.items()}
        now: GameState = {**state, "round": state["round"] + 1, "orders": given}
        alive = [power for power in people(state) if power in board_of(state).survivors]
        return [ask_seat(now, power, "open", is_optional=power in given) for power in alive]

    def bundle(self, table: Table, power: Power) -> Bundle:
        """What the power would be handed at its next waking, or with the orders of this table."""
        if table.segment.stage != "talk":
            return table.bundle(power)
        now = table_after(table, turns_so_far(table))
        woken = sum(turn.power == power for turn in now.earlier)
        return waking_bundle(now, power, woken + 1)

    def is_counted(self, turn: TurnRecord) -> bool:
        """True for a turn that began with its power being woken."""
        return turn.waking is not None and turn.waking.was_asked

    def moment_of(self, message: Message) -> str:
        """`S1901M`: nothing is said in rounds."""
        return message.phase


async def _close(stretch: Stretch, conductor: Conductor, mail: Mail, settings: GameSettings) -> list[Power]:
    """Send the orders that people have typed, if the settings say so; who is late all the same, and noted as such."""
    state, game = stretch.state, stretch.task.game
    late = _without_orders(state, mail, board_of(state).survivors)
    if settings.send_at_deadline:
        drafts = (await stretch.services.store()).drafts
        for power in (power for power in late if settings.seat(power) == HUMAN):
            draft = await drafts.of(game, power, state["phase"])
            await conductor.send_typed(power, draft.orders)
            is_sent = power in mail.orders
            await drafts.take_out(game, power, state["phase"], has_written=False, has_ordered=is_sent)
        late = _without_orders(state, mail, late)
    await conductor.note_late(late)
    return late


def _orders(mail: Mail, late: Iterable[Power]) -> dict[Power, list[str]]:
    """Everybody's latest orders; none of those who were late, so that civil disorder decides."""
    given = {power: list(turn.orders) for power, turn in mail.orders.items()}
    return {power: list[str]() for power in late} | given


def _came_at(turns: Sequence[TurnRecord], place: int | None) -> float | None:
    """When the turn at this place was kept; None for what there was at the phase's beginning."""
    return turns[place].at if place is not None and place >= 0 else None


def _programs(state: GameState) -> list[Power]:
    settings = settings_of(state)
    return [power for power in board_of(state).survivors if settings.seat(power) != HUMAN]


def _closes_at(settings: GameSettings, open_for: float) -> float | None:
    """By the loop's clock."""
    seconds = settings.deadline_seconds
    return None if seconds is None else asyncio.get_running_loop().time() + seconds - open_for


def _without_orders(state: GameState, mail: Mail, powers: Iterable[Power]) -> list[Power]:
    to_order = board_of(state).to_order
    return [power for power in powers if power in to_order and power not in mail.orders]


def _people_to_ask(state: GameState, mail: Mail) -> list[Power]:
    """Who has yet to order, and who has mail that came after its latest answer and may still answer."""
    alive = [power for power in people(state) if power in board_of(state).survivors]
    wanting = _without_orders(state, mail, alive)
    return [power for power in alive if power in wanting or _has_to_read(power, mail.turns)]


def _has_to_read(power: Power, turns: Sequence[TurnRecord]) -> bool:
    unread = (message for turn in unread_by_person(power, turns) for message in turn.messages)
    return any(may_read(power, message) for message in unread) and not has_answered_enough(power, turns)
