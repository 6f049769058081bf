"""The journal as one power has lived it: turns and phases become the events of its seat.

A power reads in the journal's order. What stood when it was asked comes before its turn, and what was committed
while it was thinking comes after it. It sees its own turns whole; of another's it reads the messages to it or to all,
and learns that orders were given.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from pydantic import JsonValue

from entente.board.engine import Board
from entente.board.orders import read_orders
from entente.board.types import Power
from entente.board.verdicts import LineVerdict, Verdict
from entente.display import displayable
from entente.errors import PressError
from entente.players.actions import Action, SendMessage, SubmitOrders, UpdateMemory, VoteDraw, order_lines
from entente.players.model.agent_context import public_state
from entente.players.record import Notice, NoticeKind, PhaseRecord, TurnRecord
from entente.players.seat_events import ALL, SYSTEM, SeatEvent, SeatEventKind, SeatPhase, SeatTurn, Status
from entente.press.mailbox import address, readable
from entente.press.messages import BROADCAST, Message

_OF_LINES = frozenset({NoticeKind.ORDER_REPAIRED, NoticeKind.ORDER_REJECTED})
_OF_ORDERS = _OF_LINES | {NoticeKind.ORDER_DEFAULTED}


def opening_of(board: Board, before: PhaseRecord | None) -> tuple[SeatEvent, ...]:
    """What every seat is told when a phase begins; `before` is the phase that was adjudicated, None in the first."""
    state: dict[str, JsonValue] = {
        "phase": str(board.phase),
        "map": board.position.map_name,
        **public_state(board).model_dump(mode="json"),
    }
    at = before.at if before else None
    position = SeatEvent(SeatEventKind.BOARD_STATE, state, SYSTEM, ALL, at)
    if before is None:
        return (position,)
    change: dict[str, JsonValue] = {
        "phase": str(board.phase),
        "before": before.phase,
        "results": [result.model_dump(mode="json") for result in before.results],
    }
    return (SeatEvent(SeatEventKind.PHASE_CHANGE, change, SYSTEM, ALL, at), position)


def lived_phase(
    key: tuple[str, str, Power],
    board: Board,
    opening: tuple[SeatEvent, ...],
    turns: Sequence[TurnRecord],
    fold: TurnRecord | None = None,
) -> SeatPhase:
    """The phase at the seat of the power in the key, from its turns in the journal's order, diaries left out.

    `fold` is the power's fold of its diary, to be told of once the segment that it stood beside is over.
    """
    _, _, power = key
    heard = [[*events] for events in _heard(power, turns, board)]
    if fold is not None and turns and _updates(fold):
        heard[max(0, _end_of(fold, turns) - 1)].append(_folded(fold, turns))
    own: list[SeatTurn] = []
    since, news = 0, list[SeatEvent]()
    for place, turn in enumerate(turns):
        if not _is_asked(turn, power):
            continue
        until = max(since, _read_up_to(place, turn, turns))
        news += (event for events in heard[since:until] for event in events)
        own.append(SeatTurn(tuple(news), tuple(echoes(turn, board)), turn.stage == "orders", turn.thinking))
        since, news = until, [*remarks(turn)]
    news += (event for events in heard[since:] for event in events)
    return SeatPhase(key, str(board.phase), opening, tuple(own), tuple(news))


def _is_asked(turn: TurnRecord, power: Power) -> bool:
    return turn.power == power and (turn.waking is None or turn.waking.was_asked)


def _read_up_to(place: int, turn: TurnRecord, turns: Sequence[TurnRecord]) -> int:
    """How many of the phase's turns the power had read; where nobody is woken, all from before its segment."""
    if turn.waking is not None:
        return turn.waking.after
    return next(first for first in range(place + 1) if turns[first].segment == turn.segment)


def _heard(power: Power, turns: Sequence[TurnRecord], board: Board) -> Iterator[Iterable[SeatEvent]]:
    """What the power hears of each turn; of its own what it did unasked, and mere notes."""
    orders: dict[Power, tuple[str, ...]] = {}
    for turn in turns:
        is_news = _gives_orders(turn) and orders.get(turn.power) != turn.orders
        if is_news:
            orders[turn.power] = turn.orders
        if turn.power != power:
            yield _heard_of_another(turn, power, is_news=is_news)
        else:
            yield () if _is_asked(turn, power) else _unasked(turn, board)


def _unasked(turn: TurnRecord, board: Board) -> Iterator[SeatEvent]:
    yield from (echo for _, echo in echoes(turn, board))
    yield from remarks(turn)


def _heard_of_another(turn: TurnRecord, power: Power, *, is_news: bool) -> Iterator[SeatEvent]:
    yield from (_press(message, turn) for message in readable(power, turn.messages))
    if is_news:
        payload: dict[str, JsonValue] = {"status": Status.ORDERS_SUBMITTED, "power": turn.power}
        yield SeatEvent(SeatEventKind.SYSTEM, payload, SYSTEM, ALL, turn.at)


def _gives_orders(turn: TurnRecord) -> bool:
    return turn.stage == "orders" or any(isinstance(action, SubmitOrders) for action in turn.actions)


