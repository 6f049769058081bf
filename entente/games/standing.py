"""How a game stands, as its checkpoint has it."""

# LangGraph leaves a type parameter of its own methods open; what goes through them is typed by us.
# pyright: reportUnknownMemberType=false

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.types import StateSnapshot

from checkpoints.damage import UNREADABLE, missing, why
from checkpoints.store import Store
from checkpoints.tables import CHECKPOINTS
from entente.board.types import Power
from entente.errors import BoardError, DamagedRow
from entente.games.pending import PendingSeat, pending_seats
from entente.players.record import Segment
from graph.game import graph_over
from graph.state import GameState, check_state


class RunEnd(StrEnum):
    """Why a game is not being played at the moment."""

    FINISHED = "finished"
    WAITING = "waiting"
    """For people's answers."""
    PAUSED = "paused"
    """A run was drained or killed; `run` goes on with it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A game as its checkpoint has it."""

    game: str
    state: GameState
    open: tuple[PendingSeat, ...]
    """Questions that a person may answer, in the map's order, those that need no answer behind the others."""
    tasks: tuple[str, ...]
    """The ids of the steps that come next, or are being played."""
    asks_people: bool = False
    """True where such a step asks a person."""

    @property
    def pending(self) -> tuple[PendingSeat, ...]:
        """Seats that the game waits for."""
        return tuple(seat for seat in self.open if not seat.is_optional)

    def question_for(self, power: Power | None) -> PendingSeat | None:
        """What the power may answer; None while it is asked nothing."""
        return next((seat for seat in self.open if seat.power == power), None)

    @property
    def until(self) -> float | None:
        """When the phase is closed without those who are waited for, in seconds since 1970, UTC; None: never."""
        return next((seat.view.closes_at for seat in self.open), None)

    @property
    def has_begun(self) -> bool:
        """True once the board is set up; a game can be killed after its first checkpoint and before that."""
        return "status" in self.state

    @property
    def end(self) -> RunEnd:
        """Why it is not being played."""
        if self.state.get("status") == "finished":
            return RunEnd.FINISHED
        return RunEnd.WAITING if self.pending else RunEnd.PAUSED


async def standing_of(store: Store, game: str) -> Standing:
    """The game as it stands; an opened game without a checkpoint has an empty state.

    Raises DamagedRow, also for a game whose journal goes on after its latest checkpoint.
    """
    # Read first: the game may be played on meanwhile, and a step's checkpoint stands before its segment.
    segments = await store.journal.latest_segments(game, 1)
    return await standing_after(store, game, segments[0] if segments else None)


async def standing_after(store: Store, game: str, segment: Segment | None) -> Standing:
    """As `standing_of`, where the segment that was opened last has been read already; None where there was none."""
    snapshot = await snapshot_of(store, game)
    checkpoint = snapshot.config.get("configurable", {}).get("checkpoint_id", "")
    if segment and segment.checkpoint > checkpoint:
        raise missing(CHECKPOINTS, game, segment.checkpoint, "the journal, which goes on after it,")
    state, steps = cast("GameState", snapshot.values), tuple(task.id for task in snapshot.tasks)
    return Standing(game, state, tuple(pending_seats(snapshot)), steps, asks_people="seat" in snapshot.next)


async def snapshot_of(store: Store, game: str, checkpoint: str | None = None) -> StateSnapshot:
    """The game's state at its head, or at this checkpoint, and its steps; no values where there is no checkpoint.

    Raises DamagedRow for a state that no game can have.
    """
    config = thread_config(game, checkpoint)
    try:
        snapshot = await graph_over(store.saver).aget_state(config)
        _check(snapshot.values)
        pending_seats(snapshot)  # a question may be damaged as well
    except (BoardError, *UNREADABLE) as error:
        found = await store.saver.aget_tuple(config)
        row = found.checkpoint["id"] if found else ""
        raise DamagedRow(game, CHECKPOINTS.name, row, why(error)) from error
    return snapshot


async def unlike_a_state(store: Store, game: str) -> list[DamagedRow]:
    """The checkpoints of the game, earlier ones too, that have a state which no game can have."""
    found: list[DamagedRow] = []
    try:
        async for saved in store.saver.alist(thread_config(game)):
            try:
                _check(saved.checkpoint["channel_values"])
            except (BoardError, *UNREADABLE) as error:
                found.append(DamagedRow(game, CHECKPOINTS.name, saved.checkpoint["id"], why(error)))
    except DamagedRow as error:  # all are read at once, and the rows one by one elsewhere
        return [error]
    return found


def _check(values: Mapping[str, Any]) -> None:
    if "status" in values:
        check_state(values)
    elif values.keys() & {"board", "phase", "history"}:
        raise KeyError("status")


def thread_config(game: str, checkpoint: str | None = None) -> RunnableConfig:
    """What LangGraph wants to be told to find the game, at its head or at one of its checkpoints."""
    where = {"thread_id": game} | ({"checkpoint_id": checkpoint} if checkpoint else {})
    return RunnableConfig(configurable=where, recursion_limit=1_000_000)
