"""The order reader: what people and models write, answered line by line.

Every line that is not blank gets one verdict, but for a heading such as `My orders:`. An order is `ok` when it was
canonical already, case and spacing aside; `repaired` when it was understood although written otherwise, the note saying
how; `rejected` with the reason and the nearest legal order when it was not. Orders stand whatever is wrong with other
orders, and nothing is left out without a word. docs/orders.md describes the notation.
"""

import contextlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from entente.board.causes import allowance, one_too_many, replaced, sentence
from entente.board.doubts import speaks_against
from entente.board.engine import Board
from entente.board.lexicon import NotAnOrder, Sentence
from entente.board.nearest import nearest_order
from entente.board.normalise import (
    MAX_PART,
    MAX_TEXT,
    Line,
    is_cut,
    read_line,
    split_line,
    split_lines,
    split_words,
    without_comment,
)
from entente.board.notation import Draft, drafts
from entente.board.orderbook import OrderBook, order_book
from entente.board.prose import refusals
from entente.board.remarks import Cut, clauses, cuts, pieces
from entente.board.resolve import Resolved, intended, resolve
from entente.board.types import Order, PhaseKind, Power, Province, Unit, Waive, unit_of, verb_of
from entente.errors import AmbiguousOrderError, IllegalOrderError, OrderError, OrderSyntaxError

SHOWN_CHARACTERS = 200
"""So much of a line is given back with its verdict."""

MAX_READ = 100
"""So many lines or orders are read: more than twice what the greatest power has to give, and nobody waits for them."""

_TITLE = re.compile(r"\b(?:orders|spring|fall|autumn|winter)\b", re.IGNORECASE)
_MARKUP = re.compile(r"[\s#*_]*")
_BARE = re.compile(r"[\s*_]*")
_IS_END = re.compile(r"[SC] [AF] |- [A-Z]{3}|R [A-Z]{3}")
"""How the end of an order begins: a support, a convoy, a move, a retreat."""

_IS_OTHER_END = re.compile("m*[ph]")

_SIGNED = re.compile(r"\s*([+-])\s*((?:a|f|army|fleet)\s+[\w/ ()]+)", re.IGNORECASE)


class Verdict(StrEnum):
    """What the reader made of a line."""

    OK = "ok"
    REPAIRED = "repaired"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class LineVerdict:
    """The reader's answer to one line."""

    line: str
    """The text as it came, shortened to 200 characters."""
    verdict: Verdict
    order: Order | None
    """The order that was read; None when rejected."""
    note: str = ""
    """What was repaired, or why the line was rejected; empty when ok."""
    nearest: str | None = None
    """For a rejected line the nearest legal order, where there is one."""
    error: OrderError | None = None
    """For a rejected line the reason as an error: not an order, illegal, or ambiguous; None when all that befell it
    was a later line for the same unit, since nothing in it needs mending."""
    is_void: bool = False
    """True for an order that was deliberately submitted although it cannot work."""


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
    answers: list[_Answer] = []
    signs = _signs(book, text)
    lines = split_lines(text)
    is_text = isinstance(text, str) or any("\n" in item for item in text)
    for line, refusal in refusals(lines, book.phase, _Words(book, is_text=is_text)):
        answers += _refused(line, refusal) if refusal else _line_answers(book, line, signs)
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


@dataclass(slots=True)
class _Answer:
    """A verdict that a later line may still overturn."""

    verdict: LineVerdict
    count: int = 1
    """How often the order stands; more than once only for `WAIVE 2`."""
    unknown: str = ""
    """The word that makes a rejected line none, if that was it."""

    @property
    def unit(self) -> Unit | None:
        """The unit that is ordered; None for a waive and for what was rejected."""
        return unit_of(self.verdict.order) if self.verdict.order else None


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


def _refused(line: str, why: str) -> list[_Answer]:
    """One verdict for a line of which nothing is read; none for a blank one."""
    shown = line.strip()[:SHOWN_CHARACTERS]
    return [_Answer(_rejected(OrderSyntaxError(why), shown, None))] if split_line(line) else []


def _unread(shown: str) -> _Answer:
    why = f"At most {MAX_READ} orders in {MAX_TEXT:,} characters were wanted and more came; the rest was not read."
    return _Answer(_rejected(OrderSyntaxError(why), shown, None))


