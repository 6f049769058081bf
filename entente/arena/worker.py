"""A process that plays games for another one, which tells it on stdin which: `entente/arena/in_processes.py`.

`python -m entente.arena.worker` reads a line of JSON at a time: first where the store is, since an address may hold a
password and anybody can see a command, and where modules are found; then a game; at last null, when the games are to be
paused. When the input ends without it, the other process is dead, and all ends at once. On stdout each game is told of
when it is left.
"""

import asyncio
import json
import os
import sys
from typing import TextIO

from langgraph.runtime import RunControl

from checkpoints.store import Store, open_store
from entente.arena.playing import GameEnd, play_one
from entente.errors import EntenteError, StoreUnavailable
from entente.games.planned import PlannedGame
from entente.games.runner import GameMaster, RunEnd
from entente.models.client import Connections
from entente.players.seating import Programs, Seating
from graph.context import GameSettings


class _Abandoned(Exception):
    """The other process is dead; never leaves this module."""


async def work(told: TextIO, tells: TextIO) -> None:
    """Play the games that are told of, all at once; raises StoreUnavailable, NewerSchema."""
    location, sys.path[:] = json.loads(await asyncio.to_thread(told.readline))
    async with open_store(location) as store, Connections() as connections, Programs() as programs:
        master = GameMaster(store, Seating(connections, os.environ, programs))
        await _play_all(store, master, told, tells)


async def _play_all(store: Store, master: GameMaster, told: TextIO, tells: TextIO) -> None:
    control = RunControl()

    async def play(game: PlannedGame) -> None:
        end = await _played(store, master, control, game)
        print(json.dumps([game.id, end.end, end.reason, end.exit_code]), file=tells, flush=True)

    try:
        async with asyncio.TaskGroup() as playing:
            while asked := await _next(told):
                id_, settings = asked
                game = PlannedGame(id_, GameSettings.model_validate(settings))
                playing.create_task(play(game), name=f"game {id_}")
            control.request_drain("the batch was paused")
    except* (_Abandoned, BrokenPipeError):
        pass


async def _next(told: TextIO) -> tuple[str, dict[str, object]] | None:
    line = await asyncio.to_thread(told.readline)
    if not line:
        raise _Abandoned
    return json.loads(line)


async def _played(store: Store, master: GameMaster, control: RunControl, game: PlannedGame) -> GameEnd:
    try:
        return await play_one(store, master, control, game)
    except StoreUnavailable as error:
        return GameEnd(game, RunEnd.PAUSED, str(error), error.exit_code)


def main() -> None:
    """Play until the input ends; what programs in seats print goes to stderr."""
    tells = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        asyncio.run(work(sys.stdin, tells))
    except EntenteError as error:
        sys.exit(f"A process of the batch ends: {error}")


if __name__ == "__main__":
    main()
