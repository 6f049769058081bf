"""Random games for tests."""

import random

from entente.board.engine import Board
from entente.board.types import Order, PhaseKind, Power


def random_orders(board: Board, rng: random.Random) -> dict[Power, list[Order]]:
    """A legal order for everything that can be ordered, now and then none at all, so that defaults occur."""
    orders: dict[Power, list[Order]] = {}
    for power in board.to_order:
        choices = list(board.legal_orders[power].values())
        if board.phase.kind is PhaseKind.ADJUSTMENTS:
            choices = rng.sample(choices, min(len(choices), abs(board.builds[power])))
        orders[power] = [rng.choice(legal) for legal in choices if rng.random() > 0.05]
    return orders
