"""One line of orders, read: what it orders, in whatever notation, or why it is rejected.

A line may have several orders and remarks, in parts; and a part several orders that only words or nothing at all parts.
"""

import contextlib
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from entente.board.doubts import speaks_against
from entente.board.lexicon import NotAnOrder, Sentence
from entente.board.nearest import nearest_order
from entente.board.normalise import (
    MAX_PART,
    Line,
    read_line,
    split_line,
    split_lines,
    split_words,
    without_comment,
)
from entente.board.notation import Draft, drafts
from entente.board.orderbook import OrderBook
from entente.board.remarks import Cut, clauses, cuts, pieces
from entente.board.resolve import Resolved, intended, resolve
from entente.board.types import Order, PhaseKind, Unit, unit_of, verb_of
from entente.board.verdicts import SHOWN_CHARACTERS, Answer, LineVerdict, Verdict, rejected
from entente.errors import AmbiguousOrderError, IllegalOrderError, OrderError, OrderSyntaxError

MAX_READ = 100
"""So many lines or orders are read: more than twice what the greatest power has to give, and nobody waits for them."""

_TITLE = re.compile(r"\b(?:orders|spring|fall|autumn|winter)\b", re.IGNORECASE)
_MARKUP = re.compile(r"[\s#*_]*")
_BARE = re.compile(r"[\s*_]*")
_IS_END = re.compile(r"[SC] [AF] |- [A-Z]{3}|R [A-Z]{3}")
"""How the end of an order begins: a support, a convoy, a move, a retreat."""

_IS_OTHER_END = re.compile("m*[ph]")

_SIGNED = re.compile(r"\s*([+-])\s*((?:a|f|army|fleet)\s+[\w/ ()]+)", re.IGNORECASE)


def signs_of(book: OrderBook, text: str | Sequence[str]) -> Mapping[str, str]:
    """What a sign in front of a unit means: in adjustments stabbeurfou builds by `+ f bre` and disbands by `- f bre`.

    Nothing in other phases, and where more units have one than are due: that is a list with bullets.
    """
    if book.phase.kind is not PhaseKind.ADJUSTMENTS:
        return {}
    signed = sum(
        _SIGNED.fullmatch(part) is not None for line in split_lines(text) for part in split_line(line)
    )
    return {"+": "B", "-": "D"} if signed <= abs(book.builds) else {}


def line_answers(book: OrderBook, line: str, signs: Mapping[str, str]) -> Iterable[Answer]:
    """The verdicts on the line, one for each order in it; none for a blank one or a heading of orders."""
    parts = split_line(line)
    if _is_heading(book, parts):
        return []
    if len(parts) > 1 and book.vocabulary.is_called(read_line(parts[0]).words, book.power):
        return refused(
            line, "An order was wanted and this line speaks to another power: nothing of it was taken."
        )
    return _listed_answers(book, line, parts[: MAX_READ + 1], signs)


def refused(line: str, why: str) -> list[Answer]:
    """One verdict for a line of which nothing is read; none for a blank one."""
    shown = line.strip()[:SHOWN_CHARACTERS]
    return [Answer(rejected(OrderSyntaxError(why), shown, None))] if split_line(line) else []


def _listed_answers(
    book: OrderBook, line: str, parts: Sequence[str], signs: Mapping[str, str]
) -> list[Answer]:
    """The verdicts on the parts of a line, of which nothing is taken where one is neither an order nor a remark.

    `A PAR - BUR, PIC` is a choice, of which nothing is taken either.
    """
    answers: list[Answer] = []
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
        return refused(
            line,
            f"Orders were wanted and {unknown[:40]!r} belongs to none{book.vocabulary.hint(unknown)}: "
            "nothing of this line was taken.",
        )
    return _without_choices(answers)


def _without_choices(answers: Sequence[Answer]) -> list[Answer]:
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


def _one_of_several(shown: str) -> Answer:
    why = "One order for each unit was wanted and this line has several ways to go: say which."
    return Answer(rejected(AmbiguousOrderError(why), shown, None))


def _is_heading(book: OrderBook, parts: Sequence[str]) -> bool:
    """True for a line such as `Here are my orders:`, which orders nothing and stands in front of those that do."""
    if len(parts) != 1:
        return False
    # Looked at piece by piece: one pattern for the whole would take a quarter of a second for thousands of signs.
    label, colon, rest = parts[0].partition(":")
    if not colon or not _BARE.fullmatch(rest) or not _TITLE.search(label):
        return False
    return book.vocabulary.is_label(split_words(_MARKUP.sub("", label, count=1)), book.power, None, ())


def _answers(book: OrderBook, part: str, signs: Mapping[str, str]) -> list[Answer]:
    """The verdict on a part, or one for each order of several that nothing parts."""
    shown = part.strip()[:SHOWN_CHARACTERS]
    if len(part) > MAX_PART:
        error = OrderSyntaxError(f"An order was wanted and {len(part)} characters came.", line=shown)
        return [Answer(rejected(error, shown, None))]
    comment = part[len(without_comment(part)) :]
    if speaks_against(comment):
        why = f"An order was wanted and {comment[:SHOWN_CHARACTERS]!r} may take it back: nothing of it was taken."
        return [Answer(rejected(OrderSyntaxError(why), shown, None), unknown=comment)]
    canonical = book.canonical(" ".join(part.upper().split()))
    if canonical is not None:
        return [Answer(LineVerdict(shown, Verdict.OK, canonical))]
    signed = _SIGNED.fullmatch(part) if signs else None
    if signed:
        # In front of a verb, as in `- A BUD build`, the sign is a bullet.
        with contextlib.suppress(NotAnOrder):
            return [_read_words(book, read_line(f"{signed[2]} {signs[signed[1]]}"), shown)]
    try:
        return [_read_words(book, read_line(part), shown)]
    except NotAnOrder as error:
        return _trimmed(book, part, shown) or [_completed(book, error, part, shown)]


