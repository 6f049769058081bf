"""The `negotiate` node: one round of press of all powers that people do not play."""

from typing import Any

from langgraph.runtime import Runtime

from entente.players.roster import HUMAN
from graph.context import GameSettings
from graph.edges import rounds_left
from graph.state import GameState, board_of, people, settings_of
from nodes.bundles import lay_table
from nodes.services import Services
from nodes.task import open_task
from nodes.turns import Round


async def negotiate(state: GameState, runtime: Runtime[GameSettings], services: Services) -> dict[str, Any]:
    """Play the next round, if one is left; people are asked after it and read what was sent before it."""
    if not rounds_left(state):
        return {"waiting": []}
    settings, survivors, round_ = settings_of(state), board_of(state).survivors, state["round"] + 1
    async with open_task(services, runtime) as task:
        segment = await task.open_segment(state["phase"], "talk", round_)
        table = await lay_table(task.journal, state, segment)
        talkers = [power for power in survivors if settings.seat(power) != HUMAN]
        await Round(task, table, services.make_player).play(talkers)
    return {
        "round": round_,
        "segments": [segment.id],
        "waiting": [power for power in people(state) if power in survivors],
    }
