"""Which of a power's orders are played, and what keeps the others from the board.

Whether an order is legal by itself is known already; here several of them are held against each other. The words are
those of `entente.board.causes`.
"""

from collections.abc import Container, Sequence
from typing import NamedTuple

from entente.board.causes import Situation, find_cause, one_too_many, ordered_twice, replaced
from entente.board.types import Order, Province, Unit, unit_of


class Ruling(NamedTuple):
    """An order as it was given, and whether it is played."""

    order: Order
    flaw: str = ""
    """Why it is kept from the board; empty for an order that is played."""


def last_orders(orders: Sequence[Order]) -> dict[Unit | None, Order]:
    """The last order given to each unit, which is the one that counts."""
    return {unit_of(order): order for order in orders}


def screen_by_unit(
    orders: Sequence[Order], legal: Container[Order], situation: Situation
) -> tuple[Ruling, ...]:
    """One order a unit is played, the last one given; none when that one is illegal."""
    last = {unit_of(order): at for at, order in enumerate(orders)}
    winners = [last[unit_of(order)] for order in orders]
    return tuple(
        _ruling(order, legal, situation) if at == winner else Ruling(order, replaced(order, orders[winner]))
        for at, (order, winner) in enumerate(zip(orders, winners, strict=True))
    )


def screen_adjustments(
    orders: Sequence[Order], legal: Container[Order], due: int, situation: Situation
) -> tuple[Ruling, ...]:
    """So many builds or disbands are played as are due, the first ones, one a province."""
    rulings: list[Ruling] = []
    taken: set[Province] = set()
    for order in orders:
        unit = unit_of(order)
        ruling = _ruling(order, legal, situation)
        if not ruling.flaw and sum(not each.flaw for each in rulings) == abs(due):
            ruling = Ruling(order, one_too_many(order, due, situation))
        elif not ruling.flaw and unit and unit.province in taken:
            ruling = Ruling(order, ordered_twice(unit.province))
        elif not ruling.flaw and unit:
            taken.add(unit.province)
        rulings.append(ruling)
    return tuple(rulings)


def _ruling(order: Order, legal: Container[Order], situation: Situation) -> Ruling:
    return Ruling(order, "" if order in legal else find_cause(order, situation))
