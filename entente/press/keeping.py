"""What a movement phase's orders made of the commitments that were open in it.

Orders count, not what became of them: a move that bounced breaks a peace, and a support that was cut was given. That
is how the literature compares a declared intent with the order that was submitted (Wongkamjan et al. 2024, "More
Victories, Less Cooperation: Assessing Cicero's Diplomacy Play").
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from entente.board.causes import find_cause
from entente.board.engine import Board
from entente.board.types import (
    Convoy,
    Move,
    Order,
    OrderResult,
    Phase,
    Power,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
    parse_order,
)
from entente.press.commitments import Breach, Commitment, Status
from entente.press.messages import BROADCAST, CommitmentKind
from entente.press.statements import is_legal, is_same_order
from entente.press.terms import BY_ORDER


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a power had at stake when the orders were given."""

    power: Power
    land: frozenset[Province]
    """Own centers, and where own units meant to stay."""
    targets: frozenset[Province]
    """Where own units meant to go."""
    units: frozenset[Unit]

    @classmethod
    def of(cls, power: Power, centers: Iterable[Province], results: Iterable[OrderResult]) -> "Grounds":
        """The power's grounds in an adjudicated movement phase."""
        mine = [result.order for result in results if result.power == power]
        targets = frozenset(order.to[:3] for order in mine if isinstance(order, Move))
        stayed = [order.unit.province for order in mine if not isinstance(order, Move | Waive)]
        units = frozenset(order.unit for order in mine if not isinstance(order, Waive))
        return cls(power, frozenset([*centers, *stayed]), targets, units)


def is_attack(order: Order, grounds: Grounds) -> bool:
    """True for a move into a power's land, and for help to a stranger's."""
    match order:
        case Move():
            return order.to[:3] in grounds.land
        case SupportMove():
            return order.to in grounds.land and order.supported not in grounds.units
        case Convoy():
            return order.to in grounds.land and order.army not in grounds.units
        case _:
            return False


class Played:
    """A movement phase that was adjudicated, as commitments are held against it."""

    def __init__(self, board: Board, results: Sequence[OrderResult]) -> None:
        self.board = board
        """The position in which the orders were given."""
        self._results = results

    @property
    def phase(self) -> Phase:
        """Which phase it is."""
        return self.board.phase

    @cached_property
    def orders(self) -> dict[Power, list[Order]]:
        """What each power ordered, in the order of the results; civil disorder's holds among them."""
        found: dict[Power, list[Order]] = {power: [] for power in self.board.powers}
        for result in self._results:
            found[result.power].append(result.order)
        return found

    @cached_property
    def grounds(self) -> dict[Power, Grounds]:
        """What each power had at stake."""
        centers = self.board.position.centers
        return {power: Grounds.of(power, centers[power], self._results) for power in self.board.powers}

    def opponents(self, commitment: Commitment, power: Power) -> list[Power]:
        """Towards whom the power has to keep it: the other party, or all others."""
        other = commitment.other(power)
        return [each for each in self.board.powers if each != power] if other == BROADCAST else [other]

    def could_enter(self, power: Power, provinces: frozenset[Province]) -> bool:
        """True when one of the power's units could move into one of the provinces, convoys left out."""
        geography = self.board.geography
        units = self.board.position.units[power]
        return any(goal[:3] in provinces for unit in units for goal in geography.neighbours(unit))

    def land(self, power: Power) -> frozenset[Province]:
        """Where the power has a center or a unit."""
        position = self.board.position
        return frozenset([*position.centers[power], *(unit.province for unit in position.units[power])])


def settled(commitment: Commitment, played: Played) -> Commitment:
    """The standing commitment after the phase: with its end, where it has come to one."""
    if not commitment.term.covers(played.phase):
        return commitment
    if commitment.kind in BY_ORDER:
        return _settled_order(commitment, played)
    if gone := [party for party in commitment.parties if _is_out(party, played)]:
        return at_its_end(commitment, played.phase, f"{gone[0]} is out of the game")
    if breaches := tuple(_breaches(commitment, played)):
        return _broken(commitment, played, breaches)
    if not commitment.was_at_stake:
        commitment = replace(commitment, was_at_stake=_could_be_broken(commitment, played))
    return at_its_end(commitment, played.phase) if commitment.term.last == played.phase else commitment