def _signs(book: OrderBook, text: str | Sequence[str]) -> Mapping[str, str]:
    """What a sign in front of a unit means: in adjustments stabbeurfou builds by `+ f bre` and disbands by `- f bre`.

    Nothing in other phases, and where more units have one than are due: that is a list with bullets.
    """
    if book.phase.kind is not PhaseKind.ADJUSTMENTS:
        return {}
    signed = sum(
        _SIGNED.fullmatch(part) is not None for line in split_lines(text) for part in split_line(line)
    )
    return {"+": "B", "-": "D"} if signed <= abs(book.builds) else {}


def _line_answers(book: OrderBook, line: str, signs: Mapping[str, str]) -> Iterable[_Answer]:
    parts = split_line(line)
    if _is_heading(book, parts):
        return []
    if len(parts) > 1 and book.vocabulary.is_called(read_line(parts[0]).words, book.power):
        return _refused(
            line, "An order was wanted and this line speaks to another power: nothing of it was taken."
        )
    return _listed_answers(book, line, parts[: MAX_READ + 1], signs)


def _listed_answers(
    book: OrderBook, line: str, parts: Sequence[str], signs: Mapping[str, str]
) -> list[_Answer]:
    """The verdicts on the parts of a line, of which nothing is taken where one is neither an order nor a remark.

    `A PAR - BUR, PIC` is a choice, of which nothing is taken either.
    """
    answers: list[_Answer] = []
    verb = ""
    for part in parts:
        verb = _first_verb(book, part) or verb
        last = answers[-1].verdict if answers else None
        if last and _may_have_other_end(last) and _is_other_end(book, part):
            answers[-1] = _one_of_several(last.line)
            answers.append(_one_of_several(part.strip()[:SHOWN_CHARACTERS]))
        elif len(parts) > 1 and _is_remark(book, part, last.order if last else None):
            continue
        elif verb and _is_unit(book, part):
            answers += _answers(book, f"{verb} {part}", signs)
        else:
            answers += _answers(book, part, signs)
    unknown = next((answer.unknown for answer in answers if answer.unknown), "")
    if unknown and len(parts) > 1:
        return _refused(
            line,
            f"Orders were wanted and {unknown[:40]!r} belongs to none{book.vocabulary.hint(unknown)}: "
            "nothing of this line was taken.",
        )
    return _without_choices(answers)


def _without_choices(answers: Sequence[_Answer]) -> list[_Answer]:
    """The answers, of which no two on a line give one unit different orders."""
    ordered: defaultdict[Unit | None, set[Order | None]] = defaultdict(set)
    for answer in answers:
        ordered[answer.unit].add(answer.verdict.order)
    is_choice = {unit for unit, orders in ordered.items() if unit and len(orders) > 1}
    return [_one_of_several(each.verdict.line) if each.unit in is_choice else each for each in answers]


def _first_verb(book: OrderBook, part: str) -> str:
    """The word for builds or disbands that stands in front of a unit, and of others behind it: `Build A PAR, F BRE`."""
    first = "".join(read_line(part).words[:1])
    is_due = book.phase.kind is PhaseKind.ADJUSTMENTS and first.isalpha() and len(first) > 1
    return first if is_due and book.vocabulary.letter(first) in ("b", "d") else ""


def _is_unit(book: OrderBook, part: str) -> bool:
    """True for a unit without a verb."""
    return _letters_of(book, part) in ("up", "p")


def _letters_of(book: OrderBook, part: str) -> str:
    """The letters of a part's items; empty for one that has words of no order."""
    try:
        items = book.vocabulary.sentence(read_line(part).words).items
    except NotAnOrder:
        return ""
    return "".join(item.letter for item in items)


def _is_remark(book: OrderBook, part: str, order: Order | None) -> bool:
    """True for a part that speaks for the order in front of it."""
    unit = unit_of(order) if order else None
    about = (verb_of(order), (unit.province,)) if order and unit else (None, ())
    return book.vocabulary.is_idle(split_words(part), *about)


def _may_have_other_end(verdict: LineVerdict) -> bool:
    """True for an order that a place or a hold behind it would change, or that one has changed already."""
    if verdict.order is None:
        return isinstance(verdict.error, AmbiguousOrderError)
    return verb_of(verdict.order) in "hmscr"


def _is_other_end(book: OrderBook, part: str) -> bool:
    """True for a place or a hold alone."""
    return _IS_OTHER_END.fullmatch(_letters_of(book, part)) is not None


def _one_of_several(shown: str) -> _Answer:
    why = "One order for each unit was wanted and this line has several ways to go: say which."
    return _Answer(_rejected(AmbiguousOrderError(why), shown, None))


