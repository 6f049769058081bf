"""Why an order is illegal, in one set of words for everybody who is told: players, people and models.

What is legal is the engine's business (`Board.legal_orders`), which this module does not know; it only finds the
words. Each function is asked after the order was found illegal, and names the first cause that applies, as a clause
without a full stop. Behind `void: ` it stands in a result, as a sentence in the order reader's note.
"""

from collections.abc import Sequence
from typing import NamedTuple

from entente.board.convoys import is_on_chain
from entente.board.geography import Geography, Terrain
from entente.board.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    Order,
    Phase,
    PhaseKind,
    Position,
    Power,
    Province,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    Verb,
    Waive,
    verb_of,
)

_TAKES = {
    PhaseKind.MOVEMENT: "a movement phase takes holds, moves, supports and convoys",
    PhaseKind.RETREATS: "a retreat phase takes retreats and disbands",
    PhaseKind.ADJUSTMENTS: "an adjustment phase takes builds, disbands and waives",
}
_NOUNS: dict[Verb, str] = {
    "h": "a hold",
    "m": "a move",
    "s": "a support",
    "c": "a convoy",
    "r": "a retreat",
    "d": "a disband",
    "b": "a build",
    "w": "a waive",
}


class Situation(NamedTuple):
    """Who orders, and where."""

    power: Power
    position: Position
    geography: Geography


def sentence(cause: str) -> str:
    """The clause as a sentence."""
    return f"{cause[0].upper()}{cause[1:]}."


def find_cause(order: Order, situation: Situation) -> str:
    """Why the power cannot give this order here."""
    phase = situation.position.phase
    match order:
        case Hold() | Move() | SupportHold() | SupportMove() | Convoy() if phase.is_movement:
            return _movement_cause(order, situation)
        case Hold() | Retreat() | Disband() if phase.kind is PhaseKind.RETREATS:
            return _retreat_cause(order, situation)
        case Build() | Disband() | Waive() if phase.kind is PhaseKind.ADJUSTMENTS:
            return _adjustment_cause(order, situation)
        case _:
            return why_not_now(verb_of(order), phase)


def why_not_now(verb: Verb, phase: Phase) -> str:
    """The phase takes no orders of this kind."""
    return f"{_TAKES[phase.kind]}, and {_NOUNS[verb]} was ordered in {phase}"


def why_not_mine(unit: Unit, situation: Situation) -> str:
    """No such unit takes orders from the power in this phase."""
    power, position, geography = situation
    if position.phase.kind is PhaseKind.RETREATS:
        return _why_not_dislodged(unit, power, position)
    there = position.occupant(unit.province)
    place = f"{unit.province} ({geography.names.get(unit.province, unit.province)})"
    if there is None:
        return f"{power} has no unit in {place}: nobody stands there"
    owner = position.owner(there)
    if owner == power:
        return f"{power} has no {unit}: {there} stands there"
    return f"{power} has no unit in {place}: {there} is {owner}'s"


def nobody_there(province: Province, purpose: str) -> str:
    """There is no unit to support or to convoy."""
    return f"there is no unit in {province} to {purpose}"


def nothing_to_disband(situation: Situation) -> str:
    """The power has no unit too many."""
    return f"{situation.power} has no unit to disband in {situation.position.phase}"


def replaced(order: Order, winner: Order) -> str:
    """Another order came later for the unit, or for the home to build in."""
    return f"{order} was replaced by a later order: {winner}"


def ordered_twice(province: Province) -> str:
    """An order for the place stands already, and the first one counts."""
    return f"{province} was ordered twice"


def one_too_many(order: Order, due: int, situation: Situation) -> str:
    """All builds or disbands are used up."""
    return f"{order} is one too many: {allowance(due, situation)}"


def allowance(due: int, situation: Situation) -> str:
    """How many builds, or with a negative number disbands, the power has."""
    what = "build or waive" if due > 0 else "disband"
    return f"{situation.power} may {what} {abs(due)} in {situation.position.phase}"


def _why_not_dislodged(unit: Unit, power: Power, position: Position) -> str:
    mine = next((u for u in position.dislodged[power] if u.province == unit.province), None)
    if mine:
        return f"{power} has no dislodged {unit}: {mine} is dislodged there"
    there = position.occupant(unit.province)
    if there and there in position.units[power]:
        return f"{there} is not dislodged and takes no orders in {position.phase}"
    return f"{power} has no dislodged unit in {unit.province}"


def _movement_cause(order: Hold | Move | SupportHold | SupportMove | Convoy, situation: Situation) -> str:
    power, position, geography = situation
    if order.unit not in position.units[power]:
        return why_not_mine(order.unit, situation)
    match order:
        case Move():
            return _move_cause(order, geography)
        case SupportHold() | SupportMove():
            return _support_cause(order, position, geography)
        case Convoy():
            return _convoy_cause(order, position, geography)
        case Hold(unit=unit):
            return f"{unit} cannot hold"


def _move_cause(order: Move, geography: Geography) -> str:
    unit, to = order.unit, order.to
    if unit.province == to[:3]:
        return f"{unit} stands in {to} already: a unit moves elsewhere or holds"
    goals = [goal for goal in geography.neighbours(unit) if goal[:3] == to[:3]]
    if not goals:
        return f"{unit} cannot go to {to}: {_why_out_of_reach(unit, to, geography)}"
    if to not in goals:
        return _coast_cause(unit, to, goals)
    is_army = unit.kind is UnitKind.ARMY
    why = "no fleets make a convoy possible" if is_army else "only armies are convoyed"
    return f"{unit} cannot go to {to} by convoy: {why}"


