"""DumbBot's retreats, builds and removals."""

import random
from collections.abc import Mapping, Sequence

from entente.board.engine import Board
from entente.board.types import Build, Disband, Location, Order, Power, Province, Retreat, Unit, Waive
from entente.players.scripted.values import Values
from entente.players.scripted.walk import walk


def plan_retreats(
    values: Values,
    dislodged: Mapping[Unit, Sequence[Location]],
    rng: random.Random | None,
    *,
    closed: frozenset[Province] = frozenset(),
) -> list[Order]:
    """A retreat for each dislodged unit, no two to one province; those without a place disband.

    `closed` provinces are taken only where nothing else is left.
    """
    taken: set[Province] = set()
    orders: list[Order] = []
    for unit, places in dislodged.items():
        free = [place for place in places if place[:3] not in taken]
        open_places = [place for place in free if place[:3] not in closed] or free
        if not open_places:
            orders.append(Disband(unit))
            continue
        goal = _pick([Unit(unit.kind, place) for place in open_places], values, rng)
        taken.add(goal.province)
        orders.append(Retreat(unit, goal.location))
    return orders


def plan_adjustments(board: Board, power: Power, values: Values, rng: random.Random | None) -> list[Order]:
    """The power's builds, waives or removals, as many as it owes."""
    count = board.builds[power]
    if count < 0:
        return _removals(board.position.units[power], -count, values, rng)
    return _builds(board, power, count, values, rng)


def _builds(board: Board, power: Power, count: int, values: Values, rng: random.Random | None) -> list[Order]:
    """Each coast and kind of unit is a choice of its own: this decides between army and fleet."""
    legal = [order for orders in board.legal_orders[power].values() for order in orders]
    sites = [order.unit for order in legal if isinstance(order, Build)]
    orders: list[Order] = []
    while sites and len(orders) < count:
        unit = _pick(sites, values, rng)
        orders.append(Build(unit))
        sites = [site for site in sites if site.province != unit.province]
    return orders + [Waive()] * (count - len(orders))


def _removals(units: Sequence[Unit], count: int, values: Values, rng: random.Random | None) -> list[Order]:
    left = sorted(units, key=lambda unit: (values.of(unit), str(unit)))
    return [Disband(left.pop(walk([values.of(u) for u in left], rng))) for _ in range(count)]


def _pick(nodes: Sequence[Unit], values: Values, rng: random.Random | None) -> Unit:
    ranked = sorted(nodes, key=lambda node: (-values.of(node), str(node)))
    return ranked[walk([values.of(node) for node in ranked], rng)]
