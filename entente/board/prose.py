"""Lines that are no orders although orders stand in them: conditions, denials, considerations, choices, other phases.

Knows words only. A line is refused whole: of `If Germany moves to BUR, A PAR - PIC` nothing may be taken. What in one
line makes it none, `doubts.py` says; here is what one line means for others.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

from entente.board.doubts import doubt_in
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
    r"\W*(?:options?|plan|alternative|variant|scenario|choice|version)\s+(?:[a-z]|\d+)\b", re.IGNORECASE
)
_DECISION = re.compile(
    r"\W*(?:my\s+|the\s+|our\s+)?(?:final|chosen|submitted|actual)\b[^:]*:\W*", re.IGNORECASE
)


def refusals(
    lines: Iterable[str], phase: Phase, is_title: Callable[[str], bool]
) -> Iterator[tuple[str, str]]:
    """Each line that is not blank, and why nothing in it is an order; empty for a line that may hold some.

    A heading speaks of the lines below it, up to a blank one or another heading, and they stand only where it is one
    of orders; what ends in a comma speaks of the next line; and an `Option A` of all below it, up to a heading such as
    `Final orders:`.
    """
    is_choice, below = False, ""
    for line, following, is_open in _looked_ahead(lines):
        if not line.strip():
            below = ""
            continue
        if is_open:
            yield line, "An order was wanted and this line is struck out, a comment or a thought."
            continue
        code = "" if len(line) > MAX_SPLIT else without_comment(line).strip()
        is_heading = _HEADING.fullmatch(code) is not None or _is_head_of_table(code, following)
        if _DECISION.fullmatch(code):
            is_choice, below = False, ""
        is_choice = is_choice or _CHOICE.match(code) is not None
        found = doubt_in(code, phase, is_heading=is_heading)
        if code.rstrip(" *_[{").endswith(":") and not found:
            below = ""
        yield line, _why(found, hangs=is_choice or bool(below))
        if is_heading and (found or not is_title(code)):
            below = "block"
        elif found and code.endswith(","):
            below = "line"
        elif below == "line":
            below = ""


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
