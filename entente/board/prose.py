"""Lines that are no orders although orders stand in them: conditions, denials, considerations, choices, other phases.

Knows words only. A line is refused whole: of `If Germany moves to BUR, A PAR - PIC` nothing may be taken. What in one
line makes it none, `doubts.py` says; here is what one line means for others.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from itertools import pairwise
from typing import Protocol

from entente.board.doubts import doubt_in, takes_back
from entente.board.normalise import MAX_SPLIT, without_comment
from entente.board.types import Phase

_HEADING = re.compile(
    r"#+\s.*|\*\*[^*]*\*\*|[^:]*:[\s*_\[{]*|\W*not\s+(?:\w+\s+){0,2}(?:final|decided|submitted|binding|official)\b.*",
    re.IGNORECASE,
)
_RULE = re.compile(r"[\s|:+-]*-[\s|:+-]*")
"""What stands beneath the head of a table."""

_THOUGHTS = r"think|thinking|thoughts?|reasoning|analysis|scratchpad"
_OPENING = re.compile(
    rf"/\*|<!--|[<\[](?:s|del|strike|details|{_THOUGHTS})[>\]]|^[^\w~]*~~(?!~)", re.IGNORECASE
)
"""What begins a comment, thoughts or something struck out, which may go on for lines."""
_THOUGHTS_END = re.compile(rf"[<\[]/?(?:{_THOUGHTS})[>\]]", re.IGNORECASE)

_CHOICE = re.compile(
    r"\W*(?:options?|plan|alternative|variant|scenario|choice|version)\s+(?:(?:[a-z]|\d+)\b.*|\w+\W*)",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"\W*(?:my\s+|the\s+|our\s+)?(?:final|chosen|submitted|actual)\b[^:]*:\W*", re.IGNORECASE
)

_QUOTED = re.compile(r"\s*>(?!>)")
_REASONS = re.compile(r'\W*"(?:reason\w*|rationale|thoughts?|analysis|explanations?)"\s*:', re.IGNORECASE)
_FENCE = re.compile(r"\W*(?:$|`{3}|~{3})")
_SHOWN = 60
_MOST_LINES = 1000
"""Ten times as many as are read."""
_SENTENCE_END = (".", "!", ",", ";")
_POINTS_BELOW = re.compile(r"\b(?:following|below)\b", re.IGNORECASE)


class Words(Protocol):
    """What the words of a line say, for one who knows the names of a map."""

    @property
    def is_text(self) -> bool:
        """True where the lines follow each other in one text."""
        ...

    def is_title(self, line: str) -> bool:
        """True for a heading of orders, and for a remark."""
        ...

    def begins_order(self, line: str) -> bool:
        """True when an order comes first."""
        ...

    def are_strange(self, line: str) -> bool:
        """True for prose with words that are not known."""
        ...


class _Below(Enum):
    """What a line means for those below it: nothing, or that they are no orders."""

    NOTHING = auto()
    BLOCK = auto()
    """All up to a blank one."""
    SECTION = auto()
    """All up to a blank one, but for one right behind this line."""


def refusals(lines: Iterable[str], phase: Phase, words: Words) -> Iterator[tuple[str, str]]:
    """Each line that is not blank, and why nothing in it is an order; empty for a line that may hold some.

    A heading speaks of the lines below it, up to a blank one or another heading, and they stand only where it is one of
    orders; a blank line right behind a heading that is no sentence does not end it. Prose with words that are not known
    is such a heading, and speaks of all above it too, as does `Strike the above`. An `Option A` speaks of all below it,
    up to a heading such as `Final orders:`.
    """
    all_lines = list(lines)
    withdrawn, has_quotations = _withdrawn(all_lines, words), _has_quotations(all_lines)
    is_choice, below = False, _Below.NOTHING
    for at, (line, following, is_open) in enumerate(_looked_ahead(all_lines)):
        if not line.strip():
            below = _Below.BLOCK if below is _Below.SECTION else _Below.NOTHING
            continue
        later = all_lines[withdrawn].strip()[:_SHOWN] if at < withdrawn else ""
        said = _whole_line(line, later, is_open=is_open, is_quoted=has_quotations)
        if said:
            yield line, f"An order was wanted and {said}."
            continue
        code = "" if len(line) > MAX_SPLIT else without_comment(line).strip()
        is_heading = _is_head_of_table(code, following) or _is_heading(code, words)
        if _DECISION.fullmatch(code):
            is_choice, below = False, _Below.NOTHING
        is_choice = is_choice or _CHOICE.fullmatch(code) is not None
        found = doubt_in(code, phase, is_heading=is_heading)
        if code.rstrip(" *_[{").endswith(":") and not found:
            below = _Below.NOTHING
        yield line, _why(found, hangs=is_choice or below is not _Below.NOTHING)
        if is_heading and (found or not words.is_title(code)):
            below = _Below.BLOCK if code.endswith(_SENTENCE_END) else _Below.SECTION
        elif below is _Below.SECTION:
            below = _Below.BLOCK


def _whole_line(line: str, later: str, *, is_open: bool, is_quoted: bool) -> str:
    """What others make of a line, as a clause; empty for nothing. `later` is one that takes back what stands above."""
    if later:
        return f"a line below this one may take it back: {later!r}"
    if is_open:
        return "this line is struck out, a comment or a thought"
    return "this line is quoted among others" if is_quoted and _is_quoted(line) else ""


def _is_quoted(line: str) -> bool:
    return _QUOTED.match(line) is not None


def _has_quotations(lines: Sequence[str]) -> bool:
    """True when some lines are quoted and others are not; where all are, it is how they were typed."""
    quoted = [_is_quoted(line) for line in lines if line.strip()]
    return any(quoted) and not all(quoted)


def _is_heading(code: str, words: Words) -> bool:
    """True for what speaks of the lines below it: it is written so, says so, is prose or is no sentence."""
    if _HEADING.fullmatch(code) or _POINTS_BELOW.search(code) or _is_prose(code, words):
        return True
    is_sentence = code.endswith(_SENTENCE_END) or _FENCE.match(code) or _has_order(code, words)
    return words.is_text and not is_sentence


def _has_order(code: str, words: Words) -> bool:
    """True for an order, also behind a label."""
    return words.begins_order(code) or words.begins_order(code.partition(":")[2])


def _is_prose(code: str, words: Words) -> bool:
    """True for words that are neither orders nor known, unless they are the reasons that a model gives in JSON."""
    return not (_FENCE.match(code) or _REASONS.match(code) or _has_order(code, words)) and words.are_strange(
        code
    )


def _withdrawn(lines: Sequence[str], words: Words) -> int:
    """How many lines stand above the last one that takes them back, or may: nobody knows what its words mean."""
    for at, (line, _, is_open) in reversed(list(enumerate(_looked_ahead(lines[:_MOST_LINES])))):
        is_said = bool(line.strip()) and not is_open and not words.begins_order(line)
        if is_said and (takes_back(line) or _is_prose(line, words)):
            return at
    return 0


def _why(found: str, *, hangs: bool) -> str:
    if found:
        return f"An order was wanted and {found} makes this line none: nothing of it was taken."
    if hangs:
        return "An order was wanted and this line is one of several ways, or hangs on the line above it."
    return ""


def _looked_ahead(lines: Iterable[str]) -> Iterator[tuple[str, str, bool]]:
    """Each line with the next one, and True where a comment, thoughts or something struck out is open."""
    all_lines = [*lines, ""]
    closing = _open_from_the_start(all_lines)
    for line, following in pairwise(all_lines):
        is_open = bool(closing) or _is_opened_first(line)
        closing = _left_open(line, closing)
        yield line, following, is_open


def _is_head_of_table(code: str, next_line: str) -> bool:
    return code.count("|") > 1 and _RULE.fullmatch(next_line) is not None


def _is_opened_first(line: str) -> bool:
    """True when a comment, thoughts or something struck out begin before any word of the line."""
    opened = _OPENING.search(line[:MAX_SPLIT])
    return opened is not None and re.search(r"\w", line[: opened.start()]) is None


def _left_open(line: str, closing: str) -> str:
    """What has to come before a line counts again; empty when the next one does."""
    if closing:
        return "" if closing in line.lower() else closing
    opened = _OPENING.search(line[:MAX_SPLIT])
    if opened is None:
        return ""
    end = _closing_of(opened[0].lower())
    return "" if end in line[opened.end() :].lower() else end


def _closing_of(opening: str) -> str:
    if opening[0] in "<[" and opening != "<!--":
        return f"{opening[0]}/{opening[1:]}"
    return {"/*": "*/", "<!--": "-->"}.get(opening, "~~")


def _open_from_the_start(lines: Iterable[str]) -> str:
    """The end of thoughts of which the text has no beginning; empty for none."""
    for line in lines:
        found = _THOUGHTS_END.search(line[:MAX_SPLIT])
        if found:
            return found[0].lower() if found[0][1] == "/" else ""
    return ""
