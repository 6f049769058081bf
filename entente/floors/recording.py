"""From a player's actions to the record of its turn: what was delivered, what was read, what was refused and why.

Pure: the same actions at the same table give the same record. Every action ends in the record, in what
was done or as a notice that says why not.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import JsonValue

from entente.board.engine import Board
from entente.board.missing import unordered
from entente.board.orders import LineVerdict, Reading, Verdict, read_orders
from entente.board.types import Power
from entente.display import displayable
from entente.errors import PressError
from entente.floors.asking import SeatTask
from entente.models.budget import Spent, spent_on
from entente.models.tokens import Learned, letters_learned
from entente.models.wire import CallUsage
from entente.players.actions import Action, SendMessage, SubmitOrders, UpdateMemory, VoteDraw, order_lines
from entente.players.bundle import DIARY
from entente.players.caps import within_caps
from entente.players.protocol import Reply
from entente.players.record import Advice, Notice, NoticeKind, Segment, TurnRecord
from entente.players.roster import HUMAN
from entente.press.ledger import Ledger
from entente.press.mailbox import address, check_content
from entente.press.messages import BROADCAST, Message, message_id
from graph.state import board_from

_SHOWN_CHARS = 120
_MAX_NOTICES = 40
"""Of one kind in one turn: more than a power can have units."""
_MAX_DETAIL_CHARS = 2000

_OF_ORDERS = {
    NoticeKind.ORDER_REPAIRED,
    NoticeKind.ORDER_REJECTED,
    NoticeKind.ORDER_DEFAULTED,
    NoticeKind.ORDER_VOID,
}


def talk_record(
    segment: Segment,
    power: Power,
    player: str,
    actions: Sequence[Action],
    *,
    reachable: Sequence[Power],
    read_up_to: int | None,
    drafted_on: Board | None = None,
    said: Sequence[Message] = (),
    memory: Mapping[str, JsonValue] | None = None,
) -> TurnRecord:
    """A turn of press: messages delivered to whom they name and to nobody else.

    Orders are a draft when it is `drafted_on` a board, and refused otherwise. The power has `said` these messages in
    turns of the same phase before, from which the ids of the new ones count. Here and below, `memory` is the power's
    until now: what would make it too large is left out.
    """
    actions, left_out = within_caps(actions, [each for each in said if each.round == segment.round], memory)
    messages: list[Message] = []
    notices = _over_cap(power, left_out)
    drafts, unusable = _drafted(power, actions, drafted_on)
    notices += unusable
    for action in actions:
        if isinstance(action, SubmitOrders) and not drafted_on:
            notices.append(_refused(f"{power} gave orders while press was wanted; they were not taken."))
        elif isinstance(action, SendMessage):
            try:
                messages.append(_message(segment, power, [*said, *messages], action, reachable))
            except PressError as error:
                notices.append(_notice(NoticeKind.MESSAGE_REFUSED, str(error), action.content))
    return TurnRecord(
        game=segment.game,
        segment=segment.id,
        power=power,
        number=0,
        phase=segment.phase,
        stage="talk",
        round=segment.round,
        player=player,
        read_up_to=read_up_to,
        actions=tuple(actions),
        messages=_of_true_groups(messages),
        drafts=drafts,
        notices=tuple(notices),
    )


def _of_true_groups(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages, each naming of its further addressees those alone who have been sent the same words."""
    sent = {(message.recipient, message.content) for message in messages}
    return tuple(
        message.model_copy(
            update={"also_to": tuple(name for name in message.also_to if (name, message.content) in sent)}
        )
        if message.also_to
        else message
        for message in messages
    )


def _drafted(
    power: Power, actions: Sequence[Action], board: Board | None
) -> tuple[tuple[str, ...], list[Notice]]:
    """The draft in canonical orders, and a notice for each line that is none; a draft need not be complete."""
    if board is None or not (lines := order_lines(actions)):
        return (), []
    reading = read_orders(board, power, lines)
    return tuple(map(str, reading.orders)), [
        _notice(NoticeKind.ORDER_REJECTED, f"{power}, in a draft: {verdict.note}", verdict.line)
        for verdict in _unusable(reading.verdicts)
    ]


