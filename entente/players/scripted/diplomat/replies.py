"""What the diplomat answers: every proposal yes or no, little else.

Nothing that is said to it is obeyed. A proposal is accepted when the proposer's deeds allow it, when
it goes together with what is owed already, and when it costs less than the player's appetite.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from entente.board.types import Power, SupportMove, parse_order
from entente.players.actions import SendMessage
from entente.players.scripted.diplomat import stance
from entente.players.scripted.diplomat.grammar import Heard, Sense
from entente.players.scripted.diplomat.planning import (
    Constraints,
    conflicts,
    constraints_with,
    current_constraints,
    loss,
)
from entente.players.scripted.diplomat.reactions import reaction
from entente.players.scripted.diplomat.speech import say
from entente.players.scripted.diplomat.view import View
from entente.press.messages import (
    LASTING,
    MUTUAL,
    Act,
    CommitmentKind,
    Message,
    MessageType,
    Statement,
)

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


def is_acceptable(view: View, constraints: Constraints, proposal: Statement, partner: Power) -> bool:
    """True when the proposal, made by either side, is worth keeping."""
    if (proposal.by == partner and proposal.kind not in MUTUAL) or has_proposed(view, proposal, partner):
        return True
    if proposal.order and proposal.term != str(view.position.phase):
        return False  # it plans one phase at a time, and owes nothing that it may not be able to give
    if view.stance(partner) < _LEAST_STANCE[proposal.kind] or _asked_the_same(view, proposal, partner):
        return False
    if conflicts(view, constraints, proposal, partner):
        return False
    appetite = view.personality.appetite
    if appetite >= 1:
        return True
    if proposal.kind in LASTING and _leaves_nobody_to_fight(view, constraints, partner):
        return False
    return loss(view, constraints, proposal, partner) < appetite


def constraints_with_proposals(
    view: View, constraints: Constraints, sent: Iterable[Message | SendMessage]
) -> Constraints:
    """The constraints as they would be if all that I proposed in these messages were accepted."""
    for message in sent:
        for statement in message.commitments:
            if statement.act is Act.PROPOSE and statement.by == view.me:
                constraints = constraints_with(view, constraints, statement, message.recipient)
    return constraints


def has_proposed(view: View, proposal: Statement, partner: Power) -> bool:
    """True for what binds both and I have proposed to that power myself in this phase: the two are one deal."""
    mine = [s for m in view.bundle.sent if m.recipient == partner for s in m.commitments]
    what = (proposal.kind, frozenset(proposal.locations))
    return proposal.kind in MUTUAL and any(
        s.act is Act.PROPOSE and (s.kind, frozenset(s.locations)) == what for s in mine
    )


def _asked_the_same(view: View, proposal: Statement, partner: Power) -> bool:
    """True when I asked for help into the same place, and so go first: two cannot support each other into it."""
    order = parse_order(proposal.order) if proposal.kind is CommitmentKind.SUPPORT else None
    asked = [
        s for m in view.bundle.sent if m.recipient == partner for s in m.commitments if s.act is Act.PROPOSE
    ]
    goals = {statement.order.rpartition(" - ")[2] for statement in asked if statement.order}
    goes_first = view.board.powers.index(view.me) < view.board.powers.index(partner)
    return isinstance(order, SupportMove) and order.to in goals and goes_first


def _leaves_nobody_to_fight(view: View, constraints: Constraints, partner: Power) -> bool:
    return partner not in constraints.friends and not set(view.neighbours) - {partner, *constraints.friends}


@dataclass
class Answers:
    """The replies of a turn, and the constraints after them."""

    constraints: Constraints
    messages: list[SendMessage] = field(default_factory=list[SendMessage])


def answers(view: View) -> Answers:
    """Replies to everything that is still open, oldest first."""
    result = Answers(current_constraints(view))
    answered = {message.reply_to for message in view.bundle.sent}
    for heard in view.heard:
        if heard.message.id in answered or heard.message.sender not in view.others:
            continue
        if heard.sense is Sense.PROPOSAL:
            reply = _decide(view, result, heard)
        else:
            reply = reaction(view, result.constraints, heard, result.messages)
        if reply is not None and reply.recipient in view.bundle.press_allowed:
            result.messages.append(reply)
        if len(result.messages) >= MAX_REPLIES:
            break
    return result


def _decide(view: View, so_far: Answers, heard: Heard) -> SendMessage:
    """Yes or no to each thing proposed; what is accepted binds at once."""
    sender = heard.message.sender
    verdicts: list[Statement] = []
    for proposed in heard.proposals:
        # What I proposed myself may be accepted at any moment: nothing is agreed that would break it.
        tentative = constraints_with_proposals(view, so_far.constraints, view.bundle.sent)
        accepted = is_acceptable(view, tentative, proposed, sender)
        by = view.me if proposed.kind in MUTUAL else proposed.by
        if accepted and by == view.me:
            so_far.constraints = constraints_with(view, so_far.constraints, proposed, sender)
        act = Act.ACCEPT if accepted else Act.REFUSE
        verdicts.append(proposed.model_copy(update={"act": act, "by": by}))
    is_yes = any(verdict.act is Act.ACCEPT for verdict in verdicts)
    # The sentence speaks of what is accepted, where anything is.
    spoken_of = sorted(verdicts, key=lambda verdict: verdict.act is not Act.ACCEPT)
    words = _verdict_words(spoken_of[0], view.me)
    if spoken_of[0].act is Act.ACCEPT and has_proposed(view, spoken_of[0], sender):
        words = "crossed"
    return say(
        view,
        sender,
        words,
        MessageType.ACCEPTANCE if is_yes else MessageType.REFUSAL,
        about=spoken_of,
        # An answer's term is that of what it answers.
        commitments=[_untimed(verdict) for verdict in spoken_of]
        if heard.is_typed
        else _own_words(spoken_of, view.me),
        reply_to=heard.message.id,
    )


def _untimed(verdict: Statement) -> Statement:
    return verdict.model_copy(update={"term": ""})


def _own_words(verdicts: Iterable[Statement], me: Power) -> list[Statement]:
    """What remains of a yes to mere words: it commits me, and nobody who has committed himself to nothing."""
    return [v.model_copy(update={"act": Act.STATE}) for v in verdicts if v.act is Act.ACCEPT and v.by == me]


def _verdict_words(verdict: Statement, me: Power) -> str:
    is_yes = verdict.act is Act.ACCEPT
    if is_yes and verdict.by != me:
        return "yes_offer"
    kind = CommitmentKind.SUPPORT if verdict.kind is CommitmentKind.ORDER else verdict.kind
    return f"{'yes' if is_yes else 'no'}_{kind.value}"
