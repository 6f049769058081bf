"""The games of a batch in several processes of this machine, over a store that they share (docs/decisions/0039).

Each of them plays many games on a loop of its own. The journal and the leases see to it that no game is played twice;
all that is said between the processes is which games are to be played, and how each was left.
"""

import asyncio
import contextlib
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from langgraph.runtime import RunControl
from pydantic import JsonValue

from checkpoints.locations import MEMORY
from entente.arena.playing import GameEnd, Play
from entente.errors import SettingsError
from entente.games.planned import PlannedGame
from entente.games.runner import RunEnd

_COMMAND = (sys.executable, "-P", "-m", "entente.arena.worker")
_LOOKS_PER_SECOND = 2
"""For a drain, of which nobody is told."""
_DEATH = ("The process that was to play it has ended.", 3)
"""Why a game failed, and the exit code for that."""


@asynccontextmanager
async def in_processes(count: int, location: str | None, control: RunControl) -> AsyncGenerator[Play]:
    """Plays each game in the one of so many new processes that plays the fewest.

    `location` is where they find the store. A drain of `control` pauses their games; when the block is left they end at
    once. A game whose process dies has failed, and the others go on. Raises SettingsError for a store in memory.
    """
    if location == MEMORY:
        raise SettingsError("A store that processes share was wanted and memory came; nothing was played.")
    workers = list[_Worker]()
    tasks = list[asyncio.Task[None]]()

    async def play(game: PlannedGame) -> GameEnd:
        if control.drain_requested:
            return GameEnd(game, RunEnd.PAUSED)
        return await min(workers, key=lambda worker: worker.load).play(game)

    try:
        for number in range(count):
            workers.append(worker := _Worker(await _started()))
            worker.say([location, [*sys.path]])
            tasks.append(asyncio.create_task(worker.listen(), name=f"process {number + 1} of a batch"))
        tasks.append(asyncio.create_task(_pause(control, workers), name="pause of a batch"))
        yield play
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *(worker.end() for worker in workers), return_exceptions=True)


async def _started() -> Process:
    # In a session of its own: Ctrl-C at our terminal comes to us alone.
    return await asyncio.create_subprocess_exec(*_COMMAND, stdin=PIPE, stdout=PIPE, start_new_session=True)


async def _pause(control: RunControl, workers: "Sequence[_Worker]") -> None:
    """Have the games paused when this is asked for."""
    while not control.drain_requested:  # noqa: ASYNC110 - nobody is told when it is
        await asyncio.sleep(1 / _LOOKS_PER_SECOND)
    for worker in workers:
        worker.say(None)


class _Worker:
    """A process that plays games, as its parent sees it."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._playing: dict[str, asyncio.Future[tuple[str, str, int]]] = {}
        self._has_died = False

    @property
    def load(self) -> tuple[bool, int]:
        """How much it has to do: less for one that plays fewer games, most for one that has died."""
        return self._has_died, len(self._playing)

    async def play(self, game: PlannedGame) -> GameEnd:
        """Have the game played."""
        if self._has_died:
            return GameEnd(game, RunEnd.PAUSED, *_DEATH)
        ended = self._playing[game.id] = asyncio.get_running_loop().create_future()
        self.say([game.id, game.settings.model_dump(mode="json")])
        end, reason, exit_code = await ended
        return GameEnd(game, RunEnd(end), reason, exit_code)

    def say(self, told: JsonValue) -> None:
        """Tell it something; a process that has died is noticed by what it does not say."""
        assert self._process.stdin is not None  # noqa: S101 - it was started with a pipe
        self._process.stdin.write(json.dumps(told).encode() + b"\n")

    async def listen(self) -> None:
        """Hear how games were left, until it ends."""
        assert self._process.stdout is not None  # noqa: S101 - it was started with a pipe
        while line := await self._process.stdout.readline():
            game, *how = json.loads(line)
            self._left(game, tuple(how))
        self._has_died = True
        for game in [*self._playing]:
            self._left(game, (RunEnd.PAUSED, *_DEATH))

    def _left(self, game: str, how: tuple[str, str, int]) -> None:
        ended = self._playing.pop(game)
        if not ended.cancelled():
            ended.set_result(how)

    async def end(self) -> None:
        """End it at once: what it has kept is kept, and the leases of a dead process are free."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
