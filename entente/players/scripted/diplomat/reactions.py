"""What the diplomat says to all that is no proposal: answers to its own ones, questions, threats, and talk.

Nothing in here decides anything but words: what was agreed stands in `view`, which has understood the same mail.
"""

from collections.abc import Collection, Iterable, Sequence

from entente.board.spoken import listed, power_name
from entente.board.types import Move, Order, Power, SupportMove
from entente.players.actions import SendMessage
from entente.players.scripted.diplomat import stance
from entente.players.scripted.diplomat.examples import example
from entente.players.scripted.diplomat.grammar import Heard, Sense, offered_to
from entente.players.scripted.diplomat.planning import Constraints, make_plan
from entente.players.scripted.diplomat.speech import say, state
from entente.players.scripted.diplomat.view import View
from entente.press.commitments import Commitment
from entente.press.messages import BROADCAST, LASTING, MUTUAL, Act, CommitmentKind, MessageType, Statement


def reaction(
    view: View, constraints: Constraints, heard: Heard, said: Collection[SendMessage]
) -> SendMessage | None:
    """The reply to a message that proposes nothing, if it deserves one; `said` are this turn's replies so far."""
    if heard.message.recipient == BROADCAST:
        return None
    if heard.sense is Sense.QUESTION:
        return _inform(view, constraints, heard)
    if heard.sense in (Sense.ACCEPT, Sense.REFUSE, Sense.UNCLEAR):
        return None if heard.is_typed else _answered(view, heard)
    if heard.message.reply_to is not None:
        return None
    match heard.sense:
        case Sense.IMPOSSIBLE:
            return _speak(view, heard, "impossible", MessageType.REFUSAL)
        case Sense.LEAVE:
            return _leave(view, constraints, heard)
        case Sense.COMPLAINT:
            return _speak(view, heard, "no_excuse_place" if heard.places else "no_excuse", MessageType.INFO)
        case _:
            return _once(view, heard, said)


# Answers to what I have proposed


def _answered(view: View, heard: Heard) -> SendMessage | None:
    """What follows from a yes or a no in words; a yes commits me in typed form, and nobody else."""
    if heard.accepts:
        agreed = [_as_statement(commitment, view) for commitment in heard.accepts]
        mine = [statement for statement in agreed if statement.kind in MUTUAL]
        what = "settled" if mine else "yes_offer"
        return _speak(view, heard, what, MessageType.INFO, about=mine or agreed, commitments=mine)
    if heard.refuses:
        refused = [_as_statement(commitment, view) for commitment in heard.refuses]
        return _speak(view, heard, "regret", MessageType.CHAT, about=refused)
    if heard.ends:
        ended = [Statement(kind=kind, act=Act.REFUSE, by=view.me) for kind in _standing(view, heard)]
        return _speak(view, heard, "over", MessageType.INFO, commitments=ended)
    if heard.sense is not Sense.UNCLEAR:
        return None
    offers = offered_to(heard.message.sender, view.bundle.ledger, view.me)
    return _speak(
        view, heard, "which", MessageType.QUERY, about=[_as_statement(offer, view) for offer in offers]
    )


def _as_statement(commitment: Commitment, view: View) -> Statement:
    """The commitment as I state it for my part."""
    return Statement(
        kind=commitment.kind,
        act=Act.STATE,
        by=commitment.subject.by or view.me,
        locations=commitment.locations,
        order=commitment.order,
        term=str(commitment.term.last),
    )


def _standing(view: View, heard: Heard) -> list[CommitmentKind]:
    """The lasting agreements with the sender that are called off, in one order."""
    both = {view.me, heard.message.sender}
    return sorted({c.kind for c in view.bundle.ledger.open if c.kind in LASTING and set(c.parties) == both})


# Questions


def _inform(view: View, constraints: Constraints, heard: Heard) -> SendMessage:
    """An answer about what was asked about; to a friend perhaps a harmless order that is owed already."""
    is_friend = heard.message.sender in view.friends
    harmless = harmless_orders(view, constraints.owed.values())
    if is_friend and harmless and view.rng.random() < view.personality.honesty:
        told = [state(view, harmless[0])]
        return _speak(view, heard, "answer_order", MessageType.INFO, about=told, commitments=told)
    if heard.is_against_me:
        promise = "promise" if is_friend else "no_promise"
        return _speak(view, heard, f"{promise}_place" if heard.places else promise, MessageType.INFO)
    if heard.about and heard.places:
        return _speak(view, heard, "answer_both", MessageType.INFO)
    if heard.about:
        return _speak(view, heard, _opinion(view, heard.about), MessageType.INFO)
    return _speak(view, heard, "answer_place" if heard.places else "answer", MessageType.INFO)


def _opinion(view: View, power: Power) -> str:
    if power in view.friends or view.stance(power) > stance.ALLY:
        return "answer_friend"
    return "answer_foe" if view.stance(power) <= stance.FOE else "answer_neutral"


def harmless_orders(view: View, orders: Iterable[Order]) -> list[Order]:
    """The orders that hurt nobody who is on the board."""
    taken = frozenset[str]().union(*(view.land(power) for power in view.others))
    return [
        order for order in orders if not (isinstance(order, Move | SupportMove) and order.to[:3] in taken)
    ]


def _leave(view: View, constraints: Constraints, heard: Heard) -> SendMessage:
    """Whether the unit goes: it is told of its move where it was to move anyway, to a place that hurts nobody."""
    plan = make_plan(view, constraints)
    leaving = [order for order in harmless_orders(view, plan.values()) if isinstance(order, Move)]
    going = [order for order in leaving if order.unit.province in heard.places]
    if not going or heard.message.sender not in view.friends:
        return _speak(view, heard, "staying", MessageType.REFUSAL)
    told = [state(view, going[0])]
    return _speak(view, heard, "going", MessageType.INFO, about=told, commitments=told)


# Talk

_TALK: dict[Sense, tuple[str, MessageType]] = {
    Sense.STATEMENT: ("noted", MessageType.CHAT),
    Sense.THREAT: ("defiance", MessageType.CHAT),
    Sense.THANKS: ("welcome", MessageType.CHAT),
    Sense.CHAT: ("small_talk", MessageType.CHAT),
    Sense.UNKNOWN: ("clarify", MessageType.QUERY),
}


def _once(view: View, heard: Heard, said: Collection[SendMessage]) -> SendMessage | None:
    """A reply that each power has once a phase at most."""
    what, message_type = _TALK[heard.sense]
    if what == "noted" and heard.is_typed:
        return None  # the ledger has it
    if what == "small_talk" and view.personality.chattiness <= 1:
        return None
    mine = [(m.recipient, m.message_type, m.reply_to is not None) for m in (*view.bundle.sent, *said)]
    if (heard.message.sender, message_type, True) in mine:
        return None
    if what in ("noted", "defiance") and heard.places:
        what = f"{what}_place"
    return _speak(view, heard, what, message_type)


def _speak(
    view: View,
    heard: Heard,
    what: str,
    message_type: MessageType,
    *,
    about: Sequence[Statement] = (),
    commitments: Sequence[Statement] = (),
) -> SendMessage:
    sender = heard.message.sender
    return say(
        view,
        sender,
        what,
        message_type,
        about=about,
        commitments=commitments,
        reply_to=heard.message.id,
        named=listed([view.name(place) for place in heard.places]) or "that place",
        third=power_name(heard.about),
        example=example(view, sender, heard.places) if what == "clarify" else "",
    )
