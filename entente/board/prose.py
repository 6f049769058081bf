"""Lines that are no orders although orders stand in them: conditions, denials, considerations, and choices.

Knows words only. A line is refused whole: of `If Germany moves to BUR, A PAR - PIC` nothing may be taken.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from entente.board.normalise import MAX_SPLIT, without_comment

_DOUBT = r"""
    if|unless|whether|else|otherwise|instead|rather|except|without|or|either|when|until|once|provided|providing
    |assuming|suppos\w+|depend\w+|in\s+case|contingent|pending|not|never|neither|nor(?=\s+(?:army|fleet|do|will)\b)|cannot
    |(?:do|wo|ca|did|does|is|should|would)n['’]?t|could|might|may|maybe|perhaps|possibly|would|should
    |consider\w*|thought|thinking|cancel\w*|reject\w*|discard\w*|ruled\s+out|avoid\w*|refus\w+
    |options?|alternativ\w+|scenario|plan\s+(?:[a-z]|\d+)|fallback
    |nicht|wenn|falls|oder|kein\w*|sondern|si|sinon|sauf|ne\s+pas|ou
"""
_DOUBTS = re.compile(rf"(?<![\w/-])(?:{_DOUBT})(?![\w/-])", re.IGNORECASE | re.VERBOSE)

_OTHERS = re.compile(r".*\b(?:keep\w*|retain\w*|expected|enem(?:y|ies)|their)\b[^:]*:\W*", re.IGNORECASE)
"""A heading over what is not ordered."""

_STRUCK_OUT = re.compile(
    r"~~|</?(?:s|del|strike)>|[\u0335-\u0338❌🚫⛔✖✗✘👎🛑☐☒]|^\W*\[\s*\]|[-=]/[-=>]|!\s*[-=>→–—]",
    re.IGNORECASE,
)
"""What crosses an order out, in a picture, a list or an arrow."""

_CHOICE = re.compile(
    r"\W*(?:options?|plan|alternative|variant|scenario|choice|version)\s+(?:[a-z]|\d+)\b", re.IGNORECASE
)
_DECISION = re.compile(
    r"\W*(?:my\s+|the\s+|our\s+)?(?:final|chosen|submitted|actual)\b[^:]*:\W*", re.IGNORECASE
)


def refusals(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each line, and why nothing in it is an order; empty for a line that may hold some.

    What ends in a colon speaks of the lines below it, up to a blank one or another such heading; what ends in a comma
    of the next one; and an `Option A` of all below it, up to a heading such as `Final orders:`.
    """
    is_choice = False
    below = ""
    for line in lines:
        code = "" if len(line) > MAX_SPLIT else without_comment(line).strip()
        ending = code.rstrip(" *_")[-1:]
        if _DECISION.fullmatch(code):
            is_choice, below = False, ""
        is_choice = is_choice or _CHOICE.match(code) is not None
        found = _doubt(code)
        if not code or (ending == ":" and not found):
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
        if found and ending in (":", ","):
            below = ending
        elif below == ",":
            below = ""


def _doubt(code: str) -> str:
    """What in the line takes the force out of it; empty for nothing."""
    if word := _DOUBTS.search(code) or _OTHERS.fullmatch(code):
        return repr(word[0])
    plain = code if code.isascii() else unicodedata.normalize("NFD", code)
    return "what crosses it out" if _STRUCK_OUT.search(plain) else ""
