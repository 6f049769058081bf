"""Why a line's order is not legal, in one sentence for a person or a model.

Each function is asked only after the order was found illegal, and names the first cause that applies.
"""

from entente.board.geography import Terrain
from entente.board.notation import Mention
from entente.board.orderbook import OrderBook
from entente.board.types import PhaseKind, Province, Unit, UnitKind


def why_not_mine(book: OrderBook, mention: Mention) -> str:
    """No unit there takes orders from the power."""
    at = mention.province
    owner, unit = book.standing.get(at, (None, None))
    if book.phase.kind is PhaseKind.RETREATS:
        if owner == book.power:
            return f"{unit} is not dislodged and takes no orders in {book.phase}."
        return f"{book.power} has no dislodged unit in {at}."
    if owner is None:
        return f"{book.power} has no unit in {at} ({book.name(at)}): nobody stands there."
    return f"{book.power} has no unit in {at} ({book.name(at)}): {unit} is {owner}'s."


def why_no_move(book: OrderBook, unit: Unit, to: Province) -> str:
    """The unit cannot go there, neither alone nor by convoy."""
    if unit.province == to:
        return f"{unit} stands in {to} already: a unit moves elsewhere or holds."
    terrain = book.geography.terrain[to]
    if unit.kind is UnitKind.FLEET:
        if terrain is Terrain.INLAND:
            return f"{unit} cannot go to {to}: it is inland and no fleet can stand there."
        return f"{unit} cannot go to {to}: no fleet sails there from {unit.location} in one move."
    if terrain is Terrain.SEA:
        return f"{unit} cannot go to {to}: it is a sea and no army can stand there."
    if terrain is Terrain.COAST and book.geography.terrain[unit.province] is Terrain.COAST:
        return f"{unit} cannot go to {to}: they are not adjacent and no fleets make a convoy possible."
    return f"{unit} cannot go to {to}: they are not adjacent."


def why_no_support(book: OrderBook, unit: Unit, supported: Unit, to: Province | None) -> str:
    """The unit cannot reach the place, or the supported one cannot make that move."""
    place = to or supported.province
    if unit == supported and to is None:
        return f"{unit} cannot support itself."
    if supported.province == to:
        return f"{supported} stands in {to} already; its hold is supported by `{unit} S {supported}`."
    if unit.province == place:
        return f"{unit} cannot support a move into {place}, where it stands itself."
    if not book.geography.can_reach(unit, place):
        return f"{unit} cannot support into {place}: it could not move there itself."
    if to and not book.geography.can_reach(supported, to):
        return f"{unit} cannot support {supported} to {to}: {supported} cannot make that move."
    return f"{unit} cannot give this support to {supported}."


def why_no_convoy(book: OrderBook, unit: Unit, army: Unit, to: Province) -> str:
    """Not a fleet at sea, not an army, or not a coast that fleets could bring it to."""
    if unit.kind is not UnitKind.FLEET:
        return f"{unit} cannot convoy: only a fleet at sea can."
    if book.geography.terrain[unit.province] is not Terrain.SEA:
        return f"{unit} cannot convoy from {unit.province}: only a fleet at sea can."
    if army.kind is not UnitKind.ARMY:
        return f"{unit} cannot convoy {army}: only armies are convoyed."
    return f"{unit} cannot convoy {army} to {to}: no chain of fleets leads there through {unit.province}."


def why_no_build(book: OrderBook, mention: Mention) -> str:
    """Nothing to build, or not in this place, or not this kind."""
    at = mention.province
    if book.builds <= 0:
        return f"{book.power} has nothing to build in {book.phase}."
    if at not in book.by_province:
        return f"{book.power} cannot build in {at}: {_why_no_site(book, at)}."
    return f"{mention} cannot be built: {at} is inland and no fleet can stand there."


def _why_no_site(book: OrderBook, at: Province) -> str:
    if at not in book.geography.homes[book.power]:
        return "it is not one of its home centers"
    if at not in book.position.centers[book.power]:
        return "it does not own it now"
    if at in book.standing:
        return f"{book.standing[at][1]} stands there"
    return "no build is open there"
