"""The game master: begins games, runs them until something stops them, takes people's answers, and forks.

A *game* is one thread of checkpoints; a *run* is one execution of it by one process. The command line and
the page work through this; Studio drives the graph itself and meets the same journal and leases below.
"""

# LangGraph leaves a type parameter of its own methods open; what goes through them is typed by us.
# pyright: reportUnknownMemberType=false

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast
from uuid import uuid4

from langchain_core.runnables import RunnableConfig
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl
from langgraph.types import Command
from pydantic import JsonValue

from checkpoints.store import Store
from entente.board.types import Power
from entente.errors import NotWaiting, PlayerError
from graph.context import GameSettings, resolve
from graph.game import compile_game
from graph.pending import PendingSeat, has_replies, is_open, not_yet, pending_seats
from graph.state import GameState
from nodes.deadline import closes_at
from nodes.services import PlayerFactory, make_player, services_over

_RESUME_CHANNEL = "__resume__"


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
    answered: Mapping[str, JsonValue]
    """Answers that were received but not yet played on, by interrupt: a run was killed just then."""
    until: float | None
    """When the phase is closed without those who are waited for, in seconds since 1970, UTC; None: never."""
    is_cut_short: bool
    """True when there is work beside the people who are asked: a run was killed before it was done."""
    tasks: tuple[str, ...]
    """The ids of the steps that come next, or are being played."""
    has_replies: bool
    """True when people who were asked together with those in `open` have answered, and it is kept."""

    @property
    def pending(self) -> tuple[PendingSeat, ...]:
        """Seats that the game waits for."""
        return tuple(seat for seat in self.open if not seat.is_optional)

    @property
    def has_begun(self) -> bool:
        """True once the board is set up; a game can be killed after its first checkpoint and before that."""
        return "status" in self.state

    @property
    def only_waits(self) -> bool:
        """True when nothing can be done until somebody answers."""
        return bool(self.pending) and not self.is_cut_short

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
        make_player: PlayerFactory = make_player,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._make_player = make_player
        self._clock = clock
        services = services_over(store, make_player, clock, is_streamed=False)
        self._graph = compile_game(services, store.saver)

    async def begin(self, settings: GameSettings, game: str | None = None) -> str:
        """A new game's id; its settings are resolved and kept before the first checkpoint, so it cannot be lost.

        Raises SettingsError, UnknownMap.
        """
        name = game or str(uuid4())
        resolved = resolve(settings, self._make_player).model_dump(mode="json")
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

        Raises SettingsError, GameHeld, and then nothing was changed.
        """
        async with self._store.leases.hold(game):
            settings = (await self._kept_settings(game)).with_changes(models, seat_models, on_failure)
            resolved = resolve(settings, self._make_player)
            await self._store.journal.set_settings(game, resolved.model_dump(mode="json"))

    async def look(self, game: str) -> Standing:
        """The game as it stands; an opened game without a checkpoint has an empty state."""
        snapshot = await self._graph.aget_state(thread_config(game))
        asked = pending_seats(snapshot)
        answered = await self._answers_received(game, asked) if asked else {}
        still = [seat for seat in asked if seat.interrupt not in answered]
        tasks, state = snapshot.tasks, cast("GameState", snapshot.values)
        return Standing(
            game,
            state,
            tuple(still),
            answered,
            until=await closes_at(self._store.journal, game, state) if is_open(still) else None,
            is_cut_short=any(task.result is None and not task.interrupts for task in tasks),
            tasks=tuple(task.id for task in tasks),
            has_replies=has_replies(snapshot),
        )

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
        async with self._store.leases.hold(game):
            standing = await self._closed_when_late(game, control)
            answers = {_as_it_is_asked_now(seat, standing): value for seat, value in answers.items()}
            for seat in answers:
                if seat not in standing.open:
                    raise NotWaiting(
                        f"{seat.power}'s answer for {seat.phase} came when that question was no longer open "
                        "(answered before, or the game went on, or its time was over); nothing of it was taken."
                    )
            given = {**standing.answered, **{seat.interrupt: value for seat, value in answers.items()}}
            if standing.end is not RunEnd.FINISHED and (given or not standing.only_waits):
                await self._advance(game, standing, given, control)
                standing = await self.look(game)
            # Only when the answers are kept: who is killed in between would have to give them again.
            if standing.has_replies and (others := not_yet(standing.open)):
                await self._advance(game, standing, others, control)
                standing = await self.look(game)
            await self._store.journal.set_progress(
                game, phase=standing.state.get("phase", ""), status=standing.end.value
            )
            return standing

    async def _closed_when_late(self, game: str, control: RunControl | None) -> Standing:
        """The game as it stands; a phase whose time is over is closed first, without those who were waited for."""
        standing = await self.look(game)
        if standing.until is None or self._clock() < standing.until:
            return standing
        await self._advance(game, standing, {**standing.answered, **not_yet(standing.open)}, control)
        return await self.look(game)

    async def _advance(
        self, game: str, standing: Standing, answers: dict[str, JsonValue], control: RunControl | None
    ) -> None:
        settings = await self._kept_settings(game)
        # None goes on from the checkpoint. It must never be given while a question is open (it would
        # repeat an old answer; no answers at all do not), and a game killed before its board was set up
        # starts from its settings.
        is_asking = answers or standing.open
        start: Any = Command(resume=answers) if is_asking else None if standing.has_begun else {}
        try:
            await self._graph.ainvoke(
                start,
                thread_config(game),
                context=settings,
                durability="sync",
                control=control or RunControl(),
            )
        except GraphDrained:
            return
        except PlayerError:
            reached = (await self.look(game)).state.get("phase", "")
            await self._store.journal.set_progress(game, phase=reached, status=RunEnd.PAUSED.value)
            raise

    async def _kept_settings(self, game: str) -> GameSettings:
        """The settings as the list of games has them: a game can be killed before its first checkpoint."""
        return GameSettings.model_validate((await self._store.library.summary(game)).settings)

    async def _answers_received(self, game: str, asked: Sequence[PendingSeat]) -> dict[str, JsonValue]:
        """Answers that a killed run had already taken in, by interrupt id; asking again would waste them."""
        saved = await self._store.saver.aget_tuple(thread_config(game))
        writes = (saved and saved.pending_writes) or ()
        taken = {task: value for task, channel, value in writes if channel == _RESUME_CHANNEL}
        return {seat.interrupt: taken[seat.task][0] for seat in asked if taken.get(seat.task)}


def thread_config(game: str, checkpoint: str | None = None) -> RunnableConfig:
    """What LangGraph wants to be told to find the game, at its head or at one of its checkpoints."""
    where = {"thread_id": game} | ({"checkpoint_id": checkpoint} if checkpoint else {})
    return RunnableConfig(configurable=where, recursion_limit=1_000_000)


def _as_it_is_asked_now(seat: PendingSeat, standing: Standing) -> PendingSeat:
    """The question that is open now in place of an earlier one to the same end.

    On the conductor's floor a power is asked anew whenever something happens; its answer stays an answer.
    """
    same = [
        now for now in standing.open if (now.power, now.phase, now.ask) == (seat.power, seat.phase, "open")
    ]
    return same[0] if seat.ask == "open" and same else seat
