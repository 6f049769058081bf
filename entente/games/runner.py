"""The one runner: it begins games, plays them until something stops them, and takes people's answers.

A *game* is one thread of checkpoints; a *run* is one execution of it. The command line, programs and the page work
through this. LangGraph's server runs the graph itself, and `entente.games.server` holds its games.
"""

# LangGraph leaves a type parameter of its own methods open; what goes through them is typed by us.
# pyright: reportUnknownMemberType=false

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import cast
from uuid import uuid4

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.serde.types import RESUME
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl
from langgraph.types import Command, StateSnapshot
from pydantic import JsonValue

from checkpoints.damage import UNREADABLE, missing, why
from checkpoints.store import Store
from checkpoints.tables import CHECKPOINTS
from entente.board.types import Power
from entente.errors import BoardError, DamagedRow, GameHeld, NotWaiting, PlayerError, SettingsError
from entente.floors.early import answers as answers_to
from entente.floors.keys import bound
from entente.floors.services import services_over
from entente.floors.setup import resolve, set_up
from entente.games.absence import give_back
from entente.games.pending import PendingSeat, pending_seats
from entente.players.seating import HoldsPrograms, PlayerFactory, players_of_process
from graph.context import GameSettings
from graph.game import compile_game, graph
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


class GameMaster:
    """Runs the games of one store."""

    def __init__(
        self,
        store: Store,
        make_player: PlayerFactory | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._make_player = make_player or players_of_process()
        self._clock = clock
        services = services_over(store, self._make_player, clock, is_streamed=False)
        self._graph = compile_game(services, store.saver)

    async def begin(self, settings: GameSettings, game: str | None = None) -> str:
        """A new game's id; its settings are resolved and kept before the first checkpoint, so it cannot be lost.

        What has no effect with the players in the seats is logged as a warning. Raises SettingsError, UnknownMap.
        """
        name = game or str(uuid4())
        resolved = set_up(settings, self._make_player).model_dump(mode="json")
        async with self._store.leases.hold(name):
            await self._store.journal.create_game(name, settings=resolved)
        return name

    async def change(
        self,
        game: str,
        models: Mapping[str, JsonValue],
        seat_models: Mapping[Power, Mapping[str, JsonValue]],
        on_failure: str | None,
    ) -> None:
        """Change how the game's language models are called from the next run on; a turn in progress is not lost.

        Raises SettingsError, also for a game that is over, UntrustedGame and GameHeld; then nothing was changed.
        """
        async with self._store.leases.hold(game):
            if (await self.look(game)).end is RunEnd.FINISHED:
                raise SettingsError(
                    "The game is over and its settings stay as they were; nothing was changed."
                )
            kept = bound(await self._store.library.settings(game))
            settings = kept.with_changes(models, seat_models, on_failure)
            resolved = resolve(
                settings, self._make_player, is_trusted=await self._store.journal.is_trusted(game)
            )
            await self._store.journal.set_settings(game, resolved.model_dump(mode="json"))

    async def look(self, game: str) -> Standing:
        """The game as it stands, as `standing_of` has it."""
        return await standing_of(self._store, game)

    async def run(self, game: str, *, control: RunControl | None = None) -> Standing:
        """Play until the game is finished, waits for people, or is drained through `control`.

        Raises GameHeld while another process plays it, PlayerError when a seat failed (resumable).
        """
        return await self._play(game, {}, control)

    async def answer(
        self, game: str, answers: Mapping[PendingSeat, JsonValue], *, control: RunControl | None = None
    ) -> Standing:
        """Give people's answers to the very questions they were asked, and play on.

        Raises NotWaiting, and takes none of the answers, when one of the questions is not open any more.
        """
        return await self._play(game, answers, control)

    async def _play(
        self, game: str, answers: Mapping[PendingSeat, JsonValue], control: RunControl | None
    ) -> Standing:
        """Play on until nobody has answered what is asked; early answers may come until the game is held no longer."""
        control = control or RunControl()
        standing = await self._play_once(game, answers, control)
        while not control.drain_requested and await self._is_answered_early(standing):
            try:
                standing = await self._play_once(game, {}, control)
            except GameHeld:  # by whoever takes the answers now
                return await self.look(game)
        return standing

    async def _play_once(
        self, game: str, answers: Mapping[PendingSeat, JsonValue], control: RunControl
    ) -> Standing:
        async with self._store.leases.hold(game):
            standing = await self.look(game)
            if answers and (
                self._is_late(standing)
                or await self._has_taken_in_answers(game)
                or await self._is_answered_early(standing)
            ):
                standing = await self._advance(standing, None, control)
            for seat in answers:
                await give_back(self._store, game, seat.power)
            given = dict(_as_it_is_asked_now(seat, value, standing) for seat, value in answers.items())
            for seat in given:
                if seat not in standing.open:
                    raise not_open(seat)
            if standing.end is not RunEnd.FINISHED:
                resume = {seat.interrupt: value for seat, value in given.items()}
                standing = await self._advance(standing, Command(resume=resume) if given else None, control)
            await self._store.journal.set_progress(
                game, phase=standing.state.get("phase", ""), status=standing.end.value
            )
            return standing

    def _is_late(self, standing: Standing) -> bool:
        return standing.until is not None and self._clock() >= standing.until

    async def _advance(
        self, standing: Standing, command: Command[None] | None, control: RunControl
    ) -> Standing:
        """The game as it stands after it was played on; None plays it from where it stands, with no new answers."""
        end = RunEnd.PAUSED
        try:
            advanced = await self._invoke(standing, command, control)
            end = advanced.end
            return advanced
        finally:
            # While people think, programs go on as they are: they may remember what they like.
            if end is not RunEnd.WAITING and isinstance(self._make_player, HoldsPrograms):
                await self._make_player.let_go(standing.game)

    async def _invoke(
        self, standing: Standing, command: Command[None] | None, control: RunControl | None
    ) -> Standing:
        game = standing.game
        try:
            await self._graph.ainvoke(
                # A game that was killed before its board was set up begins anew from its settings.
                command if standing.has_begun else {},
                thread_config(game),
                durability="sync",
                control=control,
            )
        except GraphDrained:
            pass
        except PlayerError:
            reached = (await self.look(game)).state.get("phase", "")
            await self._store.journal.set_progress(game, phase=reached, status=RunEnd.PAUSED.value)
            raise
        return await self.look(game)

    async def _is_answered_early(self, standing: Standing) -> bool:
        """True when a question that is open was answered before it was."""
        waiting = await self._store.early.waiting(standing.game) if standing.open else []
        return any(answers_to(early, seat.view) for early in waiting for seat in standing.open)

    async def _has_taken_in_answers(self, game: str) -> bool:
        """True when answers were given to open questions before: those of a run that was killed are played first."""
        saved = await self._store.saver.aget_tuple(thread_config(game))
        return any(channel == RESUME for _, channel, _ in (saved and saved.pending_writes) or ())


async def standing_of(store: Store, game: str) -> Standing:
    """The game as it stands; an opened game without a checkpoint has an empty state.

    Raises DamagedRow, also for a game whose journal goes on after its latest checkpoint.
    """
    # Read first: the game may be played on meanwhile, and a step's checkpoint stands before its segment.
    segments = await store.journal.latest_segments(game, 1)
    kept = graph.copy(update={"checkpointer": store.saver})  # to compile one takes several milliseconds
    try:
        snapshot = await kept.aget_state(thread_config(game))
        standing = _read_standing(game, snapshot)
    except (BoardError, *UNREADABLE) as error:
        found = await store.saver.aget_tuple(thread_config(game))
        checkpoint = found.checkpoint["id"] if found else ""
        raise DamagedRow(game, CHECKPOINTS.name, checkpoint, why(error)) from error
    checkpoint = snapshot.config.get("configurable", {}).get("checkpoint_id", "")
    for segment in segments:
        if segment.checkpoint > checkpoint:
            raise missing(CHECKPOINTS, game, segment.checkpoint, "the journal, which goes on after it,")
    return standing


def not_open(seat: PendingSeat) -> NotWaiting:
    """The error for an answer to a question that is over."""
    return NotWaiting(
        f"{seat.power}'s answer for {seat.phase} came when that question was no longer open "
        "(answered before, or the game went on, or its time was over); nothing of it was taken."
    )


def _read_standing(game: str, snapshot: StateSnapshot) -> Standing:
    state = cast("GameState", snapshot.values)
    if "status" in state:
        check_state(state)
    elif state.keys() & {"board", "phase", "history"}:
        raise KeyError("status")
    steps = tuple(task.id for task in snapshot.tasks)
    return Standing(game, state, tuple(pending_seats(snapshot)), steps, asks_people="seat" in snapshot.next)


def thread_config(game: str, checkpoint: str | None = None) -> RunnableConfig:
    """What LangGraph wants to be told to find the game, at its head or at one of its checkpoints."""
    where = {"thread_id": game} | ({"checkpoint_id": checkpoint} if checkpoint else {})
    return RunnableConfig(configurable=where, recursion_limit=1_000_000)


def _as_it_is_asked_now(
    seat: PendingSeat, value: JsonValue, standing: Standing
) -> tuple[PendingSeat, JsonValue]:
    """The question that is open now in place of an earlier one to the same end, and the answer to it.

    On the conductor's floor a power is asked anew whenever something happens; its answer stays an answer, of somebody
    who has read what the earlier question showed, unless it says how much it has read.
    """
    same = [now for now in standing.open if _is_to_the_same_end(seat, now)]
    if not same or same[0] == seat:
        return seat, value
    if seat.ask == "open" and isinstance(value, dict):
        value = {"read": len(seat.view.press), **value}
    return same[0], value


def _is_to_the_same_end(seat: PendingSeat, now: PendingSeat) -> bool:
    if seat.ask != "open" and not (seat.is_early and seat.round == now.round):
        return False
    return (now.power, now.phase, now.ask) == (seat.power, seat.phase, seat.ask)
