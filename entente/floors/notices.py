"""Notices on a turn's record: what was not done quite as the player said, and why."""

from collections import Counter
from collections.abc import Iterable

from entente.board.engine import Board
from entente.board.types import Power
from entente.display import displayable
from entente.floors.recorded import gives_orders
from entente.plain import storable
from entente.players.caps import MAX_THINKING_CHARS
from entente.players.protocol import Reply
from entente.players.record import Advice, Notice, NoticeKind, TurnRecord
from entente.press.ledger import Ledger

_SHOWN_CHARS = 120
_MAX_NOTICES = 40
"""Of one kind in one turn: more than a power can have units."""
_MAX_DETAIL_CHARS = 2000


def notice_of(kind: NoticeKind, detail: str, line: str = "") -> Notice:
    """A notice; of the line that it is about as much as is shown."""
    return Notice(kind=kind, detail=detail, line=line[:_SHOWN_CHARS])


def refusal(detail: str, line: str = "") -> Notice:
    """The notice of an action that had no effect."""
    return notice_of(NoticeKind.ACTION_REFUSED, detail, line)


def over_cap(power: Power, sentences: Iterable[str]) -> list[Notice]:
    """A notice for each sentence about what the caps have left out."""
    return [notice_of(NoticeKind.OVER_CAP, f"{power}: {sentence}") for sentence in sentences]


def with_notes(record: TurnRecord, reply: Reply) -> TurnRecord:
    """The record with a notice for each sentence about what was no action or was cut, its calls and its thoughts."""
    told = [
        *((NoticeKind.MENDED, sentence) for sentence in reply.mended),
        *((NoticeKind.ACTION_REFUSED, sentence) for sentence in reply.unread),
        *((NoticeKind.CUT, sentence) for sentence in reply.cut),
    ]
    if not (told or reply.calls or reply.replies or reply.thinking):
        return record
    notices = [notice_of(kind, f"{record.power}: {sentence}") for kind, sentence in told]
    if surplus := max(0, len(reply.thinking) - MAX_THINKING_CHARS):
        cap = f"A turn may have {MAX_THINKING_CHARS} characters of thoughts; {surplus} more were left out."
        notices += over_cap(record.power, [cap])
    return record.model_copy(
        update={
            "notices": (*record.notices, *notices),
            "calls": reply.calls,
            "replies": reply.replies,
            "thinking": storable(reply.thinking[:MAX_THINKING_CHARS]),
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


def with_ignored_statements(record: TurnRecord, ledger: Ledger, board: Board) -> TurnRecord:
    """The record with a notice for each statement about a commitment that has no effect.

    `ledger` is what the power knew when it spoke, so that an answer to what it had not read counts as none.
    """
    if not any(message.commitments or message.reply_to for message in record.messages):
        return record
    told = ledger.complaints(record.messages, board)
    notices = (notice_of(NoticeKind.STATEMENT_IGNORED, sentence) for sentence in told)
    return record.model_copy(update={"notices": (*record.notices, *notices)}) if told else record


def with_stand_in(record: TurnRecord, stand_in: str, why: str) -> TurnRecord:
    """The record with who took the turn in place of the seat's player, and a notice that says why."""
    if not stand_in:
        return record
    notices = (*record.notices, notice_of(NoticeKind.STOOD_IN, why))
    return record.model_copy(update={"notices": notices, "stand_in": stand_in})


def with_bounded_notices(record: TurnRecord) -> TurnRecord:
    """The record with so many notices of each kind, and one that counts the rest; their texts can be kept and shown."""
    kept: list[Notice] = []
    counts = Counter[NoticeKind]()
    for notice in record.notices:
        counts[notice.kind] += 1
        if counts[notice.kind] <= _MAX_NOTICES:
            kept.append(_displayable(notice))
    kept += [
        notice_of(kind, f"{record.power}: {count - _MAX_NOTICES} more notices of this kind were left out.")
        for kind, count in counts.items()
        if count > _MAX_NOTICES
    ]
    return record.model_copy(update={"notices": tuple(kept)})


def _done(orders: Iterable[str]) -> set[str]:
    return {order for order in orders if not order.endswith(" H")}


def _displayable(notice: Notice) -> Notice:
    detail = displayable(notice.detail[:_MAX_DETAIL_CHARS])
    return notice.model_copy(update={"detail": detail, "line": displayable(notice.line)})
