"""What the diplomat answers: every proposal yes or no, little else.

Nothing that is said to it is obeyed. A proposal is accepted when the proposer's deeds allow it, when
it goes together with what is promised already, and when it costs less than the player's appetite.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from entente.board.types import Move, Order, Power, SupportMove, parse_order
from entente.players.actions import SendMessage
from entente.players.scripted.diplomat import stance
from entente.players.scripted.diplomat.grammar import Heard, Sense
from entente.players.scripted.diplomat.planning import Bonds, bonds_with, conflicts, current_bonds, loss
from entente.players.scripted.diplomat.speech import say, state
from entente.players.scripted.diplomat.view import View
from entente.press.keeping import LASTING, MUTUAL
from entente.press.messages import BROADCAST, Act, Commitment, CommitmentKind, Message, MessageType

MAX_REPLIES = 6
"""In one turn: whoever floods the table is answered bit by bit."""

_LEAST_STANCE = {
    CommitmentKind.PEACE: stance.ENEMY,
    CommitmentKind.ALLIANCE: 0.0,
    CommitmentKind.DMZ: stance.FOE,
    CommitmentKind.SUPPORT: 0.0,
    CommitmentKind.ORDER: stance.ALLY,
}
"""Below or at this a proposal is refused, whatever it costs; a power that did nothing yet stands at 0."""


def is_acceptable(view: View, bonds: Bonds, commitment: Commitment, partner: Power) -> bool:
    """True when the commitment, proposed by either side, is worth keeping."""
    if commitment.by == partner and commitment.kind not in MUTUAL:
        return True
    if view.stance(partner) < _LEAST_STANCE[commitment.kind] or _asked_the_same(view, commitment, partner):
        return False
    if conflicts(view, bonds, commitment, partner):
        return False
    appetite = view.personality.appetite
    if appetite >= 1:
        return True
    if commitment.kind in LASTING and _leaves_nobody_to_fight(view, bonds, partner):
        return False
    return loss(view, bonds, commitment, partner) < appetite


def bonds_with_proposals(view: View, bonds: Bonds, proposals: Iterable[Message | SendMessage]) -> Bonds:
    """The bonds as they would be if all that I proposed in these messages were accepted."""
    for message in proposals:
        for commitment in message.commitments:
            if commitment.act is Act.PROPOSE and commitment.by == view.me:
                bonds = bonds_with(view, bonds, commitment, message.recipient)
    return bonds


def _asked_the_same(view: View, commitment: Commitment, partner: Power) -> bool:
    """True when I asked for help into the same place, and so go first: two cannot support each other into it."""
    order = parse_order(commitment.order) if commitment.kind is CommitmentKind.SUPPORT else None
    asked = [
        c for m in view.bundle.sent if m.recipient == partner for c in m.commitments if c.act is Act.PROPOSE
    ]
    goals = {commitment.order.rpartition(" - ")[2] for commitment in asked if commitment.order}
    goes_first = view.board.powers.index(view.me) < view.board.powers.index(partner)
    return isinstance(order, SupportMove) and order.to in goals and goes_first


def _leaves_nobody_to_fight(view: View, bonds: Bonds, partner: Power) -> bool:
    return partner not in bonds.friends and not set(view.neighbours) - {partner, *bonds.friends}


@dataclass
class Answers:
    """The replies of a turn, and the bonds after them."""

    bonds: Bonds
    messages: list[SendMessage] = field(default_factory=list[SendMessage])
    said: list[str] = field(default_factory=list[str])
    """Kinds of sentence that are said at most once a turn."""


def answers(view: View) -> Answers:
    """Replies to everything of this phase that is still open, oldest first."""
    result = Answers(current_bonds(view))
    answered = {message.reply_to for message in view.bundle.sent}
    for heard in view.heard:
        if heard.message.id in answered or heard.message.sender not in view.others:
            continue
        reply = _reply(view, result, heard)
        if reply is not None and reply.recipient in view.bundle.press_allowed:
            result.messages.append(reply)
        if len(result.messages) >= MAX_REPLIES:
            break
    return result


def _reply(view: View, so_far: Answers, heard: Heard) -> SendMessage | None:
    if heard.sense is Sense.PROPOSAL:
        return _decide(view, so_far, heard)
    if heard.message.recipient == BROADCAST:
        return None
    if heard.sense is Sense.QUESTION:
        return _inform(view, so_far, heard)
    if heard.message.reply_to is not None:
        return None
    match heard.sense:
        case Sense.THREAT:
            return _once(view, so_far, heard, "defiance", MessageType.CHAT)
        case Sense.CHAT if view.personality.chattiness > 1:
            return _once(view, so_far, heard, "small_talk", MessageType.CHAT)
        case Sense.UNKNOWN:
            return _once(view, so_far, heard, "clarify", MessageType.QUERY)
        case _:
            return None


def _decide(view: View, so_far: Answers, heard: Heard) -> SendMessage:
    """Yes or no to each thing proposed; what is accepted binds at once."""
    sender = heard.message.sender
    verdicts: list[Commitment] = []
    for proposed in heard.commitments:
        # What I proposed myself may be accepted at any moment: nothing is promised that would break it.
        tentative = bonds_with_proposals(view, so_far.bonds, view.bundle.sent)
        accepted = is_acceptable(view, tentative, proposed, sender)
        by = view.me if proposed.kind in MUTUAL else proposed.by
        if accepted and by == view.me:
            so_far.bonds = bonds_with(view, so_far.bonds, proposed, sender)
        verdicts.append(proposed.model_copy(update={"act": Act.ACCEPT if accepted else Act.REFUSE, "by": by}))
    is_yes = any(verdict.act is Act.ACCEPT for verdict in verdicts)
    # The sentence speaks of what is accepted, where anything is.
    spoken_of = sorted(verdicts, key=lambda verdict: verdict.act is not Act.ACCEPT)
    return say(
        view,
        sender,
        _verdict_words(spoken_of[0], view.me),
        MessageType.ACCEPTANCE if is_yes else MessageType.REFUSAL,
        commitments=spoken_of,
        reply_to=heard.message.id,
    )


def _verdict_words(verdict: Commitment, me: Power) -> str:
    is_yes = verdict.act is Act.ACCEPT
    if is_yes and verdict.by != me:
        return "yes_offer"
    kind = CommitmentKind.SUPPORT if verdict.kind is CommitmentKind.ORDER else verdict.kind
    return f"{'yes' if is_yes else 'no'}_{kind.value}"


def _inform(view: View, so_far: Answers, heard: Heard) -> SendMessage:
    """An answer to a question: something vague, or to a friend a harmless order that is promised already."""
    sender = heard.message.sender
    harmless = harmless_orders(view, so_far.bonds.promised.values())
    if sender in view.friends and harmless and view.rng.random() < view.personality.honesty:
        told = [state(view.me, harmless[0])]
        what = "answer_order"
    else:
        told, what = [], "answer"
    return say(view, sender, what, MessageType.INFO, commitments=told, reply_to=heard.message.id)


def harmless_orders(view: View, orders: Iterable[Order]) -> list[Order]:
    """The orders that hurt nobody who is on the board."""
    taken = frozenset[str]().union(*(view.land(power) for power in view.others))
    return [
        order for order in orders if not (isinstance(order, Move | SupportMove) and order.to[:3] in taken)
    ]


def _once(
    view: View, so_far: Answers, heard: Heard, what: str, message_type: MessageType
) -> SendMessage | None:
    """A reply of a kind that is given once a phase at most."""
    asked_before = any(m.message_type is message_type and m.reply_to is not None for m in view.bundle.sent)
    if asked_before or what in so_far.said:
        return None
    so_far.said.append(what)
    return say(view, heard.message.sender, what, message_type, reply_to=heard.message.id)
