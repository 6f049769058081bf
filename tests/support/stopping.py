"""A process that plays one game and stops itself (SIGSTOP) at a moment of a chosen kind, until it is woken.

It says on the way in a report, a line each: `stopped KIND`, and when it has been woken and is done, `ended ERROR`.
"""

import asyncio
import signal
import threading
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata

from checkpoints.database import Database
from checkpoints.journal import Journal
from checkpoints.saver import Saver
from checkpoints.store import Store, open_store
from entente.errors import EntenteError
from entente.games.runner import GameMaster
from entente.players.bundle import Bundle
from entente.players.protocol import Player, Reply
from entente.players.roster import make_player
from entente.players.seating import Chair

LEASE_SECONDS = 0.3
"""How long the process is waited for once it has stopped: what is to be shown does not depend on it."""


class Moment(StrEnum):
    """Where a run can be stopped."""

    IDLE = "idle"
    """It holds the game, and has read nothing of it yet."""
    BEFORE_COMMIT = "before a commit"
    """A player has answered, and its turn is not kept yet."""
    BETWEEN_COMMITS = "between turn commits"
    """A turn of the step is kept, and the next player is asked."""
    BEFORE_CHECKPOINT = "between a commit and the checkpoint"
    """All turns of the step, or its phase, are kept, and its checkpoint is about to be."""
    AFTER_CHECKPOINT = "right after a checkpoint"
    IN_TRANSACTION = "inside a transaction"
    """It holds the game, and writes into the store."""


@dataclass
class Stop:
    """Stops the process at the so-and-so-manieth moment of a kind."""

    moment: Moment
    count: int
    report: Path
    database: Database
    journal: Journal
    game: str
    checkpointed: int = 0
    """The number of the latest commit before the last checkpoint."""

    async def at(self, moment: Moment) -> None:
        """Stop here, if it is the moment; once, since others at the table may come to such a moment later."""
        if moment is not self.moment:
            return
        self.count -= 1
        if self.count != 0:
            return
        self.report.write_text(f"stopped {moment}\n")
        if moment is Moment.IN_TRANSACTION:
            await self.database.write(lambda _: _stop())
        else:
            # By the thread that writes, so that no transaction is open: nobody can write past one in SQLite.
            await asyncio.get_running_loop().run_in_executor(self.database._writer, _stop)

    async def has_kept(self) -> bool:
        """True when turns or phases were committed since the last checkpoint."""
        return bool((await self.journal.records_after(self.game, self.checkpointed, 1)).records)


def _stop() -> None:
    # Sent to the thread itself, which then does nothing more; sent to the process, it could take effect a little later.
    signal.pthread_kill(threading.get_ident(), signal.SIGSTOP)


class StoppingSaver(Saver):
    """The store's saver, which stops around its checkpoints."""

    def __init__(self, store: Store, stop: Stop) -> None:
        super().__init__(store.library.database, store.leases)
        self._stop = stop

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        if await self._stop.has_kept():
            await self._stop.at(Moment.BEFORE_CHECKPOINT)
        kept = await super().aput(config, checkpoint, metadata, new_versions)
        self._stop.checkpointed = await self._stop.journal.newest()
        await self._stop.at(Moment.AFTER_CHECKPOINT)
        return kept


@dataclass(frozen=True)
class Stopping:
    """A scripted player who stops around its turns."""

    player: Player
    stop: Stop

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        if await self.stop.has_kept():
            await self.stop.at(Moment.BETWEEN_COMMITS)
        reply = await self.player.take_turn(bundle)
        await self.stop.at(Moment.BEFORE_COMMIT)
        return reply


async def _play(location: str, game: str, moment: Moment, count: int, report: Path) -> None:
    async with open_store(location, lease_seconds=LEASE_SECONDS) as store:
        stop = Stop(moment, count, report, store.library.database, store.journal, game)
        stopping = replace(store, saver=StoppingSaver(store, stop))

        def seat(chair: Chair) -> Player:
            return Stopping(make_player(chair.player), stop)

        async with store.leases.hold(game):
            await stop.at(Moment.IDLE)
            await stop.at(Moment.IN_TRANSACTION)
            await GameMaster(stopping, seat).run(game)


def run(location: str, game: str, moment: str, count: int, report: str) -> None:
    """Play until the moment, stop, and when woken play on; a process that does nothing else."""
    ended = "nothing"
    try:
        asyncio.run(_play(location, game, Moment(moment), count, Path(report)))
    except EntenteError as error:
        ended = type(error).__name__
    with Path(report).open("a") as file:
        file.write(f"ended {ended}\n")