def order_record(
    segment: Segment,
    power: Power,
    player: str,
    actions: Sequence[Action],
    *,
    board: Board,
    read_up_to: int | None,
    first: TurnRecord | None = None,
    is_asked_again: bool = False,
    reading: Reading | None = None,
    memory: Mapping[str, JsonValue] | None = None,
) -> TurnRecord:
    """A turn of orders, every line read, if it was not yet, and answered; `first` is the turn that this one mends.

    Units that were left out are noted as defaults, unless there were lines that could not be used
    and the player `is_asked_again` after such.
    """
    actions, left_out = within_caps(actions, memory=memory)
    reading = reading or _read_over(first.orders if first else (), board, power, order_lines(actions))
    notices = [notice for verdict in reading.verdicts for notice in _verdict_notice(power, verdict)]
    notices += _over_cap(power, left_out)
    notices += undelivered(power, (action.content for action in actions if isinstance(action, SendMessage)))
    if not (is_asked_again and _unusable(reading.verdicts)):
        notices += [
            _notice(NoticeKind.ORDER_DEFAULTED, f"{power} gave no legal order: {clause}.")
            for clause in unordered(board, power, reading.orders)
        ]
    return TurnRecord(
        game=segment.game,
        segment=segment.id,
        power=power,
        number=1 if first else 0,
        phase=segment.phase,
        stage="orders",
        round=0,
        player=player,
        read_up_to=read_up_to,
        actions=tuple(actions),
        orders=tuple(str(order) for order in reading.orders),
        notices=tuple(notices),
    )


def _read_over(standing: Sequence[str], board: Board, power: Power, lines: Sequence[str]) -> Reading:
    """The lines read over orders that stand where no line replaces them; the verdicts are the lines' alone."""
    # With the mark of a deliberate order, which changes nothing for the others: what was read once stands.
    reading = read_orders(board, power, [*(f"! {order}" for order in standing), *lines])
    return replace(reading, verdicts=reading.verdicts[len(standing) :])


def diary_record(
    segment: Segment,
    power: Power,
    player: str,
    actions: Sequence[Action],
    *,
    why_not: str = "",
    memory: Mapping[str, JsonValue] | None = None,
) -> TurnRecord:
    """A fold of a diary: updates of the memory, and nothing else; `why_not` is a sentence when it has failed."""
    actions, left_out = within_caps(actions, memory=memory)
    notices = [
        _refused(f"{power} called {action.tool} while its diary was wanted; it had no effect.")
        for action in actions
        if not isinstance(action, UpdateMemory)
    ]
    notices += _over_cap(power, left_out)
    if not any(isinstance(action, UpdateMemory) and action.key == DIARY for action in actions):
        reason = why_not or "the reply held none."
        notices.append(
            _notice(NoticeKind.DIARY_NOT_FOLDED, f"{power}'s diary was not folded this year: {reason}")
        )
    return TurnRecord(
        game=segment.game,
        segment=segment.id,
        power=power,
        number=0,
        phase=segment.phase,
        stage="diary",
        round=0,
        player=player,
        read_up_to=0,
        actions=tuple(actions),
        notices=tuple(notices),
    )


def open_record(
    segment: Segment,
    power: Power,
    player: str,
    actions: Sequence[Action],
    *,
    board: Board,
    reachable: Sequence[Power],
    read_up_to: int | None,
    said: Sequence[Message] = (),
    standing: Sequence[str] = (),
    reading: Reading | None = None,
    memory: Mapping[str, JsonValue] | None = None,
) -> TurnRecord:
    """A turn of press that may hold orders too, which replace the `standing` ones that the power gave before.

    Where a line cannot be used, standing orders of units that no other line is for stay: a slip costs no good order.
    Its messages are all of one round: how often their sender was woken is nobody else's to know.
    """
    at_once = segment.model_copy(update={"round": 1})
    actions, left_out = within_caps(actions, said, memory)
    talk = [action for action in actions if not isinstance(action, SubmitOrders)]
    record = talk_record(at_once, power, player, talk, reachable=reachable, read_up_to=read_up_to, said=said)
    notices = (*record.notices, *_over_cap(power, left_out))
    record = record.model_copy(update={"actions": actions, "round": segment.round, "notices": notices})
    if not gives_orders(record):
        return record
    ordered = [action for action in actions if not isinstance(action, SendMessage)]
    if reading is None:
        reading = _read_over((), board, power, order_lines(ordered))
        if _unusable(reading.verdicts):
            reading = _read_over(standing, board, power, order_lines(ordered))
    given = order_record(
        segment, power, player, ordered, board=board, read_up_to=None, is_asked_again=True, reading=reading
    )
    return record.model_copy(update={"orders": given.orders, "notices": (*record.notices, *given.notices)})


