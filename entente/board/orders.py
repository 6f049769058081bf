"""The order reader: what people and models write, answered line by line.

Every line that is not blank gets one verdict, but for a heading such as `My orders:`. An order is `ok` when it was
canonical already, case and spacing aside; `repaired` when it was understood although written otherwise, the note saying
how; `rejected` with the reason and the nearest legal order when it was not. Orders stand whatever is wrong with other
orders, and nothing is left out without a word. docs/orders.md describes the notation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from entente.board.causes import allowance, one_too_many, replaced, sentence
from entente.board.engine import Board
from entente.board.normalise import MAX_PART, MAX_TEXT, is_cut, read_line, split_lines, split_words
from entente.board.order_lines import MAX_READ, line_answers, refused, signs_of
from entente.board.orderbook import OrderBook, order_book
from entente.board.prose import refusals
from entente.board.types import Order, PhaseKind, Power, Province, Waive
from entente.board.verdicts import Answer, LineVerdict, Verdict, rejected
from entente.errors import IllegalOrderError, OrderSyntaxError


@dataclass(frozen=True, slots=True)
class Reading:
    """All lines read: a verdict each, and the orders that result."""

    verdicts: tuple[LineVerdict, ...]
    """In the order of the text."""
    orders: tuple[Order, ...]
    """At most one a unit, a later line having replaced an earlier one; never more builds or disbands than allowed."""


def read_orders(board: Board, power: Power, text: str | Sequence[str]) -> Reading:
    """Read a power's orders, written in any known notation, several to a line however they are parted.

    MAX_READ parts of MAX_TEXT characters are read; the first one behind them says so, and no other is answered.
    Raises UnknownPower, and nothing else whatever the text.
    """
    book = order_book(board, board.check_power(power))
    answers: list[Answer] = []
    signs = signs_of(book, text)
    lines = split_lines(text)
    is_text = isinstance(text, str) or any("\n" in item for item in text)
    for line, refusal in refusals(lines, book.phase, _Words(book, is_text=is_text)):
        answers += refused(line, refusal) if refusal else line_answers(book, line, signs)
        if len(answers) > MAX_READ:
            break
    if len(answers) > MAX_READ or is_cut(text):
        answers[MAX_READ:] = [_unread(answers[MAX_READ].verdict.line if len(answers) > MAX_READ else "")]
    _reject_replaced(answers)
    _reject_surplus(answers, book)
    kept = (answer for answer in answers if answer.verdict.order is not None)
    orders = tuple(o for answer in kept for o in [answer.verdict.order] * answer.count if o is not None)
    return Reading(tuple(answer.verdict for answer in answers), orders)


def legal_order_texts(board: Board, power: Power) -> tuple[str, ...]:
    """All the power's legal orders as canonical text, by unit; what an editor offers to complete."""
    return tuple(str(order) for order in board.all_orders(board.check_power(power)))


@dataclass(frozen=True, slots=True)
class _Words:
    """What the words of a line say, to one who orders a power's units."""

    book: OrderBook
    is_text: bool
    """False for lines that were given one by one: what is none of them says nothing of the others."""

    def is_title(self, line: str) -> bool:
        words = split_words(line[:MAX_PART])
        is_remark = bool(words) and not line.endswith(":") and self.book.vocabulary.is_idle(words, None, ())
        return is_remark or self.book.vocabulary.names_orders(words, self.book.power)

    def begins_order(self, line: str) -> bool:
        written = line[:MAX_PART]
        is_canonical = self.book.canonical(written) is not None  # which saves most lines the longer way
        return is_canonical or self.book.vocabulary.begins_order(read_line(written).words)

    def are_strange(self, line: str) -> bool:
        words = split_words(line[:MAX_PART])
        if (
            not self.is_text
            or self.book.vocabulary.is_label(words, self.book.power, None, ())
            or self.is_title(line)
        ):
            return False
        return self.book.vocabulary.are_strange(words)


def _unread(shown: str) -> Answer:
    why = f"At most {MAX_READ} orders in {MAX_TEXT:,} characters were wanted and more came; the rest was not read."
    return Answer(rejected(OrderSyntaxError(why), shown, None))


def _reject_replaced(answers: list[Answer]) -> None:
    """The last order for a unit, or for a home to build in, stands; the earlier ones say what replaced them."""
    winners: dict[Province, Order] = {}
    for answer in reversed(answers):
        order = answer.verdict.order
        if order is None or isinstance(order, Waive):
            continue
        winner = winners.get(order.unit.province)
        if winner is None:
            winners[order.unit.province] = order
        else:
            note = sentence(replaced(order, winner))
            answer.verdict = LineVerdict(answer.verdict.line, Verdict.REJECTED, None, note, str(winner))


def _reject_surplus(answers: list[Answer], book: OrderBook) -> None:
    """The first builds or disbands stand up to the number that is allowed, the others say so."""
    if book.phase.kind is not PhaseKind.ADJUSTMENTS:
        return
    left = abs(book.builds)
    for answer in answers:
        order = answer.verdict.order
        if order is None:
            continue
        if left == 0:
            error = IllegalOrderError(sentence(one_too_many(order, book.builds, book.situation)))
            answer.verdict = rejected(error, answer.verdict.line, None)
            continue
        if answer.count > left:
            due = allowance(book.builds, book.situation)
            note = f"only {left} of these {answer.count} were left: {due}"
            answer.verdict = replace(answer.verdict, verdict=Verdict.REPAIRED, note=note)
            answer.count = left
        left -= answer.count