def _is_heading(book: OrderBook, parts: Sequence[str]) -> bool:
    """True for a line such as `Here are my orders:`, which orders nothing and stands in front of those that do."""
    if len(parts) != 1:
        return False
    # Looked at piece by piece: one pattern for the whole would take a quarter of a second for thousands of signs.
    label, colon, rest = parts[0].partition(":")
    if not colon or not _BARE.fullmatch(rest) or not _TITLE.search(label):
        return False
    return book.vocabulary.is_label(split_words(_MARKUP.sub("", label, count=1)), book.power, None, ())


def _answers(book: OrderBook, part: str, signs: Mapping[str, str]) -> list[_Answer]:
    """The verdict on a part, or one for each order of several that nothing parts."""
    shown = part.strip()[:SHOWN_CHARACTERS]
    if len(part) > MAX_PART:
        error = OrderSyntaxError(f"An order was wanted and {len(part)} characters came.", line=shown)
        return [_Answer(_rejected(error, shown, None))]
    comment = part[len(without_comment(part)) :]
    if speaks_against(comment):
        why = f"An order was wanted and {comment[:SHOWN_CHARACTERS]!r} may take it back: nothing of it was taken."
        return [_Answer(_rejected(OrderSyntaxError(why), shown, None), unknown=comment)]
    canonical = book.canonical(" ".join(part.upper().split()))
    if canonical is not None:
        return [_Answer(LineVerdict(shown, Verdict.OK, canonical))]
    signed = _SIGNED.fullmatch(part) if signs else None
    if signed:
        # In front of a verb, as in `- A BUD build`, the sign is a bullet.
        with contextlib.suppress(NotAnOrder):
            return [_read_words(book, read_line(f"{signed[2]} {signs[signed[1]]}"), shown)]
    try:
        return [_read_words(book, read_line(part), shown)]
    except NotAnOrder as error:
        return _trimmed(book, part, shown) or [_completed(book, error, part, shown)]


def _completed(book: OrderBook, error: NotAnOrder, part: str, shown: str) -> _Answer:
    """The verdict on the end of an order, such as `S A MAR - BUR`: taken where one unit alone can be meant."""
    end = " ".join(part.upper().replace("-", " - ").split())
    fitting = (order for order in book.legal if _end_of(order) == end) if _IS_END.match(end) else ()
    whole = sorted(fitting, key=str)
    if not whole:
        return _not_an_order(book, error, shown)
    if len(whole) > 1:
        choice = AmbiguousOrderError(f"It could be {' or '.join(map(str, whole))}: say which.")
        return _Answer(_rejected(choice, shown, str(whole[0])))
    note = f"read as {whole[0]}, since no other unit of yours can do that"
    return _Answer(LineVerdict(shown, Verdict.REPAIRED, whole[0], note))


def _end_of(order: Order) -> str:
    """What stands behind the unit."""
    return str(order).split(" ", 2)[-1]


def _not_an_order(book: OrderBook, error: NotAnOrder, shown: str) -> _Answer:
    plain = OrderSyntaxError(f"{error}{book.vocabulary.hint(error.unknown)}.")
    return _Answer(_rejected(plain, shown, nearest_order(book, error.partial)), unknown=error.unknown)


def _trimmed(book: OrderBook, part: str, shown: str) -> list[_Answer]:
    """The answers to what is left without labels and remarks, or to several orders in a row; empty for neither."""
    written = read_line(part).text
    doubted: list[_Answer] = []
    for cut in cuts(part):
        line = read_line(cut.order)._replace(text=written)
        try:
            answer = _read_words(book, line, shown)
        except NotAnOrder:
            continue
        beside = _what_may_speak_against(book, cut, answer.verdict.order, line)
        if not beside:
            return [answer]
        doubted = doubted or [_doubted(answer.verdict, beside)]
    return _in_a_row(book, pieces(part)) or _in_clauses(book, part) or doubted


def _what_may_speak_against(book: OrderBook, cut: Cut, order: Order | None, line: Line) -> str:
    """What stands beside an order and may mean that it is none; empty for nothing."""
    said = book.vocabulary.sentence(line.words)
    about = (verb_of(order) if order else said.verb, said.provinces)
    if cut.label and not book.vocabulary.is_label(split_words(cut.label), book.power, *about):
        return cut.label
    remarks = (text for text in cut.remarks if not book.vocabulary.is_idle(split_words(text), *about))
    return next(remarks, "")


def _doubted(verdict: LineVerdict, beside: str) -> _Answer:
    """The verdict on an order with words beside it that may speak against it; on one that is illegal, what it was."""
    if verdict.order is None:
        return _Answer(verdict, unknown=beside)
    why = f"{verdict.order} was not taken, since {beside.strip()[:40]!r} may speak against it: write the order alone."
    return _Answer(_rejected(OrderSyntaxError(why), verdict.line, str(verdict.order)), unknown=beside)


