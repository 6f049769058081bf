"""One process that plays a game and can be killed at any moment: `python -m tests.support.driver STORE GAME TRACE`.

It says `ready` before it begins, and appends a line to TRACE for every turn that it asks a scripted player for,
and for every call that it makes of a language model. People's seats are answered by a fixed script, as somebody at a
terminal would.
"""

import asyncio
import os
import sys
from dataclasses import replace

from pydantic import JsonValue

from checkpoints.store import open_store
from entente.models.client import Connections
from entente.models.wire import Model, ModelReply, ModelRequest
from entente.players.bundle import Bundle
from entente.players.model.player import ModelPlayer
from entente.players.protocol import Player, Reply
from entente.players.seating import Chair, Seating
from graph.context import GameSettings, resolve
from graph.master import GameMaster, PendingSeat
from tests.support.provider import digest_of


class TracedModel:
    """A power's model, with a line in the trace before each call."""

    def __init__(self, model: Model, power: str, trace: int) -> None:
        self._model = model
        self._power = power
        self._trace = trace

    async def complete(self, request: ModelRequest, /) -> ModelReply:
        digest = digest_of((message.role, message.content) for message in request.messages)
        os.write(self._trace, f"{self._power} {request.purpose} {digest}\n".encode())
        return await self._model.complete(request)


class Traced:
    """A scripted player, with a line in the trace before each turn."""

    def __init__(self, player: Player, trace: int) -> None:
        self._player = player
        self._trace = trace

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        key = f"{bundle.board.phase} {bundle.round} {bundle.power} {int(bool(bundle.rejected))}\n"
        os.write(self._trace, key.encode())
        return await self._player.take_turn(bundle)


class TracedSeating:
    """Seats players whose turns or calls are traced."""

    def __init__(self, seating: Seating, trace: int) -> None:
        self._seating = seating
        self._trace = trace

    def __call__(self, chair: Chair) -> Player:
        player = self._seating(chair)
        if isinstance(player, ModelPlayer):
            return replace(player, model=TracedModel(player.model, chair.power, self._trace))
        return Traced(player, self._trace)


def scripted_answer(seat: PendingSeat) -> JsonValue:
    """What the people of the tests say: a greeting to the first power they think of, and no orders."""
    if seat.ask == "talk":
        other = "GERMANY" if seat.power != "GERMANY" else "FRANCE"
        return {"messages": [{"to": other, "text": f"{seat.power} greets you in {seat.phase}"}]}
    return {"orders": []}


async def drive(location: str, game: str, trace_path: str) -> None:
    """Play the game to its end."""
    trace = os.open(trace_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    async with open_store(location) as store, Connections() as connections:
        seating = TracedSeating(Seating(connections, {}), trace)
        # Seated once before, since a model's client takes most of a second to load.
        resolve(GameSettings.model_validate((await store.library.summary(game)).settings), seating)
        master = GameMaster(store, seating)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        standing = await master.run(game)
        while standing.pending:
            answers = {seat: scripted_answer(seat) for seat in standing.pending}
            standing = await master.answer(game, answers)


if __name__ == "__main__":
    asyncio.run(drive(*sys.argv[1:4]))
