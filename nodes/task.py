"""One execution of one node: its game, its place in the journal, and its hold on the game.

What a node has committed it then tells, as the public may see it, to whoever streams the run.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from langgraph.runtime import Runtime

from checkpoints.journal import Journal
from entente.errors import CheckpointError
from entente.models.wire import KeptReplies
from entente.players.projection import events_of
from entente.players.record import PhaseRecord, Segment, Stage, TurnRecord
from graph.context import GameSettings
from nodes.replies import SegmentReplies
from nodes.services import Services
from prompts import read_ahead


@dataclass(frozen=True, slots=True)
class Task:
    """The journal as one node execution sees it. Its id stays the same when a killed game is resumed."""

    game: str
    id: str
    checkpoint: str
    journal: Journal
    tell: Callable[[object], None] | None
    """Sends one value to whoever streams the run; None where nobody can."""
    calling: GameSettings | None = None
    """How language models are called in this run; None leaves it to the game's own settings."""
    _found: set[str] = field(default_factory=set[str])
    """Segments that an earlier, killed execution had opened."""

    async def open_segment(self, phase: str, stage: Stage, round_: int) -> Segment:
        """The segment that this execution's turns belong to, noted in the journal."""
        segment = Segment(
            game=self.game, id=self.id, checkpoint=self.checkpoint, phase=phase, stage=stage, round=round_
        )
        if not await self.journal.open_segment(segment):
            self._found.add(segment.id)
        return segment

    def is_resumed(self, segment: Segment) -> bool:
        """True when an earlier execution of the segment was killed, or has failed."""
        return segment.id in self._found

    async def turns(self, segment: Segment) -> list[TurnRecord]:
        """What a killed execution has kept of the segment, and of the diaries that are folded beside it."""
        if segment.id not in self._found:
            return []
        return await self.journal.turns(self.game, [segment.diaries.id, segment.id])

    async def replies(self, segment: Segment) -> KeptReplies:
        """Where the segment's players keep replies of turns in progress, and find those of a killed execution."""
        kept = await self.journal.replies(segment) if segment.id in self._found else {}
        return SegmentReplies(self.journal, segment, kept)

    async def commit_turn(self, turn: TurnRecord) -> TurnRecord:
        """The turn as the journal has it now, which may be one that it had before; told when it stands."""
        return (await self.commit_turns([turn]))[0]

    async def commit_turns(self, turns: Sequence[TurnRecord]) -> list[TurnRecord]:
        """The turns as the journal has them now, of which it keeps all or none; told when they stand."""
        stored = await self.journal.commit_turns(turns)
        for turn in stored:
            self._tell(turn)
        return stored

    async def commit_phase(self, phase: PhaseRecord, leads_to: str) -> None:
        """Keep the phase and which one comes next, and tell of it when it stands."""
        self._tell(await self.journal.commit_phase(phase, leads_to))

    def _tell(self, record: TurnRecord | PhaseRecord) -> None:
        if self.tell is None:
            return
        for event in events_of(record, "PUBLIC"):
            self.tell(event.model_dump(mode="json"))


@asynccontextmanager
async def open_task(services: Services, runtime: Runtime[GameSettings]) -> AsyncGenerator[Task]:
    """The running node's task, with the game held against other processes; raises GameHeld."""
    info = runtime.execution_info
    if info is None or info.thread_id is None:
        raise CheckpointError("A game needs a thread_id and a checkpointer to be played; nothing was done.")
    store = await services.store()
    if runtime.context and runtime.context.prompts:
        await asyncio.to_thread(read_ahead, Path(runtime.context.prompts))
    async with store.leases.hold(info.thread_id):
        yield Task(
            info.thread_id,
            info.task_id,
            info.checkpoint_id,
            store.journal,
            runtime.stream_writer if services.is_streamed else None,
            runtime.context,
        )
