"""What recorded turns say, and what they change in the game's state."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import JsonValue

from entente.board.engine import Board
from entente.board.orders import read_orders
from entente.board.types import Power
from entente.board.verdicts import LineVerdict, Verdict
from entente.models.budget import Spent, spent_on
from entente.models.tokens import Learned, fewest_of, letters_learned
from entente.models.wire import CallUsage
from entente.players.actions import SubmitOrders, UpdateMemory, VoteDraw, order_lines
from entente.players.record import NoticeKind, Segment, TurnRecord
from entente.press.messages import Message

_OF_ORDERS = {
    NoticeKind.ORDER_REPAIRED,
    NoticeKind.ORDER_REJECTED,
    NoticeKind.ORDER_DEFAULTED,
    NoticeKind.ORDER_VOID,
}


def said_by(power: Power, turns: Iterable[TurnRecord]) -> list[Message]:
    """What the power has written in these turns."""
    return [message for turn in turns if turn.power == power for message in turn.messages]


def gives_orders(turn: TurnRecord) -> bool:
    """True when orders were among what was said, whether or not any of them could be used."""
    return any(isinstance(action, SubmitOrders) for action in turn.actions)


def without_orders(turn: TurnRecord) -> TurnRecord:
    """The turn as if no orders had been given in it."""
    actions = tuple(action for action in turn.actions if not isinstance(action, SubmitOrders))
    notices = tuple(notice for notice in turn.notices if notice.kind not in _OF_ORDERS)
    return turn.model_copy(update={"actions": actions, "orders": (), "notices": notices})


def rejected_lines(board: Board, turn: TurnRecord) -> tuple[LineVerdict, ...]:
    """The turn's order lines that cannot be used, with why; replaced ones are not among them."""
    if not any(notice.kind is NoticeKind.ORDER_REJECTED for notice in turn.notices):
        return ()  # nearly always, and then nothing is read a second time
    return unusable(read_orders(board, turn.power, order_lines(turn.actions)).verdicts)


def unusable(verdicts: Iterable[LineVerdict]) -> tuple[LineVerdict, ...]:
    """Those of the lines that cannot be used, with why; replaced ones are not among them."""
    return tuple(v for v in verdicts if v.verdict is Verdict.REJECTED and v.error is not None)


def updates_of(turn: TurnRecord) -> dict[str, JsonValue]:
    """What the turn wrote into the power's memory, by key; None for what it forgot."""
    return {action.key: action.value for action in turn.actions if isinstance(action, UpdateMemory)}


def memories_after(
    memories: Mapping[Power, Mapping[str, JsonValue]], turns: Iterable[TurnRecord]
) -> dict[Power, dict[str, JsonValue]]:
    """The private memories that these turns have changed, after their updates; None forgets a key."""
    after: dict[Power, dict[str, JsonValue]] = {}
    for turn in turns:
        if updates := updates_of(turn):
            after[turn.power] = {**after.get(turn.power, memories.get(turn.power, {})), **updates}
    return {power: {k: v for k, v in memory.items() if v is not None} for power, memory in after.items()}


def spent_after(before: Mapping[Power, Spent], turns: Iterable[TurnRecord]) -> dict[Power, Spent]:
    """What the powers whose turns these are have spent, if they have called a model."""
    after: dict[Power, Spent] = {}
    for turn in turns:
        if turn.calls:
            after[turn.power] = spent_on(turn.calls, after.get(turn.power) or before.get(turn.power))
    return after


def learned_after(before: Mapping[Power, Learned], turns: Iterable[TurnRecord]) -> dict[Power, Learned]:
    """What the turns' model calls tell of models of which nothing was known before, or that had more letters."""
    calls: dict[tuple[Power, str], list[CallUsage]] = {}
    for turn in turns:
        calls.setdefault((turn.power, turn.player), []).extend(turn.calls)
    after: dict[Power, Learned] = {}
    for (power, player), counted in calls.items():
        known, letters = before.get(power), letters_learned(counted)
        if letters is None:
            continue
        if known is None or known["player"] != player:
            after[power] = Learned(player=player, letters=letters, fewest=letters)
        elif letters < fewest_of(known):
            after[power] = Learned(player=player, letters=known["letters"], fewest=letters)
    return after


def draw_votes(turns: Iterable[TurnRecord]) -> dict[Power, bool]:
    """The latest draw vote of each power that cast one."""
    return {turn.power: a.yes for turn in turns for a in turn.actions if isinstance(a, VoteDraw)}


def orders_given(segment: Segment, turns: Sequence[TurnRecord]) -> dict[str, Any]:
    """What a segment's order turns put into the game's state."""
    return {
        "segments": [segment.id],
        "orders": {turn.power: list(turn.orders) for turn in turns},
        "votes": draw_votes(turns),
    }
