"""Which programs a game waits for, and since when; read from the store, whichever process plays it."""

from collections.abc import Sequence
from typing import NamedTuple

from checkpoints.store import Store
from entente.board.types import Power
from entente.floors.asked import Asked, asked_for_orders
from entente.floors.floor import floor_in
from entente.floors.reaches import seat_settings
from entente.games.runner import RunEnd, standing_of
from entente.players.record import diaries_beside
from entente.players.seating import SeatKind, kind_of
from graph.context import GameSettings
from graph.state import GameState, board_of, is_between_phases, settings_of


class Waited(NamedTuple):
    """A seat that is being asked."""

    power: Power
    player: str
    """Who is seated there."""
    since: float
    """In seconds since 1970, UTC."""


async def waited_for(store: Store, game: str) -> list[Waited]:
    """The seats of programs that are asked at this moment, in the map's order; none while nobody plays the game.

    It can be a moment behind. People who are waited for are in `Standing.pending`. Raises UnknownGame, DamagedRow.
    """
    holder = (await store.library.glance(game)).held_by
    if holder is None:
        return []
    standing = await standing_of(store, game)
    if not standing.has_begun or standing.end is RunEnd.FINISHED or standing.asks_people:
        return []
    state, journal = standing.state, store.journal
    if is_between_phases(state):
        return []
    earlier = await journal.turns(game, state.get("segments", []))
    kept = await journal.turns(game, standing.tasks)
    floor = floor_in(state)
    talking = floor.is_open(state)
    asked = floor.asked(state, [*earlier, *kept]) if talking else asked_for_orders(state, kept)
    asked = {**await _folding(store, game, state, standing.tasks), **asked}
    head = await journal.phase(game, state.get("history") or "")
    times = [*(turn.at for turn in earlier), head and head.at, holder.since.timestamp()]
    begun = max(at for at in times if at is not None)
    settings = settings_of(state)
    return [
        Waited(power, settings.seat(power), max(asked[power] or begun, begun))
        for power in board_of(state).powers
        if power in asked
    ]


async def _folding(store: Store, game: str, state: GameState, tasks: Sequence[str]) -> Asked:
    """The powers whose models fold their diaries beside the step."""
    ids = [diaries_beside(task) for task in tasks]
    if not any(segment.id in ids for segment in await store.journal.latest_segments(game)):
        return {}
    folded = {turn.power for turn in await store.journal.turns(game, ids)}
    settings = settings_of(state)
    return {
        power: None for power in board_of(state).survivors if power not in folded and _keeps(settings, power)
    }


def _keeps(settings: GameSettings, power: Power) -> bool:
    is_model = kind_of(settings.seat(power)) is SeatKind.MODEL
    return is_model and seat_settings(settings, power).max_diary_tokens > 0
