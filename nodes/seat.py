"""The `seat` node: one person's turn, which is one interrupt that stops nobody else.

The interrupt comes first and alone: what stands before it would run again with every answer that
somebody else gives.
"""

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from entente.board.engine import Board
from entente.board.types import PhaseKind, Power
from entente.floors.answers import ANSWER_SCHEMAS, NOT_YET, Answer, understand
from entente.floors.asking import SeatTask
from entente.floors.recording import (
    gives_orders,
    open_record,
    order_record,
    orders_given,
    said_in,
    talk_record,
    with_notes,
)
from entente.floors.services import Services
from entente.floors.task import open_task
from entente.players.record import Segment, Stage, TurnRecord
from entente.players.roster import HUMAN
from graph.context import GameSettings
from graph.state import board_from
from prompts import fill


async def seat(task: SeatTask, runtime: Runtime[GameSettings], services: Services) -> dict[str, Any]:
    """Ask the person, then keep the answer; of two answers to one question the first counts."""
    value = interrupt(question(task), response_schema=ANSWER_SCHEMAS[task["ask"]])
    if value == NOT_YET:
        return {}
    answer = understand(task["ask"], value)
    async with open_task(services, runtime) as running:
        stage: Stage = "orders" if task["ask"] == "orders" else "talk"
        segment = await running.open_segment(task["phase"], stage, task["round"])
        earlier = await running.journal.turns(running.game, task.get("segments", []))
        said = said_in(earlier, segment.round, task["power"])
        record = await running.commit_turn(_record(segment, task, answer, said))
    return _update(segment, record)


def question(task: SeatTask) -> dict[str, Any]:
    """What the person is shown: who is asked, for what, whether it may be left, and how to answer."""
    board = board_from(task["board"])
    asked: dict[str, Any] = {key: task[key] for key in ("power", "ask", "phase", "round")}
    asked["is_optional"] = task.get("is_optional", False)
    units = ", ".join(to_be_ordered(board, task["power"])) or "nothing"
    if task["ask"] == "talk":
        text = fill(
            "seat_talk",
            power=task["power"],
            phase=task["phase"],
            round=str(task["round"]),
            rounds=str(task["rounds"]),
        )
    elif task["ask"] == "open" and task.get("has_ordered"):
        text = fill("seat_ordered", power=task["power"], phase=task["phase"])
    else:
        name = "seat_open" if task["ask"] == "open" else "seat_orders"
        text = fill(name, power=task["power"], phase=task["phase"], units=units)
    return {**asked, "text": text}


def to_be_ordered(board: Board, power: Power) -> list[str]:
    """What the power has to order, in words: its units, or how many to build or disband."""
    at = board.position
    match at.phase.kind:
        case PhaseKind.MOVEMENT:
            return [str(unit) for unit in at.units[power]]
        case PhaseKind.RETREATS:
            return [str(unit) for unit in at.dislodged[power]]
        case PhaseKind.ADJUSTMENTS:
            count = board.builds[power]
            return [f"{count} builds" if count > 0 else f"{-count} disbands"]


def _record(segment: Segment, task: SeatTask, answer: Answer, said: int) -> TurnRecord:
    board, power, actions = board_from(task["board"]), task["power"], answer.actions
    reachable = [other for other in board.survivors if other != power]
    match task["ask"]:
        case "talk":
            record = talk_record(
                segment, power, HUMAN, actions, reachable=reachable, read_up_to=None, said=said
            )
        case "orders":
            record = order_record(segment, power, HUMAN, actions, board=board, read_up_to=None)
        case "open":
            record = open_record(
                segment, power, HUMAN, actions, board=board, reachable=reachable, read_up_to=None, said=said
            )
    return with_notes(record, [f"a part of the answer could not be read: {part}" for part in answer.unread])


def _update(segment: Segment, record: TurnRecord) -> dict[str, Any]:
    """Orders are the state's as soon as they are given."""
    if record.stage == "orders" or gives_orders(record):
        return orders_given(segment, [record])
    return {"segments": [segment.id]}
