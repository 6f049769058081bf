"""The `seat` node: one person's question, asked again until the answer can be used.

LangGraph runs the node from its beginning with every answer that somebody else gives, so that nothing before the
question changes anything. A person who has answered before the question is open is not asked; while one is away, a
stand-in answers and nobody is asked.
"""

from typing import Any

from langgraph.errors import GraphInterrupt
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from checkpoints.early import EarlyAnswer
from entente.floors.absent import turn_of_stand_in
from entente.floors.answers import ANSWER_SCHEMAS, Checked, check
from entente.floors.asking import Ask, SeatTask
from entente.floors.early import answers
from entente.floors.meeting import Place
from entente.floors.recorded import draw_votes, gives_orders, orders_given, said_by
from entente.floors.recording import late_record, seat_record
from entente.floors.seat_view import SeatView, view_of_seat
from entente.floors.services import Services
from entente.floors.task import Task, open_task
from entente.players.actions import SendMessage
from entente.players.record import Segment, Stage, TurnRecord
from graph.context import GameSettings
from prompts import fill


async def seat(question: SeatTask, runtime: Runtime[GameSettings], services: Services) -> dict[str, Any]:
    """Ask the person and keep the answer, unless its time is over, or another answer was first that is read at once."""
    with services.join_meeting(runtime) as place:
        async with open_task(services, runtime) as task:
            if kept := await _kept_before(task, question):
                place.decide(has_answered=True)
                return _update(*kept)
            view = await view_of_seat(task.journal, task.game, question, task.settings)
            stand_in = task.settings.away.get(view.power)
            if stand_in and await _early_answer(services, task.game, view) is None:
                if view.is_optional:
                    return {}
                segment = await task.open_segment(view.phase, _stage(view.ask), view.round)
                record = await task.commit_turn(await turn_of_stand_in(task, question, segment, stand_in))
                place.decide(has_answered=True)
                return _update(segment, record)
            is_late = view.closes_at is not None and services.clock() >= view.closes_at
            is_over = is_late or (view.ask == "open" and await task.is_answered_beside())
            early = None
            try:
                answer = _ask(view)
            except GraphInterrupt:
                if taken := await task.taken_early(view.power):
                    place.decide(has_answered=True)
                    return _update(*taken)
                early = None if is_over else await _early_answer(services, task.game, view)
                if early is None:
                    if is_over or (view.ask == "open" and await _is_overtaken(place)):
                        return {}
                    raise
                answer = check(view, early.answer)  # it could be used when it was sent, to the same question
            segment = await task.open_segment(view.phase, _stage(view.ask), view.round)
            if is_late:
                await task.commit_turn(late_record(segment, view.power))
                return {"segments": [segment.id]}
            record = await task.commit_turn(await _record(task, question, segment, answer), early)
            if early is None:
                await _take_out_of_draft(services, record)
            place.decide(has_answered=True)
    return _update(segment, record)


async def _early_answer(services: Services, game: str, view: SeatView) -> EarlyAnswer | None:
    """What the person has sent for this question while others thought."""
    waiting = await (await services.store()).early.waiting(game)
    return next((each for each in waiting if answers(each, view)), None)


async def _take_out_of_draft(services: Services, turn: TurnRecord) -> None:
    """What the person has sent is no draft any more, whichever way it came."""
    drafts = (await services.store()).drafts
    has_written = turn.stage == "talk" and any(isinstance(action, SendMessage) for action in turn.actions)
    has_ordered = turn.stage == "orders" or gives_orders(turn)
    await drafts.take_out(turn.game, turn.power, turn.phase, has_written=has_written, has_ordered=has_ordered)


async def _is_overtaken(place: Place) -> bool:
    """True when another person who was asked together with this one has answered."""
    place.decide(has_answered=False)
    return await place.somebody_answered()


def _ask(view: SeatView) -> Checked:
    """The first answer that can be used as it is; raises GraphInterrupt while there is none."""
    asked = view
    while True:
        value = interrupt(asked.model_dump(mode="json"), response_schema=ANSWER_SCHEMAS[view.ask])
        answer = check(view, value)
        if not answer.verdicts:
            return answer
        told = fill("seat_again", verdicts="\n".join(f"- {verdict}" for verdict in answer.verdicts))
        asked = view.model_copy(update={"verdicts": answer.verdicts, "text": f"{told}\n\n{view.text}"})


def _stage(ask: Ask) -> Stage:
    return "orders" if ask == "orders" else "talk"


async def _kept_before(task: Task, question: SeatTask) -> tuple[Segment, TurnRecord] | None:
    """The person's turn, where it was kept before new input had the step begin anew."""
    resumes = question.get("resumes", [])
    stage = _stage(question["ask"])
    return (
        await task.turn_of_person(question["power"], question["phase"], stage, question["round"], resumes)
        if resumes
        else None
    )


async def _record(task: Task, question: SeatTask, segment: Segment, answer: Checked) -> TurnRecord:
    earlier = await task.journal.turns(task.game, question.get("segments", []))
    said = said_by(question["power"], earlier)
    return seat_record(segment, question, answer.actions, answer.orders, said, read_up_to=answer.read)


def _update(segment: Segment, record: TurnRecord) -> dict[str, Any]:
    """Orders and votes are the state's as soon as they are given."""
    if record.stage == "orders" or gives_orders(record):
        return orders_given(segment, [record])
    return {"segments": [segment.id], "votes": draw_votes([record])}
