"""The `open_game` node: from the settings to a board that is set up; a game that has begun goes on as it is."""

import asyncio
from typing import Any

from langgraph.runtime import Runtime

from checkpoints.threads import Place
from entente.board.engine import Board
from entente.errors import CheckpointError, SettingsError
from entente.floors.services import Services
from entente.floors.setup import resolve, set_up
from entente.floors.task import Task, open_task
from graph.context import SCHEMA_VERSION, GameSettings
from graph.state import GameState


async def open_game(state: GameState, runtime: Runtime[GameSettings], services: Services) -> dict[str, Any]:
    """Set up the board. On a thread that has a game, new input goes on with that game; it never starts over."""
    if state.get("status") == "finished":
        return {}
    async with open_task(services, runtime) as task:
        if "status" in state:
            await task.saver.wait_until_kept(task.game, task.checkpoint)
            interrupted = await task.saver.interrupted_before(task.game, task.checkpoint)
            return {"resumes": [interrupted]} if interrupted else {}
        if services.is_kept_here:
            await task.saver.wait_until_begun(task.game)
        settings = await _settings(task, runtime.context or GameSettings(), services)
        board = Board.start(settings.map_name)
        await task.journal.set_progress(task.game, phase=str(board.phase), status="playing")
    return opening(settings, board)


async def _settings(task: Task, asked: GameSettings, services: Services) -> GameSettings:
    """The settings of a new game, resolved; those of one that was entered into the list and not begun."""
    known = task.kept_settings
    # In a thread: prompts may have to be read and clients of providers to be loaded.
    if known is None:
        resolved = await asyncio.to_thread(set_up, asked, services.make_player)
        await task.journal.create_game(task.game, settings=resolved.model_dump(mode="json"))
    else:
        resolved = await asyncio.to_thread(resolve, known, services.make_player, is_trusted=task.is_trusted)
        await _check_is_the_same(task, resolved, asked, services)
    return resolved


async def _check_is_the_same(
    task: Task, known: GameSettings, asked: GameSettings, services: Services
) -> None:
    """Raise CheckpointError, LeaseLost or SettingsError rather than play another game than was asked for."""
    if await task.journal.latest_segments(task.game):
        # A run that was stopped right here, and woken after another has played on, is told that.
        await task.saver.check_newest(Place(task.game, ""), task.checkpoint)
        raise CheckpointError(
            f"The journal has game {task.game} already, and the checkpointer of this run has not: it would be another "
            "game under the same name. Give another thread_id, or the checkpointer of that game's store; "
            "nothing was done."
        )
    given = sorted(asked.model_fields_set)
    resolved = await asyncio.to_thread(resolve, asked, services.make_player) if given else asked
    for name in given:
        if getattr(resolved, name) != getattr(known, name):
            raise SettingsError(
                f"Game {task.game} was begun with {name} {getattr(known, name)!r}, and {getattr(asked, name)!r} came. "
                "Run it without settings, or begin another game; nothing was done."
            )


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
        "resumes": None,
        "segments": None,
        "history": None,
        "memories": {},
        "spent": {},
        "learned": {},
        "chronicle": [],
        "waiting": [],
        "last_change_year": board.phase.year - 1,
        "outcome": None,
    }
