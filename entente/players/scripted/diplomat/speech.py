"""A message put together: words from the sentence book, typed statements beside them."""

from collections.abc import Iterable, Mapping, Sequence

from entente.board.spoken import listed, power_name, season_name, spoken, spoken_unit
from entente.board.types import (
    Convoy,
    Order,
    Phase,
    Power,
    Season,
    SupportHold,
    SupportMove,
    Unit,
    parse_order,
)
from entente.players.actions import SendMessage
from entente.players.scripted.diplomat.view import View
from entente.players.scripted.diplomat.wording import led, sentences
from entente.press.messages import Act, CommitmentKind, MessageId, MessageType, Statement
from entente.press.terms import read_term


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

    The words are about what it commits to, or about other things where those are given. No sentence that the power
    has had from me before is in them.
    """
    known = _fields(view, to, commitments if about is None else about)
    body = _new_sentence(view, to, what, {**known, **fields})
    lead = _lead(view, to, known) if is_opener and what != "thanks" else ""
    return SendMessage(
        recipient=to,
        message_type=message_type,
        content=led(lead, body),
        commitments=tuple(commitments),
        reply_to=reply_to,
    )


def _new_sentence(view: View, to: Power, what: str, fields: Mapping[str, object]) -> str:
    """One that was not said in this phase; those of earlier phases are not offered. When all were, the last again."""
    body = ""
    for body in sentences(what, f"{view.voice}:{view.me}:{to}", view.phase_number, **fields):
        if all(body not in said for recipient, said in view.said if recipient == to):
            break
    view.said.append((to, body))
    return body


def _fields(view: View, to: Power, about: Sequence[Statement]) -> Mapping[str, object]:
    """What every sentence may name."""
    phase = view.position.phase
    places = [view.name(place) for s in about for place in s.locations]
    orders = [spoken_order(view, to, parse_order(s.order)) for s in about if s.order]
    return {
        "name": power_name(to),
        "me": power_name(view.me),
        "season": season_name(phase),
        "next_year": phase.year + 1,
        "after": phase.year + 2,
        "until": _until(about[0], phase) if about else "",
        "deal": deal_name(view, to, about[0]) if about else "",
        "deals": ", or ".join(deal_name(view, to, statement) for statement in about),
        "places": listed(places),
        "order": orders[0] if orders else "",
        "orders": listed(orders),
    }


def _until(statement: Statement, now: Phase) -> str:
    """The end of a lasting agreement, as a year, or as a spring."""
    last = read_term(statement.term, statement.kind, now, is_possible_now=True).last
    return season_name(last) if last.season is Season.SPRING else str(last.year)


def deal_name(view: View, to: Power, statement: Statement) -> str:
    """What is committed to, as it stands in a sentence: `peace through 1902`."""
    if statement.order:
        return spoken_order(view, to, parse_order(statement.order))
    until = _until(statement, view.position.phase)
    places = listed([view.name(place) for place in statement.locations])
    name = {CommitmentKind.ALLIANCE: "an alliance", CommitmentKind.DMZ: f"nobody in {places}"}
    return f"{name.get(statement.kind, statement.kind.value)} through {until}"


def spoken_order(view: View, to: Power, order: Order) -> str:
    """The order in words for that reader: `my army Silesia supporting your army Ruhr to Munich`."""
    return spoken(order, view.geography, lambda unit: owned_unit(view, to, unit))


def owned_unit(view: View, to: Power, unit: Unit) -> str:
    """The unit and whose it is, as told to that reader: `your army Ruhr`."""
    owner = view.position.owner(unit)
    whose = {view.me: "my ", to: "your ", None: ""}.get(owner, f"{power_name(owner or '')}'s ")
    return f"{whose}{spoken_unit(unit, view.geography)}"


def _lead(view: View, to: Power, known: Mapping[str, object]) -> str:
    if not view.bundle.last_movement:
        return _new_sentence(view, to, "greeting", known)
    help_given = view.judgement.helped.get(to)
    if help_given is None:
        return ""
    return _new_sentence(view, to, "thanks", {**known, "place": help_place(view, help_given)})


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
    view: View, kind: CommitmentKind, by: Power, *, order: str = "", locations: Iterable[str] = ()
) -> Statement:
    """A commitment that is asked for or offered; an order is for this phase."""
    term = str(view.position.phase) if order else ""
    return Statement(kind=kind, act=Act.PROPOSE, by=by, order=order, locations=tuple(locations), term=term)


def state(view: View, order: Order) -> Statement:
    """A statement of one's own order of this phase."""
    term = str(view.position.phase)
    return Statement(kind=CommitmentKind.ORDER, act=Act.STATE, by=view.me, order=str(order), term=term)
