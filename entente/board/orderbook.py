"""What one power may order in one position, laid out for looking up.

Built once for a board and a power and kept as long as the board lives.
"""

from collections.abc import Iterable
from functools import cached_property
from weakref import WeakKeyDictionary

from entente.board.engine import Board
from entente.board.lexicon import Vocabulary
from entente.board.naming import gazetteer
from entente.board.types import (
    Convoy,
    Move,
    Order,
    PhaseKind,
    Power,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
    parse_order,
)
from entente.errors import OrderSyntaxError


class OrderBook:
    """The lookup tables of one power; it holds nothing that keeps the board alive."""

    def __init__(self, board: Board, power: Power) -> None:
        at = board.position
        self.power = power
        self.phase = at.phase
        self.position = at
        self.geography = board.geography
        self.situation = board.situation(power)
        self.builds = board.builds[power]
        dislodged = at.phase.kind is PhaseKind.RETREATS
        mine: Iterable[Unit] = at.dislodged[power] if dislodged else at.units[power]
        self.mine = {unit.province: unit for unit in mine}
        """The power's units that can be ordered in such a phase, by province."""
        self.vocabulary = Vocabulary(gazetteer(at.map_name), board.powers)
        self.by_province: dict[Province, tuple[Order, ...]] = {}
        for location, orders in board.legal_orders[power].items():
            self.by_province[location[:3]] = self.by_province.get(location[:3], ()) + orders

    @cached_property
    def legal(self) -> frozenset[Order]:
        """Every legal order of the power."""
        return frozenset(order for orders in self.by_province.values() for order in orders)

    def canonical(self, text: str) -> Order | None:
        """The legal order whose canonical text this is; None for any other text."""
        try:
            order = parse_order(text)
        except OrderSyntaxError:
            return None
        # By province: to hash all legal orders, or to spell them, takes longer than to read all that are given.
        legal = self.legal if isinstance(order, Waive) else self.by_province.get(order.unit.province, ())
        return order if order in legal and str(order) == text else None

    @cached_property
    def moves(self) -> dict[tuple[Province, Province], list[Move]]:
        """Legal moves by where they begin and end: several for several coasts, and by land and by sea."""
        moves: dict[tuple[Province, Province], list[Move]] = {}
        for orders in self.by_province.values():
            for order in orders:
                if isinstance(order, Move):
                    moves.setdefault((order.unit.province, order.to[:3]), []).append(order)
        return moves


_BOOKS: WeakKeyDictionary[Board, dict[Power, OrderBook]] = WeakKeyDictionary()


def order_book(board: Board, power: Power) -> OrderBook:
    """The power's tables, built at the first call for the board."""
    books = _BOOKS.setdefault(board, {})
    if power not in books:
        books[power] = OrderBook(board, power)
    return books[power]


def mentioned(order: Order) -> tuple[Province, ...]:
    """The provinces in an order's text, in its order."""
    if isinstance(order, Waive):
        return ()
    places = [order.unit.province]
    if isinstance(order, SupportHold | SupportMove):
        places.append(order.supported.province)
    if isinstance(order, Convoy):
        places.append(order.army.province)
    goal = getattr(order, "to", None)
    return (*places, goal[:3]) if goal else tuple(places)
