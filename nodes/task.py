"""One execution of one node: its game, its place in the journal, and its hold on the game."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from langgraph.runtime import Runtime

from checkpoints.journal import Journal
from entente.errors import CheckpointError
from entente.players.record import Segment, Stage
from graph.context import GameSettings
from nodes.services import Services


@dataclass(frozen=True, slots=True)
class Task:
    """The journal as one node execution sees it. Its id stays the same when a killed game is resumed."""

    game: str
    id: str
    checkpoint: str
    journal: Journal

    async def open_segment(self, phase: str, stage: Stage, round_: int) -> Segment:
        """The segment that this execution's turns belong to, noted in the journal."""
        segment = Segment(
            game=self.game, id=self.id, checkpoint=self.checkpoint, phase=phase, stage=stage, round=round_
        )
        await self.journal.open_segment(segment)
        return segment


@asynccontextmanager
async def open_task(services: Services, runtime: Runtime[GameSettings]) -> AsyncGenerator[Task]:
    """The running node's task, with the game held against other processes; raises GameHeld."""
    info = runtime.execution_info
    if info is None or info.thread_id is None:
        raise CheckpointError("A game needs a thread_id and a checkpointer to be played; nothing was done.")
    store = await services.store()
    async with store.leases.hold(info.thread_id):
        yield Task(info.thread_id, info.task_id, info.checkpoint_id, store.journal)
