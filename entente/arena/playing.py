"""Playing many games at once on the running loop: one that fails is told of, and the others go on."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple, TypeAlias

from langgraph.runtime import RunControl

from checkpoints.lease import TTL_SECONDS
from checkpoints.store import Store
from entente.caches import forget
from entente.errors import EntenteError, StoreUnavailable
from entente.games.planned import PlannedGame, is_over, open_planned
from entente.games.runner import GameMaster, RunEnd
from entente.players.seating import PlayerFactory

_log = logging.getLogger(__name__)

_DEFECT = 1
"""The exit code of what is no error that was foreseen."""


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

    A game that the store has is not begun anew: one that is over is passed by, any other goes on where it stopped.
    `games` is asked for the next one when there is room for it, and may be without end. `on_begin` hears of each game
    that is played; `on_end` is awaited for every game, also for one that was over, before the next is begun. A drain
    of `control` pauses all that are played and begins no more.

    A game that fails does not stop the others. Raises StoreUnavailable, which concerns them all, and what `games` and
    the callbacks raise; then the games that were being played are paused.
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
    waiting, ends = iter(games), list[GameEnd]()

    async def play_on() -> None:
        for game in _until_drained(waiting, control):
            if await is_over(store, game):
                end = GameEnd(game, RunEnd.FINISHED, was_over=True)
            else:
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


def _until_drained(games: Iterator[PlannedGame], control: RunControl) -> Iterator[PlannedGame]:
    while not control.drain_requested and (game := next(games, None)) is not None:
        yield game


async def play_one(store: Store, master: GameMaster, control: RunControl, game: PlannedGame) -> GameEnd:
    """Begin the game, or go on with it, and play until it stops; raises StoreUnavailable alone."""
    try:
        await open_planned(store, master, game)
        return GameEnd(game, (await master.run(game.id, control=control)).end)
    except StoreUnavailable:
        raise
    except EntenteError as error:
        return GameEnd(game, RunEnd.PAUSED, str(error), error.exit_code)
    except Exception as error:  # noqa: BLE001 - a defect in one game is no reason to stop all others
        _log.exception("The game %s was left", game.id)
        return GameEnd(game, RunEnd.PAUSED, f"{type(error).__name__}: {error}", _DEFECT)
    finally:
        forget(game.id)


async def until_free(store: Store, game: PlannedGame) -> None:
    """Wait for the lease of a worker that died to end; who lives holds it for longer than this waits."""
    for _ in range(2 * int(TTL_SECONDS)):
        if game.id not in await store.leases.holders():
            return
        await asyncio.sleep(1)
