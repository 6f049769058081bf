"""The conductor's floor as a step of the graph: from the state to a stretch of talk, and back."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from entente.board.types import Power
from entente.players.record import TurnRecord
from entente.players.roster import HUMAN
from entente.press.mailbox import may_read
from graph.state import GameState, board_of, people, settings_of
from nodes.bundles import Table, lay_table
from nodes.conductor import Conductor, FloorEnd, turns_so_far
from nodes.deadline import is_timed, seconds_open
from nodes.diary import open_diaries
from nodes.mail import Mail
from nodes.recording import draw_votes
from nodes.seating import Seats
from nodes.services import Services
from nodes.task import Task
from nodes.turns import at_once


async def conduct(
    task: Task, state: GameState, services: Services, is_draining: Callable[[], bool]
) -> dict[str, Any]:
    """Let the powers that programs play talk and order until nobody has anything unread, then ask the people."""
    segment = await task.open_segment(state["phase"], "talk", state["round"] + 1)
    table = await lay_table(task.journal, state, segment, await task.turns(segment), task.calling)
    seats = Seats.at(table, services.make_player, await task.replies(segment))
    mail = Mail(_programs(state), table.settings.wake, turns_so_far(table))
    has_waited = bool(state["waiting"]) and not task.is_resumed(segment)
    open_for = seconds_open(mail.turns, services.clock() if has_waited else None)
    conductor = Conductor(
        task, seats, mail, is_draining=is_draining, clock=services.clock, seconds_open=open_for
    )
    diaries = await open_diaries(task, state, seats)
    ended, _ = await at_once([conductor.conduct(_closes_at(table, open_for)), diaries.fold()])
    late = _without_orders(state, mail, board_of(state).survivors) if ended is FloorEnd.CLOSED else []
    await conductor.note_late(late)
    waiting = _people_to_ask(state, mail) if ended is FloorEnd.QUIET else []
    if waiting and table.settings.deadline_seconds is not None and not is_timed(mail.turns):
        await conductor.note_time(waiting[0])  # no program plays, and only programs' turns are timed
    return {
        "round": state["round"] + 1,
        "segments": [*diaries.segments, segment.id],
        "orders": _orders(mail, late),
        "votes": draw_votes(mail.turns),
        "waiting": waiting,
        "talk_over": ended is FloorEnd.CLOSED or (ended is FloorEnd.QUIET and not waiting),
    }


def _orders(mail: Mail, late: Iterable[Power]) -> dict[Power, list[str]]:
    """Everybody's latest orders; none of those who were late, so that civil disorder decides."""
    given = {power: list(turn.orders) for power, turn in mail.orders.items()}
    return {power: list[str]() for power in late} | given


def _programs(state: GameState) -> list[Power]:
    settings = settings_of(state)
    return [power for power in board_of(state).survivors if settings.seat(power) != HUMAN]


def _closes_at(table: Table, open_for: float) -> float | None:
    """By the loop's clock."""
    seconds = table.settings.deadline_seconds
    return None if seconds is None else asyncio.get_running_loop().time() + seconds - open_for


def _without_orders(state: GameState, mail: Mail, powers: Iterable[Power]) -> list[Power]:
    to_order = board_of(state).to_order
    return [power for power in powers if power in to_order and power not in mail.orders]


def _people_to_ask(state: GameState, mail: Mail) -> list[Power]:
    """Who has yet to order, and who has mail that came after its latest answer."""
    alive = [power for power in people(state) if power in board_of(state).survivors]
    wanting = _without_orders(state, mail, alive)
    return [power for power in alive if power in wanting or _has_mail(power, mail.turns)]


def _has_mail(power: Power, turns: Sequence[TurnRecord]) -> bool:
    return any(may_read(power, message) for turn in unread(power, turns) for message in turn.messages)


def unread(power: Power, turns: Sequence[TurnRecord]) -> list[TurnRecord]:
    """Others' turns of the phase that a person had not read when it answered last, in the journal's order.

    People who answer at once have not read each other.
    """
    own = [place for place, turn in enumerate(turns) if turn.power == power]
    if not own:
        return [*turns]
    answer = turns[own[-1]]
    beside = [
        t for t in turns[: own[-1]] if t.waking is None and t.round == answer.round and t.power != power
    ]
    return [*beside, *turns[own[-1] + 1 :]]
