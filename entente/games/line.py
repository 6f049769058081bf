"""The line of turns and phases that led to a state: abandoned futures of the same game are not on it."""

from collections.abc import Iterable
from math import inf
from typing import NamedTuple, TypeAlias

from checkpoints.journal import Journal
from entente.board.types import Power
from entente.players.record import PhaseRecord, Record, TurnRecord, Words, diaries_beside
from graph.state import GameState

Records: TypeAlias = list[TurnRecord | PhaseRecord]


class Played(NamedTuple):
    """One phase on the line: its segments in the order they were played, and its record once it is adjudicated."""

    phase: str
    segments: tuple[str, ...]
    record: PhaseRecord | None


class Line(NamedTuple):
    """Which of a game's records are not of an abandoned future."""

    ids: frozenset[str]
    """Of segments and phases."""
    newest: float
    """What was committed after this number leads on from the line."""

    def has(self, record: Record) -> bool:
        """True for what led to the line's state, or leads on from it."""
        if isinstance(record, Words):
            return record.sequence > self.newest or record.history is None or record.history in self.ids
        return self.leads(record.id if isinstance(record, PhaseRecord) else record.segment, record.sequence)

    def leads(self, id_: str, sequence: int) -> bool:
        """As `has`, for a phase of this id, or a turn of the segment of this id."""
        return sequence > self.newest or id_ in self.ids


async def line_to(
    journal: Journal, game: str, state: GameState, tasks: Iterable[str] = (), newest: float = inf
) -> Line:
    """The line to this state, with what the steps of these ids have committed, and all that came after `newest`.

    Who follows a game reads `newest` first and then its state: the steps are those that come next. Nothing is lost
    in between, since what was committed up to that number belongs to the state or to one of them.
    """
    phases = await journal.phases(game, state.get("history"))
    done = [id_ for phase in phases for id_ in (phase.id, *phase.segments)]
    next_ = [
        id_
        for step in (*tasks, *await _interrupted(journal, game, state))
        for id_ in (step, diaries_beside(step))
    ]
    return Line(frozenset([*done, *state.get("segments", []), *next_]), newest)


async def _interrupted(journal: Journal, game: str, state: GameState) -> list[str]:
    """The steps that were in play when new input came, whose turns the next ones go on with."""
    resumes = state.get("resumes") or []
    if not resumes:
        return []
    return [segment.id for segment in await journal.segments(game) if segment.checkpoint in resumes]


async def phases_on_line(journal: Journal, game: str, state: GameState) -> list[Played]:
    """Every phase of the line, oldest first; the last is the one in play, and has no record."""
    done = await journal.phases(game, state.get("history"))
    line = [Played(record.phase, record.segments, record) for record in done]
    return [*line, Played(state["phase"], tuple(state.get("segments", [])), None)]


async def records_on_line(journal: Journal, game: str, state: GameState) -> Records:
    """Every turn, each phase's before its adjudication, oldest first."""
    line = await phases_on_line(journal, game, state)
    turns: dict[str, list[TurnRecord]] = {}
    for turn in await journal.turns(game, [segment for played in line for segment in played.segments]):
        turns.setdefault(turn.segment, []).append(turn)
    records: Records = []
    for played in line:
        records += [turn for segment in played.segments for turn in turns.get(segment, [])]
        if played.record is not None:
            records.append(played.record)
    return records


async def played_by(journal: Journal, game: str, state: GameState) -> dict[Power, str]:
    """Who has played each power: its seat's player, and who stood in for it and how often.

    `dumbbot for openai:gpt-5-mini` where that one took every turn, `openai:gpt-5-mini (dumbbot 3 of 12 turns)`.
    """
    turns = [each for each in await records_on_line(journal, game, state) if isinstance(each, TurnRecord)]
    taken: dict[Power, list[str]] = {}
    for turn in turns:
        if turn.stage != "diary" and not turn.is_note:
            taken.setdefault(turn.power, []).append(turn.stand_in)
    seats = state["settings"]["seats"]
    return {power: _credited(player, taken.get(power, [])) for power, player in seats.items()}


def _credited(player: str, stand_ins_of: list[str]) -> str:
    names = [*dict.fromkeys(name for name in stand_ins_of if name)]
    if not names:
        return player
    if all(stand_ins_of):
        return f"{' and '.join(names)} for {player}"
    counts = ", ".join(f"{name} {stand_ins_of.count(name)}" for name in names)
    return f"{player} ({counts} of {len(stand_ins_of)} turns)"


async def stand_ins(journal: Journal, game: str, state: GameState) -> dict[Power, str]:
    """Who plays for whom at the moment: powers whose latest turn was a stand-in's, with its name."""
    played = await journal.phase(game, state.get("history") or "")
    before = await journal.turns_of(played) if played else []
    latest = {turn.power: turn for turn in (*before, *await journal.turns(game, state.get("segments", [])))}
    return {power: turn.stand_in for power, turn in sorted(latest.items()) if turn.stand_in}
