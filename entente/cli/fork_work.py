"""The work of `fork`."""

from collections.abc import Mapping

from checkpoints.store import Store
from entente.board.types import Power
from entente.cli.players import open_players
from entente.games.forks import fork_game


async def fork_here(store: Store, game: str, at: str, seats: Mapping[Power, str]) -> str:
    """The new game's id; raises what `entente.games.forks.fork_game` raises."""
    async with open_players() as players:
        return await fork_game(store, game, at, seats, players)
