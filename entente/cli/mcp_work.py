"""The work of `mcp`: sit down, and serve the seat's tools until the agent leaves."""

from contextlib import aclosing

from entente.cli.options import existing_store, find_game, trust_hint
from entente.cli.players import open_players
from entente.games.mcp_server import mcp_server
from entente.games.runner import GameMaster
from entente.games.sitting import Sitting


async def serve_seat(location: str | None, name: str | None, power: str) -> None:
    """Serve the seat over stdin and stdout; raises what `Sitting.at` raises."""
    async with existing_store(location) as store, open_players() as players:
        game = await find_game(store, name)
        async with trust_hint(store, game):
            sitting = await Sitting.at(store, GameMaster(store, players), game, power)
        async with aclosing(sitting):
            await mcp_server(sitting).run_stdio_async()
