"""Up to where a reader is told of a game by now, from where the game stands."""

from typing import NamedTuple

from checkpoints.pages import Page
from checkpoints.store import Store
from checkpoints.summaries import GameSummary, settings_of
from entente.floors.floor import floor_of
from entente.games.standing import RunEnd, Standing, standing_after
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
    page: Page
    """What was committed after the number that was asked for; some of it may be later than `newest`."""
    standing: Standing

    @property
    def is_over(self) -> bool:
        """True when nothing more will be committed; the state may not say so yet."""
        return self.summary.status == RunEnd.FINISHED


async def see(store: Store, game: str, after: int | None = None) -> Seen:
    """The game by now, with what was committed after this number; raises UnknownGame, DamagedRow, StoreUnavailable."""
    look = await store.library.look(game, after)
    settings = settings_of(look.summary)
    return Seen(
        look.summary, settings, look.newest, look.page, await standing_after(store, game, look.segment)
    )


async def horizon_of(store: Store, game: str, reader: Reader) -> Horizon:
    """What the reader may know of by now; it holds for what stood when it was asked for, and hides all that came since.

    Raises UnknownGame, StoreUnavailable.
    """
    return Horizon() if reader == "OPERATOR" else await horizon_in(store, await see(store, game), reader)


async def horizon_in(store: Store, seen: Seen, reader: Reader) -> Horizon:
    """As `horizon_of`, of a game as it was seen; what was committed after `seen.newest` is for another look."""
    floor, standing = floor_of(seen.settings), seen.standing
    is_told_at_once = floor.reads_at_once and not isinstance(reader, Delayed)
    if reader == "OPERATOR" or is_told_at_once or seen.is_over:
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
