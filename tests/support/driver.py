"""A game that is played to its end and traced.

A line is appended to the trace for every turn that a scripted player is asked for, and for every call that is made of a
language model; on the conductor's floor also for every message that is shown to a scripted player for the first
time. People's seats are answered by a fixed script, as somebody at a terminal would.
"""

import asyncio
import os
from dataclasses import replace

from pydantic import JsonValue

from checkpoints.journal import Journal
from checkpoints.store import open_store
from entente.board.types import Power
from entente.games.runner import GameMaster, PendingSeat, Standing
from entente.models.client import Connections
from entente.models.wire import Model, ModelReply, ModelRequest
from entente.players.bundle import Bundle
from entente.players.model.player import ModelPlayer
from entente.players.program import AgentPlayer
from entente.players.protocol import Player, Reply
from entente.players.seating import Chair, Seating
from entente.press.messages import Message
from graph.state import GameState, board_of
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


class Witness:
    """Looks every message that is shown up in the journal, and notes in the trace who was shown it."""

    def __init__(self, journal: Journal, game: str, trace: int) -> None:
        self._journal = journal
        self._game = game
        self._trace = trace
        self._standing: dict[str, Message] = {}
        self._shown: set[tuple[Power, str]] = set()

    async def look(self, bundle: Bundle) -> None:
        """Note what is new in this inbox: `shown POWER ID`, or `unkept POWER ID` for what does not stand."""
        new = [message for message in bundle.inbox if (bundle.power, message.id) not in self._shown]
        self._shown |= {(bundle.power, message.id) for message in new}
        if not self._standing.keys() >= {message.id for message in new}:
            self._standing = await self._all_messages()
        for message in new:
            what = "shown" if self._standing.get(message.id) == message else "unkept"
            os.write(self._trace, f"{what} {bundle.power} {message.id}\n".encode())

    async def _all_messages(self) -> dict[str, Message]:
        segments = [segment.id for segment in await self._journal.segments(self._game)]
        turns = await self._journal.turns(self._game, segments)
        return {message.id: message for turn in turns for message in turn.messages}


class Traced:
    """A scripted player, with a line in the trace before each turn."""

    def __init__(self, player: Player, witness: Witness, trace: int) -> None:
        self._player = player
        self._witness = witness
        self._trace = trace

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        if bundle.wake:
            await self._witness.look(bundle)
        place = bundle.wake or bundle.round
        key = f"{bundle.board.phase} {place} {bundle.power} {int(bool(bundle.rejected))}\n"
        os.write(self._trace, key.encode())
        return await self._player.take_turn(bundle)


class TracedSeating:
    """Seats players whose turns or calls are traced."""

    def __init__(self, seating: Seating, witness: Witness, trace: int) -> None:
        self._seating = seating
        self._witness = witness
        self._trace = trace

    def __call__(self, chair: Chair) -> Player:
        player = self._seating(chair)
        if isinstance(player, ModelPlayer):
            return replace(player, model=TracedModel(player.model, chair.power, self._trace))
        if isinstance(player, AgentPlayer):
            return player  # it notes itself what it is asked
        return Traced(player, self._witness, self._trace)


def scripted_answers(standing: Standing) -> dict[PendingSeat, JsonValue]:
    """What the people of the tests say; on the conductor's floor they answer one after the other."""
    first, *_ = standing.pending
    if first.ask == "open":
        return {first: _open_answer(first, standing.state)}
    return {seat: _answer(seat) for seat in standing.pending}


def _answer(seat: PendingSeat) -> JsonValue:
    """A greeting to the first power they think of, and no orders."""
    if seat.ask == "talk":
        return {"messages": [_greeting(seat, "GERMANY" if seat.power != "GERMANY" else "FRANCE")]}
    return {"orders": []}


def _open_answer(seat: PendingSeat, state: GameState) -> JsonValue:
    """Two greetings and orders; to whatever comes afterwards, nothing."""
    if seat.power in state["orders"]:
        return {}
    board = board_of(state)
    others = [power for power in board.survivors if power != seat.power]
    options = board.legal_orders[seat.power].values()
    return {
        "messages": [_greeting(seat, others[0]), _greeting(seat, others[-1])],
        "orders": [str(orders[0]) for orders in options],
    }


def _greeting(seat: PendingSeat, to: Power) -> JsonValue:
    return {"to": to, "text": f"{seat.power} greets you in {seat.phase}. Shall we make peace?"}


async def drive(location: str, game: str, trace_path: str) -> None:
    """Play the game to its end."""
    trace = os.open(trace_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    async with open_store(location) as store, Connections() as connections:
        seating = TracedSeating(Seating(connections, {}), Witness(store.journal, game, trace), trace)
        master = GameMaster(store, seating)
        standing = await master.run(game)
        while standing.pending:
            standing = await master.answer(game, scripted_answers(standing))


def run(location: str, game: str, trace_path: str) -> None:
    """Play the game to its end in a process that does nothing else."""
    asyncio.run(drive(location, game, trace_path))
