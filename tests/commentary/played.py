"""Games of random orders, as the crew is told of them."""

from collections.abc import Iterator
from random import Random

from entente.board.engine import Board
from entente.board.types import Adjudication


def random_game(seed: int, last_year: int = 1904) -> Iterator[Adjudication]:
    """Its phases, each unit ordered by chance."""
    chance = Random(seed)
    board = Board.start()
    while board.phase.year <= last_year:
        orders = {
            power: [chance.choice(choices) for choices in board.legal_orders[power].values()]
            for power in board.powers
        }
        played = board.adjudicate(orders)
        yield played
        board = Board(played.after)
