"""Games in which a scripted model talks as much as real ones do."""

import re
from random import Random

from entente.board.engine import Board
from entente.board.types import Order, PhaseKind
from entente.models.wire import ModelReply, ModelRequest
from entente.players.model.player import ModelPlayer
from entente.players.model.seat import Seat
from entente.players.protocol import Player
from entente.players.scripted.dumbbot import DumbBotPlayer
from tests.players.model.words import DONE, ORDERED, FakeModel, Seated, calls, order, remember, send
from tests.support.table import Game, new_game, play

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


def power_of(request: ModelRequest) -> str:
    """Whose seat is asked."""
    found = re.search(r"\nYou are (\w+)\.\n", request.messages[0].content)
    assert found
    return found[1]


def chatty(request: ModelRequest) -> ModelReply:
    """Two private messages, one memory and a finish; then no orders but those to hold."""
    power = power_of(request)
    if request.purpose == "orders":
        return calls(remember("plan", f"{power} holds this year and looks at what its neighbors do"), ORDERED)
    at = POWERS.index(power)
    mine = f"{power}, call {len(request.messages)}"
    return calls(
        send(POWERS[at - 1], f"{mine}: shall we leave the land between us empty this spring, and say so?"),
        send(POWERS[(at + 1) % 7], f"{mine}: I could support you in the fall if you tell me where you go."),
        remember("relations", {other: "neutral" for other in POWERS if other != power}),
        DONE,
    )


def seated(seat: Seat | None = None) -> tuple[FakeModel, Seated]:
    model = FakeModel(chatty)
    return model, Seated(ModelPlayer(model, seat or Seat()))


async def late_game(years: int) -> Game:
    """A game of dumb bots after so many years, with crowded borders."""
    board = Board.start()
    bots: dict[str, Player] = {power: DumbBotPlayer() for power in board.powers}
    return await play(new_game(), bots, years=years)


def random_boards(seed: int, phases: int, map_name: str = "standard") -> list[Board]:
    """The positions of a game in which every unit gets a random one of its legal orders."""
    random, boards = Random(seed), [Board.start(map_name)]
    while len(boards) < phases:
        board = boards[-1]
        orders = {power: _any_orders(board, power, random) for power in board.to_order}
        boards.append(Board(board.adjudicate(orders).after))
    return boards


def _any_orders(board: Board, power: str, random: Random) -> list[Order]:
    choices = [random.choice(options) for options in board.legal_orders[power].values() if options]
    count = board.builds[power] if board.phase.kind is PhaseKind.ADJUSTMENTS else len(choices)
    return random.sample(choices, min(abs(count), len(choices)))


__all__ = ["POWERS", "chatty", "late_game", "order", "power_of", "random_boards", "seated"]
