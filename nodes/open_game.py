"""The `open_game` node: from the settings to a board that is set up; a game that stands is left standing."""

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from entente.board.engine import Board
from entente.floors.services import Services
from entente.floors.setup import refuse_without_effect, resolve
from entente.floors.task import open_task
from entente.players.seating import PlayerFactory
from graph.context import SCHEMA_VERSION, GameSettings
from graph.state import GameState


async def open_game(state: GameState, runtime: Runtime[GameSettings], services: Services) -> dict[str, Any]:
    """Set up the board. On a thread that has a game, new input goes on with that game; it never starts over."""
    if "status" in state:
        return {}
    # In a thread: prompts may have to be read and clients of providers to be loaded.
    settings = await asyncio.to_thread(_set_up, runtime.context or GameSettings(), services.make_player)
    board = Board.start(settings.map_name)
    async with open_task(services, runtime) as task:
        await task.journal.create_game(task.game, settings=settings.model_dump(mode="json"))
        await task.journal.set_progress(task.game, phase=str(board.phase), status="playing")
    return opening(settings, board)


def _set_up(settings: GameSettings, make_player: PlayerFactory) -> GameSettings:
    refuse_without_effect(settings)
    return resolve(settings, make_player)


def opening(settings: GameSettings, board: Board) -> dict[str, Any]:
    """The whole state of a game that begins at this board."""
    return {
        "status": "playing",
        "schema_version": SCHEMA_VERSION,
        "settings": settings.model_dump(mode="json"),
        "phase": str(board.phase),
        "round": 0,
        "talk_over": False,
        "board": board.snapshot(),
        "orders": None,
        "votes": None,
        "segments": None,
        "history": None,
        "memories": {},
        "spent": {},
        "chronicle": [],
        "waiting": [],
        "last_change_year": board.phase.year - 1,
        "outcome": None,
    }
