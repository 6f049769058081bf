"""Positions of random games on several maps, the same in every run."""

import random
from functools import cache

from entente.board.engine import Board
from entente.board.types import Move, Order, Power

_GAMES = (
    ("standard", 24),
    ("standard", 24),
    ("modern", 10),
    ("ancmed", 8),
    ("standard_fleet_rome", 8),
    ("pure", 5),
)


@cache
def random_boards() -> tuple[Board, ...]:
    """Every phase of a few random games in which somebody has something to order."""
    return tuple(board for seed, game in enumerate(_GAMES) for board in _play(*game, random.Random(seed)))


@cache
def everything_legal() -> tuple[tuple[Board, Power, Order], ...]:
    """Every legal order of every power in all of these positions."""
    return tuple(
        (board, power, order)
        for board in random_boards()
        for power in board.powers
        for order in dict.fromkeys(o for some in board.legal_orders[power].values() for o in some)
    )


def random_orders(board: Board, power: Power, rng: random.Random) -> list[Order]:
    """One legal order for each unit or home, moves preferred so that games go somewhere; never too many builds."""
    chosen: list[Order] = []
    for orders in board.legal_orders[power].values():
        moves = [order for order in orders if isinstance(order, Move)]
        chosen.append(rng.choice(moves if moves and rng.random() < 0.7 else orders))
    limit = abs(board.builds[power])
    return rng.sample(chosen, min(limit, len(chosen))) if limit else chosen


def _play(map_name: str, phases: int, rng: random.Random) -> list[Board]:
    boards = [Board.start(map_name)]
    for _ in range(phases):
        board = boards[-1]
        orders = {power: random_orders(board, power, rng) for power in board.powers}
        boards.append(Board(board.adjudicate(orders).after))
    return [board for board in boards if any(board.legal_orders.values())]
