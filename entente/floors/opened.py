"""A segment that is about to be played: its table, its seats, and the diaries that are folded beside it."""

from collections.abc import Callable
from dataclasses import dataclass

from entente.floors.diaries import Diaries, open_diaries
from entente.floors.seats import Seats
from entente.floors.services import Services
from entente.floors.table import TalkRules, lay_table
from entente.floors.task import Task
from entente.players.record import Segment, Stage
from graph.state import GameState


@dataclass(frozen=True, slots=True)
class Stretch:
    """One execution of a node in which players are asked."""

    task: Task
    state: GameState
    services: Services
    is_draining: Callable[[], bool]
    """True once the run has been asked to pause: turns in progress then finish, and no new ones begin."""

    async def open(self, rules: TalkRules, stage: Stage, number: int) -> "Opened":
        """Open the segment of this stage and number; what a killed execution has kept of it is on its table."""
        task, state = self.task, self.state
        segment = await task.open_segment(state["phase"], stage, number, state.get("resumes", []))
        kept = await task.turns(segment)
        table = await lay_table(task.journal, state, segment, kept, rules, task.settings)
        seats = Seats.at(
            table,
            self.services.make_player,
            await task.replies(segment),
            is_trusted=task.is_trusted,
            crew_spent=await (await self.services.store()).words.spent(segment.game),
        )
        return Opened(segment, seats, await open_diaries(task, state, seats))


@dataclass(frozen=True, slots=True)
class Opened:
    """A segment, opened."""

    segment: Segment
    seats: Seats
    diaries: Diaries

    @property
    def segments(self) -> list[str]:
        """The ids for the state: the diaries' segment, where there is one, and this one."""
        return [*self.diaries.segments, self.segment.id]
