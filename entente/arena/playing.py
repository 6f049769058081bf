"""Playing many games at once on the running loop: one that fails is told of, and the others go on."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import NamedTuple, TypeAlias

from langgraph.runtime import RunControl

from checkpoints.store import Store
from entente.caches import forget
from entente.errors import DamagedRow, EntenteError, GameHeld, StoreUnavailable
from entente.games.planned import PlannedGame, is_over, open_planned
from entente.games.runner import GameMaster, RunEnd
from entente.players.seating import PlayerFactory

_log = logging.getLogger(__name__)

_DEFECT = 1
"""The exit code of what is no error that was foreseen."""
_SECONDS_BETWEEN_TRIES = 1
"""For a game that somebody else is playing."""


class GameEnd(NamedTuple):
    """How a game of a batch stands when it is left."""

    game: PlannedGame
    end: RunEnd
    """PAUSED also for a game that failed: the same batch, played again, goes on with it."""
    reason: str = ""
    """Why it failed, a sentence; empty when it did not."""
    exit_code: int = 0
    """Of the error with which it failed."""
    was_over: bool = False
    """True for a game that was finished before the batch came to it, so that nothing was played."""


Play: TypeAlias = Callable[[PlannedGame], Awaitable[GameEnd]]
"""Plays a game until it stops; raises what concerns all games."""


async def play_batch(
    store: Store,
    games: Iterable[PlannedGame],
    *,
    parallel: int,
    make_player: PlayerFactory | None = None,
    on_begin: Callable[[PlannedGame], None] | None = None,
    on_end: Callable[[GameEnd], Awaitable[None]] | None = None,
    control: RunControl | None = None,
) -> list[GameEnd]:
    """Play the games, so many at once and begun in their order, and return how each stands, in the order they ended.

    A game that the store has is not begun anew: one that is over is passed by, any other goes on where it stopped. One
    that somebody else is playing comes last, and is waited for: then it is over, or goes on where it was left.
    `games` is asked for the next one when there is room for it, and may be without end. `on_begin` hears of each game
    that is played; `on_end` is awaited for every game, also for one that was over, before the next is begun. A drain
    of `control` pauses all that are played and begins no more.

    A game that fails, or is damaged, does not stop the others. Raises StoreUnavailable, which concerns them all, and
    what `games` and the callbacks raise; then the games that were being played are paused.
    """
    control = control or RunControl()
    play = partial(play_one, store, GameMaster(store, make_player), control)
    return await side_by_side(store, games, play, parallel, on_begin, on_end, control)


async def side_by_side(
    store: Store,
    games: Iterable[PlannedGame],
    play: Play,
    parallel: int,
    on_begin: Callable[[PlannedGame], None] | None,
    on_end: Callable[[GameEnd], Awaitable[None]] | None,
    control: RunControl,
) -> list[GameEnd]:
    """As `play_batch`, each game that is not over played by `play`."""
    row, ends = _Row(store, games, control), list[GameEnd]()

    async def play_on() -> None:
        while (game := await row.next()) is not None:
            if (end := await _left_before(store, game)) is None:
                if on_begin is not None:
                    on_begin(game)
                end = await play(game)
            ends.append(end)
            if on_end is not None:
                await on_end(end)

    try:
        async with asyncio.TaskGroup() as tables:
            for number in range(parallel):
                tables.create_task(play_on(), name=f"table {number + 1} of a batch")
    except* Exception as errors:
        raise errors.exceptions[0] from errors  # the others were cancelled, or met the same
    return ends


async def _left_before(store: Store, game: PlannedGame) -> GameEnd | None:
    """How a game stands that cannot be played, being over or damaged; None for one that can."""
    try:
        return GameEnd(game, RunEnd.FINISHED, was_over=True) if await is_over(store, game) else None
    except DamagedRow as error:
        return failed(game, error)


def failed(game: PlannedGame, error: EntenteError) -> GameEnd:
    """How a game stands that is left for this reason."""
    return GameEnd(game, RunEnd.PAUSED, str(error), error.exit_code)


class _Row:
    """The games of a batch, one after the other until a drain; those that somebody else is playing come last."""

    def __init__(self, store: Store, games: Iterable[PlannedGame], control: RunControl) -> None:
        self._store, self._games, self._control = store, iter(games), control
        self._elsewhere = deque[PlannedGame]()

    async def next(self) -> PlannedGame | None:
        """The game that is to be played now; None when there is none any more."""
        while not self._control.drain_requested:
            if (game := next(self._games, None)) is None:
                return self._elsewhere.popleft() if self._elsewhere else None
            if game.id not in await self._store.leases.holders():
                return game
            self._elsewhere.append(game)
        return None


async def play_one(store: Store, master: GameMaster, control: RunControl, game: PlannedGame) -> GameEnd:
    """Begin the game, or go on with it, and play until it stops; raises StoreUnavailable alone.

    While somebody else plays it, or a process that has died is not known to be dead yet, that is waited for.
    """
    try:
        while not control.drain_requested:
            try:
                await open_planned(store, master, game)
                return GameEnd(game, (await master.run(game.id, control=control)).end)
            except GameHeld as error:
                _log.info("%s It is waited for.", error)
                await asyncio.sleep(_SECONDS_BETWEEN_TRIES)
    except StoreUnavailable:
        raise
    except EntenteError as error:
        return failed(game, error)
    except Exception as error:  # noqa: BLE001 - a defect in one game is no reason to stop all others
        _log.exception("The game %s was left", game.id)
        return GameEnd(game, RunEnd.PAUSED, f"{type(error).__name__}: {error}", _DEFECT)
    finally:
        forget(game.id)
    return GameEnd(game, RunEnd.PAUSED)
