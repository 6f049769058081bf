"""Any moment of a game that was played: where a fork begins, and where a seat is asked what it thought."""

import re
from typing import NamedTuple, cast

from langgraph.types import StateSnapshot

from checkpoints.store import Store
from entente.board.types import Power
from entente.errors import UnknownGame, UnknownMoment
from entente.players.record import Segment, Stage
from graph.game import GameGraph
from graph.line import phases_on_line
from graph.master import thread_config
from graph.state import GameState

_MOMENT = re.compile(r"([SFW]\d{4}[MRA])(?:\.(\d+|ORDERS)(?:\.([A-Z]+)(?:\.(\d+))?)?)?")


class Moment(NamedTuple):
    """A phase (`S1903M`), a round of its press (`S1903M.2`), its orders, or a turn in either (`S1903M.2.FRANCE`).

    On the conductor's floor a round is a stretch of talk, from one stop of the game to the next; most phases have one.
    """

    phase: str
    stage: Stage | None
    """None: at the phase's beginning."""
    round: int
    power: Power | None
    wake: int | None = None
    """Which of the power's wakings in the phase, from 1; None for the last in the stretch, and on other floors."""

    @classmethod
    def parse(cls, text: str) -> "Moment":
        """Read `S1903M`, `S1903M.2`, `S1903M.orders`, `S1903M.2.FRANCE`, `S1903M.1.FRANCE.2`; raises UnknownMoment."""
        match = _MOMENT.fullmatch(text.strip().upper())
        if match is None:
            raise UnknownMoment(
                f"A moment such as S1903M, S1903M.2, S1903M.orders or S1903M.2.FRANCE was wanted and "
                f"{text!r} came; nothing was done."
            )
        phase, part, power, wake = match.groups()
        if part is None:
            return cls(phase, None, 0, None)
        stage, round_ = ("orders", 0) if part == "ORDERS" else ("talk", int(part))
        return cls(phase, stage, round_, power, int(wake) if wake else None)


async def state_before(store: Store, graph: GameGraph, game: str, segment: Segment) -> GameState:
    """The state from which the segment was played; a fork's early moments lie in the game it came from."""
    line: str | None = game
    while line is not None:
        values = (await graph.aget_state(thread_config(line, segment.checkpoint))).values
        if values:
            return cast("GameState", values)
        line = await _parent(store, line)
    raise UnknownMoment(f"The checkpoint before {segment.phase} has been pruned; nothing was done.")


async def _parent(store: Store, game: str) -> str | None:
    try:
        return (await store.library.summary(game)).forked_from
    except UnknownGame:  # the game it was forked from has been deleted since
        return None


async def find_segment(store: Store, game: str, snapshot: StateSnapshot, moment: Moment) -> Segment:
    """The round or the orders at the moment, on the line that leads to the snapshot; raises UnknownMoment."""
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
    segment = next((s for s in opened if moment.stage in (None, s.stage) and s.round >= moment.round), None)
    if segment is None or (moment.stage is not None and segment.round != moment.round):
        raise UnknownMoment(f"{moment.phase} has no such round or orders yet; nothing was done.")
    return segment
