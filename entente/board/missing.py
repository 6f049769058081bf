"""What a power has left without an order, in words: nothing is defaulted silently."""

from collections.abc import Iterable

from entente.board.engine import Board
from entente.board.types import Build, Order, PhaseKind, Power, Waive


def unordered(board: Board, power: Power, orders: Iterable[Order]) -> tuple[str, ...]:
    """What civil disorder decides for the power, a clause each: `A PAR holds`; empty when all is ordered."""
    given = tuple(orders)
    ordered = {str(order.unit) for order in given if not isinstance(order, Waive)}
    at = board.position
    if board.phase.kind is PhaseKind.MOVEMENT:
        return tuple(f"{unit} holds" for unit in at.units[power] if str(unit) not in ordered)
    if board.phase.kind is PhaseKind.RETREATS:
        return tuple(f"{unit} disbands" for unit in at.dislodged[power] if str(unit) not in ordered)
    return _adjustments(board.builds[power], given)


def _adjustments(wanted: int, given: tuple[Order, ...]) -> tuple[str, ...]:
    if wanted >= 0:
        left = wanted - sum(isinstance(order, Build | Waive) for order in given)
        return ("a build is waived",) * left
    return ("the unit farthest from home disbands",) * (-wanted - len(given))
