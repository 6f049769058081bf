"""A message put together: words from the sentence book, typed statements beside them."""

from collections.abc import Mapping, Sequence

from entente.board.types import Convoy, Order, Power, SupportHold, SupportMove, parse_order
from entente.players.actions import SendMessage
from entente.players.scripted.diplomat.view import View
from entente.players.scripted.diplomat.wording import led, listed, power_name, sentence, spoken
from entente.press.messages import Act, CommitmentKind, MessageId, MessageType, Statement


def say(
    view: View,
    to: Power,
    what: str,
    message_type: MessageType,
    *,
    commitments: Sequence[Statement] = (),
    about: Sequence[Statement] | None = None,
    reply_to: MessageId | None = None,
    is_opener: bool = False,
    **fields: object,
) -> SendMessage:
    """A message to one power; openers begin with a greeting or a word of thanks where one is due.

    The words are about what it commits to, or about other things where those are given.
    """
    known = _fields(view, to, commitments if about is None else about)
    body = sentence(what, view.rng, **{**known, **fields})
    lead = _lead(view, to, known) if is_opener and what != "thanks" else ""
    return SendMessage(
        recipient=to,
        message_type=message_type,
        content=led(lead, body),
        commitments=tuple(commitments),
        reply_to=reply_to,
    )


def _fields(view: View, to: Power, about: Sequence[Statement]) -> Mapping[str, object]:
    """What every sentence may name."""
    year = view.position.phase.year
    places = [view.name(place) for s in about for place in s.locations]
    orders = [spoken(parse_order(s.order), view.geography) for s in about if s.order]
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


def propose(
    view: View, kind: CommitmentKind, by: Power, *, order: str = "", locations: Sequence[str] = ()
) -> Statement:
    """A commitment that is asked for or offered; an order is for this phase."""
    term = str(view.position.phase) if order else ""
    return Statement(kind=kind, act=Act.PROPOSE, by=by, order=order, locations=tuple(locations), term=term)


def state(view: View, order: Order) -> Statement:
    """A statement of one's own order of this phase."""
    term = str(view.position.phase)
    return Statement(kind=CommitmentKind.ORDER, act=Act.STATE, by=view.me, order=str(order), term=term)
