"""The `order` node: the orders of all powers that people do not play.

One task for all of them, not a `Send` each: docs/decisions/0003 says why.
"""

from typing import Any

from langgraph.runtime import Runtime

from entente.players.roster import HUMAN
from graph.context import GameSettings
from graph.state import GameState, board_of, settings_of
from nodes.bundles import lay_table
from nodes.diary import open_diaries
from nodes.recording import orders_given
from nodes.seating import Seats
from nodes.services import Services
from nodes.task import open_task
from nodes.turns import Round, at_once


async def order(state: GameState, runtime: Runtime[GameSettings], services: Services) -> dict[str, Any]:
    """Ask every power that has something to order and has not done so yet, read what it says, and keep it."""
    settings, given = settings_of(state), state.get("orders", {})
    powers = [
        power for power in board_of(state).to_order if settings.seat(power) != HUMAN and power not in given
    ]
    if not powers:
        return {}
    async with open_task(services, runtime) as task:
        segment = await task.open_segment(state["phase"], "orders", 0)
        table = await lay_table(task.journal, state, segment, await task.turns(segment), task.calling)
        seats = Seats.at(table, services.make_player, await task.replies(segment))
        diaries = await open_diaries(task, state, seats)
        turns, _ = await at_once([Round(task, table, seats).play(powers), diaries.fold()])
        task.journal.close_segment(segment, turns)
    return {**orders_given(segment, turns), "segments": [*diaries.segments, segment.id]}
