"""Tactician: searches for its moves, and never says a word."""

import random

from entente.board.types import Order, PhaseKind
from entente.players.bundle import Bundle
from entente.players.protocol import Reply
from entente.players.scripted.dumbbot import submit
from entente.players.scripted.search import Search, settled
from entente.players.scripted.values import value_maps
from entente.players.scripted.winter import plan_adjustments, plan_retreats


class TacticianPlayer:
    """Moves as its search finds best; retreats and adjusts by DumbBot's first choices."""

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        """Orders when they are wanted, otherwise nothing."""
        return Reply(submit(await _orders(bundle)) if bundle.wants_orders else ())


async def _orders(bundle: Bundle) -> list[Order]:
    board, power = bundle.board, bundle.power
    match board.phase.kind:
        case PhaseKind.MOVEMENT:
            search = Search(board.position, power, random.Random(bundle.seed))
            best = await settled(search.improve(search.openings()[0]))
            return list(best.plan.values())
        case PhaseKind.RETREATS:
            return plan_retreats(value_maps(board.position, power), board.position.dislodged[power], None)
        case PhaseKind.ADJUSTMENTS:
            return plan_adjustments(board, power, value_maps(board.position, power), None)
