"""The player that orders at random among what is legal: the floor of every comparison."""

import random
from collections.abc import Sequence

from entente.board.engine import Board
from entente.board.types import Build, Disband, Order, PhaseKind, Power, Retreat, Unit, Waive
from entente.players.bundle import Bundle
from entente.players.protocol import Reply
from entente.players.scripted.dumbbot import submit


class RandomPlayer:
    """Gives each unit one of its legal orders, all equally likely, and builds at random."""

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        """Orders when they are wanted, otherwise nothing."""
        if not bundle.wants_orders:
            return Reply()
        return Reply(submit(_orders(bundle.board, bundle.power, random.Random(bundle.seed))))


def _orders(board: Board, power: Power, rng: random.Random) -> list[Order]:
    if board.phase.kind is PhaseKind.ADJUSTMENTS:
        return _adjustments(board, power, rng)
    orders = [rng.choice(options) for options in board.legal_orders[power].values()]
    return _without_collisions(orders)


def _without_collisions(orders: Sequence[Order]) -> list[Order]:
    """Two retreats to one province would destroy both units; the later one disbands."""
    taken: set[str] = set()
    kept: list[Order] = []
    for order in orders:
        if isinstance(order, Retreat):
            kept.append(Disband(order.unit) if order.to[:3] in taken else order)
            taken.add(order.to[:3])
        else:
            kept.append(order)
    return kept


def _adjustments(board: Board, power: Power, rng: random.Random) -> list[Order]:
    count = board.builds[power]
    if count < 0:
        return [Disband(unit) for unit in rng.sample(board.position.units[power], -count)]
    legal = [order for options in board.legal_orders[power].values() for order in options]
    sites: dict[str, list[Unit]] = {}
    for order in legal:
        if isinstance(order, Build):
            sites.setdefault(order.unit.province, []).append(order.unit)
    chosen = rng.sample(list(sites), min(count, len(sites)))
    builds: list[Order] = [Build(rng.choice(sites[province])) for province in chosen]
    return builds + [Waive()] * (count - len(builds))
