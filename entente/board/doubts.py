"""What takes the force out of a line whose words are all known: another phase, a sign that crosses it out, a comment.

And which lines take back orders above them. Rather too strict: an order that is not taken is asked for again, and one
that was never given is played.
"""

import re
import unicodedata

from entente.board.types import Phase, Season

_WHEN = re.compile(
    r"""(?:^\W*|[(\[]\s*)(?:(?:in|for|phase|turn)\s+)?(?:the\s+)?
    (?:(?P<season>spring|fall|autumn|winter)\b(?:\s+of)?\s*(?P<year>\d{4})?
       (?:\s+(?:moves?|orders?|phase|turn))?\s*[*_]*\s*(?:[:)\]]|$)
      |(?P<code>[SFW])?(?P<number>[12]\d{3})[MRA]?\b)""",
    re.IGNORECASE | re.VERBOSE,
)
"""A season or a year in front of an order or in brackets behind it."""
_SEASONS = {
    "spring": Season.SPRING,
    "fall": Season.FALL,
    "autumn": Season.FALL,
    "winter": Season.WINTER,
    "s": Season.SPRING,
    "f": Season.FALL,
    "w": Season.WINTER,
}

_MOST_READ = 500
_SEASON = re.compile(r"\b(?:spring|fall|autumn|winter)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b[12]\d{3}\b")

_QUESTION = re.compile(r"[？؟¿❓❔⁉🤔🤷]|\|\s*\?\s*\|")
"""The ASCII one is read with its order, which is then offered."""
_STRUCK_OUT = re.compile(
    r"~~|</?(?:s|del|strike)>|[\u0335-\u0338❌🚫⛔✖✗✘✕╳❎👎🗑🙅🛑☐☒🔲🔳⬜◻□○◯]|^\W*(?:\[\s*\]|\(\s*\))"
    r"|[-=](?:/|\|+)[-=>]|!\s*[-=>→–—]",
    re.IGNORECASE,
)
"""What crosses an order out, in a picture, a list or an arrow."""
_COMMENTED_OUT = re.compile(r"\W*?(?://|/\*)")

_UNDOING = r"""
    strik(?:e|es|ing|en)|struck|scratch\w*|ignor\w*|disregard\w*|discard\w*|cancel\w*|forget|withdr[ae]w\w*|retract\w*|revok\w*
    |void(?:ed)?|scrap\w*|delet\w*|eras\w*|undo(?:ne)?|rescind\w*|annul\w*|redact\w*|nullif\w*|supersed\w*|obsolete|replaced
    |tear\s+up|take\s+back|rub\s+out|cross(?:ed)?\s+out|never\s*mind|kidding|jok(?:e|ing)|typos?|mistakes?|oops|correction
    |should\s+(?:read|be\s+read|say)|forger(?:y|ies)|fakes?|drafts?|undecided|hypothetical\w*|second\s+thoughts?|no\s+longer|(?:is|are|calls?|called)\s+(?:off|out)|invalid|testing|nothing|examples?|samples?
    |illustrations?|tests?|(?:yet|still|need|have)\s+to\s+(?:choose|decide|hear|think)|hold\s+[\w\s]{0,30}\bback|(?:do\s+not|don['’]t)\s+(?:parse|play|use|take|read|count|enter|submit|process|execute|follow|accept|send)
    |not\s+(?:\w+\s+)?(?:yet|final|orders?|binding|submitted|mine|decided|official|sent|meant|valid|real|sure|now|today|agreed)
"""
_UNDOES = re.compile(rf"(?<![\w-])(?:{_UNDOING})(?![\w-])", re.IGNORECASE | re.VERBOSE)
_AFTERTHOUGHT = re.compile(
    r"\W*(?:p\.?\s?s\b|n\.?\s?b\b|updated?\b|corrections?\b|correcting\b|edit(?:ed)?\b|errat(?:a|um)\b|addend(?:a|um)\b"
    r"|footnote|postscript|(?:\w+\s+){0,3}later\b|(?:the\s+|all\s+)?(?:above|foregoing|preceding)\b)",
    re.IGNORECASE,
)
"""How a line begins that changes what stands above it, as far as can be told."""
_HEDGES = re.compile(
    r"\b(?:no|if|unless|until|once|provided|maybe|perhaps|possibly|not|never|only|instead|commented|todo|tb[acd])\b",
    re.IGNORECASE,
)
_ABOVE = re.compile(
    r"""\b(?:above|these|those|them|foregoing|preceding|previous|th(?:is|at)\s+(?:one|is|was|first|last)
      |all\s+(?:of\s+)?(?:it|that|this)|(?:first|second|third|last|other)\s+(?:one|line|order|move|two)
      |\d{1,2}(?!\d)|lines?|list|everything|orders?|moves?|the\s+lot|my\s+name)\b""",
    re.IGNORECASE | re.VERBOSE,
)


def speaks_against(comment: str) -> bool:
    """True for a comment that takes its order back or makes it hang on something; most say anything at all."""
    return _UNDOES.search(comment) is not None or _HEDGES.search(comment) is not None


def takes_back(line: str) -> bool:
    """True for a line, itself no order, that takes back what stands above it: it begins so or says what it undoes."""
    said = line[:_MOST_READ]
    if _AFTERTHOUGHT.match(said):
        return True
    undoing = _UNDOES.search(said)
    if undoing is None:
        return False
    return re.search(r"[^\W\d_]{2}", said[: undoing.start()]) is None or _ABOVE.search(said) is not None


def doubt_in(code: str, phase: Phase, *, is_heading: bool) -> str:
    """What in the line, which has no comment, takes the force out of it; empty for nothing."""
    if is_heading and any(int(year[0]) != phase.year for year in _YEAR.finditer(code)):
        return "another year"
    if is_heading and any(
        not _is_season(_SEASONS[said[0].lower()], phase) for said in _SEASON.finditer(code)
    ):
        return "another season"
    for when in _WHEN.finditer(code):
        if not _is_now(when, phase):
            return f"{when[0].strip(' :*_()[]')!r}, which is another phase than {phase},"
    if not is_heading and _COMMENTED_OUT.match(code):
        return "what comments it out"
    if _QUESTION.search(code):
        return "a question"
    plain = code if code.isascii() else unicodedata.normalize("NFD", code)
    return "what crosses it out" if _STRUCK_OUT.search(plain) else ""


def _is_now(when: re.Match[str], phase: Phase) -> bool:
    """True for the season in play, where it is said the year too; winter adjustments are often called those of fall."""
    season = _SEASONS.get((when["season"] or when["code"] or "").lower(), phase.season)
    return _is_season(season, phase) and (when["year"] or when["number"]) in (None, str(phase.year))


def _is_season(season: Season, phase: Phase) -> bool:
    return season is phase.season or (season, phase.season) == (Season.FALL, Season.WINTER)
