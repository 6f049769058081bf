"""What a person answers at a seat, from whatever form it comes in, to the actions of a turn.

The terminal and the page send `{"messages": [...]}` or `{"orders": [...]}`; somebody at Studio may type
plain lines. Reading an answer never raises, since an answer that fails would come back at every resume: what cannot
be used is a complaint, with which the person is asked again.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import JsonValue

from entente.board.orders import Reading, read_orders
from entente.board.verdicts import LineVerdict, Verdict
from entente.errors import PressError
from entente.floors.asking import Ask
from entente.floors.seat_view import SeatView, enough_text
from entente.players.actions import Action, SendMessage, SubmitOrders, VoteDraw, order_lines
from entente.players.caps import within_caps
from entente.press.mailbox import address, check_content
from entente.press.messages import MessageType
from graph.state import board_from

_SHOWN_CHARS = 80
MOST_NAMES = 10
"""To whom one message goes."""
_MAX_VERDICTS = 40
_MOST_PARTS = 20_000
"""Lines and messages of an answer that is read at all: far more than a turn may have."""

_MESSAGES: dict[str, Any] = {
    "messages": {
        "type": "array",
        "description": "Messages to send; `to` is a power, several with commas between them, or ALL.",
        "items": {
            "type": "object",
            "properties": {"to": {"type": "string"}, "text": {"type": "string"}},
            "required": ["to", "text"],
        },
    }
}
_ORDERS: dict[str, Any] = {
    "orders": {
        "type": "array",
        "description": "One order a line, A PAR - BUR.",
        "items": {"type": "string"},
    },
    "draw": {"type": "boolean", "description": "A vote for or against ending the game in a draw."},
}

_READ: dict[str, Any] = {
    "read": {
        "type": "integer",
        "description": "How many messages of the phase, in the order of the question's `press`, were read before "
        "this; all of them, unless it is said. Whoever orders over others is asked once more.",
    }
}

ANSWER_SCHEMAS: dict[Ask, dict[str, Any]] = {
    "talk": {"type": "object", "title": "Messages", "properties": _MESSAGES},
    "orders": {"type": "object", "title": "Orders", "properties": _ORDERS},
    "open": {"type": "object", "title": "Messages and orders", "properties": _MESSAGES | _ORDERS | _READ},
}
"""What a seat may be answered with, by what it is asked: shown as a form where there are forms."""


class Answer(NamedTuple):
    """An answer, understood."""

    actions: tuple[Action, ...]
    unread: tuple[str, ...]
    """Parts that could not be understood, as text."""


class Checked(NamedTuple):
    """An answer that was held against what its seat was asked."""

    actions: tuple[Action, ...]
    orders: Reading
    """What its order lines say."""
    verdicts: tuple[str, ...]
    """Why it cannot be used as it is, a sentence for each part; empty for an answer that can."""
    read: int | None = None
    """How many messages of the phase its sender had read, where that was said."""


def check(view: SeatView, value: JsonValue) -> Checked:
    """The answer understood, its orders read, and what cannot be used of it; never raises."""
    if (parts := _parts(value)) > _MOST_PARTS:
        told = f"An answer may have {_MOST_PARTS} lines and messages; {parts} came."
        return Checked((), read_orders(board_from(view.board), view.power, ()), (told,))
    understood = understand(view.ask, value)
    actions, left_out = within_caps(understood.actions)
    answer = Answer(actions, understood.unread)
    orders = read_orders(board_from(view.board), view.power, order_lines(answer.actions))
    verdicts = (*left_out, *_verdicts(view, value, answer, orders))
    return Checked(actions, orders, _bounded(verdicts), _read_of(view, value))


def _parts(value: JsonValue) -> int:
    """How many lines and messages there are to read."""
    match value:
        case str():
            return len(value.splitlines())
        case list():
            return sum(len(part.splitlines()) if isinstance(part, str) else 1 for part in value)
        case dict():
            return sum(_parts(part) if isinstance(part, (str, list)) else 1 for part in value.values())
        case _:
            return 1


def _read_of(view: SeatView, value: JsonValue) -> int | None:
    read = value.get("read") if view.ask == "open" and isinstance(value, dict) else None
    return read if isinstance(read, int) else None


def _bounded(verdicts: tuple[str, ...]) -> tuple[str, ...]:
    """The first of the verdicts, and one that counts the rest."""
    more = len(verdicts) - _MAX_VERDICTS
    return (*verdicts[:_MAX_VERDICTS], f"{more} more parts cannot be used.") if more > 0 else verdicts


def _verdicts(view: SeatView, value: JsonValue, answer: Answer, orders: Reading) -> tuple[str, ...]:
    found = [f"{part[:_SHOWN_CHARS]!r} could not be read as a message or an order." for part in answer.unread]
    for action in answer.actions:
        if isinstance(action, SendMessage):
            found += _undeliverable(view, action)
    found += map(_verdict_text, _rejected(orders))
    if view.has_answered_enough and (view.orders_given is not None or not orders.verdicts):
        found.append(enough_text(view.power, view.phase))
    if view.ask == "orders" and not found and not _says_orders(value, answer):
        found.append('No orders came. To leave everything to civil disorder, answer {"orders": []}.')
    return tuple(found)


def _undeliverable(view: SeatView, message: SendMessage) -> list[str]:
    try:
        address(message.recipient, sender=view.power, reachable=view.can_write_to, to_all="ALL")
        check_content(message.content)
    except PressError as error:
        return [str(error)]
    return []


def _rejected(reading: Reading) -> list[LineVerdict]:
    return [v for v in reading.verdicts if v.verdict is Verdict.REJECTED and v.error is not None]


def _verdict_text(verdict: LineVerdict) -> str:
    nearest = f" Nearest legal order: {verdict.nearest}." if verdict.nearest else ""
    return f"{verdict.line[:_SHOWN_CHARS]}: {verdict.note}{nearest}"


def _says_orders(value: JsonValue, answer: Answer) -> bool:
    """True when there are orders, or none on purpose: an empty list, or an answer with nothing in it."""
    is_none = value in (None, {}, []) or (isinstance(value, dict) and isinstance(value.get("orders"), list))
    return is_none or any(isinstance(action, SubmitOrders) and action.orders for action in answer.actions)


def understand(ask: Ask, value: JsonValue) -> Answer:
    """The actions of an answer; never raises."""
    match ask:
        case "talk":
            return _messages(value)
        case "orders":
            return _orders(value)
        case "open":
            return _both(value)


def _both(value: JsonValue) -> Answer:
    """Messages and orders; of plain lines those with a colon are messages. Orders are given where there are any."""
    if isinstance(value, str):
        lines: list[JsonValue] = [*value.splitlines()]
        said = [line for line in lines if ":" in str(line)]
        value = {"messages": said, "orders": [line for line in lines if line not in said]}
    if not isinstance(value, dict):
        return _messages(value)
    talk = _messages({"messages": value.get("messages")})
    orders = _orders({key: part for key, part in value.items() if key not in ("messages", "read")})
    given = [
        action for action in orders.actions if not (isinstance(action, SubmitOrders) and not action.orders)
    ]
    return Answer((*talk.actions, *given), (*talk.unread, *orders.unread))


def _orders(value: JsonValue) -> Answer:
    if not isinstance(value, dict):
        lines, unread = _lines(value)
        return Answer((SubmitOrders(orders=lines),), unread)
    lines, unread = _lines(value.get("orders"))
    actions: list[Action] = [SubmitOrders(orders=lines)]
    draw = value.get("draw")
    if isinstance(draw, bool):
        actions.append(VoteDraw(yes=draw))
    return Answer(tuple(actions), (*unread, *_strangers(value, {"orders", "draw"})))


def _messages(value: JsonValue) -> Answer:
    items, strangers = value, ()
    if isinstance(value, dict) and "to" not in value:
        items, strangers = value.get("messages"), _strangers(value, {"messages"})
    parts = items if isinstance(items, list) else [items]
    read = [message for part in parts for message in _read_message(part)]
    return Answer(
        tuple(message for message in read if isinstance(message, SendMessage)),
        (*(part for part in read if isinstance(part, str)), *strangers),
    )


def _read_message(part: JsonValue) -> list[SendMessage | str]:
    """The messages of one part of an answer; what is none comes back as text."""
    match part:
        case None:
            return []
        case {"to": str(to), "text": str(text)}:
            return [*_chats(to, text)]
        case str(lines):
            return [each for line in lines.splitlines() if line.strip() for each in _read_line(line)]
        case _:
            return [str(part)]


def _read_line(line: str) -> list[SendMessage | str]:
    recipient, colon, text = line.partition(":")
    return [*_chats(recipient, text.strip())] if colon else [line]


def _chats(to: str, text: str) -> Iterator[SendMessage]:
    """A message to each that is named, which tells of the others; what are too many names stays one that is none."""
    names = dict.fromkeys(name.strip() for name in to.split(",", MOST_NAMES))
    for name in names:
        others = tuple(other for other in names if other != name)
        yield SendMessage(recipient=name, message_type=MessageType.CHAT, content=text, also_to=others)


def _lines(value: JsonValue) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Order lines, and what is none."""
    if value is None:
        return (), ()
    parts = value.splitlines() if isinstance(value, str) else value if isinstance(value, list) else [value]
    return (
        tuple(part for part in parts if isinstance(part, str) and part.strip()),
        tuple(str(part) for part in parts if not isinstance(part, str)),
    )


def _strangers(value: dict[str, JsonValue], known: set[str]) -> tuple[str, ...]:
    return tuple(f"{key}: {value[key]}" for key in sorted(value.keys() - known))
