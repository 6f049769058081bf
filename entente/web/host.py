"""The games that this server plays: each is run by the house's one runner, one run at a time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from langgraph.runtime import RunControl
from pydantic import JsonValue

from checkpoints.store import Store
from entente.board.types import Power
from entente.errors import EntenteError, NotWaiting, SettingsError
from entente.floors.answers import check
from entente.games.absence import give_back, hand_over
from entente.games.early import is_played, keep_early, question_for
from entente.games.forks import fork_game
from entente.games.runner import GameMaster, PendingSeat, RunEnd, Standing
from entente.games.views import holder_text
from entente.games.waiting import commit_or_end, told_no_names, wait_until_kept
from entente.players.seating import PlayerFactory
from graph.context import GameSettings

_log = logging.getLogger(__name__)


@dataclass
class _Run:
    task: asyncio.Task[Standing]
    control: RunControl


class AnswerRefused(SettingsError):
    """Raised for an answer that cannot be used as it is; nothing of it was taken."""


@dataclass
class _Table:
    """What there is of a game in this process."""

    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    run: _Run | None = None


class Host:
    """Plays games of a store in this process."""

    def __init__(
        self, store: Store, players: PlayerFactory, on_change: Callable[[str], Awaitable[None]]
    ) -> None:
        self._store = store
        self._players = players
        self._master = GameMaster(store, players)
        self._on_change = on_change
        """Called with a game when an answer to it is kept, or a run of it has ended."""
        self._tables: dict[str, _Table] = {}

    async def begin(self, settings: GameSettings) -> str:
        """A new game's id; it is not played yet. Raises SettingsError, UnknownMap."""
        return await self._master.begin(settings)

    async def fork(self, game: str, at: str, seats: Mapping[Power, str]) -> str:
        """The id of a fork, which is not played yet; raises what `fork_game` raises."""
        return await fork_game(self._store, game, at, seats, self._players)

    async def answer(
        self, game: str, power: Power, question: str, value: JsonValue
    ) -> asyncio.Task[Standing] | None:
        """Give a person's answer and play on; it is kept when this returns the run that goes on.

        While the game is played it is kept for the run that does so: the one that is returned, or another process's.

        Answers of several people to one game are taken one after the other. Raises AnswerRefused, NotWaiting, GameHeld.
        """
        table = self._tables.setdefault(game, _Table())
        async with table.turn:
            seat = await question_for(self._store, await self._master.look(game), power)
            seat = _checked(seat, power, question)
            if verdicts := check(seat.view, value).verdicts:
                raise AnswerRefused("\n".join(verdicts))
            if await is_played(self._store, game):
                await keep_early(self._store, game, seat, value)
                if not await is_played(self._store, game) and table.run is None:
                    self._start(game, table, {})
                await self._on_change(game)
                return table.run and table.run.task
            if table.run is not None:  # of the answer before: it comes to its end by itself
                await asyncio.wait([table.run.task])
            before = await self._store.journal.newest()
            run = self._start(game, table, {seat: value})
            is_kept = await wait_until_kept(self._store.journal, game, power, before, run.task)
        if not is_kept:
            with told_no_names(game):
                run.task.result()
        await self._on_change(game)
        return run.task

    async def run(self, game: str) -> None:
        """Play the game until it is over, waits for people or is paused; a game that is played here is left alone.

        Raises GameHeld, UntrustedGame and whatever else ends a run at once.
        """
        table = self._tables.setdefault(game, _Table())
        async with table.turn:
            if table.run is not None:
                return
            before = await self._store.journal.newest()
            run = self._start(game, table, {})
            await commit_or_end(self._store.journal, game, before, run.task)
        if run.task.done():
            run.task.result()

    async def hand_over(self, game: str, power: Power, player: str) -> None:
        """Have a scripted player stand in for the power's person, and play on; raises SettingsError, GameHeld."""
        await self._between_runs(game, partial(hand_over, self._store, game, power, player))

    async def give_back(self, game: str, power: Power) -> None:
        """Give a seat back to its person, and play on; raises SettingsError, GameHeld.

        Where nobody stands in, no run is paused: the seat's own link may ask this as often as it likes.
        """
        if power in (await self._store.library.settings(game)).away:
            await self._between_runs(game, partial(give_back, self._store, game, power))

    async def _between_runs(self, game: str, change: Callable[[], Awaitable[None]]) -> None:
        """Change the game while nobody plays it here: a run is paused for that, and then goes on."""
        table = self._tables.setdefault(game, _Table())
        async with table.turn:
            was_played = table.run is not None
            if table.run is not None:
                table.run.control.request_drain("a seat changes hands")
                await asyncio.wait([table.run.task])
            await change()
        if was_played or (await self._master.look(game)).end is RunEnd.WAITING:
            await self.run(game)

    async def pause(self, game: str) -> None:
        """Have the game stop as soon as its step is over; raises NotWaiting for one that is not played here."""
        table = self._tables.get(game)
        if table is None or table.run is None:
            holder = holder_text((await self._store.library.glance(game)).held_by)
            raise NotWaiting(
                f"A game that this server plays was wanted and {holder or 'nobody'} plays it; nothing was done."
            )
        table.run.control.request_drain("the operator")

    async def close(self) -> None:
        """Pause all runs, and wait until they have stopped."""
        runs = [table.run for table in self._tables.values() if table.run is not None]
        for run in runs:
            run.control.request_drain("the server stops")
        if runs:
            await asyncio.wait([run.task for run in runs])

    def _start(self, game: str, table: _Table, answers: Mapping[PendingSeat, JsonValue]) -> _Run:
        control = RunControl()
        task = asyncio.create_task(self._play(game, table, answers, control), name=f"run of {game}")
        task.add_done_callback(_told)
        table.run = _Run(task, control)
        return table.run

    async def _play(
        self, game: str, table: _Table, answers: Mapping[PendingSeat, JsonValue], control: RunControl
    ) -> Standing:
        try:
            return await self._master.answer(game, answers, control=control)
        except EntenteError as error:
            _log.warning("The game %s stopped: %s", game, error)
            raise
        finally:
            table.run = None
            await self._on_change(game)


def _told(task: asyncio.Task[Standing]) -> None:
    """Take the run's error, which has been told, for whoever waits for the run no longer; tell of a defect."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, EntenteError):
        _log.error("%s failed", task.get_name(), exc_info=error)


def _checked(seat: PendingSeat | None, power: Power, question: str) -> PendingSeat:
    """The seat's question, if this is its id, or was before it was opened; raises NotWaiting."""
    if seat is not None and question in (seat.interrupt, seat.name):
        return seat
    raise NotWaiting(
        f"{power}'s answer came when that question was no longer open (answered before, or the game went on, or its "
        "time was over); nothing of it was taken."
    )
