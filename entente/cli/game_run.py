"""One run of a game by a command: it plays, shows, asks who sits here, and stops on a signal."""

import asyncio
import os
import platform
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

import typer
from langgraph.runtime import RunControl
from pydantic import JsonValue

from checkpoints.store import Store
from entente.board.types import Power
from entente.cli.ending import EXITS, next_command, report_end
from entente.cli.handover import hand_over
from entente.cli.lines import waited_text
from entente.cli.live import Progress, live_view
from entente.cli.options import trust_hint
from entente.cli.output import can_ask, ring, say
from entente.cli.pausing import pausable
from entente.cli.person import Left, Written, ask_person, show_again
from entente.cli.situation import Situation
from entente.cli.store_option import command_for
from entente.cli.verbosity import Talk
from entente.errors import GameHeld, NotWaiting, PlayerError, SettingsError, StoreUnavailable
from entente.games.drafts import keep_draft
from entente.games.early import is_played, keep_early, question_for
from entente.games.runner import GameMaster, PendingSeat, RunEnd, Standing
from entente.games.waited_for import waited_for
from entente.games.waiting import wait_until_kept
from entente.players.roster import HUMAN

_LOOK_SECONDS = 0.5
"""How often somebody who stays looks whether others still play the game."""


class GameRun:
    """One run of one game by this process."""

    def __init__(self, store: Store, master: GameMaster, progress: Progress) -> None:
        self._store = store
        self._master = master
        self._progress = progress
        self._is_stopping = False
        self._asked: list[Power] = []
        """People who were asked here, the latest last."""
        self._sits_here: Power = ""
        """Whose press may be on the screen."""
        self._shown = ""
        """The phase that this person was shown."""
        self._playing: asyncio.Task[Standing] | None = None
        """What this process plays while somebody stays at a seat."""
        self._control = RunControl()
        """Of `_playing`."""

    async def play(self, here: Power | None = None) -> None:
        """Run the game; while somebody at this terminal can be asked, ask, and run on.

        Where one power alone is played `here`, it stays, and the others are asked at terminals of their own.
        """
        if here is not None:
            self._tell_others(here)
            self._begin_to_play({})
            await self.stay(here)
        standing = await self.advance({})
        # Each answer is sent by itself: who leaves at the second question has not lost the first.
        while standing.end is RunEnd.WAITING and can_ask() and not self._is_stopping:
            seat = self._next_of(standing.pending)
            if not await self._is_given_to(seat.power):
                break
            written = await self._ask(standing, seat)
            if isinstance(written, Left) and not is_late(seat):
                break
            standing = await (self.advance({}) if isinstance(written, Left) else self.send(seat, written))
        await self.end(standing)

    async def _is_given_to(self, power: Power) -> bool:
        """True when the power's person sits here now: another one that was asked before hands the terminal over."""
        self._asked = [*(other for other in self._asked if other != power), power]
        is_anothers, self._sits_here = self._sits_here not in ("", power), power
        if is_anothers:
            self._shown = ""
        return not is_anothers or await hand_over(power)

    async def _ask(
        self, standing: Standing, seat: PendingSeat, *, is_staying: bool = False
    ) -> Written | Left:
        """As `ask_person`; of a phase that is on the screen already only what is new is shown."""
        has_seen, self._shown = seat.phase == self._shown, seat.phase
        return await ask_person(
            Situation(self._store, standing, seat), is_staying=is_staying, has_seen=has_seen
        )

    async def stay(self, power: Power) -> NoReturn:
        """Answer for this seat whenever it is asked, until the game is over or the person leaves."""
        check_somebody_sits_here()
        store, game, waiting_for = self._store, self._progress.game, ""
        while True:
            sequence = await store.journal.newest()
            await self._raise_what_stopped()
            if await self._has_been_played_on(sequence):
                continue
            standing = await self._master.look(game)
            if standing.end is RunEnd.FINISHED:
                await self.end(standing)
            if seat := await question_for(store, standing, power):
                waiting_for = ""
                if await self._answer_once(standing, seat) is Left.GONE:
                    await self._leave()
                continue
            if (told := await state_of(store, standing)) != waiting_for:
                say(f"{power} is not being asked: {told}. Ctrl-C leaves.")
                waiting_for = told
            await self._wait_after(sequence)

    async def _has_been_played_on(self, sequence: int) -> bool:
        """True where a run had nobody to ask who thinks: it has been waited for, since it asks people in a moment."""
        if self._progress.has_slow_seats:
            return False
        if self._playing is not None and not self._playing.done():  # perhaps it has not begun to yet
            await asyncio.wait([self._playing])
        elif await is_played(self._store, self._progress.game):
            await self._wait_after(sequence)
        else:
            return False
        return True

    async def _answer_once(self, standing: Standing, seat: PendingSeat) -> Left | None:
        """Ask for an answer and give it; GONE when the person left before its time was over."""
        if not await self.tell_whether_asked(seat):
            ring(f"{seat.power} is asked.")
        written = await self._ask(standing, seat, is_staying=True)
        if isinstance(written, Left):
            if not is_late(seat):
                return written
            if not await is_played(self._store, standing.game):
                self._begin_to_play({})
            return None
        try:
            if not await self._is_kept_early(seat, written):
                await self._give(seat, written)
        except (GameHeld, NotWaiting) as error:  # somebody else was first; what was written is kept
            await self._keep_again(seat, written)
            say(str(error))
        return None

    async def _give(self, seat: PendingSeat, written: Written) -> None:
        """Give the answer, and play on beside the dialog; raises what refuses it."""
        journal, game = self._store.journal, self._progress.game
        before = await journal.newest()
        run = self._begin_to_play({seat: written.answer})
        if not await wait_until_kept(journal, game, seat.power, before, run):
            await self._raise_what_stopped()

    def _begin_to_play(self, answers: dict[PendingSeat, JsonValue]) -> asyncio.Task[Standing]:
        game = self._progress.game
        self._playing = asyncio.create_task(
            self._master.answer(game, answers, control=self._control), name=f"run of {game}"
        )
        return self._playing

    async def _raise_what_stopped(self) -> None:
        """Raise what has ended the run of this process, if anything has; PlayerError with how to try again."""
        if self._playing is None or not self._playing.done():
            return
        run, self._playing = self._playing, None
        async with trust_hint(self._store, self._progress.game):
            try:
                await run
            except PlayerError as error:
                raise self._with_hint(error) from error

    async def _leave(self) -> NoReturn:
        """Pause what this process plays, once the turns in progress have finished, and tell how the game stands."""
        if self._playing is not None and not self._playing.done():
            say("Pausing: the turns in progress finish first. Ctrl-C stops at once.")
            self._control.request_drain("the person left")
            await asyncio.wait([self._playing])
        await self._raise_what_stopped()
        await self.end(await self._master.look(self._progress.game))

    def _tell_others(self, here: Power) -> None:
        """Where the other people of the game are asked."""
        settings = self._progress.settings
        for power in (power for power, player in settings.seats.items() if player == HUMAN and power != here):
            again = next_command(self._store, f"turn {self._progress.game} {power} --stay")
            say(f"For {power}: {again}", whole=True)

    async def _wait_after(self, sequence: int) -> None:
        """Wait for a commit, or a little while: no commit tells that a game is held no longer."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_LOOK_SECONDS):
                await self._store.journal.wait_after(self._progress.game, sequence)

    async def tell_whether_asked(self, seat: PendingSeat) -> bool:
        """True where others are thinking before the seat is asked; says so, and what becomes of what is sent."""
        game = self._progress.game
        if not await is_played(self._store, game):
            return False
        waited = await waited_for(self._store, game)
        thinking = f"waiting for {waited_text(waited, time.time())}" if waited else "others are thinking"
        taken = "at once" if seat.ask == "open" else f"as soon as {seat.power} is asked"
        say(f"{seat.power} is not asked yet: {thinking}. What you send is kept, and given {taken}.")
        return True

    async def _is_kept_early(self, seat: PendingSeat, written: Written) -> bool:
        """True where the answer was kept for the run that plays the game; raises NotWaiting."""
        game = self._progress.game
        if not await is_played(self._store, game):
            return False
        await keep_early(self._store, game, seat, written.answer)
        say("Sent.")
        if not await is_played(self._store, game):
            self._begin_to_play({})
        return True

    async def send(self, seat: PendingSeat, written: Written) -> Standing:
        """Give the answer and run on; where that is refused or the store fails, what was written is shown again."""
        try:
            if await self._is_kept_early(seat, written):
                if self._playing is not None:
                    return await self._playing
                return await self._master.look(self._progress.game)
            return await self.advance({seat: written.answer})
        except (NotWaiting, GameHeld):
            await self._keep_again(seat, written)
            raise
        except StoreUnavailable:
            _show_again("The store failed, and this may not have been kept:", written)
            raise

    async def _keep_again(self, seat: PendingSeat, written: Written) -> None:
        await keep_draft(self._store, self._progress.game, seat.power, seat.phase, written.draft)
        _show_again("This was not sent:", written)

    def _next_of(self, pending: Sequence[PendingSeat]) -> PendingSeat:
        """Who was asked longest ago: on the conductor's floor one may be asked again before the others."""
        return min(
            pending, key=lambda seat: self._asked.index(seat.power) if seat.power in self._asked else -1
        )

    async def advance(self, answers: dict[PendingSeat, JsonValue]) -> Standing:
        """Run until the game stops by itself or a signal stops it; raises typer.Exit for a second signal."""
        game = self._progress.game
        with pausable() as control:
            try:
                async with trust_hint(self._store, game), live_view(self._store, self._progress):
                    standing = await self._master.answer(game, answers, control=control)
                    await self._master.told(game)  # the game has not waited for its crew, who sits here does
                    return standing
            except asyncio.CancelledError:
                if not control.drain_requested:
                    raise
                again = next_command(self._store, f"resume {game}")
                say(f"Stopped. To take the unfinished turns again: {again}", whole=True)
                raise typer.Exit(EXITS[RunEnd.PAUSED]) from None
            except PlayerError as error:
                raise self._with_hint(error) from error
            except StoreUnavailable as error:
                again = next_command(self._store, f"resume {game}")
                raise type(error)(
                    f"{error} All finished turns are kept. To go on from there: {again}"
                ) from error
            finally:
                self._is_stopping = control.drain_requested

    def _with_hint(self, error: PlayerError) -> PlayerError:
        again = next_command(self._store, f"resume {self._progress.game}")
        return PlayerError(f"{error} To try again: {again}")

    async def end(self, standing: Standing) -> NoReturn:
        """Tell how the run ended; raises typer.Exit with the code that says the same."""
        if standing.end is RunEnd.PAUSED and await is_played(self._store, standing.game):
            say(f"{standing.state['phase']} is played on: {await state_of(self._store, standing)}.")
            raise typer.Exit(0)
        await report_end(self._store, standing)
        if self._progress.talk is not Talk.NONE:
            say(self._progress.summary())
        raise typer.Exit(EXITS[standing.end])


def is_late(seat: PendingSeat) -> bool:
    """True when the phase is to be closed, since its time is over."""
    return seat.view.closes_at is not None and time.time() >= seat.view.closes_at


def _show_again(heading: str, written: Written) -> None:
    if can_ask() and written.lines:
        show_again(heading, written.lines)


def check_somebody_sits_here() -> None:
    """Raise SettingsError where nobody at this terminal can be asked."""
    if not can_ask():
        raise SettingsError("To stay at a seat takes a terminal, and there is none; nothing was done.")


async def state_of(store: Store, standing: Standing) -> str:
    """What the game does at the moment, in a clause: `others are thinking`, `the game is over`."""
    holder = (await store.library.summary(standing.game)).held_by
    if standing.end is RunEnd.FINISHED:
        return "the game is over"
    if holder is not None:
        is_own = (holder.host, holder.pid) == (platform.node(), os.getpid())
        return "others are thinking" if is_own else f"process {holder.pid} on {holder.host} plays the game"
    if standing.end is RunEnd.WAITING:
        return f"the game waits for {', '.join(seat.power for seat in standing.pending)}"
    resume = command_for(store.location, f"resume {standing.game}")
    return f"the game is paused, and `{resume}` goes on with it"
