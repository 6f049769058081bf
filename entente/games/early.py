"""Writing while others think: what a seat may answer before its question is open, and keeping what it sends.

While a run plays a stretch no interrupt is open. The run takes what is kept here by itself: the conductor as soon as it
is there, and otherwise the seat's question when it would be asked. Nobody but the seat is shown any of it before that.
"""

from dataclasses import replace
from typing import cast

from pydantic import JsonValue

from checkpoints.early import EarlyAnswer
from checkpoints.store import Store
from entente.board.types import Power
from entente.floors.asking import SeatTask, ask_seat
from entente.floors.floor import floor_in
from entente.floors.mail import most_answers
from entente.floors.seat_view import view_of_seat
from entente.games.pending import PendingSeat
from entente.games.runner import RunEnd, Standing, not_open, standing_of
from entente.players.record import TurnRecord
from entente.players.roster import HUMAN
from graph.state import GameState, board_of, is_between_phases, people, settings_of


async def question_for(store: Store, standing: Standing, power: Power | None) -> PendingSeat | None:
    """What the power's person may answer now; None while that is nothing.

    It is the power's open question or, while the game is played, the one that comes, unless it was answered already.
    """
    if power is None or not standing.has_begun or power not in people(standing.state):
        return None
    open_ = standing.question_for(power)
    if not open_ and not await is_played(store, standing.game):
        return None
    state = cast("GameState", {**standing.state, "segments": _segments(standing)})
    turns = await store.journal.turns(standing.game, state["segments"])
    seat = open_ or await _early_question(store, standing, state, turns, power)
    return seat and await _numbered(store, standing.game, seat, turns)


async def keep_early(store: Store, game: str, seat: PendingSeat, value: JsonValue) -> None:
    """Keep the answer, which was checked, for whoever plays the game; from then on it is sent, and no draft any more.

    `seat` comes from `question_for`. Raises NotWaiting for a question that is over, or was answered before.
    """
    now = await question_for(store, await standing_of(store, game), seat.power)
    answer = dict(value) if isinstance(value, dict) else {}
    if seat.ask == "open":
        answer = {"read": len(seat.view.press), **answer}
    early = EarlyAnswer(
        game=game, power=seat.power, phase=seat.phase, ask=seat.ask, number=seat.number, answer=answer
    )
    has_ordered = seat.ask == "orders" or bool(answer.get("orders"))
    is_asked = now is not None and now.name == seat.name
    if not (
        is_asked
        and await store.early.keep(early, has_written=bool(answer.get("messages")), has_ordered=has_ordered)
    ):
        raise not_open(seat)


async def is_played(store: Store, game: str) -> bool:
    """True while a run plays the game, which takes what is sent when it can."""
    return (await store.library.glance(game)).held_by is not None


def _segments(standing: Standing) -> list[str]:
    """The phase's, with those of the steps that are being played."""
    return [*standing.state.get("segments", []), *standing.tasks]


async def _early_question(
    store: Store, standing: Standing, state: GameState, turns: list[TurnRecord], power: Power
) -> PendingSeat | None:
    """The question that comes after the stretch that is being played, or beside the orders of programs."""
    if standing.end is RunEnd.FINISHED or is_between_phases(state):
        return None
    floor = floor_in(state)
    if not floor.is_open(state):
        questions = _of_orders(state)
    elif standing.asks_people:  # its question is being opened, or taken
        questions = floor.questions(state)
    else:
        questions = floor.early(state, turns)
    for question in questions:
        if question["power"] == power:
            view = await view_of_seat(store.journal, standing.game, question, settings_of(state))
            return PendingSeat(power, view.ask, view.phase, view.round, "", view)
    return None


def _of_orders(state: GameState) -> list[SeatTask]:
    """The question for orders to each person who has given none."""
    given = state.get("orders", {})
    wanting = [power for power in people(state) if power in board_of(state).to_order and power not in given]
    return [ask_seat(state, power, "orders") for power in wanting]


async def _numbered(
    store: Store, game: str, seat: PendingSeat, turns: list[TurnRecord]
) -> PendingSeat | None:
    """The question with its number among those of the phase; None where it was answered early."""
    sent = [each for each in await store.early.of_seat(game, seat.power, seat.phase) if each.ask == seat.ask]
    own = [turn for turn in turns if (turn.power, turn.player, turn.waking) == (seat.power, HUMAN, None)]
    if seat.ask == "open":
        number = len(sent) + len(own)
        is_enough = seat.is_early and number >= most_answers(seat.power, turns)
        return None if is_enough else replace(seat, number=number)
    answered = {*(each.number for each in sent), *(turn.round for turn in own if turn.stage == seat.ask)}
    return None if seat.round in answered else replace(seat, number=seat.round)
