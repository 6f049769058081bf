"""A draft held against the position: the legal order that it means, and what had to be mended for it.

Raises IllegalOrderError and AmbiguousOrderError; the reader catches them and hands them out as values. Mended
are only things that leave one legal order: a wrong or missing kind of unit, a coast, a missing VIA.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from entente.board.causes import (
    find_cause,
    nobody_there,
    nothing_to_disband,
    sentence,
    why_not_mine,
    why_not_now,
)
from entente.board.geography import Terrain
from entente.board.notation import Draft, Mention
from entente.board.orderbook import OrderBook
from entente.board.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    Order,
    PhaseKind,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    Verb,
    Waive,
)
from entente.errors import AmbiguousOrderError, IllegalOrderError


class Resolved(NamedTuple):
    """A legal order, and what was mended to get it."""

    order: Order
    repairs: tuple[str, ...]


def resolve(book: OrderBook, draft: Draft) -> Resolved:
    """The legal order that the draft means."""
    handler = _HANDLERS.get((book.phase.kind, draft.verb))
    if handler is None:
        raise _illegal(why_not_now(draft.verb, book.phase))
    _refuse_stops(book, draft)
    repairs: list[str] = []
    return Resolved(handler(book, draft, repairs), tuple(repairs))


def intended(book: OrderBook, draft: Draft) -> Order:
    """The movement order just as it was written, legal or not, for one of the power's own units."""
    if book.phase.kind is not PhaseKind.MOVEMENT or draft.verb not in "hmsc":
        raise IllegalOrderError("Only an order of a movement phase can be void on purpose, and this is none.")
    repairs: list[str] = []
    unit = _own_unit(book, draft, repairs)
    if draft.verb == "h":
        return Hold(unit)
    if draft.verb == "m":
        return Move(unit, _wanted_goal(book, unit, draft), draft.via_convoy)
    other = _imagined(book, draft.other)
    goal = draft.to and draft.to[:3]
    if draft.verb == "c":
        return Convoy(unit, other, goal or "")
    return SupportMove(unit, other, goal) if goal else SupportHold(unit, other)


def _refuse_stops(book: OrderBook, draft: Draft) -> None:
    """Only an army in a convoy goes by way of other places, and those are seas."""
    traveller = draft.other or draft.unit
    for stop in draft.stops:
        fleet = traveller and traveller.kind is UnitKind.FLEET
        if fleet or book.geography.terrain[stop[:3]] is not Terrain.SEA:
            raise IllegalOrderError(f"{traveller} cannot go by way of {stop}: an order is one move.")


def _hold(book: OrderBook, draft: Draft, repairs: list[str]) -> Order:
    return Hold(_own_unit(book, draft, repairs))


def _move(book: OrderBook, draft: Draft, repairs: list[str]) -> Order:
    unit = _own_unit(book, draft, repairs)
    goal = draft.to or ""
    moves = book.moves.get((unit.province, goal[:3]), [])
    if not moves:
        raise _refusal(book, Move(unit, goal[:3], draft.via_convoy))
    by_way = [move for move in moves if move.via_convoy == draft.via_convoy]
    if not by_way:
        repairs.append(
            "VIA was left out: no fleet could convoy it and it goes by land"
            if draft.via_convoy
            else f"VIA was added: {goal[:3]} can only be reached by convoy"
        )
    choices = by_way or moves
    to = _one_coast(goal, [move.to for move in choices], repairs)
    return next(move for move in choices if move.to == to)


def _support(book: OrderBook, draft: Draft, repairs: list[str]) -> Order:
    unit = _own_unit(book, draft, repairs)
    supported = _any_unit(book, draft.other, repairs, "support")
    goal = draft.to and _without_coast(draft.to, repairs)
    order = SupportMove(unit, supported, goal) if goal else SupportHold(unit, supported)
    if order not in book.legal:
        raise _refusal(book, order)
    return order


def _convoy(book: OrderBook, draft: Draft, repairs: list[str]) -> Order:
    unit = _own_unit(book, draft, repairs)
    army = _any_unit(book, draft.other, repairs, "convoy")
    order = Convoy(unit, army, _without_coast(draft.to or "", repairs))
    if order not in book.legal:
        raise _refusal(book, order)
    return order


def _retreat(book: OrderBook, draft: Draft, repairs: list[str]) -> Order:
    unit = _own_unit(book, draft, repairs)
    goal = draft.to or ""
    goals = [to for to in book.position.dislodged[book.power][unit] if to[:3] == goal[:3]]
    goals = [to for to in goals if Retreat(unit, to) in book.legal]
    if not goals:
        raise _refusal(book, Retreat(unit, goal[:3]))
    return Retreat(unit, _one_coast(goal, goals, repairs))


def _stand_dislodged(book: OrderBook, draft: Draft, repairs: list[str]) -> Order:
    raise _refusal(book, Hold(_own_unit(book, draft, repairs)))


def _disband_dislodged(book: OrderBook, draft: Draft, repairs: list[str]) -> Order:
    return Disband(_own_unit(book, draft, repairs))


def _disband(book: OrderBook, draft: Draft, repairs: list[str]) -> Order:
    if book.builds >= 0:
        raise _illegal(nothing_to_disband(book.situation))
    return Disband(_own_unit(book, draft, repairs))


