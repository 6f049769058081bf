"""The player that does what it is told: an instrument that measures how others use a naive partner."""

import random
from collections.abc import Sequence

from entente.board.spoken import power_name
from entente.board.types import Order, Waive
from entente.players.actions import Action, SendMessage
from entente.players.bundle import Bundle
from entente.players.protocol import Reply
from entente.players.scripted.diplomat.grammar import proposed_in
from entente.players.scripted.diplomat.requested import asked_order
from entente.players.scripted.diplomat.wording import sentence
from entente.players.scripted.dumbbot import plan_orders, submit
from entente.press.messages import MUTUAL, Act, Message, MessageType


class PushoverPlayer:
    """DumbBot that gives each unit the last legal order anybody asked of it, and agrees to everything."""

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        """A yes to each message that asks for something; orders as asked when they are wanted."""
        if not bundle.wants_orders:
            return Reply(_agree(bundle))
        orders = plan_orders(bundle.board, bundle.power, random.Random(bundle.seed))
        if not bundle.board.phase.is_movement:
            return Reply(submit(orders))
        plan = {order.unit: order for order in orders if not isinstance(order, Waive)}
        for message in bundle.inbox:
            for order in _asked(message, bundle):
                if not isinstance(order, Waive):
                    plan[order.unit] = order
        return Reply(submit(list(plan.values())))


def _asked(message: Message, bundle: Bundle) -> list[Order]:
    """The orders of ours that a message asks for: typed ones, or the one in its words."""
    legal = bundle.board.orders_by_text[bundle.power]
    phase, typed = str(bundle.board.phase), proposed_in(message, bundle.ledger, bundle.power)
    orders = [legal[s.order] for s in typed if s.by == bundle.power and s.term == phase and s.order in legal]
    if orders or message.commitments:
        return orders
    asked = asked_order(message.content, bundle.board, bundle.power, message.sender)
    return [asked] if asked is not None else []


def _agree(bundle: Bundle) -> Sequence[Action]:
    answered = {message.reply_to for message in bundle.sent}
    rng = random.Random(bundle.seed)
    return [
        _yes(message, bundle, rng)
        for message in bundle.inbox
        if message.id not in answered
        and message.sender in bundle.press_allowed
        and (message.message_type is MessageType.PROPOSAL or _asked(message, bundle))
    ]


def _yes(message: Message, bundle: Bundle, rng: random.Random) -> SendMessage:
    accepted = [
        proposal.model_copy(
            update={
                "act": Act.ACCEPT,
                "by": bundle.power if proposal.kind in MUTUAL else proposal.by,
                "term": "",
            }
        )
        for proposal in proposed_in(message, bundle.ledger, bundle.power)
    ]
    return SendMessage(
        recipient=message.sender,
        message_type=MessageType.ACCEPTANCE,
        content=sentence("as_you_say", rng, name=power_name(message.sender)),
        commitments=tuple(accepted),
        reply_to=message.id,
    )
