"""The work of `play`, `resume` and `turn`: run a game, show it, stop it on a signal, ask who sits here."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import typer
from pydantic import JsonValue

from checkpoints.store import Store
from entente.board.types import Power
from entente.cli.live import Progress, live_view
from entente.cli.options import command_for, existing_store, find_game, store_at, trust_hint
from entente.cli.output import can_ask, say
from entente.cli.pausing import pausable
from entente.cli.person import Written, ask_person, show_again
from entente.cli.players import open_players
from entente.cli.report import next_command, report_end
from entente.cli.situation import Situation
from entente.errors import GameHeld, NotWaiting, PlayerError, SettingsError, StoreUnavailable
from entente.floors.effects import refuse_without_effect
from entente.games.drafts import keep_draft
from entente.games.runner import GameMaster, PendingSeat, RunEnd, Standing
from entente.games.trust import reaches_of
from graph.context import GameSettings
from graph.state import board_of

Changes: TypeAlias = tuple[Mapping[str, JsonValue], Mapping[Power, Mapping[str, JsonValue]], str | None]
"""Model settings of the game and of seats, and what becomes of a seat whose provider fails."""

EXITS = {RunEnd.FINISHED: 0, RunEnd.PAUSED: 5, RunEnd.WAITING: 6}
"""The exit code for each way in which a run ends; `entente.cli.main.EXIT_CODES` says what they mean."""


async def play_new(location: str | None, settings: GameSettings) -> None:
    """Begin a game with these settings and run it; raises typer.Exit with the exit code."""
    refuse_without_effect(settings, settings.model_fields_set)
    async with store_at(location) as store, open_players() as players:
        master = GameMaster(store, players)
        game = await master.begin(settings)
        say(f"Game {game}")
        await _Run(store, master, await Progress.of(store, game)).play()


async def resume_game(
    location: str | None, name: str | None, changes: Changes | None, *, trust: bool
) -> None:
    """Go on with a game, its language models called as the changes say from now on; raises typer.Exit.

    `trust` lets an imported game use what its file names; raises SettingsError where it is not said which game.
    """
    if trust and name is None:
        raise SettingsError("The id of the game to trust was wanted and none came; nothing was done.")
    async with existing_store(location) as store, open_players() as players:
        game = await find_game(store, name)
        say(f"Game {game}")
        master = GameMaster(store, players)
        async with trust_hint(store, game):
            if trust:
                await _confirm(store, game)
            if changes is not None:
                await master.change(game, *changes)
        await _Run(store, master, await Progress.of(store, game)).play()


async def _confirm(store: Store, game: str) -> None:
    """Trust the game, and say what it uses from now on."""
    for line in await reaches_of(store, game):
        say(f"Confirmed: {line}", whole=True)
    await store.library.trust(game)


async def take_turn(location: str | None, name: str, power_name: str) -> None:
    """Answer for one seat and run on to wherever the game stops next; raises typer.Exit, NotWaiting."""
    async with existing_store(location) as store, open_players() as players:
        master = GameMaster(store, players)
        game = await find_game(store, name)
        standing = await master.look(game)
        seat = _open_question(store, standing, power_name)
        written = await ask_person(Situation(store, standing, seat))
        run = _Run(store, master, await Progress.of(store, game))
        if written:
            standing = await run.send(seat, written)
        elif is_late(standing):
            standing = await run.advance({})
        await run.end(standing)


class _Run:
    """One run of one game by this process."""

    def __init__(self, store: Store, master: GameMaster, progress: Progress) -> None:
        self._store = store
        self._master = master
        self._progress = progress
        self._is_stopping = False
        self._asked: list[Power] = []
        """People who were asked here, the latest last."""

    async def play(self) -> None:
        """Run the game; while somebody at this terminal can be asked, ask, and run on."""
        standing = await self.advance({})
        # Each answer is sent by itself: who leaves at the second question has not lost the first.
        while standing.end is RunEnd.WAITING and can_ask() and not self._is_stopping:
            seat = self._next_of(standing.pending)
            written = await ask_person(Situation(self._store, standing, seat))
            if written is None and not is_late(standing):
                break
            standing = await (self.send(seat, written) if written else self.advance({}))
        await self.end(standing)

    async def send(self, seat: PendingSeat, written: Written) -> Standing:
        """Give the answer and run on; where that is refused or the store fails, what was written is shown again."""
        try:
            return await self.advance({seat: written.answer})
        except (NotWaiting, GameHeld):
            await keep_draft(self._store, self._progress.game, seat.power, seat.phase, written.draft)
            _show_again("This was not sent:", written)
            raise
        except StoreUnavailable:
            _show_again("The store failed, and this may not have been kept:", written)
            raise

    def _next_of(self, pending: Sequence[PendingSeat]) -> PendingSeat:
        """Who was asked longest ago: on the conductor's floor one may be asked again before the others."""
        seat = min(
            pending, key=lambda seat: self._asked.index(seat.power) if seat.power in self._asked else -1
        )
        self._asked = [*(power for power in self._asked if power != seat.power), seat.power]
        return seat

    async def advance(self, answers: dict[PendingSeat, JsonValue]) -> Standing:
        """Run until the game stops by itself or a signal stops it; raises typer.Exit for a second signal."""
        game = self._progress.game
        with pausable() as control:
            try:
                async with trust_hint(self._store, game), live_view(self._store, self._progress):
                    if answers:
                        return await self._master.answer(game, answers, control=control)
                    return await self._master.run(game, control=control)
            except asyncio.CancelledError:
                if not control.drain_requested:
                    raise
                again = next_command(self._store, f"resume {game}")
                say(f"Stopped. To take the unfinished turns again: {again}", whole=True)
                raise typer.Exit(EXITS[RunEnd.PAUSED]) from None
            except PlayerError as error:
                again = next_command(self._store, f"resume {game}")
                raise PlayerError(f"{error} To try again: {again}") from error
            finally:
                self._is_stopping = control.drain_requested

    async def end(self, standing: Standing) -> None:
        """Tell how the run ended; raises typer.Exit with the code that says the same."""
        await report_end(self._store, standing)
        say(self._progress.summary())
        raise typer.Exit(EXITS[standing.end])


def is_late(standing: Standing) -> bool:
    """True when the phase is to be closed, since its time is over."""
    return standing.until is not None and time.time() >= standing.until


def _show_again(heading: str, written: Written) -> None:
    if can_ask() and written.lines:
        show_again(heading, written.lines)


def _open_question(store: Store, standing: Standing, power_name: str) -> PendingSeat:
    power = board_of(standing.state).check_power(power_name) if standing.has_begun else power_name
    for seat in standing.open:
        if seat.power == power:
            return seat
    raise NotWaiting(f"{power} is not being asked: {_state_of(store, standing)}; nothing was done.")


def _state_of(store: Store, standing: Standing) -> str:
    match standing.end:
        case RunEnd.FINISHED:
            return "the game is over"
        case RunEnd.WAITING:
            return f"the game waits for {', '.join(seat.power for seat in standing.pending)}"
        case RunEnd.PAUSED:
            resume = command_for(store.location, f"resume {standing.game}")
            return f"the game is paused, and `{resume}` goes on with it"