def _build(book: OrderBook, draft: Draft, repairs: list[str]) -> Order:
    mention = _mentioned(draft.unit)
    sites = [o for o in book.by_province.get(mention.province, ()) if isinstance(o, Build)]
    fitting = [build.unit for build in sites if mention.kind in (None, build.unit.kind)]
    if not fitting:
        raise _refusal(book, Build(_named(mention)))
    fitting = _by_coast_named(mention, fitting)
    if len({unit.kind for unit in fitting}) > 1:
        _refuse_open_choice(mention.place, [f"{unit} B" for unit in fitting])
    unit = fitting[0]
    if mention.kind is None:
        repairs.append(f"the kind of unit was added: {unit}")
    place = _one_coast(mention.place, [each.location for each in fitting], repairs)
    return Build(Unit(unit.kind, place))


def _waive(book: OrderBook, draft: Draft, repairs: list[str]) -> Order:
    if Waive() not in book.legal:
        raise _refusal(book, Waive())
    if draft.count > 1:
        repairs.append(f"read as {draft.count} times WAIVE")
    return Waive()


def _illegal(cause: str) -> IllegalOrderError:
    return IllegalOrderError(sentence(cause))


def _refusal(book: OrderBook, order: Order) -> IllegalOrderError:
    return _illegal(find_cause(order, book.situation))


def _named(mention: Mention) -> Unit:
    """The unit just as it is named, an army where the kind is left open."""
    return Unit(mention.kind or UnitKind.ARMY, mention.place)


def _mentioned(mention: Mention | None) -> Mention:
    if mention is None:
        raise IllegalOrderError("A unit was wanted and none is named.")
    return mention


def _own_unit(book: OrderBook, draft: Draft, repairs: list[str]) -> Unit:
    mention = _mentioned(draft.unit)
    unit = book.mine.get(mention.province)
    if unit is None:
        raise _illegal(why_not_mine(_named(mention), book.situation))
    _note_difference(unit, mention, repairs)
    return unit


def _any_unit(book: OrderBook, mention: Mention | None, repairs: list[str], purpose: str) -> Unit:
    named = _mentioned(mention)
    found = book.position.occupant(named.province)
    if found is None:
        raise _illegal(nobody_there(named.province, purpose))
    _note_difference(found, named, repairs)
    return found


def _imagined(book: OrderBook, mention: Mention | None) -> Unit:
    """The unit that stands where a void order says one does, or else the one that it names."""
    named = _mentioned(mention)
    return book.position.occupant(named.province) or _named(named)


def _note_difference(unit: Unit, mention: Mention, repairs: list[str]) -> None:
    if mention.kind not in (None, unit.kind):
        repairs.append(f"the kind of unit was corrected: {unit}, not {mention}")
    elif mention.place != mention.province and mention.place != unit.location:
        repairs.append(f"the coast was corrected: {unit}, not {mention}")


def _wanted_goal(book: OrderBook, unit: Unit, draft: Draft) -> Location:
    goal = draft.to or ""
    return (
        goal if unit.kind is UnitKind.FLEET and goal in book.geography.coasts.get(goal[:3], ()) else goal[:3]
    )


def _without_coast(place: Location, repairs: list[str]) -> Location:
    if len(place) > 3:
        repairs.append(f"the coast was left out: {place[:3]}, not {place}")
    return place[:3]


def _one_coast(wanted: Location, goals: Sequence[Location], repairs: list[str]) -> Location:
    """The one goal that is meant: as written, or the only one; raises AmbiguousOrderError for two."""
    if wanted in goals:
        return wanted
    _refuse_open_choice(wanted, goals)
    goal = goals[0]
    if len(goal) == 3:
        return _without_coast(wanted, repairs)
    added = len(wanted) == 3
    repairs.append(
        f"the coast was added: {goal}" if added else f"the coast was corrected: {goal}, not {wanted}"
    )
    return goal


def _refuse_open_choice(wanted: Location, choices: Sequence[str]) -> None:
    if len(set(choices)) > 1:
        either = " or ".join(dict.fromkeys(choices))
        raise AmbiguousOrderError(f"{wanted} could be {either}: say which.")


def _by_coast_named(mention: Mention, units: Sequence[Unit]) -> list[Unit]:
    """Only a fleet stands on a coast, so a coast says which kind of unit is meant where no word does."""
    fleets = [unit for unit in units if unit.kind is UnitKind.FLEET]
    return fleets if mention.kind is None and len(mention.place) > 3 and fleets else list(units)


_Handler = Callable[[OrderBook, Draft, list[str]], Order]
_HANDLERS: dict[tuple[PhaseKind, Verb], _Handler] = {
    (PhaseKind.MOVEMENT, "h"): _hold,
    (PhaseKind.MOVEMENT, "m"): _move,
    (PhaseKind.MOVEMENT, "s"): _support,
    (PhaseKind.MOVEMENT, "c"): _convoy,
    (PhaseKind.RETREATS, "m"): _retreat,
    (PhaseKind.RETREATS, "r"): _retreat,
    (PhaseKind.RETREATS, "d"): _disband_dislodged,
    (PhaseKind.RETREATS, "h"): _stand_dislodged,
    (PhaseKind.ADJUSTMENTS, "b"): _build,
    (PhaseKind.ADJUSTMENTS, "d"): _disband,
    (PhaseKind.ADJUSTMENTS, "w"): _waive,
}
