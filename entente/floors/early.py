"""What people send while others think: to which question it is an answer, and what the conductor has to read of it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from checkpoints.early import EarlyAnswer
from entente.floors.answers import Checked, check
from entente.floors.asking import SeatTask
from entente.floors.opened import Stretch
from entente.floors.seat_view import SeatView, view_of_seat
from entente.players.record import TurnRecord
from graph.state import GameState

EarlyQuestions: TypeAlias = Callable[[GameState, Sequence[TurnRecord]], Sequence[SeatTask]]
"""`Floor.early`."""


class Sent(NamedTuple):
    """An early answer, and what it says."""

    early: EarlyAnswer
    answer: Checked


def answers(early: EarlyAnswer, view: SeatView) -> bool:
    """True for an answer to this question; a round of press has a question of its own."""
    is_round = early.ask != "talk" or early.number == view.round
    return is_round and (early.power, early.phase, early.ask) == (view.power, view.phase, view.ask)


async def sent_early(stretch: Stretch, questions: EarlyQuestions) -> list[Sent]:
    """What people have sent for the stretch that is being played, and nobody has read."""
    task, state = stretch.task, stretch.state
    waiting = await (await stretch.services.store()).early.waiting(task.game)
    if not waiting:
        return []
    views = [
        await view_of_seat(task.journal, task.game, question, task.settings)
        for question in questions(state, ())
    ]
    return [
        Sent(early, check(view, early.answer)) for early in waiting for view in views if answers(early, view)
    ]