def seat_record(
    segment: Segment,
    question: SeatTask,
    actions: Sequence[Action],
    reading: Reading,
    said: Sequence[Message],
    *,
    read_up_to: int | None = None,
) -> TurnRecord:
    """A person's turn, whose order lines were read; it has `said` these messages in the same phase before."""
    board, power = board_from(question["board"]), question["power"]
    reachable = [other for other in board.survivors if other != power]
    match question["ask"]:
        case "talk":
            return talk_record(
                segment, power, HUMAN, actions, reachable=reachable, read_up_to=None, said=said
            )
        case "orders":
            return order_record(segment, power, HUMAN, actions, board=board, read_up_to=None, reading=reading)
        case "open":
            return open_record(
                segment,
                power,
                HUMAN,
                actions,
                board=board,
                reachable=reachable,
                read_up_to=read_up_to,
                said=said,
                reading=reading,
            )


def late_record(segment: Segment, power: Power) -> TurnRecord:
    """A note that a person's answer came when the time for it was over, and that nothing of it was taken."""
    detail = f"{power}'s answer for {segment.phase} came when its time was over; nothing of it was taken."
    record = talk_record(segment, power, HUMAN, (), reachable=(), read_up_to=None)
    return record.model_copy(update={"notices": (_notice(NoticeKind.LATE, detail),)})


def said_by(power: Power, turns: Iterable[TurnRecord]) -> list[Message]:
    """What the power has written in these turns."""
    return [message for turn in turns if turn.power == power for message in turn.messages]


def undelivered(power: Power, contents: Iterable[str]) -> list[Notice]:
    """A notice for each of these messages, which were written while orders were wanted."""
    told = f"{power} wrote a message while orders were wanted; it was delivered to nobody."
    return [_refused(told, content) for content in contents]


def gives_orders(turn: TurnRecord) -> bool:
    """True when orders were among what was said, whether or not any of them could be used."""
    return any(isinstance(action, SubmitOrders) for action in turn.actions)


def without_orders(turn: TurnRecord) -> TurnRecord:
    """The turn as if no orders had been given in it."""
    actions = tuple(action for action in turn.actions if not isinstance(action, SubmitOrders))
    notices = tuple(notice for notice in turn.notices if notice.kind not in _OF_ORDERS)
    return turn.model_copy(update={"actions": actions, "orders": (), "notices": notices})


def with_notes(record: TurnRecord, reply: Reply) -> TurnRecord:
    """The record with a notice for each sentence about what was no action or was cut, its calls and its thoughts."""
    told = [
        *((NoticeKind.MENDED, sentence) for sentence in reply.mended),
        *((NoticeKind.ACTION_REFUSED, sentence) for sentence in reply.unread),
        *((NoticeKind.CUT, sentence) for sentence in reply.cut),
    ]
    if not (told or reply.calls or reply.replies or reply.thinking):
        return record
    notices = [_notice(kind, f"{record.power}: {sentence}") for kind, sentence in told]
    return record.model_copy(
        update={
            "notices": (*record.notices, *notices),
            "calls": reply.calls,
            "replies": reply.replies,
            "thinking": reply.thinking,
        }
    )


def with_advice(record: TurnRecord, reply: Reply) -> TurnRecord:
    """The record with which of the suggestions, if any, its orders are; a unit without an order holds."""
    if not reply.suggested or not gives_orders(record):
        return record
    ordered = _done(record.orders)
    places = [place for place, lines in enumerate(reply.suggested, 1) if _done(lines) == ordered]
    advice = Advice(suggested=len(reply.suggested), followed=places[0] if places else 0)
    return record.model_copy(update={"advice": advice})


def _done(orders: Iterable[str]) -> set[str]:
    return {order for order in orders if not order.endswith(" H")}


def with_ignored_statements(record: TurnRecord, ledger: Ledger, board: Board) -> TurnRecord:
    """The record with a notice for each statement about a commitment that has no effect.

    `ledger` is what the power knew when it spoke, so that an answer to what it had not read counts as none.
    """
    if not any(message.commitments or message.reply_to for message in record.messages):
        return record
    told = ledger.complaints(record.messages, board)
    notices = (_notice(NoticeKind.STATEMENT_IGNORED, sentence) for sentence in told)
    return record.model_copy(update={"notices": (*record.notices, *notices)}) if told else record


