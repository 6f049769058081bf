"""What the diplomat says first in a phase: at most a few messages, each to another neighbour."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from entente.board.spoken import listed, spoken_unit
from entente.board.types import Move, Order, Power, Province, SupportMove, Unit
from entente.players.actions import SendMessage
from entente.players.scripted.diplomat import stance
from entente.players.scripted.diplomat.planning import Constraints, target_of
from entente.players.scripted.diplomat.reactions import harmless_orders
from entente.players.scripted.diplomat.replies import constraints_with_proposals, is_acceptable
from entente.players.scripted.diplomat.speech import help_place, propose, say, spoken_order, state
from entente.players.scripted.diplomat.view import View, around
from entente.players.scripted.diplomat.wording import MAX_CHARACTERS
from entente.press.messages import LASTING, Act, CommitmentKind, MessageType, Statement


class Threat(NamedTuple):
    """Units of another power that can enter a center of mine."""

    center: Province
    units: tuple[Unit, ...]


REPORTED_ORDERS = 3
"""A report to a friend names no more: it is a message, not a list."""
ALLIANCE_STANCE = 2.5
"""A partner in peace who is thought of so well is asked for more."""
WARNING_UNITS = 2
_LONGEST_HEADING = "My orders of spring 1901: ."


def openers(
    view: View, plan: Mapping[Unit, Order], constraints: Constraints, answered: Collection[Power] = ()
) -> list[SendMessage]:
    """The phase's first messages, the most useful first, one a neighbour, as many as the player is chatty.

    Powers in `answered` have a message in this turn already.
    """
    if view.personality.tells_everybody:
        return _everything(view, plan)
    chosen: dict[Power, SendMessage] = {}
    for message in _candidates(view, plan, constraints):
        if len(chosen) >= view.personality.chattiness:
            break
        if message.recipient not in answered:
            chosen.setdefault(message.recipient, message)
    room = view.personality.chattiness - len(chosen)
    closed = constraints_with_proposals(view, constraints, chosen.values()).closed
    reports = [r for r in _reports(view, plan, closed) if r.recipient not in {*answered, *chosen}]
    return [*chosen.values(), *reports[:room]]


def _candidates(view: View, plan: Mapping[Unit, Order], constraints: Constraints) -> Iterator[SendMessage]:
    partners = _partners(view)
    yield from _support_requests(view, plan, constraints, partners)
    yield from _reproaches(view, partners)
    yield from _proposals(view, constraints, partners)
    yield from _warnings(view, partners)
    yield from _zones(view, constraints, partners)
    yield from _thanks(view, partners)


def _partners(view: View) -> list[Power]:
    """Neighbours that can be written to, the best liked first; after them all others, for one who agrees to all."""
    reachable = [power for power in view.bundle.press_allowed if power in view.neighbours]
    liked = sorted(reachable, key=lambda power: -view.stance(power))
    far = [power for power in view.bundle.press_allowed if power not in view.neighbours]
    return liked + far if view.personality.appetite >= 1 else liked


def _support_requests(
    view: View, plan: Mapping[Unit, Order], constraints: Constraints, partners: Sequence[Power]
) -> Iterator[SendMessage]:
    """For moves that own strength alone does not carry, from friends who can help."""
    values = view.values(constraints.friends)
    friends = [partner for partner in partners if partner in constraints.friends]
    for order in plan.values():
        if not isinstance(order, Move):
            continue
        goal = order.to[:3]
        if not 0 < values.competition.get(goal, 0) >= values.strength.get(goal, 0):
            continue
        for friend in friends:
            wanted = _support_by(view, friend, order)
            if wanted is not None:
                asked = propose(view, CommitmentKind.SUPPORT, friend, order=str(wanted))
                yield say(
                    view,
                    friend,
                    "support",
                    MessageType.PROPOSAL,
                    commitments=[asked],
                    is_opener=True,
                    helper=spoken_unit(wanted.unit, view.geography),
                    helped=spoken_order(view, friend, order),
                )


def _support_by(view: View, friend: Power, move: Move) -> SupportMove | None:
    legal = (order for order in view.legal(friend) if isinstance(order, SupportMove))
    wanted = (order for order in legal if (order.supported, order.to) == (move.unit, move.to[:3]))
    return next(wanted, None)


def _reproaches(view: View, partners: Sequence[Power]) -> Iterator[SendMessage]:
    for partner in partners:
        if partner in view.broken:
            # Said in so many words: it is off on this side too.
            ended = [Statement(kind=kind, act=Act.REFUSE, by=view.me) for kind in sorted(LASTING)]
            yield say(view, partner, "reproach", MessageType.WARNING, commitments=ended)


def _proposals(view: View, constraints: Constraints, partners: Sequence[Power]) -> Iterator[SendMessage]:
    """Peace with the best neighbour that has none, or with all for one who agrees with everybody; more to friends."""
    is_done = False
    for partner in partners:
        kind = _kind_to_propose(view, partner)
        if (
            kind is None
            or is_done
            or not is_acceptable(view, constraints, propose(view, kind, view.me), partner)
        ):
            continue
        asked = propose(view, kind, view.me)
        yield say(view, partner, kind.value, MessageType.PROPOSAL, commitments=[asked], is_opener=True)
        is_done = view.personality.appetite < 1


def _kind_to_propose(view: View, partner: Power) -> CommitmentKind | None:
    agreed = view.agreed_with(partner)
    if CommitmentKind.ALLIANCE in agreed or view.stance(partner) <= stance.FOE:
        return None
    if CommitmentKind.PEACE not in agreed:
        return CommitmentKind.PEACE
    return CommitmentKind.ALLIANCE if view.stance(partner) >= ALLIANCE_STANCE else None


def _warnings(view: View, partners: Sequence[Power]) -> Iterator[SendMessage]:
    """To neighbours, not friends, with several units next to an own center; once for the same units and center."""
    for partner in partners:
        threat = None if partner in view.friends else _threat(view, partner)
        if threat is not None and as_fact(threat) != view.memory.warned.get(partner):
            center, units = threat
            beside = listed([spoken_unit(unit, view.geography) for unit in units])
            place = view.name(center)
            yield say(view, partner, "warning", MessageType.WARNING, units=beside, place=place)


def _threat(view: View, partner: Power) -> Threat | None:
    near = ((center, view.units_near(partner, center)) for center in view.position.centers[view.me])
    return next((Threat(center, units) for center, units in near if len(units) >= WARNING_UNITS), None)


def as_fact(threat: Threat) -> str:
    """The threat in notation: `MUN: A BUR, A RUH`."""
    return f"{threat.center}: {', '.join(sorted(str(unit) for unit in threat.units))}"


def warned_of(view: View, sent: Sequence[SendMessage]) -> dict[Power, str]:
    """Of what each power has been warned last, these messages included."""
    warned = {p: fact for p, fact in view.memory.warned.items() if p in view.others}
    to = [m.recipient for m in sent if m.message_type is MessageType.WARNING and not m.commitments]
    return warned | {power: as_fact(threat) for power in to if (threat := _threat(view, power)) is not None}


def _zones(view: View, constraints: Constraints, partners: Sequence[Power]) -> Iterator[SendMessage]:
    """One demilitarized zone, with the best liked neighbour that has a border worth one."""
    for partner in partners:
        has_one = CommitmentKind.DMZ in view.agreed_with(partner)
        if has_one or view.stance(partner) <= stance.FOE:
            continue
        for place in _buffers(view, partner):
            asked = propose(view, CommitmentKind.DMZ, view.me, locations=[place])
            if is_acceptable(view, constraints, asked, partner):
                yield say(view, partner, "dmz", MessageType.PROPOSAL, commitments=[asked], is_opener=True)
                return


def _buffers(view: View, partner: Power) -> list[Province]:
    """Empty provinces without a center that border on the land of both, one in two picked by chance."""
    near, centers = around(view.position.map_name), view.geography.centers
    occupied = frozenset[Province]().union(*(view.land(power) for power in view.board.powers))
    shared = view.zones[view.me] & view.zones[partner]
    free = [p for p in near if p in shared and p not in occupied and p not in centers]
    return view.rng.sample(free, min(len(free), 2))


def _reports(view: View, plan: Mapping[Unit, Order], closed: Collection[Province]) -> Iterator[SendMessage]:
    """To friends, as honest as the player is; without what goes against a proposal that was just made."""
    honesty = view.personality.honesty
    open_orders = [order for order in plan.values() if target_of(order) not in closed]
    for partner in _partners(view):
        if partner not in view.friends or view.rng.random() >= honesty:
            continue
        orders = open_orders if honesty >= 1 else harmless_orders(view, open_orders)
        # Moves first: that a unit stays where it is interests nobody.
        told = sorted(orders, key=lambda order: not isinstance(order, Move))[:REPORTED_ORDERS]
        if told:
            stated = [state(view, order) for order in told]
            yield say(view, partner, "report", MessageType.INFO, commitments=stated, is_opener=True)


def _thanks(view: View, partners: Sequence[Power]) -> Iterator[SendMessage]:
    for partner, order in view.judgement.helped.items():
        if partner in partners:
            yield say(view, partner, "thanks", MessageType.CHAT, place=help_place(view, order))


def _everything(view: View, plan: Mapping[Unit, Order]) -> list[SendMessage]:
    """All orders in notation to every power, over as many messages as that takes."""
    return [
        say(
            view,
            power,
            "all_orders",
            MessageType.INFO,
            commitments=[state(view, order) for order in part],
            orders=", ".join(str(order) for order in part),
        )
        for power in view.bundle.press_allowed
        for part in _parts(list(plan.values()))
    ]


def _parts(orders: Sequence[Order]) -> Iterator[list[Order]]:
    """The orders in runs that fit into one message."""
    part: list[Order] = []
    for order in orders:
        if len(", ".join(str(o) for o in (*part, order))) > MAX_CHARACTERS - len(_LONGEST_HEADING):
            yield part
            part = []
        part.append(order)
    if part:
        yield part
