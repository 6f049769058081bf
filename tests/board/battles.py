"""Random movement phases that are hard to judge: many units close together, whose orders meet.

Units crowd around one province. Armies go for a few goals, by sea where they can; fleets carry them; most supports
fit what was ordered, many of them for and against the fleets that convoy.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from entente.board.engine import Board, load_geography
from entente.board.geography import Geography, Terrain
from entente.board.types import (
    Convoy,
    Move,
    Order,
    Phase,
    Position,
    Power,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    unit_of,
)


class Battle(NamedTuple):
    """A movement phase with its orders."""

    board: Board
    orders: Mapping[Power, Sequence[Order]]

    def __str__(self) -> str:
        return "; ".join(
            f"{power}: {', '.join(map(str, orders))}" for power, orders in self.orders.items() if orders
        )


def battles(map_name: str, seed: int, count: int) -> Iterator[Battle]:
    """So many phases, the same for the same seed."""
    rng = random.Random(f"{map_name} {seed}")
    geography = load_geography(map_name)
    for _ in range(count):
        board = Board(_position(geography, rng))
        yield Battle(board, _orders(board, rng))


def _position(geography: Geography, rng: random.Random) -> Position:
    near = _neighbourhood(geography, rng, rng.randint(8, 26))
    powers = rng.sample(geography.powers, min(len(geography.powers), rng.randint(2, 3)))
    units: dict[Power, list[Unit]] = {power: [] for power in geography.powers}
    crowd = rng.uniform(0.8, 1)
    for province in near:
        if rng.random() < crowd:
            units[rng.choice(powers)].append(_unit(geography, province, rng))
    nothing = dict.fromkeys(geography.powers, ())
    return Position(
        map_name=geography.map_name,
        phase=Phase.parse("S1905M"),
        units={power: tuple(some) for power, some in units.items()},
        dislodged={power: {} for power in geography.powers},
        centers=nothing,
        influence=nothing,
    )


def _neighbourhood(geography: Geography, rng: random.Random, size: int) -> list[Province]:
    seas = [province for province, terrain in geography.terrain.items() if terrain is Terrain.SEA]
    near = [rng.choice(seas or [*geography.terrain])]
    while len(near) < size:
        borders = [
            goal[:3] for (_, place), goals in geography.borders.items() if place[:3] in near for goal in goals
        ]
        outside = [province for province in borders if province not in near]
        if not outside:
            break
        near.append(rng.choice(outside))
    return near


def _unit(geography: Geography, province: Province, rng: random.Random) -> Unit:
    terrain = geography.terrain[province]
    if terrain is Terrain.SEA or (terrain is Terrain.COAST and rng.random() < 0.6):
        return Unit(UnitKind.FLEET, rng.choice(geography.coasts.get(province, (province,))))
    return Unit(UnitKind.ARMY, province)


def _orders(board: Board, rng: random.Random) -> dict[Power, list[Order]]:
    chosen = _Draft(board, rng).draw()
    return {
        power: [_reworded(chosen[unit], rng) for unit in own if unit in chosen]
        for power, own in board.position.units.items()
    }


class _Draft:
    """Orders in the making: each looks at those that were drawn before it."""

    def __init__(self, board: Board, rng: random.Random) -> None:
        self.board, self.rng = board, rng
        self.orders: dict[Unit, Order] = {}
        self.legal = {
            unit_of(orders[0]): [order for order in orders if not _leads_home(order)]
            for places in board.legal_orders.values()
            for orders in places.values()
        }
        units = [unit for unit in self.legal if unit]
        self.units = rng.sample(units, len(units))
        self.carriers = {unit for unit in self.units if self.can(unit, _is_convoy) and rng.random() < 0.8}
        self.passengers = {unit for unit in self.units if self.can(unit, _is_by_sea) and rng.random() < 0.6}
        share = rng.random()
        self.hot = {
            unit.province for unit in self.units if rng.random() < (share if unit in self.carriers else 0.05)
        }

    def draw(self) -> dict[Unit, Order]:
        """Who sails goes to where others already fight, or is fought over; then who carries, and the rest."""
        fight = [self.draw_moves, self.draw_supports]
        stages = [*fight, self.draw_sailings] if self.rng.random() < 0.5 else [self.draw_sailings, *fight]
        for stage in (*stages, self.draw_convoys, self.draw_supports, self.draw_anything):
            stage()
        return self.orders

    def draw_moves(self) -> None:
        owner = self.board.position.owner
        holder = self.board.position.occupant
        self.draw_some(
            lambda order: (
                isinstance(order, Move)
                and not order.via_convoy
                and ((at_goal := holder(order.to[:3])) is None or owner(at_goal) != owner(order.unit))
            ),
            self.carriers | self.passengers,
        )

    def draw_sailings(self) -> None:
        self.draw_some(_is_by_sea, self.carriers)

    def draw_convoys(self) -> None:
        goals = {(order.unit, order.to) for order in self.orders.values() if isinstance(order, Move)}
        for unit in self.undecided():
            self.prefer(unit, lambda order: isinstance(order, Convoy) and (order.army, order.to) in goals)

    def draw_supports(self) -> None:
        goals = {(o.unit, o.to[:3]) for o in self.orders.values() if isinstance(o, Move)}
        moving = {unit for unit, _ in goals}
        busy = self.carriers | self.passengers
        self.draw_some(lambda o: isinstance(o, SupportMove) and (o.supported, o.to) in goals, busy)
        self.draw_some(lambda o: isinstance(o, SupportHold) and o.supported not in moving, busy)

    def draw_anything(self) -> None:
        for unit in self.undecided():
            if self.rng.random() < 0.7:
                self.orders[unit] = self.rng.choice(self.legal[unit])

    def draw_some(self, is_wanted: Callable[[Order], bool], without: set[Unit]) -> None:
        share = self.rng.uniform(0.3, 0.9)
        for unit in self.undecided():
            if unit not in without and self.rng.random() < share:
                self.prefer(unit, is_wanted)

    def undecided(self) -> list[Unit]:
        return [unit for unit in self.units if unit not in self.orders]

    def can(self, unit: Unit, is_wanted: Callable[[Order], bool]) -> bool:
        return any(is_wanted(order) for order in self.legal[unit])

    def prefer(self, unit: Unit, is_wanted: Callable[[Order], bool]) -> None:
        """Draw a wanted order, if there is any, and rather where it is hot: there it then is, too."""
        wanted = [order for order in self.legal[unit] if is_wanted(order)]
        hot = [order for order in wanted if _place(order) in self.hot]
        if wanted:
            self.orders[unit] = self.rng.choice(hot if hot and self.rng.random() < 0.8 else wanted)
            if self.orders[unit] in hot:
                self.hot.add(unit.province)


def _leads_home(order: Order) -> bool:
    """True for a fleet that convoys to where it stands itself, which the engine allows in a port of ancmed."""
    return isinstance(order, Convoy) and order.to == order.unit.province


def _is_convoy(order: Order) -> bool:
    return isinstance(order, Convoy)


def _is_by_sea(order: Order) -> bool:
    return isinstance(order, Move) and order.via_convoy


def _place(order: Order) -> Province | None:
    """Where an order has its effect."""
    match order:
        case Move(_, to) | SupportMove(_, _, to):
            return to[:3]
        case SupportHold(_, supported):
            return supported.province
        case _:
            return None


def _reworded(order: Order, rng: random.Random) -> Order:
    """Now and then without VIA: it then sails where it must, or where a fleet of its own power carries it."""
    return Move(order.unit, order.to) if isinstance(order, Move) and rng.random() < 0.25 else order
