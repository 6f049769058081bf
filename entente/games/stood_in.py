"""Who has stood in for a game's players: turns of futures that were abandoned are left out."""

from collections.abc import Mapping, Sequence

from checkpoints.lists import StandIn
from checkpoints.store import Store
from entente.board.types import Power
from entente.errors import DamagedRow, UnknownGame
from entente.games.feed import line_now


async def on_their_lines(
    store: Store, turns: Mapping[str, Sequence[StandIn]]
) -> dict[str, dict[Power, tuple[str, ...]]]:
    """By game and power, who has stood in, each once in the order of their first turns.

    Of a game whose line cannot be read nobody is told, nor of one that was deleted meanwhile.
    """
    games: dict[str, dict[Power, tuple[str, ...]]] = {}
    for game, stood_in in turns.items():
        try:
            line = await line_now(store, game)
        except (DamagedRow, UnknownGame):
            continue
        found = games.setdefault(game, {})
        for turn in stood_in:
            if line.leads(turn.segment, turn.sequence):
                found[turn.power] = tuple(dict.fromkeys((*found.get(turn.power, ()), turn.name)))
    return games
