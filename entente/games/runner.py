"""The one runner: it begins games, plays them until something stops them, and takes people's answers.

A *game* is one thread of checkpoints; a *run* is one execution of it. The command line, programs and the page work
through this. LangGraph's server runs the graph itself, and `entente.games.server` holds its games.
"""

# LangGraph leaves a type parameter of its own methods open; what goes through them is typed by us.
# pyright: reportUnknownMemberType=false

import time
from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType
from uuid import uuid4

from langgraph.checkpoint.serde.types import RESUME
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl
from langgraph.types import Command
from pydantic import JsonValue

from checkpoints.store import Store
from entente.board.types import Power
from entente.errors import GameHeld, GameOver, NotWaiting, PlayerError
from entente.floors.early import answers as answers_to
from entente.floors.keys import bound
from entente.floors.services import services_over
from entente.floors.setup import resolve, set_up
from entente.games.absence import give_back
from entente.games.pending import PendingSeat
from entente.games.standing import RunEnd, Standing, standing_of, thread_config
from entente.games.tellings import OpenCrew, Tellings
from entente.players.seating import HoldsPrograms, PlayerFactory, players_of_process
from graph.context import GameSettings
from graph.game import GameGraph, compile_game


class GameMaster:
    """Runs the games of one store."""

    def __init__(
        self,
        store: Store,
        make_player: PlayerFactory | None = None,
        clock: Callable[[], float] = time.time,
        open_crew: OpenCrew | None = None,
    ) -> None:
        """`open_crew` finds the voices of a game's crew; those that the settings name where it is left out."""
        self._store = store
        self._tellings = Tellings(store, open_crew)
        self._make_player = make_player or players_of_process()
        self._clock = clock

    @cached_property
    def _graph(self) -> GameGraph:
        """What games are played with; whoever only looks at one needs none."""
        services = services_over(self._store, self._make_player, self._clock, is_streamed=False)
        return compile_game(services, self._store.saver)

    async def begin(self, settings: GameSettings, game: str | None = None) -> str:
        """A new game's id; its settings are resolved and kept before the first checkpoint, so it cannot be lost.

        What has no effect with the players in the seats is logged as a warning. Raises SettingsError, UnknownMap.
        """
        name = game or str(uuid4())
        resolved = set_up(settings, self._make_player).model_dump(mode="json")
        await self._tellings.check(settings)
        async with self._store.leases.hold(name):
            await self._store.journal.create_game(name, settings=resolved)
        return name

    async def change(
        self,
        game: str,
        models: Mapping[str, JsonValue],
        seat_models: Mapping[Power, Mapping[str, JsonValue]],
        on_failure: str | None,
        crew: str | None = None,
        crew_model: Mapping[str, JsonValue] = MappingProxyType({}),
    ) -> None:
        """Change how the game's language models are called, and who tells it, from the next run on.

        A turn in progress is not lost. Raises SettingsError, GameOver, UntrustedGame and GameHeld; then nothing was
        changed.
        """
        async with self._store.leases.hold(game):
            if (await self.look(game)).end is RunEnd.FINISHED:
                raise GameOver("The game is over and its settings stay as they were; nothing was changed.")
            kept = bound(await self._store.library.settings(game))
            settings = kept.with_changes(models, seat_models, on_failure, crew, crew_model)
            resolved = resolve(
                settings, self._make_player, is_trusted=await self._store.journal.is_trusted(game)
            )
            await self._tellings.check(resolved)
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
        await self._tellings.begin(game)
        try:
            standing = await self._play_once(game, answers, control)
            while not control.drain_requested and await self._is_answered_early(standing):
                try:
                    standing = await self._play_once(game, {}, control)
                except GameHeld:  # by whoever takes the answers now
                    return await self.look(game)
            return standing
        finally:
            self._tellings.end(game, is_pausing=control.drain_requested)

    async def _play_once(
        self, game: str, answers: Mapping[PendingSeat, JsonValue], control: RunControl
    ) -> Standing:
        async with self._store.leases.hold(game):
            await self._store.journal.settings(game)  # or a damaged row would be written over at the end
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
            if standing.end is RunEnd.FINISHED:  # who follows the game is told so last
                await self._tellings.told(game)
            await self._store.journal.set_progress(
                game, phase=standing.state.get("phase", ""), status=standing.end.value
            )
            return standing

    async def told(self, game: str) -> None:
        """Return when the game's crew has told all that was over when its run ended, which `run` does not wait for."""
        await self._tellings.told(game)

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


def not_open(seat: PendingSeat) -> NotWaiting:
    """The error for an answer to a question that is over."""
    return NotWaiting(
        f"{seat.power}'s answer for {seat.phase} came when that question was no longer open "
        "(answered before, or the game went on, or its time was over); nothing of it was taken."
    )


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