def _why_out_of_reach(unit: Unit, to: Location, geography: Geography) -> str:
    terrain = geography.terrain.get(to[:3])
    if terrain is None:
        return "the map has no such place to stand in"
    if unit.kind is UnitKind.FLEET:
        if terrain is Terrain.INLAND:
            return "it is inland and no fleet can stand there"
        return f"no fleet sails there from {unit.location} in one move"
    if terrain is Terrain.SEA:
        return "it is a sea and no army can stand there"
    if terrain is Terrain.COAST and geography.terrain[unit.province] is Terrain.COAST:
        return "they are not adjacent and no fleets make a convoy possible"
    return "they are not adjacent"


def _coast_cause(unit: Unit, place: Location, choices: Sequence[Location]) -> str:
    either = " or ".join(choices)
    has_coast = len(place) > len(place[:3])
    return f"{unit} must name {either}, not {place}" if has_coast else f"{unit} must name a coast: {either}"


def _why_absent(unit: Unit, purpose: str, position: Position) -> str:
    """Empty when the unit stands there; the coast of a fleet need not be named."""
    there = position.occupant(unit.province)
    if there is None:
        return nobody_there(unit.province, purpose)
    if unit in (there, Unit(there.kind, there.province)):
        return ""
    return f"there is no {unit} to {purpose}: {there} stands there"


def _support_cause(order: SupportHold | SupportMove, position: Position, geography: Geography) -> str:
    unit, supported = order.unit, order.supported
    to = order.to if isinstance(order, SupportMove) else None
    if absent := _why_absent(supported, "support", position):
        return absent
    if supported.province == unit.province:
        return f"{unit} cannot support itself"
    if supported.province == to:
        return f"{supported} stands in {to} already; its hold is supported by `{unit} S {supported}`"
    if unit.province == to:
        return f"{unit} cannot support a move into {to}, where it stands itself"
    if not geography.can_reach(unit, to or supported.province):
        return f"{unit} cannot support into {to or supported.province}: it could not move there itself"
    goal = f" to {to}: {_why_no_such_move(unit, supported, to, geography)}" if to else ""
    return f"{unit} cannot support {supported}{goal}"


def _why_no_such_move(unit: Unit, supported: Unit, to: Province, geography: Geography) -> str:
    """The fleet that supports may be the very one that the convoy needs."""
    can_sail = geography.terrain[supported.province] is geography.terrain[to] is Terrain.COAST
    at_sea = unit.kind is UnitKind.FLEET and geography.terrain[unit.province] is Terrain.SEA
    if supported.kind is UnitKind.ARMY and can_sail and at_sea:
        return f"{supported} cannot make that move, as no other fleets make a convoy possible"
    return f"{supported} cannot make that move"


def _convoy_cause(order: Convoy, position: Position, geography: Geography) -> str:
    unit, army = order.unit, order.army
    if absent := _why_absent(army, "convoy", position):
        return absent
    if unit.kind is not UnitKind.FLEET:
        return f"{unit} cannot convoy: only a fleet at sea can"
    if geography.terrain[unit.province] is not Terrain.SEA:
        return f"{unit} cannot convoy from {unit.province}: only a fleet at sea can"
    if army.kind is not UnitKind.ARMY:
        return f"{unit} cannot convoy {army}: only armies are convoyed"
    way = (position, geography, unit.province, army.province, order.to)
    if order.to == army.province:
        why = "it stands there already"
    elif geography.terrain.get(order.to) is not Terrain.COAST:
        why = "an army is landed on a coast"
    elif is_on_chain(*way):
        why = f"there is a way with fewer fleets, and a convoy makes no detour through {unit.province}"
    else:
        why = f"no chain of fleets leads there through {unit.province}"
    return f"{unit} cannot convoy {army} to {order.to}: {why}"


def _retreat_cause(order: Hold | Retreat | Disband, situation: Situation) -> str:
    unit = order.unit
    options = situation.position.dislodged[situation.power].get(unit)
    if options is None:
        return why_not_mine(unit, situation)
    if not isinstance(order, Retreat):
        return f"{unit} is dislodged and cannot hold: it retreats or disbands"
    coasts = [place for place in options if place[:3] == order.to[:3]]
    if coasts:
        return _coast_cause(unit, order.to, coasts)
    return f"{unit} cannot retreat to {order.to}: it is not one of its open retreats ({', '.join(options)})"


def _adjustment_cause(order: Build | Disband | Waive, situation: Situation) -> str:
    power, position, _ = situation
    due = len(position.centers[power]) - len(position.units[power])
    match order:
        case Disband(unit=unit):
            return nothing_to_disband(situation) if due >= 0 else why_not_mine(unit, situation)
        case Waive():
            why = ": no center that it may build in is free" if due > 0 else ""
            return f"{power} has no build to waive in {position.phase}{why}"
        case Build(unit=unit) if due > 0:
            return _build_cause(unit, situation)
        case Build():
            return f"{power} has nothing to build in {position.phase}"


def _build_cause(unit: Unit, situation: Situation) -> str:
    at, geography = unit.province, situation.geography
    if why := _why_no_site(at, situation):
        return f"{situation.power} cannot build in {at}: {why}"
    is_fleet = unit.kind is UnitKind.FLEET
    if is_fleet and geography.terrain[at] is Terrain.INLAND:
        return f"{unit} cannot be built: {at} is inland and no fleet can stand there"
    return _coast_cause(unit, unit.location, geography.coasts.get(at, (at,)) if is_fleet else (at,))


def _why_no_site(at: Province, situation: Situation) -> str:
    """Empty when the home is open."""
    power, position, geography = situation
    if at not in geography.homes[power] and not geography.builds_anywhere:
        return "it is not one of its home centers"
    if at not in position.centers[power]:
        return "it does not own it now"
    there = position.occupant(at)
    return f"{there} stands there" if there else ""
