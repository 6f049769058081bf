"""One execution of one node: its game, its place in the journal, and its hold on the game.

What a node has committed it then tells, as the operator may see it, to whoever streams the run.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import cast

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from checkpoints.early import EarlyAnswer
from checkpoints.journal import Journal
from checkpoints.saver import Saver
from checkpoints.threads import Place
from entente.board.types import Power
from entente.errors import CheckpointError
from entente.floors.kept_replies import SegmentReplies
from entente.floors.notices import with_bounded_notices
from entente.floors.services import Services
from entente.models.wire import KeptReplies
from entente.players.projection import events_of
from entente.players.record import PhaseRecord, Segment, Stage, TurnRecord
from entente.players.roster import HUMAN
from graph.context import GameSettings
from graph.state import GameState, people
from prompts import read_ahead

_log = logging.getLogger(__name__)

LANGGRAPH = version("langgraph")
"""The release that names this process's tasks. Another one may name the same task otherwise."""


@dataclass(frozen=True, slots=True)
class Task:
    """The journal as one node execution sees it. Its id stays the same when a killed game is resumed."""

    game: str
    id: str
    checkpoint: str
    journal: Journal
    saver: Saver
    tell: Callable[[object], None] | None
    """Sends one value to whoever streams the run; None where nobody can."""
    kept_settings: GameSettings | None
    """The settings in the list of games, with how language models are called now; None for a game that is not in it."""
    is_trusted: bool
    """False for an imported game that nobody has confirmed."""
    _found: set[str] = field(default_factory=set[str])
    """Segments that an earlier, killed execution had opened."""

    @property
    def settings(self) -> GameSettings:
        """The game's settings, with how language models are called now; raises CheckpointError."""
        if self.kept_settings is None:
            raise CheckpointError(
                f"The checkpointer has game {self.game} and the journal has not: they belong to different stores. "
                "Nothing was done."
            )
        return self.kept_settings

    async def state(self) -> GameState:
        """The game as it stood before the step."""
        await self.saver.wait_until_kept(self.game, self.checkpoint)
        where = {"thread_id": self.game, "checkpoint_ns": "", "checkpoint_id": self.checkpoint}
        saved = await self.saver.aget_tuple(RunnableConfig(configurable=where))
        if saved is None:
            raise CheckpointError(
                f"The checkpoint {self.checkpoint} of game {self.game} is gone; nothing was done."
            )
        return cast("GameState", saved.checkpoint["channel_values"])

    async def open_segment(
        self, phase: str, stage: Stage, round_: int, resumes: Sequence[str] = ()
    ) -> Segment:
        """The segment that this execution's turns belong to, noted in the journal.

        It is the one that was in play at the checkpoints in `resumes` before new input came, if there is one.
        """
        # A model is asked in a step that a killed process would begin again under the same name.
        await self.saver.wait_until_kept(self.game, self.checkpoint)
        segment = Segment(
            game=self.game,
            id=self.id,
            checkpoint=self.checkpoint,
            phase=phase,
            stage=stage,
            round=round_,
            langgraph=LANGGRAPH,
        )
        if await self.journal.open_segment(segment):
            found = [
                (earlier, turns)
                for earlier, turns in await self._interrupted(segment, resumes)
                if not any(map(_is_answer, turns))
            ]
            if not found:
                return segment
            # A person's, killed before the answer was kept, is empty.
            segment, turns = max(found, key=lambda each: len(each[1]))
            _warn_of_release(segment, len(turns))
        self._found.add(segment.id)
        return segment

    async def turn_of_person(
        self, power: Power, phase: str, stage: Stage, round_: int, resumes: Sequence[str]
    ) -> tuple[Segment, TurnRecord] | None:
        """The person's turn, if it was kept before new input came in the midst of the step."""
        asked = Segment(
            game=self.game, id=self.id, checkpoint=self.checkpoint, phase=phase, stage=stage, round=round_
        )
        for segment, turns in await self._interrupted(asked, resumes):
            if own := [turn for turn in turns if turn.power == power and _is_answer(turn)]:
                return segment, own[0]
        return None

    async def taken_early(self, power: Power) -> tuple[Segment, TurnRecord] | None:
        """The person's turn of this step, where a killed execution has taken it of an early answer."""
        opened = [each for each in await self.journal.latest_segments(self.game) if each.id == self.id]
        turns = await self.journal.turns(self.game, [self.id]) if opened else []
        return next(((opened[0], turn) for turn in turns if turn.power == power), None)

    async def is_answered_beside(self) -> bool:
        """True when another person who was asked together with this one has answered, and it is kept."""
        latest = await self.journal.latest_segments(self.game)
        return any(segment.checkpoint == self.checkpoint and segment.id != self.id for segment in latest)

    async def _interrupted(
        self, segment: Segment, resumes: Sequence[str]
    ) -> list[tuple[Segment, list[TurnRecord]]]:
        """Other executions of the same step with what they have kept.

        New input to a running game makes LangGraph begin the step anew, under another name, and another release may
        name the step otherwise. What was paid for in it counts all the same.
        """
        place = (segment.phase, segment.stage, segment.round)
        # After a repair all steps of the phase are among them, which can be many.
        opened = (await self.journal.segments(self.game))[::-1] if resumes else None
        found = [
            earlier
            for earlier in opened or await self.journal.latest_segments(self.game)
            if (earlier.phase, earlier.stage, earlier.round) == place
            and earlier.id != segment.id
            and (earlier.checkpoint in resumes or self._is_same_step(earlier))
        ]
        return [(earlier, await self.journal.turns(self.game, [earlier.id])) for earlier in found]

    def _is_same_step(self, earlier: Segment) -> bool:
        return earlier.checkpoint == self.checkpoint and earlier.langgraph != LANGGRAPH

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

    async def tell_playing(self, state: GameState) -> None:
        """Wake whoever sits at a person's seat: programs are asked now, and it may write meanwhile."""
        if people(state):
            await self.journal.set_progress(self.game, phase=state["phase"], status=state["status"])

    async def commit_turn(self, turn: TurnRecord, early: EarlyAnswer | None = None) -> TurnRecord:
        """The turn as the journal has it now, which may be one that it had before; told when it stands."""
        return (await self.commit_turns([turn], early))[0]

    async def commit_turns(
        self, turns: Sequence[TurnRecord], early: EarlyAnswer | None = None
    ) -> list[TurnRecord]:
        """The turns as the journal has them now, of which it keeps all or none; told when they stand.

        An `early` answer that they come of is taken with them.
        """
        stored = await self.journal.commit_turns([*map(with_bounded_notices, turns)], early)
        for turn in stored:
            self._tell(turn)
        return stored

    async def commit_phase(self, phase: PhaseRecord, leads_to: str) -> None:
        """Keep the phase and which one comes next, and tell of it when it stands."""
        self._tell(await self.journal.commit_phase(phase, leads_to))

    def _tell(self, record: TurnRecord | PhaseRecord) -> None:
        if self.tell is None:
            return
        for event in events_of(record, "OPERATOR"):
            self.tell(event.model_dump(mode="json"))


