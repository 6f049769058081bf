"""The player that never moves: every unit holds."""

from entente.board.engine import Board
from entente.board.types import Disband, Hold, Order, PhaseKind, Power, Waive
from entente.players.bundle import Bundle
from entente.players.protocol import Reply
from entente.players.scripted.dumbbot import submit


class HoldPlayer:
    """Holds, waives its builds, and disbands only what it must."""

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        """Orders when they are wanted, otherwise nothing."""
        return Reply(submit(_orders(bundle.board, bundle.power)) if bundle.wants_orders else ())


def _orders(board: Board, power: Power) -> list[Order]:
    units, count = board.position.units[power], board.builds[power]
    match board.phase.kind:
        case PhaseKind.MOVEMENT:
            return [Hold(unit) for unit in units]
        case PhaseKind.RETREATS:
            return [Disband(unit) for unit in board.position.dislodged[power]]
        case PhaseKind.ADJUSTMENTS:
            return [Waive()] * count if count > 0 else [Disband(unit) for unit in units[:-count]]
