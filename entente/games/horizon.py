"""Up to where a reader is told of a game by now, from where the game stands."""

from checkpoints.store import Store
from entente.floors.floor import floor_of
from entente.games.runner import RunEnd, Standing, standing_of
from entente.players.projection import Horizon, horizon_at
from entente.press.mailbox import Delayed, Reader
from graph.context import GameSettings


async def horizon_of(store: Store, game: str, reader: Reader) -> Horizon:
    """What the reader may know of by now; it holds for what stood when it was asked for, and hides all that came since.

    Raises UnknownGame, StoreUnavailable.
    """
    if reader == "OPERATOR":
        return Horizon()
    summary = await store.library.summary(game)
    floor = floor_of(GameSettings.model_validate(summary.settings))
    is_told_at_once = floor.reads_at_once and not isinstance(reader, Delayed)
    if is_told_at_once or summary.status == RunEnd.FINISHED:
        return Horizon()
    newest = await store.journal.newest()
    standing = await standing_of(store, game)
    if not standing.has_begun:
        return Horizon(newest)
    if isinstance(reader, Delayed):
        return horizon_at(await _first_of_latest(store, standing, reader.phases), 0, newest)
    state = standing.state
    if standing.asks_people and state["waiting"]:  # about the round that programs have played already
        return horizon_at(state["phase"], state["round"], newest)
    if floor.is_open(state):
        return horizon_at(state["phase"], state["round"] + 1, newest)
    return Horizon(newest)


async def _first_of_latest(store: Store, standing: Standing, count: int) -> str:
    """The first of so many phases, of which the last is in play; the game's first where there are fewer."""
    phase, head = standing.state["phase"], standing.state["history"]
    for _ in range(count - 1):
        if head is None or (record := await store.journal.phase(standing.game, head)) is None:
            break
        phase, head = record.phase, record.parent
    return phase
