"""The `negotiate` node: the next stretch of talk on the game's floor."""

from typing import Any

from langgraph.runtime import Runtime

from entente.floors.floor import floor_in
from entente.floors.opened import Stretch
from entente.floors.services import Services
from entente.floors.task import open_task
from graph.context import GameSettings
from graph.state import GameState


async def negotiate(state: GameState, runtime: Runtime[GameSettings], services: Services) -> dict[str, Any]:
    """Play the next stretch of talk, if the floor has one; nobody is waited for if it has none."""
    floor = floor_in(state)
    if not floor.is_open(state):
        return {"waiting": []}
    async with open_task(services, runtime) as task:
        await task.tell_playing(state)
        return await floor.play(Stretch(task, state, services, lambda: runtime.drain_requested))