def at_its_end(commitment: Commitment, phase: Phase, why: str = "") -> Commitment:
    """A peace, alliance or DMZ that nobody broke and that binds no longer."""
    if commitment.was_at_stake:
        return replace(commitment, status=Status.KEPT, ended=phase, why=why)
    return lapsed(commitment, phase, why or "nobody was near enough to break it")


def lapsed(commitment: Commitment, phase: Phase, why: str) -> Commitment:
    """A commitment that ended without a chance to be broken."""
    return replace(commitment, status=Status.LAPSED, ended=phase, why=why)


def _is_out(party: Power, played: Played) -> bool:
    return party != BROADCAST and party not in played.board.survivors


def _breaches(commitment: Commitment, played: Played) -> Iterator[Breach]:
    closed = frozenset(commitment.locations)
    for power in commitment.bound:
        orders = played.orders[power]
        if commitment.kind is CommitmentKind.DMZ:
            against = [order for order in orders if isinstance(order, Move) and order.to[:3] in closed]
        else:
            grounds = [played.grounds[other] for other in played.opponents(commitment, power)]
            against = [order for order in orders if any(is_attack(order, each) for each in grounds)]
        if against:
            worst = min(against, key=lambda order: not isinstance(order, Move))
            yield Breach(power, str(worst))


def _could_be_broken(commitment: Commitment, played: Played) -> bool:
    if commitment.kind is CommitmentKind.DMZ:
        closed = frozenset(commitment.locations)
        return any(played.could_enter(power, closed) for power in commitment.bound)
    return any(
        played.could_enter(power, played.land(other))
        for power in commitment.bound
        for other in played.opponents(commitment, power)
    )


def _settled_order(commitment: Commitment, played: Played) -> Commitment:
    """A support or an order after its phase: kept, broken or void."""
    (by,) = commitment.bound
    if any(is_same_order(str(order), commitment.order) for order in played.orders[by]):
        return replace(commitment, status=Status.KEPT, was_at_stake=True, ended=played.phase)
    if why := _why_void(commitment, by, played):
        return replace(commitment, status=Status.VOID, ended=played.phase, why=why)
    province = commitment.order.split()[1][:3]
    instead = next(order for order in played.orders[by] if _province(order) == province)
    return _broken(commitment, played, (Breach(by, str(instead)),))


def _broken(commitment: Commitment, played: Played, breaches: tuple[Breach, ...]) -> Commitment:
    return replace(commitment, status=Status.BROKEN, was_at_stake=True, ended=played.phase, breaches=breaches)


def _province(order: Order) -> Province:
    return "" if isinstance(order, Waive) else order.unit.province


def _why_void(commitment: Commitment, by: Power, played: Played) -> str:
    """Why the order could not be given, or would have been in vain; empty where it could."""
    order = parse_order(commitment.order)
    if not is_legal(commitment.order, by, played.board):
        return find_cause(order, played.board.situation(by))
    match order:
        case SupportMove():
            return _why_in_vain(order.supported, order.to, played)
        case SupportHold():
            return _why_in_vain(order.supported, None, played)
        case Convoy():
            return _why_in_vain(order.army, order.to, played)
        case _:
            return ""


def _why_in_vain(unit: Unit, to: Province | None, played: Played) -> str:
    """Why help for the unit, moving there or staying, would have been void; empty where it would not."""
    theirs = next(
        order for orders in played.orders.values() for order in orders if _province(order) == unit.province
    )
    goal = theirs.to[:3] if isinstance(theirs, Move) else None
    return "" if goal == to else f"{unit} was ordered {theirs}"