def with_stand_in(record: TurnRecord, stand_in: str, why: str) -> TurnRecord:
    """The record with who took the turn in place of the seat's player, and a notice that says why."""
    if not stand_in:
        return record
    notices = (*record.notices, _notice(NoticeKind.STOOD_IN, why))
    return record.model_copy(update={"notices": notices, "stand_in": stand_in})


def rejected_lines(board: Board, turn: TurnRecord) -> tuple[LineVerdict, ...]:
    """The turn's order lines that cannot be used, with the reasons; replaced ones are not among them."""
    if not any(notice.kind is NoticeKind.ORDER_REJECTED for notice in turn.notices):
        return ()  # nearly always, and then nothing is read a second time
    return _unusable(read_orders(board, turn.power, order_lines(turn.actions)).verdicts)


def _unusable(verdicts: Iterable[LineVerdict]) -> tuple[LineVerdict, ...]:
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
    """What the turns' model calls tell of models of which nothing was known before."""
    calls: dict[tuple[Power, str], list[CallUsage]] = {}
    for turn in turns:
        known = before.get(turn.power)
        if known is None or known["player"] != turn.player:
            calls.setdefault((turn.power, turn.player), []).extend(turn.calls)
    return {
        power: Learned(player=player, letters=letters)
        for (power, player), counted in calls.items()
        if (letters := letters_learned(counted)) is not None
    }


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


def _message(
    segment: Segment, sender: Power, said: Iterable[Message], action: SendMessage, reachable: Sequence[Power]
) -> Message:
    recipient = address(action.recipient, sender=sender, reachable=reachable)
    others = {address(name, sender=sender, reachable=reachable) for name in action.also_to}
    is_to_all = BROADCAST in (recipient, *others)
    return Message(
        id=message_id(segment.phase, sender, recipient, said),
        phase=segment.phase,
        round=segment.round,
        sender=sender,
        recipient=recipient,
        message_type=action.message_type,
        content=check_content(action.content),
        commitments=action.commitments,
        reply_to=action.reply_to,
        also_to=() if is_to_all else tuple(sorted(others - {recipient})),
    )


def _verdict_notice(power: Power, verdict: LineVerdict) -> list[Notice]:
    if verdict.verdict is Verdict.REPAIRED:
        detail = f"{power}: read as {verdict.order}: {verdict.note}"
        return [_notice(NoticeKind.ORDER_REPAIRED, detail, verdict.line)]
    if verdict.verdict is Verdict.REJECTED:
        return [_notice(NoticeKind.ORDER_REJECTED, f"{power}: {verdict.note}", verdict.line)]
    if verdict.is_void:
        detail = f"{power} ordered {verdict.order} on purpose, though it cannot work."
        return [_notice(NoticeKind.ORDER_VOID, detail, verdict.line)]
    return []


def _over_cap(power: Power, sentences: Iterable[str]) -> list[Notice]:
    return [_notice(NoticeKind.OVER_CAP, f"{power}: {sentence}") for sentence in sentences]


def with_bounded_notices(record: TurnRecord) -> TurnRecord:
    """The record with so many notices of each kind, and one that counts the rest; their texts can be kept and shown."""
    kept: list[Notice] = []
    counts = Counter[NoticeKind]()
    for notice in record.notices:
        counts[notice.kind] += 1
        if counts[notice.kind] <= _MAX_NOTICES:
            kept.append(_displayable(notice))
    kept += [
        _notice(kind, f"{record.power}: {count - _MAX_NOTICES} more notices of this kind were left out.")
        for kind, count in counts.items()
        if count > _MAX_NOTICES
    ]
    return record.model_copy(update={"notices": tuple(kept)})


def _displayable(notice: Notice) -> Notice:
    detail = displayable(notice.detail[:_MAX_DETAIL_CHARS])
    return notice.model_copy(update={"detail": detail, "line": displayable(notice.line)})


def _refused(detail: str, line: str = "") -> Notice:
    return _notice(NoticeKind.ACTION_REFUSED, detail, line)


def _notice(kind: NoticeKind, detail: str, line: str = "") -> Notice:
    return Notice(kind=kind, detail=detail, line=line[:_SHOWN_CHARS])
