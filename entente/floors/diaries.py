"""Diaries: once a year each language model folds what lies behind its power into a short text of its own.

That happens beside the year's first round, or its orders where there is no talk, so that no phase waits a call
longer for it. A fold is a turn in a segment of its own, named after the one it stands beside: a game that is killed
finds it again, and what it says reaches its seat from the next segment on.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from checkpoints.journal import Journal
from entente.board.engine import Board
from entente.board.types import Phase, Power
from entente.floors.chronicle import news
from entente.floors.journal_ledger import ledger_after
from entente.floors.notices import with_notes
from entente.floors.recorded import updates_of
from entente.floors.recording import diary_record
from entente.floors.seats import Seats
from entente.floors.task import Task
from entente.floors.turns import gather_all
from entente.players.bundle import DIARY, Fold, PastPhase
from entente.players.protocol import Diarist
from entente.players.record import PhaseRecord, Segment, TurnRecord, results_of
from entente.press.commitments import Commitment
from entente.press.ledger import Ledger
from entente.press.mailbox import readable
from graph.state import GameState, board_from, board_of


@dataclass(frozen=True, slots=True)
class _Lived:
    """A phase that was adjudicated, with all that was said and done in it."""

    record: PhaseRecord
    turns: Sequence[TurnRecord]
    after: Board
    ledger: Ledger
    """As it was when the phase had been adjudicated."""

    def seen_by(self, power: Power) -> PastPhase:
        """The phase as the power knows it, and nothing of what is another's."""
        said = [message for turn in self.turns for message in turn.messages]
        return PastPhase(
            position=board_from(self.record.board).position,
            results=results_of(self.record),
            messages=readable(power, said),
            events=tuple(news(self.record, self.after)),
            commitments=self._commitments(power),
        )

    def _commitments(self, power: Power) -> tuple[Commitment, ...]:
        """Those that the power knows of and that began or ended in the phase."""
        phase, known = Phase.parse(self.record.phase), self.ledger.seen_by(power)
        return tuple(c for c in (*known.open, *known.ended) if phase in (c.made, c.ended))

    def was_folded_by(self, power: Power) -> bool:
        """True when the power folded its diary in this phase, which covers all that lies before."""
        return any(
            turn.power == power and turn.stage == "diary" and DIARY in updates_of(turn) for turn in self.turns
        )


@dataclass(frozen=True, slots=True)
class Diaries:
    """The diaries that are to be folded beside a segment: those of nobody, except where a year begins."""

    task: Task
    seats: Seats
    segment: Segment
    diarists: Mapping[Power, Diarist]
    lived: tuple[_Lived, ...]
    """The phases since everybody's last fold, latest first."""
    kept: Mapping[Power, TurnRecord]
    """Folds that an earlier, killed execution has kept."""

    @property
    def segments(self) -> list[str]:
        """The folds' segment, for the state; none when nothing is folded."""
        return [self.segment.id] if self.diarists else []

    async def fold(self) -> list[TurnRecord]:
        """All folds; raises PlayerError for a seat that failed, after all others have finished."""
        return await gather_all(self._fold(power) for power in self.diarists)

    async def _fold(self, power: Power) -> TurnRecord:
        if power in self.kept:
            return self.kept[power]
        table = self.seats.table
        fold = Fold(table.bundle(power), self._past(power))
        reply, why_not = await self.seats.keep_diary(self.diarists[power], fold)
        player = table.settings.seat(power)
        memory = fold.bundle.memory
        record = diary_record(self.segment, power, player, reply.actions, why_not=why_not, memory=memory)
        return await self.task.commit_turn(with_notes(record, reply))

    def _past(self, power: Power) -> tuple[PastPhase, ...]:
        past: list[PastPhase] = []
        for lived in self.lived:
            past.insert(0, lived.seen_by(power))
            if lived.was_folded_by(power):
                break
        return tuple(past)


async def open_diaries(task: Task, state: GameState, seats: Seats) -> Diaries:
    """What is to be folded beside the segment that the seats are about to play; its own segment stands then."""
    segment = seats.table.segment.diaries
    diarists = seats.diarists() if await _begins_a_year(task.journal, task.game, state) else {}
    if not diarists:
        return Diaries(task, seats, segment, {}, (), {})
    is_new = await task.journal.open_segment(segment)
    kept = [] if is_new else await task.journal.turns(task.game, [segment.id])
    lived = await _since_the_last_folds(task.journal, task.game, state, diarists)
    return Diaries(task, seats, segment, diarists, lived, {turn.power: turn for turn in kept})


async def _begins_a_year(journal: Journal, game: str, state: GameState) -> bool:
    """True in the first segment of a phase that lies in a later year than the one before it."""
    head = state.get("history")
    if head is None or state.get("segments"):
        return False
    before, phase = await journal.phase(game, head), board_of(state).phase
    return before is not None and phase.is_movement and Phase.parse(before.phase).year < phase.year


async def _since_the_last_folds(
    journal: Journal, game: str, state: GameState, powers: Iterable[Power]
) -> tuple[_Lived, ...]:
    lived: list[_Lived] = []
    after, wanting = board_of(state), set(powers)
    async for record in journal.phases_back(game, state.get("history")):
        if not wanting:
            break
        ledger = await ledger_after(journal, game, record.id)
        phase = _Lived(record, await journal.turns_of(record), after, ledger)
        lived.append(phase)
        wanting -= {power for power in wanting if phase.was_folded_by(power)}
        after = board_from(record.board)
    return tuple(lived)
