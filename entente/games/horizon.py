"""Up to where a reader is told of a game by now, from where the game stands."""

from typing import NamedTuple

from checkpoints.library import GameSummary
from checkpoints.store import Store
from entente.floors.floor import floor_of
from entente.games.standing import RunEnd, Standing, standing_of
from entente.players.projection import Horizon, horizon_at
from entente.press.mailbox import Delayed, Reader
from graph.context import GameSettings


class Seen(NamedTuple):
    """How a game stood when it was looked at; one look does for all its readers."""

    summary: GameSummary
    """Read first: of a game that is over by then, all stands that it ever commits."""
    settings: GameSettings
    newest: int
    """The store's latest number before the state was read."""
    standing: Standing


async def see(store: Store, game: str) -> Seen:
    """The game by now; raises UnknownGame, DamagedRow, StoreUnavailable."""
    summary = await store.library.summary(game)
    settings = GameSettings.model_validate(summary.settings)
    newest = await store.journal.newest()
    return Seen(summary, settings, newest, await standing_of(store, game))


async def horizon_of(store: Store, game: str, reader: Reader) -> Horizon:
    """What the reader may know of by now; it holds for what stood when it was asked for, and hides all that came since.

    Raises UnknownGame, StoreUnavailable.
    """
    return Horizon() if reader == "OPERATOR" else await horizon_in(store, await see(store, game), reader)


async def horizon_in(store: Store, seen: Seen, reader: Reader) -> Horizon:
    """As `horizon_of`, of a game as it was seen; what was committed after `seen.newest` is for another look."""
    floor, standing = floor_of(seen.settings), seen.standing
    is_told_at_once = floor.reads_at_once and not isinstance(reader, Delayed)
    if reader == "OPERATOR" or is_told_at_once or seen.summary.status == RunEnd.FINISHED:
        return Horizon()
    if not standing.has_begun:
        return Horizon(seen.newest)
    if isinstance(reader, Delayed):
        return horizon_at(await _first_of_latest(store, standing, reader.phases), 0, seen.newest)
    state = standing.state
    if standing.asks_people and state["waiting"]:  # about the round that programs have played already
        return horizon_at(state["phase"], state["round"], seen.newest)
    if floor.is_open(state):
        return horizon_at(state["phase"], state["round"] + 1, seen.newest)
    return Horizon(seen.newest)


async def _first_of_latest(store: Store, standing: Standing, count: int) -> str:
    """The first of so many phases, of which the last is in play; the game's first where there are fewer."""
    phase, head = standing.state["phase"], standing.state["history"]
    for _ in range(count - 1):
        if head is None or (record := await store.journal.phase(standing.game, head)) is None:
            break
        phase, head = record.phase, record.parent
    return phase
