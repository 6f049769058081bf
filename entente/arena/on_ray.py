"""The games of a batch as tasks of a Ray cluster, over a store that its machines share (docs/decisions/0037).

Ray starts a task again whose worker died; the game's lease then lets the new worker go on at the turn where it stopped.
"""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from typing import Any, cast

from langgraph.runtime import RunControl
from pydantic import JsonValue

from checkpoints.locations import MEMORY
from checkpoints.store import open_store
from entente.arena.playing import GameEnd, Play, play_one
from entente.errors import SettingsError
from entente.games.planned import PlannedGame
from entente.games.runner import GameMaster, RunEnd
from entente.models.client import Connections
from entente.players.seating import Programs, Seating
from graph.context import GameSettings

_LOOKS_PER_SECOND = 2
"""For a drain, of which nobody is told."""
_LOST = 3
"""The exit code where the cluster failed."""


@asynccontextmanager
async def on_ray(address: str, location: str | None, control: RunControl) -> AsyncGenerator[Play]:
    """Plays each game as a task of the cluster at this address, `auto` for this machine's own.

    `location` is where every machine finds the store. A drain of `control` stops the tasks at once: what was kept is
    kept, calls of models that are under way are lost. Raises SettingsError where there is no cluster.
    """
    if location == MEMORY:
        raise SettingsError("A store that workers share was wanted and memory came; nothing was played.")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray = cast("Any", import_module("ray"))
    except ImportError:
        raise SettingsError(
            "A Ray cluster was wanted and Ray is not installed; install entente[ray]. Nothing was played."
        ) from None
    try:
        await asyncio.to_thread(
            partial(ray.init, address=address, log_to_driver=False, configure_logging=False)
        )
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise SettingsError(
            f"A Ray cluster was wanted at {address} and none can be reached ({type(error).__name__}); "
            "nothing was played."
        ) from error
    # A worker that dies is no failure of the game: it is played on, as often as it takes.
    task = ray.remote(max_retries=-1)(_play)

    async def play(game: PlannedGame) -> GameEnd:
        ref = task.remote(location, game.id, game.settings.model_dump(mode="json"))
        return await _ended(ray, ref, game, control)

    try:
        yield play
    finally:
        await asyncio.to_thread(ray.shutdown)


async def _ended(ray: Any, ref: Any, game: PlannedGame, control: RunControl) -> GameEnd:
    result: asyncio.Future[tuple[str, str, int]] = asyncio.wrap_future(ref.future())
    while not (await asyncio.wait({result}, timeout=1 / _LOOKS_PER_SECOND))[0]:
        if control.drain_requested:
            ray.cancel(ref)
    try:
        end, reason, exit_code = result.result()
    except ray.exceptions.TaskCancelledError:
        return GameEnd(game, RunEnd.PAUSED)
    except ray.exceptions.RayError as error:
        return GameEnd(game, RunEnd.PAUSED, f"{type(error).__name__}: {error}", _LOST)
    return GameEnd(game, RunEnd(end), reason, exit_code)


def _play(location: str | None, game: str, settings: dict[str, JsonValue]) -> tuple[str, str, int]:
    """What a worker does: play the game, and say how it stands, why it failed and with which exit code."""
    end = asyncio.run(_played(location, PlannedGame(game, GameSettings.model_validate(settings))))
    return end.end.value, end.reason, end.exit_code


async def _played(location: str | None, game: PlannedGame) -> GameEnd:
    async with open_store(location) as store, Connections() as connections, Programs() as programs:
        master = GameMaster(store, Seating(connections, os.environ, programs))
        return await play_one(store, master, RunControl(), game)
