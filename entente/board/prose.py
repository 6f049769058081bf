"""Lines that are no orders although orders stand in them: conditions, denials, considerations, choices, other phases.

Knows words only. A line is refused whole: of `If Germany moves to BUR, A PAR - PIC` nothing may be taken.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from entente.board.normalise import MAX_SPLIT, without_comment
from entente.board.types import Phase, Season

_DOUBT = r"""
    if|unless|whether|else|otherwise|instead|rather|except|without|or|either|when|until|once|provided|providing
    |assuming|suppos\w+|depend\w+|in\s+case|contingent|pending|not|never|neither|nor(?=\s+(?:army|fleet|do|will)\b)|cannot
    |(?:do|wo|ca|did|does|is|should|would)n['’]?t|could|might|may|maybe|perhaps|possibly|would|should
    |consider\w*|thought|thinking|cancel\w*|reject\w*|discard\w*|ruled\s+out|avoid\w*|refus\w+
    |options?|alternativ\w+|scenario|plan\s+(?:[a-z]|\d+)|fallback
    |nicht|wenn|falls|oder|kein\w*|sondern|si|sinon|sauf|ne\s+pas|ou
"""
_DOUBTS = re.compile(rf"(?<![\w/-])(?:{_DOUBT})(?![\w/-])", re.IGNORECASE | re.VERBOSE)

_OTHERS = re.compile(
    r"\b(?:keep\w*|retain\w*|expect\w*|likely|enem(?:y|ies)|opponents?|their|possible|legal|available|examples?"
    r"|bad|wrong|illegal|risky|last|previous\w*|next|later)\b",
    re.IGNORECASE,
)
"""Words that make a heading one over what is not ordered."""

_HEADING = re.compile(r"#+\s.*|\*\*[^*]*\*\*|[^:]*:[\s*_]*")

_SEASON = re.compile(
    r"\W*(?:in\s+)?(?:the\s+)?(?P<season>spring|fall|autumn|winter)\b(?:\s+of)?\s*(?P<year>\d{4})?"
    r"(?:\s+(?:moves?|orders?|phase|turn))?\s*[*_]*\s*(?P<colon>:|$)",
    re.IGNORECASE,
)
_SEASONS = {"spring": Season.SPRING, "fall": Season.FALL, "autumn": Season.FALL, "winter": Season.WINTER}

_STRUCK_OUT = re.compile(
    r"~~|</?(?:s|del|strike)>|[\u0335-\u0338❌🚫⛔✖✗✘👎🛑☐☒]|^\W*\[\s*\]|[-=]/[-=>]|!\s*[-=>→–—]",
    re.IGNORECASE,
)
"""What crosses an order out, in a picture, a list or an arrow."""

_COMMENTED_OUT = re.compile(r"\W*?(?://|/\*)")

_CHOICE = re.compile(
    r"\W*(?:options?|plan|alternative|variant|scenario|choice|version)\s+(?:[a-z]|\d+)\b", re.IGNORECASE
)
_DECISION = re.compile(
    r"\W*(?:my\s+|the\s+|our\s+)?(?:final|chosen|submitted|actual)\b[^:]*:\W*", re.IGNORECASE
)


def refusals(lines: Iterable[str], phase: Phase) -> Iterator[tuple[str, str]]:
    """Each line that is not blank, and why nothing in it is an order; empty for a line that may hold some.

    A heading speaks of the lines below it, up to a blank one or another heading; what ends in a comma of the next line;
    and an `Option A` of all below it, up to a heading such as `Final orders:`.
    """
    is_choice, below = False, ""
    for line in lines:
        if not line.strip():
            below = ""
            continue
        code = "" if len(line) > MAX_SPLIT else without_comment(line).strip()
        is_heading = _HEADING.fullmatch(code) is not None
        if _DECISION.fullmatch(code):
            is_choice, below = False, ""
        is_choice = is_choice or _CHOICE.match(code) is not None
        found = _doubt(code, phase, is_heading)
        if code.endswith(":") and not found:
            below = ""
        if found:
            yield line, f"An order was wanted and {found} makes this line none: nothing of it was taken."
        elif is_choice or below:
            yield (
                line,
                "An order was wanted and this line is one of several ways, or hangs on the line above it.",
            )
        else:
            yield line, ""
        if found and (is_heading or code.endswith(",")):
            below = "block" if is_heading else "line"
        elif below == "line":
            below = ""


def _doubt(code: str, phase: Phase, is_heading: bool) -> str:
    """What in the line takes the force out of it; empty for nothing."""
    if word := _DOUBTS.search(code) or (_OTHERS.search(code) if is_heading else None):
        return repr(word[0])
    if (season := _SEASON.match(code)) and not _is_now(season, phase):
        return f"{season[0].strip(' :*_')!r}, which is another phase than {phase},"
    if not is_heading and _COMMENTED_OUT.match(code):
        return "what comments it out"
    plain = code if code.isascii() else unicodedata.normalize("NFD", code)
    return "what crosses it out" if _STRUCK_OUT.search(plain) else ""


def _is_now(found: re.Match[str], phase: Phase) -> bool:
    """True for the season in play, where it is said the year too; winter adjustments are often called those of fall."""
    season = _SEASONS[found["season"].lower()]
    is_season = season is phase.season or (season, phase.season) == (Season.FALL, Season.WINTER)
    return is_season and found["year"] in (None, str(phase.year))