def _in_a_row(book: OrderBook, some: Sequence[str]) -> list[_Answer]:
    """The answers to orders that follow each other, a piece or two each; empty when they do not make orders only.

    A piece that is an order by itself and with the next one as well could be parted in two ways, and is not; two orders
    for one unit with nothing that parts them are a choice.
    """
    answers: list[_Answer] = []
    at = 0
    while len(some) > 1 and at < len(some):
        read = [(size, answer) for size in (1, 2) if (answer := _whole(book, some[at : at + size]))]
        if len({answer.verdict.line for _, answer in read}) != 1:
            return []
        size, answer = read[0]
        answers.append(answer)
        at += size
    return answers if _are_of_different_units(answers) else []


def _in_clauses(book: OrderBook, part: str) -> list[_Answer]:
    """The answers to orders and remarks that `and` or a full stop parts; empty when one of them is neither."""
    parts = clauses(part)
    answers = _listed_answers(book, part, parts, {}) if len(parts) > 1 else []
    is_whole = all(answer.verdict.order for answer in answers)
    return answers if is_whole and _are_of_different_units(answers) else []


def _are_of_different_units(answers: Iterable[_Answer]) -> bool:
    units = [answer.unit for answer in answers if answer.unit]
    return len(set(units)) == len(units)


def _whole(book: OrderBook, some: Sequence[str]) -> _Answer | None:
    """The answer to pieces that make one order together; None when they do not."""
    text = "".join(some)
    try:
        return _read_words(book, read_line(text), text.strip())
    except NotAnOrder:
        return None


def _read_words(book: OrderBook, line: Line, shown: str) -> _Answer:
    """The verdict on a whole order; raises NotAnOrder where the words do not make one."""
    sentence = book.vocabulary.sentence(line.words)
    read = drafts(sentence, book.phase.kind)
    try:
        _refuse_other_speaker(book, sentence)
        return _accept(book, line, sentence, read, shown)
    except OrderError as error:
        return _Answer(_rejected(error, shown, nearest_order(book, sentence)))


def _refuse_other_speaker(book: OrderBook, sentence: Sentence) -> None:
    if sentence.speaker not in (None, book.power):
        raise IllegalOrderError(
            f"Orders of {book.power} were wanted and this line is for {sentence.speaker}."
        )


def _accept(book: OrderBook, line: Line, sentence: Sentence, read: list[Draft], shown: str) -> _Answer:
    resolved, is_void = _resolve_any(book, read, line.is_marked_void)
    notes = [*sentence.corrections, *resolved.repairs]
    canonical = str(resolved.order)
    if not notes and line.text != canonical:
        notes.append(f"read as {canonical}")
    verdict = Verdict.REPAIRED if notes else Verdict.OK
    answer = LineVerdict(shown, verdict, resolved.order, "; ".join(notes), is_void=is_void)
    return _Answer(answer, read[0].count)


def _resolve_any(book: OrderBook, read: list[Draft], may_be_void: bool) -> tuple[Resolved, bool]:
    """The one legal order among the readings, or the first reading as it stands where void ones are wanted."""
    found: dict[Order, Resolved] = {}
    errors: list[OrderError] = []
    for draft in read:
        try:
            resolved = resolve(book, draft)
            found[resolved.order] = resolved
        except OrderError as error:
            errors.append(error)
    if len(found) > 1:
        raise AmbiguousOrderError(f"It could be {' or '.join(map(str, found))}: say which.")
    if found:
        return next(iter(found.values())), False
    if may_be_void and isinstance(errors[0], IllegalOrderError):
        return Resolved(intended(book, read[0]), ()), True
    raise errors[0]


def _rejected(error: OrderError, shown: str, nearest: str | None) -> LineVerdict:
    error.line, error.nearest = shown, nearest
    return LineVerdict(shown, Verdict.REJECTED, None, str(error), nearest, error)


def _reject_replaced(answers: list[_Answer]) -> None:
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


def _reject_surplus(answers: list[_Answer], book: OrderBook) -> None:
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
            answer.verdict = _rejected(error, answer.verdict.line, None)
            continue
        if answer.count > left:
            due = allowance(book.builds, book.situation)
            note = f"only {left} of these {answer.count} were left: {due}"
            answer.verdict = replace(answer.verdict, verdict=Verdict.REPAIRED, note=note)
            answer.count = left
        left -= answer.count
