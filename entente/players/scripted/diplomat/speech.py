"""A message put together: words from the sentence book, typed commitments beside them."""

from collections.abc import Mapping, Sequence

from entente.board.types import Convoy, Order, Power, SupportHold, SupportMove, parse_order
from entente.players.actions import SendMessage
from entente.players.scripted.diplomat.view import View
from entente.players.scripted.diplomat.wording import led, listed, power_name, sentence, spoken
from entente.press.messages import Act, Commitment, CommitmentKind, MessageId, MessageType


def say(
    view: View,
    to: Power,
    what: str,
    message_type: MessageType,
    *,
    commitments: Sequence[Commitment] = (),
    reply_to: MessageId | None = None,
    is_opener: bool = False,
    **fields: object,
) -> SendMessage:
    """A message to one power; openers begin with a greeting or a word of thanks where one is due."""
    known = _fields(view, to, commitments)
    body = sentence(what, view.rng, **{**known, **fields})
    lead = _lead(view, to, known) if is_opener and what != "thanks" else ""
    return SendMessage(
        recipient=to,
        message_type=message_type,
        content=led(lead, body),
        commitments=tuple(commitments),
        reply_to=reply_to,
    )


def _fields(view: View, to: Power, commitments: Sequence[Commitment]) -> Mapping[str, object]:
    """What every sentence may name."""
    year = view.position.phase.year
    places = [view.name(place) for c in commitments for place in c.locations]
    orders = [spoken(parse_order(c.order), view.geography) for c in commitments if c.order]
    return {
        "name": power_name(to),
        "me": power_name(view.me),
        "next_year": year + 1,
        "after": year + 2,
        "places": listed(places),
        "order": orders[0] if orders else "",
        "orders": listed(orders),
    }


def _lead(view: View, to: Power, known: Mapping[str, object]) -> str:
    if not view.bundle.last_movement:
        return sentence("greeting", view.rng, **known)
    help_given = view.judgement.helped.get(to)
    return sentence("thanks", view.rng, **known, place=help_place(view, help_given)) if help_given else ""


def help_place(view: View, order: Order) -> str:
    """The full name of the place that a support or convoy was about."""
    match order:
        case SupportMove() | Convoy():
            return view.name(order.to)
        case SupportHold():
            return view.name(order.supported.province)
        case _:
            return ""


def propose(kind: CommitmentKind, by: Power, *, order: str = "", locations: Sequence[str] = ()) -> Commitment:
    """A commitment that is asked for or offered."""
    return Commitment(kind=kind, act=Act.PROPOSE, by=by, order=order, locations=tuple(locations))


def state(by: Power, order: Order) -> Commitment:
    """A statement of one's own order."""
    return Commitment(kind=CommitmentKind.ORDER, act=Act.STATE, by=by, order=str(order))
