"""Any moment of a game that was played: where a fork begins, and where a seat is asked what it thought."""

from collections.abc import Sequence
from typing import cast

from langgraph.types import StateSnapshot

from checkpoints.store import Store
from entente.errors import UnknownGame, UnknownMoment
from entente.games.line import phases_on_line
from entente.games.standing import snapshot_of
from entente.players.moments import Moment
from entente.players.record import Segment
from graph.state import GameState


async def state_before(store: Store, game: str, segment: Segment) -> GameState:
    """The state from which the segment was played; a fork's early moments lie in the game it came from."""
    line: str | None = game
    gone = "pruned"
    while line is not None:
        values = (await snapshot_of(store, line, segment.checkpoint)).values
        if values:
            return cast("GameState", values)
        try:
            line = (await store.library.summary(line)).forked_from
        except UnknownGame:
            gone = f"deleted with game {line}, from which this one was forked"
            break
    raise UnknownMoment(f"The checkpoint before {segment.phase} has been {gone}; nothing was done.")


async def find_segment(store: Store, game: str, snapshot: StateSnapshot, moment: Moment) -> Segment:
    """The round or the orders at the moment, on the line that leads to the snapshot; raises UnknownMoment."""
    return (await find_segments(store, game, snapshot, moment))[0]


async def find_segments(
    store: Store, game: str, snapshot: StateSnapshot, moment: Moment
) -> Sequence[Segment]:
    """As `find_segment`, with those of people who were asked in the same round or orders, in the log's order."""
    state = cast("GameState", snapshot.values)
    line = {
        played.phase: [*played.segments, *(() if played.record else (task.id for task in snapshot.tasks))]
        for played in await phases_on_line(store.journal, game, state)
    }
    if moment.phase not in line:
        raise UnknownMoment(
            f"A phase from {next(iter(line))} to {state['phase']} was wanted and {moment.phase} came; "
            "nothing was done."
        )
    ids = line[moment.phase]
    opened = [s for s in await store.journal.segments(game) if s.id in ids and s.stage != "diary"]
    opened.sort(key=lambda s: ids.index(s.id))
    first = next((s for s in opened if _is_at(s, moment, ids)), None)
    if first is None:
        yet = " yet" if moment.phase == state["phase"] and state["status"] != "finished" else ""
        raise UnknownMoment(
            f"{moment.phase} has no such round or orders{yet}: {moment} was wanted and there "
            f"{_named(moment.phase, opened, ids)}; nothing was done."
        )
    return [s for s in opened if (s.stage, s.round) == (first.stage, first.round)]


def _named(phase: str, opened: Sequence[Segment], line: Sequence[str]) -> str:
    """What there is of the phase to go on from, in words."""
    folded = any(segment.diaries.id in line for segment in opened)
    diary = [Moment(phase, "diary", 0, None)] if folded else []
    moments = dict.fromkeys([*diary, *(Moment(phase, each.stage, each.round, None) for each in opened)])
    names = [str(moment) for moment in moments]
    return f"{'are' if names[1:] else 'is'} {', '.join(names) or 'none'}"


def _is_at(segment: Segment, moment: Moment, line: Sequence[str]) -> bool:
    match moment.stage:
        case None:
            return True
        case "diary":
            return segment.diaries.id in line
        case stage:
            return (segment.stage, segment.round) == (stage, moment.round)
