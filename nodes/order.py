"""The `order` node: the orders of all powers that people do not play.

One task for all of them, not a `Send` each: docs/decisions/0003 says why.
"""

from typing import Any

from langgraph.runtime import Runtime

from entente.floors.floor import floor_of
from entente.floors.opened import Stretch
from entente.floors.recorded import orders_given
from entente.floors.services import Services
from entente.floors.task import open_task
from entente.floors.turns import SegmentTurns, gather_all
from entente.players.roster import HUMAN
from graph.context import GameSettings
from graph.state import GameState, board_of, settings_of


async def order(state: GameState, runtime: Runtime[GameSettings], services: Services) -> dict[str, Any]:
    """Ask every power that has something to order and has not done so yet, read what it says, and keep it."""
    settings, given, board = settings_of(state), state.get("orders", {}), board_of(state)
    powers = [power for power in board.to_order if settings.seat(power) != HUMAN and power not in given]
    if not powers:
        return {}
    async with open_task(services, runtime) as task:
        await task.tell_playing(state)
        stretch = Stretch(task, state, services, lambda: runtime.drain_requested)
        opened = await stretch.open(floor_of(settings).rules(settings, board), "orders", 0)
        orders = SegmentTurns(task, opened.seats)
        turns, _ = await gather_all([orders.play(powers), opened.diaries.fold()])
        task.journal.close_segment(opened.segment, turns)
    return {**orders_given(opened.segment, turns), "segments": opened.segments}
