"""From a player's actions to the record of its turn: what was delivered, what was read, what was refused and why.

Pure: the same actions at the same table give the same record. Every action ends in the record, in what
was done or as a notice (`notices.py`) that says why not.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pydantic import JsonValue

from entente.board.engine import Board
from entente.board.missing import unordered
from entente.board.orders import Reading, read_orders
from entente.board.types import Power
from entente.board.verdicts import LineVerdict, Verdict
from entente.errors import PressError
from entente.floors.asking import SeatTask
from entente.floors.notices import notice_of, over_cap, refusal
from entente.floors.recorded import gives_orders, unusable
from entente.players.actions import Action, SendMessage, SubmitOrders, UpdateMemory, order_lines
from entente.players.bundle import DIARY
from entente.players.caps import within_caps
from entente.players.record import Notice, NoticeKind, Segment, TurnRecord
from entente.players.roster import HUMAN
from entente.press.mailbox import address, check_content
from entente.press.messages import BROADCAST, Message, message_id
from graph.state import board_from


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
    notices = over_cap(power, left_out)
    drafts, unusable = _drafted(power, actions, drafted_on)
    notices += unusable
    for action in actions:
        if isinstance(action, SubmitOrders) and not drafted_on:
            notices.append(refusal(f"{power} gave orders while press was wanted; they were not taken."))
        elif isinstance(action, SendMessage):
            try:
                messages.append(_message(segment, power, [*said, *messages], action, reachable))
            except PressError as error:
                notices.append(notice_of(NoticeKind.MESSAGE_REFUSED, str(error), action.content))
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
        notice_of(NoticeKind.ORDER_REJECTED, f"{power}, in a draft: {verdict.note}", verdict.line)
        for verdict in unusable(reading.verdicts)
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
    notices += over_cap(power, left_out)
    notices += undelivered(power, (action.content for action in actions if isinstance(action, SendMessage)))
    if not (is_asked_again and unusable(reading.verdicts)):
        notices += [
            notice_of(NoticeKind.ORDER_DEFAULTED, f"{power} gave no legal order: {clause}.")
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
        refusal(f"{power} called {action.tool} while its diary was wanted; it had no effect.")
        for action in actions
        if not isinstance(action, UpdateMemory)
    ]
    notices += over_cap(power, left_out)
    if not any(isinstance(action, UpdateMemory) and action.key == DIARY for action in actions):
        reason = why_not or "the reply held none."
        notices.append(
            notice_of(NoticeKind.DIARY_NOT_FOLDED, f"{power}'s diary was not folded this year: {reason}")
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
    notices = (*record.notices, *over_cap(power, left_out))
    record = record.model_copy(update={"actions": actions, "round": segment.round, "notices": notices})
    if not gives_orders(record):
        return record
    ordered = [action for action in actions if not isinstance(action, SendMessage)]
    if reading is None:
        reading = _read_over((), board, power, order_lines(ordered))
        if unusable(reading.verdicts):
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
    return record.model_copy(update={"notices": (notice_of(NoticeKind.LATE, detail),)})


def undelivered(power: Power, contents: Iterable[str]) -> list[Notice]:
    """A notice for each of these messages, which were written while orders were wanted."""
    told = f"{power} wrote a message while orders were wanted; it was delivered to nobody."
    return [refusal(told, content) for content in contents]


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
        return [notice_of(NoticeKind.ORDER_REPAIRED, detail, verdict.line)]
    if verdict.verdict is Verdict.REJECTED:
        return [notice_of(NoticeKind.ORDER_REJECTED, f"{power}: {verdict.note}", verdict.line)]
    if verdict.is_void:
        detail = f"{power} ordered {verdict.order} on purpose, though it cannot work."
        return [notice_of(NoticeKind.ORDER_VOID, detail, verdict.line)]
    return []