def echoes(turn: TurnRecord, board: Board) -> Iterator[tuple[Action, SeatEvent]]:
    """The power's own actions, each with what the game says to it."""
    delivered = deque(turn.messages)
    refused = deque(n.detail for n in turn.notices if n.kind is NoticeKind.MESSAGE_REFUSED)
    stand = _stand(turn, board)
    for action in turn.actions:
        match action:
            case SendMessage() if delivered and _is_same(action, delivered[0]):
                echo = _press(delivered.popleft(), turn)
            case SendMessage():
                why = refused.popleft() if refused else "It was delivered to nobody."
                echo = _own(turn, Status.MESSAGE_REFUSED, why=why)
            case SubmitOrders() if (why_not := _orders_refused(turn)) is not None:
                echo = _own(turn, Status.ORDERS_REFUSED, why=why_not)
            case SubmitOrders():
                read: dict[str, list[JsonValue]] = {
                    "lines": _lines(action, turn, board),
                    "stand": [*stand],
                    "left": _left(turn),
                }
                echo = _own(turn, Status.ORDERS_READ, **read)
            case UpdateMemory():
                echo = _own(turn, Status.MEMORY_KEPT, key=action.key)
            case VoteDraw():
                echo = _own(turn, Status.VOTE_COUNTED, yes=action.yes)
        yield action, echo


def _is_same(action: SendMessage, message: Message) -> bool:
    """True when the message is what became of the action: those that were refused lie between the others."""
    try:
        meant = address(action.recipient, sender=message.sender, reachable=[message.recipient])
    except PressError:
        return False
    return meant == message.recipient and _words(action.content) == _words(message.content)


def _words(text: str) -> list[str]:
    return displayable(text).split()  # as texts are delivered


def _orders_refused(turn: TurnRecord) -> str | None:
    """Why the turn's order lines were not even read, press alone being wanted; None where they were."""
    is_read = turn.stage == "orders" or turn.orders or turn.drafts
    if is_read or any(notice.kind in _OF_ORDERS for notice in turn.notices):
        return None
    return next((n.detail for n in turn.notices if n.kind is NoticeKind.ACTION_REFUSED), None)


def _lines(action: SubmitOrders, turn: TurnRecord, board: Board) -> list[JsonValue]:
    """What was read of each order line; nearly always all were taken as they came, and nothing is read anew."""
    if not any(notice.kind in _OF_LINES for notice in turn.notices):
        return [{"line": order, "verdict": "taken"} for order in turn.orders or turn.drafts]
    return [_line(verdict) for verdict in read_orders(board, turn.power, action.orders).verdicts]


def _stand(turn: TurnRecord, board: Board) -> list[JsonValue]:
    """The turn's orders that no line of it gave: they stand from a turn before it."""
    if turn.number == 0 and not any(notice.kind is NoticeKind.ORDER_REJECTED for notice in turn.notices):
        return []
    given = {str(order) for order in read_orders(board, turn.power, order_lines(turn.actions)).orders}
    return [order for order in turn.orders if order not in given]


def _line(verdict: LineVerdict) -> JsonValue:
    match verdict.verdict:
        case Verdict.OK:
            return {"line": verdict.line, "verdict": "taken"}
        case Verdict.REPAIRED:
            order = str(verdict.order)
            return {"line": verdict.line, "verdict": "repaired", "order": order, "note": verdict.note}
        case Verdict.REJECTED:
            answer = "rejected" if verdict.error else "replaced"
            return {
                "line": verdict.line,
                "verdict": answer,
                "note": verdict.note,
                "nearest": verdict.nearest or "",
            }


def _left(turn: TurnRecord) -> list[JsonValue]:
    """A sentence for each unit that was left without an order."""
    return [notice.detail for notice in turn.notices if notice.kind is NoticeKind.ORDER_DEFAULTED]


def remarks(turn: TurnRecord) -> Iterator[SeatEvent]:
    """The turn's notices that no action's echo tells of."""
    has_orders = any(isinstance(action, SubmitOrders) for action in turn.actions)
    refusal = _orders_refused(turn) if has_orders else None
    for notice in turn.notices:
        is_told = notice.kind is NoticeKind.MESSAGE_REFUSED or (has_orders and notice.kind in _OF_ORDERS)
        is_told = is_told or notice.detail == refusal
        if not is_told:
            yield _remark(notice, turn)


def _remark(notice: Notice, turn: TurnRecord) -> SeatEvent:
    return _own(turn, Status.NOTICE, kind=notice.kind, detail=notice.detail)


def _end_of(fold: TurnRecord, turns: Sequence[TurnRecord]) -> int:
    """The place behind the segment that the diary was folded beside."""
    beside = fold.segment.removesuffix(".diary")
    return max((place + 1 for place, turn in enumerate(turns) if turn.segment == beside), default=0)


def _folded(fold: TurnRecord, turns: Sequence[TurnRecord]) -> SeatEvent:
    """What the fold put into the memory, but for keys that the power has put in itself in the meantime."""
    before = turns[: _end_of(fold, turns)]
    own = {key for turn in before if turn.power == fold.power for key in _updates(turn)}
    news = {key: value for key, value in _updates(fold).items() if key not in own}
    return _own(fold, Status.DIARY_FOLDED, memory=news)


def _updates(turn: TurnRecord) -> dict[str, JsonValue]:
    return {action.key: action.value for action in turn.actions if isinstance(action, UpdateMemory)}


def _press(message: Message, turn: TurnRecord) -> SeatEvent:
    recipient = ALL if message.recipient == BROADCAST else message.recipient
    payload = message.model_dump(mode="json")
    return SeatEvent(SeatEventKind.PRESS, payload, message.sender, recipient, turn.at)


def _own(turn: TurnRecord, status: Status, **payload: JsonValue) -> SeatEvent:
    """A word of the game to the power whose turn it was."""
    return SeatEvent(SeatEventKind.SYSTEM, {"status": status, **payload}, SYSTEM, turn.power, turn.at)