def _is_answer(turn: TurnRecord) -> bool:
    """True for what a person has said at a question; what it sent while others thought is a turn of their stretch."""
    return turn.player == HUMAN and turn.waking is None


def _warn_of_release(segment: Segment, turns: int) -> None:
    if segment.langgraph != LANGGRAPH:
        _log.warning(
            f"A step of {segment.phase} was begun with LangGraph {segment.langgraph or 'of an unknown release'} "
            f"and goes on with {LANGGRAPH}, which names it otherwise; the {turns} turns that were kept of it "
            "are not asked for again."
        )


@asynccontextmanager
async def open_task(services: Services, runtime: Runtime[GameSettings]) -> AsyncGenerator[Task]:
    """The running node's task, with the game held against other runs; raises GameHeld."""
    info = runtime.execution_info
    if info is None or info.thread_id is None:
        raise CheckpointError("A game needs a thread_id and a checkpointer to be played; nothing was done.")
    store, game = await services.store(), str(info.thread_id)
    settings, is_trusted = await store.journal.settings(game)
    if settings and settings.prompts and is_trusted:
        await asyncio.to_thread(read_ahead, Path(settings.prompts))
    if store.leases.held(game) is None:
        # It is held from node to node only, and LangGraph need not have told the run of a refused checkpoint.
        graph = info.checkpoint_ns.rpartition("|")[0]
        await store.saver.check_newest(Place(game, graph), info.checkpoint_id)
    async with store.leases.hold(game, run=runtime.control):
        yield Task(
            game,
            info.task_id,
            info.checkpoint_id,
            store.journal,
            store.saver,
            runtime.stream_writer if services.is_streamed else None,
            settings,
            is_trusted,
        )
