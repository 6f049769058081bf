"""Why an order cannot be played here: one clause, for orders that are kept from the board.

What may be played is the engine's business (`Board.legal_orders`); this module only finds the words.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from entente.board.geography import Geography, Terrain
from entente.board.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    Order,
    PhaseKind,
    Position,
    Power,
    Province,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    Waive,
    unit_of,
)

_NOUNS = {
    PhaseKind.MOVEMENT: "a movement",
    PhaseKind.RETREATS: "a retreat",
    PhaseKind.ADJUSTMENTS: "an adjustment",
}


class Ruling(NamedTuple):
    """An order as it was given, and whether it is played."""

    order: Order
    flaw: str = ""
    """Why it is kept from the board; empty for an order that is played."""


def find_flaw(order: Order, power: Power, position: Position, geography: Geography) -> str:
    """Why the power cannot give this order here; for an order that is known to be illegal."""
    match order:
        case Hold() | Move() | SupportHold() | SupportMove() | Convoy() if position.phase.is_movement:
            return _movement_flaw(order, power, position, geography)
        case Retreat() | Disband() if position.phase.kind is PhaseKind.RETREATS:
            return _retreat_flaw(order, power, position)
        case Build() | Disband() | Waive() if position.phase.kind is PhaseKind.ADJUSTMENTS:
            return _adjustment_flaw(order, power, position)
        case _:
            return f"it is not {_NOUNS[position.phase.kind]} order"


def screen_retreats(orders: Sequence[Order], legal: set[Order], flaws: "Flaws") -> tuple[Ruling, ...]:
    """One retreat or disbandment a unit is played, the last one given."""
    last = {unit_of(order): i for i, order in enumerate(orders)}
    return tuple(
        flaws.rule(order, order in legal, is_last=last[unit_of(order)] == i) for i, order in enumerate(orders)
    )


def screen_adjustments(
    orders: Sequence[Order], legal: set[Order], count: int, flaws: "Flaws"
) -> tuple[Ruling, ...]:
    """So many builds or disbands are played as the count allows, the first ones, one a province."""
    rulings: list[Ruling] = []
    taken: set[Province] = set()
    for order in orders:
        unit = unit_of(order)
        played = sum(not ruling.flaw for ruling in rulings)
        if order not in legal:
            rulings.append(flaws.rule(order, False))
        elif played == abs(count):
            rulings.append(Ruling(order, f"only {_counted(count)} allowed"))
        elif unit and unit.province in taken:
            rulings.append(Ruling(order, f"{unit.province} was ordered twice"))
        else:
            rulings.append(Ruling(order))
            taken.update([unit.province] if unit else [])
    return tuple(rulings)


class Flaws(NamedTuple):
    """Whose orders are looked at, and where."""

    power: Power
    position: Position
    geography: Geography

    def rule(self, order: Order, is_played: bool, *, is_last: bool = True) -> Ruling:
        """The order with its flaw, when it is not played or not the last one for its unit."""
        if is_played and is_last:
            return Ruling(order)
        if not is_last:
            return Ruling(order, f"{unit_of(order)} was given another order later")
        return Ruling(order, find_flaw(order, *self))


def _counted(count: int) -> str:
    noun = "build" if count > 0 else "disband"
    return f"1 {noun} was" if abs(count) == 1 else f"{abs(count)} {noun}s were"


def _movement_flaw(order: Order, power: Power, position: Position, geography: Geography) -> str:
    unit = unit_of(order)
    if unit is None or position.owner(unit) != power:
        return _stranger(unit, power, position)
    match order:
        case Move(to=to) if to[:3] == unit.province:
            return f"{unit} stands there already"
        case Move(to=to) if _lacks_a_coast(unit, to, geography):
            return f"{unit} must name a coast: {' or '.join(geography.coasts[to])}"
        case Move(to=to, via_convoy=via):
            return f"no fleets at sea could carry {unit} to {to}" if via else f"{unit} cannot reach {to}"
        case SupportHold(supported=supported) | SupportMove(supported=supported):
            return _support_flaw(unit, supported, order, position, geography)
        case Convoy(army=army, to=to):
            return _convoy_flaw(unit, army, to, position, geography)
        case _:
            return f"{unit} cannot be ordered so"


def _lacks_a_coast(unit: Unit, to: Location, geography: Geography) -> bool:
    return unit.kind is UnitKind.FLEET and to in geography.coasts and geography.can_reach(unit, to)


def _stranger(unit: Unit | None, power: Power, position: Position) -> str:
    owner = position.owner(unit) if unit else None
    return f"{unit} belongs to {owner}" if owner else f"{power} has no {unit}"


def _support_flaw(
    unit: Unit, supported: Unit, order: SupportHold | SupportMove, position: Position, geography: Geography
) -> str:
    there = position.occupant(supported.province)
    if there is None or there.kind is not supported.kind:
        return f"there is no {supported} to support"
    if there == unit:
        return f"{unit} cannot support itself"
    target = order.to if isinstance(order, SupportMove) else supported.province
    if not geography.can_reach(unit, target):
        return f"{unit} cannot reach {target}, so it cannot support there"
    return f"{supported} cannot reach {target}"


def _convoy_flaw(fleet: Unit, army: Unit, to: Province, position: Position, geography: Geography) -> str:
    if position.occupant(army.province) != army:
        return f"there is no {army} to convoy"
    if fleet.kind is not UnitKind.FLEET or geography.terrain[fleet.province] is not Terrain.SEA:
        return f"{fleet} is no fleet at sea"
    if army.kind is not UnitKind.ARMY:
        return "only armies are convoyed"
    return f"{fleet} is on no route of fleets from {army.province} to {to}"


def _retreat_flaw(order: Retreat | Disband, power: Power, position: Position) -> str:
    options = position.dislodged[power].get(order.unit)
    if options is None:
        return f"{power} has no dislodged {order.unit}"
    goal = order.to if isinstance(order, Retreat) else ""
    return f"{order.unit} may not retreat to {goal}, only to {', '.join(options)}"


def _adjustment_flaw(order: Build | Disband | Waive, power: Power, position: Position) -> str:
    units, centers = position.units[power], position.centers[power]
    if isinstance(order, Disband):
        return (
            f"{power} has nothing to disband"
            if len(units) <= len(centers)
            else f"{power} has no {order.unit}"
        )
    if len(centers) <= len(units):
        return f"{power} has nothing to build"
    if isinstance(order, Waive):
        return f"{power} has no free home to do without"
    there = position.occupant(order.unit.province)
    return f"{there} stands there" if there else f"{power} cannot build {order.unit}"


def all_legal(legal: Mapping[str, Sequence[Order]]) -> set[Order]:
    """Every order of one power's legal ones."""
    return {order for orders in legal.values() for order in orders}
