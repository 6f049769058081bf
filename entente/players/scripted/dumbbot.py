"""DumbBot: plays the board well enough to beat random orders nearly always, and never says a word."""

import random
from collections.abc import Sequence

from entente.board.engine import Board
from entente.board.types import Order, PhaseKind, Power
from entente.players.actions import Action, SubmitOrders
from entente.players.bundle import Bundle
from entente.players.protocol import Reply
from entente.players.scripted.movement import plan_movement
from entente.players.scripted.values import chart_of, value_maps
from entente.players.scripted.winter import plan_adjustments, plan_retreats


def plan_orders(board: Board, power: Power, rng: random.Random) -> list[Order]:
    """DumbBot's orders for whatever phase it is; empty when the power has nothing to order."""
    position = board.position
    values = value_maps(position, power)
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            chart = chart_of(position.map_name)
            return list(plan_movement(chart, values, position.units[power], rng).values())
        case PhaseKind.RETREATS:
            return plan_retreats(values, position.dislodged[power], rng)
        case PhaseKind.ADJUSTMENTS:
            return plan_adjustments(board, power, values, rng)


def submit(orders: Sequence[Order]) -> tuple[Action, ...]:
    """The orders as an action; none when there is nothing to order."""
    return (SubmitOrders(orders=tuple(str(order) for order in orders)),) if orders else ()


class DumbBotPlayer:
    """Orders by DumbBot's value maps."""

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        """Orders when they are wanted, otherwise nothing."""
        if not bundle.wants_orders:
            return Reply()
        return Reply(submit(plan_orders(bundle.board, bundle.power, random.Random(bundle.seed))))
