"""One process that plays a game and can be killed at any moment: `python -m tests.support.driver STORE GAME TRACE`.

It says `ready` before it begins, and appends a line to TRACE for every turn that it asks a player for.
People's seats are answered by a fixed script, as somebody at a terminal would.
"""

import asyncio
import os
import sys

from pydantic import JsonValue

from checkpoints.store import open_store
from entente.players.bundle import Bundle
from entente.players.protocol import Player, Reply
from entente.players.roster import make_player
from graph.master import GameMaster, PendingSeat


class Traced:
    """The roster's player, with a line in the trace before each turn."""

    def __init__(self, player: Player, trace: int) -> None:
        self._player = player
        self._trace = trace

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        key = f"{bundle.board.phase} {bundle.round} {bundle.power} {int(bool(bundle.rejected))}\n"
        os.write(self._trace, key.encode())
        return await self._player.take_turn(bundle)


def scripted_answer(seat: PendingSeat) -> JsonValue:
    """What the people of the tests say: a greeting to the first power they think of, and no orders."""
    if seat.ask == "talk":
        other = "GERMANY" if seat.power != "GERMANY" else "FRANCE"
        return {"messages": [{"to": other, "text": f"{seat.power} greets you in {seat.phase}"}]}
    return {"orders": []}


async def drive(location: str, game: str, trace_path: str) -> None:
    """Play the game to its end."""
    trace = os.open(trace_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    async with open_store(location) as store:
        master = GameMaster(store, lambda chair: Traced(make_player(chair.player), trace))
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        standing = await master.run(game)
        while standing.pending:
            answers = {seat: scripted_answer(seat) for seat in standing.pending}
            standing = await master.answer(game, answers)


if __name__ == "__main__":
    asyncio.run(drive(*sys.argv[1:4]))