def _completed(book: OrderBook, error: NotAnOrder, part: str, shown: str) -> Answer:
    """The verdict on the end of an order, such as `S A MAR - BUR`: taken where one unit alone can be meant."""
    end = " ".join(part.upper().replace("-", " - ").split())
    fitting = (order for order in book.legal if _end_of(order) == end) if _IS_END.match(end) else ()
    whole = sorted(fitting, key=str)
    if not whole:
        return _not_an_order(book, error, shown)
    if len(whole) > 1:
        choice = AmbiguousOrderError(f"It could be {' or '.join(map(str, whole))}: say which.")
        return Answer(rejected(choice, shown, str(whole[0])))
    note = f"read as {whole[0]}, since no other unit of yours can do that"
    return Answer(LineVerdict(shown, Verdict.REPAIRED, whole[0], note))


def _end_of(order: Order) -> str:
    """What stands behind the unit."""
    return str(order).split(" ", 2)[-1]


def _not_an_order(book: OrderBook, error: NotAnOrder, shown: str) -> Answer:
    plain = OrderSyntaxError(f"{error}{book.vocabulary.hint(error.unknown)}.")
    return Answer(rejected(plain, shown, nearest_order(book, error.partial)), unknown=error.unknown)


def _trimmed(book: OrderBook, part: str, shown: str) -> list[Answer]:
    """The answers to what is left without labels and remarks, or to several orders in a row; empty for neither."""
    written = read_line(part).text
    doubted: list[Answer] = []
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


def _doubted(verdict: LineVerdict, beside: str) -> Answer:
    """The verdict on an order with words beside it that may speak against it; on one that is illegal, what it was."""
    if verdict.order is None:
        return Answer(verdict, unknown=beside)
    why = f"{verdict.order} was not taken, since {beside.strip()[:40]!r} may speak against it: write the order alone."
    return Answer(rejected(OrderSyntaxError(why), verdict.line, str(verdict.order)), unknown=beside)


def _in_a_row(book: OrderBook, some: Sequence[str]) -> list[Answer]:
    """The answers to orders that follow each other, a piece or two each; empty when they do not make orders only.

    A piece that is an order by itself and with the next one as well could be parted in two ways, and is not; two orders
    for one unit with nothing that parts them are a choice.
    """
    answers: list[Answer] = []
    at = 0
    while len(some) > 1 and at < len(some):
        read = [(size, answer) for size in (1, 2) if (answer := _whole(book, some[at : at + size]))]
        if len({answer.verdict.line for _, answer in read}) != 1:
            return []
        size, answer = read[0]
        answers.append(answer)
        at += size
    return answers if _are_of_different_units(answers) else []


def _in_clauses(book: OrderBook, part: str) -> list[Answer]:
    """The answers to orders and remarks that `and` or a full stop parts; empty when one of them is neither."""
    parts = clauses(part)
    answers = _listed_answers(book, part, parts, {}) if len(parts) > 1 else []
    is_whole = all(answer.verdict.order for answer in answers)
    return answers if is_whole and _are_of_different_units(answers) else []


def _are_of_different_units(answers: Iterable[Answer]) -> bool:
    units = [answer.unit for answer in answers if answer.unit]
    return len(set(units)) == len(units)


def _whole(book: OrderBook, some: Sequence[str]) -> Answer | None:
    """The answer to pieces that make one order together; None when they do not."""
    text = "".join(some)
    try:
        return _read_words(book, read_line(text), text.strip())
    except NotAnOrder:
        return None


def _read_words(book: OrderBook, line: Line, shown: str) -> Answer:
    """The verdict on a whole order; raises NotAnOrder where the words do not make one."""
    sentence = book.vocabulary.sentence(line.words)
    read = drafts(sentence, book.phase.kind)
    try:
        _refuse_other_speaker(book, sentence)
        return _accept(book, line, sentence, read, shown)
    except OrderError as error:
        return Answer(rejected(error, shown, nearest_order(book, sentence)))


def _refuse_other_speaker(book: OrderBook, sentence: Sentence) -> None:
    if sentence.speaker not in (None, book.power):
        raise IllegalOrderError(
            f"Orders of {book.power} were wanted and this line is for {sentence.speaker}."
        )


def _accept(book: OrderBook, line: Line, sentence: Sentence, read: list[Draft], shown: str) -> Answer:
    resolved, is_void = _resolve_any(book, read, line.is_marked_void)
    notes = [*sentence.corrections, *resolved.repairs]
    canonical = str(resolved.order)
    if not notes and line.text != canonical:
        notes.append(f"read as {canonical}")
    verdict = Verdict.REPAIRED if notes else Verdict.OK
    answer = LineVerdict(shown, verdict, resolved.order, "; ".join(notes), is_void=is_void)
    return Answer(answer, read[0].count)


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
