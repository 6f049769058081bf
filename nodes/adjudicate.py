"""The `adjudicate` node: board and orders in, board and results out; nothing else decides."""

from typing import Any

from langgraph.runtime import Runtime

from entente.board.engine import Board
from entente.board.types import Adjudication, parse_order
from entente.floors.services import Services
from entente.floors.task import Task, open_task
from entente.players.record import PhaseRecord, ResultRecord
from graph.context import GameSettings
from graph.state import GameState, board_of


async def adjudicate(state: GameState, runtime: Runtime[GameSettings], services: Services) -> dict[str, Any]:
    """Judge the phase, and write it into the journal with every order's result and reason."""
    board = board_of(state)
    orders = {
        power: [parse_order(line) for line in lines] for power, lines in state.get("orders", {}).items()
    }
    adjudication = board.adjudicate(orders)
    after = Board(adjudication.after)
    async with open_task(services, runtime) as task:
        await task.commit_phase(_record(task, state, adjudication), str(after.phase))
    changed = adjudication.before.centers != adjudication.after.centers
    return {
        "board": after.snapshot(),
        "orders": None,  # the record has them
        "history": task.id,
        "last_change_year": adjudication.before.phase.year if changed else state["last_change_year"],
    }


def _record(task: Task, state: GameState, adjudication: Adjudication) -> PhaseRecord:
    return PhaseRecord(
        game=task.game,
        id=task.id,
        parent=state.get("history"),
        phase=state["phase"],
        segments=tuple(state.get("segments", [])),
        board=state["board"],
        results=tuple(map(ResultRecord.of, adjudication.results)),
    )
