"""Forks: a new game that goes on from any moment of another, which stays as it is.

A moment is a phase (`S1903M`), a round of its press (`S1903M.2`), its orders (`S1903M.orders`), or a
player's turn in either (`S1903M.2.FRANCE`), which then stands with the turns before it in the log, while
the rest of that round is played anew. People are asked anew for the round or orders in which the fork begins.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple, cast
from uuid import uuid4

from langgraph.types import StateSnapshot

from checkpoints.store import Store
from entente.board.types import Power
from entente.errors import ForkError, UnknownGame
from entente.players.record import Segment, Stage, TurnRecord
from entente.players.roster import HUMAN
from graph.context import GameSettings, resolve
from graph.game import GameGraph, compile_game
from graph.line import phases_on_line
from graph.master import thread_config
from graph.state import GameState, settings_of
from nodes.services import services_over

_MOMENT = re.compile(r"([SFW]\d{4}[MRA])(?:\.(\d+|ORDERS)(?:\.([A-Z]+))?)?")


class Moment(NamedTuple):
    """Where to fork."""

    phase: str
    stage: Stage | None
    """None: at the phase's beginning."""
    round: int
    power: Power | None

    @classmethod
    def parse(cls, text: str) -> "Moment":
        """Read `S1903M`, `S1903M.2`, `S1903M.orders`, `S1903M.2.FRANCE`; raises ForkError."""
        match = _MOMENT.fullmatch(text.strip().upper())
        if match is None:
            raise ForkError(
                f"A moment such as S1903M, S1903M.2, S1903M.orders or S1903M.2.FRANCE was wanted and "
                f"{text!r} came; nothing was forked."
            )
        phase, part, power = match.groups()
        if part is None:
            return cls(phase, None, 0, None)
        return cls(phase, "orders", 0, power) if part == "ORDERS" else cls(phase, "talk", int(part), power)


async def fork_game(store: Store, game: str, at: str, seats: Mapping[Power, str]) -> str:
    """The new game's id; it is not run. Raises ForkError, SettingsError, and then nothing was made."""
    moment = Moment.parse(at)
    graph = compile_game(services_over(store), store.saver)
    snapshot = await graph.aget_state(thread_config(game))
    segment, kept = await _find(store, game, snapshot, moment)
    state = await _state_before(store, graph, game, segment)
    settings = _with_seats(settings_of(state), seats)
    chosen = settings.model_dump(mode="json")
    fork = str(uuid4())
    async with store.library.creating(fork):
        await store.library.fork_rows(
            game, fork, head=state.get("history"), segments=state.get("segments", []), settings=chosen
        )
        await graph.aupdate_state(
            thread_config(fork), {**state, "settings": chosen, "waiting": []}, as_node="summarize"
        )
        await _keep_turns(store, graph, fork, segment, [t for t in kept if settings.seat(t.power) != HUMAN])
        await store.journal.set_progress(fork, phase=state["phase"], status="paused")
    return fork


async def _state_before(store: Store, graph: GameGraph, game: str, segment: Segment) -> GameState:
    """The state from which the segment was played; a fork's early moments lie in the game it came from."""
    line: str | None = game
    while line is not None:
        values = (await graph.aget_state(thread_config(line, segment.checkpoint))).values
        if values:
            return cast("GameState", values)
        line = await _parent(store, line)
    raise ForkError(f"The checkpoint before {segment.phase} has been pruned; nothing was forked.")


async def _parent(store: Store, game: str) -> str | None:
    try:
        return (await store.library.summary(game)).forked_from
    except UnknownGame:  # the game it was forked from has been deleted since
        return None


def _with_seats(settings: GameSettings, seats: Mapping[Power, str]) -> GameSettings:
    return resolve(settings.model_copy(update={"seats": {**settings.seats, **seats}}))


async def _find(
    store: Store, game: str, snapshot: StateSnapshot, moment: Moment
) -> tuple[Segment, list[TurnRecord]]:
    """The segment in which the fork begins, and the turns of it that stand."""
    state = cast("GameState", snapshot.values)
    line = {
        played.phase: [*played.segments, *(() if played.record else (task.id for task in snapshot.tasks))]
        for played in await phases_on_line(store.journal, game, state)
    }
    if moment.phase not in line:
        raise ForkError(
            f"A phase from {next(iter(line))} to {state['phase']} was wanted and {moment.phase} came; "
            "nothing was forked."
        )
    ids = line[moment.phase]
    opened = [s for s in await store.journal.segments(game) if s.id in ids]
    opened.sort(key=lambda s: ids.index(s.id))
    segment = next((s for s in opened if moment.stage in (None, s.stage) and s.round >= moment.round), None)
    if segment is None or (moment.stage is not None and segment.round != moment.round):
        raise ForkError(f"{moment.phase} has no such round or orders yet; nothing was forked.")
    if moment.power is None:
        return segment, []
    return segment, await _turns_up_to(store, game, segment, moment.power)


async def _turns_up_to(store: Store, game: str, segment: Segment, power: Power) -> list[TurnRecord]:
    turns = await store.journal.turns(game, [segment.id])
    if power not in {turn.power for turn in turns}:
        raise ForkError(f"{power} has no turn of a program's there, to go on after; nothing was forked.")
    return [turn for turn in turns if turn.power <= power]


async def _keep_turns(
    store: Store, graph: GameGraph, fork: str, segment: Segment, kept: Iterable[TurnRecord]
) -> None:
    """Put the turns under the task that is about to run, which then finds them as if it had been resumed."""
    snapshot = await graph.aget_state(thread_config(fork))
    node = "order" if segment.stage == "orders" else "negotiate"
    task = next(task for task in snapshot.tasks if task.name == node)
    checkpoint = snapshot.config.get("configurable", {})["checkpoint_id"]
    await store.journal.open_segment(
        segment.model_copy(update={"game": fork, "id": task.id, "checkpoint": checkpoint})
    )
    for turn in kept:
        await store.journal.commit_turn(turn.model_copy(update={"game": fork, "segment": task.id}))
