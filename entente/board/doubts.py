"""What takes the force out of one line: a condition, a denial, a consideration, a question, another phase.

Knows words and signs only, and is rather too strict: an order that is not taken is asked for again, and one that was
never given is played.
"""

import re
import unicodedata

from entente.board.types import Phase, Season

_CONDITIONS = r"""
    if|unless|whether|else|otherwise|instead|rather|except|without|or|either|when|until|once|provided|providing
    |assuming|suppos\w+|depend\w+|in\s+(?:that\s+|which\s+)?case|in\s+the\s+event|contingen\w+|pending|allowing|(?:so|as)\s+long|given|only(?!\s+(?:\w+\s+)?(?:move|way|chance)\b)|subject\s+to
    |(?:on|one)\s+condition|barring|permitting|willing
"""
_DENIALS = r"""
    not|never|neither|nor(?=\s+(?:army|fleet|do|will)\b)|cannot|(?:do|wo|ca|did|does|is|should|would)n['’]?t|nah|nay
    |cancel\w*|reject\w*|discard\w*|ruled\s+out|avoid\w*|refus\w+|dismiss\w*|declin\w*|veto\w*|(?<!to\s)den(?:y|ied|ies)|abandon\w*
    |scrap\w*|dropped|withdr[ae]wn?|retract\w*|supersed\w*|obsolete|replaced|revok\w*|exclud\w*|forbid\w*|prohibit\w*
    |skip\w*|overrul\w*|postpon\w*|deferred|delayed|forget|disregard|undo(?:ne)?|(?:scratch|strike)\s+(?:that|it|out)
    |wait(?=\W*$|\s*[,.!])|oops|correction|changed?|out\s+of\s+the\s+question
    |shelved|off\s+the\s+table|thumbs?\s+down|jok(?:e|ing)|kidding|trash|hearsay|on\s+reflection|mistake\w*|blunder\w*|suicid\w*|pointless|useless|worse|worst|inferior|premature|too\s+\w+
"""
_CONSIDERATIONS = r"""
    could|might|may|maybe|perhaps|possibly|would|should|consider\w*|thought|thinking|options?|alternativ\w+|scenario
    |plan\s+(?:[a-z]|\d+)|fallback\w*|backup\w*|forecast\w*|examples?|samples?|comparison|proposals?|suggestions?|advice
    |rumou?rs?|guess\w*|afterwards|hypothe\w+|theor\w+|tentative\w*|candidates?|predict\w*|undecided|unsure|uncertain|tbd
    |tempt\w+|hop(?:es?|ing(?!\s+(?:to|for)\b))|wish\w*|tomorrow|eventually|someday|second\s+(?:choice|thought)|do\s+you
"""
_FOREIGN = r"""
    nicht|nein|wenn|falls|sofern|oder|kein\w*|sondern|vielleicht|statt|anstatt|es\s+sei\s+denn|stornier\w*|zu\s+riskant
    |si|sinon|sauf|ne\s+pas|ou|non|jamais|peut[-\s]?[eê]tre|moins\s+que|au\s+lieu|trop|annul\w*
    |quiz[aá]s?|tal\s+vez|talvez|nunca|cancelad\w*|anulad\w*|forse|invece|niet|misschien|não
"""
_DOUBTS = re.compile(
    rf"(?<![\w/-])(?:{_CONDITIONS}|{_DENIALS}|{_CONSIDERATIONS}|{_FOREIGN})(?![\w/-])",
    re.IGNORECASE | re.VERBOSE,
)

_OTHERS = re.compile(
    r"\b(?:keep\w*|retain\w*|expect\w*|likely|enem(?:y|ies)|all(?:y|ies)|partners?|opponents?|their|possible|legal|available|examples?"
    r"|bad|wrong|illegal|risky|last|previous\w*|next|later|old|histor\w+|formats?|fears?|rank\w*|counter\w*|ideas?|drafts?|threats?|results?|outcomes?"
    r"|decid\w+\s+against|what\s+(?!i\b|we\b)\w+)\b",
    re.IGNORECASE,
)
"""Words that make a heading one over what is not ordered."""

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

_YEAR = re.compile(r"\b[12]\d{3}\b")
_JSON = ("{", '"')

_PREDICATE = re.compile(
    r"(?:[-–—>→]|\bto)\s*[\w/]+\s+(?:is|are|was|were|looks?|seems?|fails?|failed|bounce[sd]?|loses?)\b",
    re.IGNORECASE,
)
"""`A PAR - BUR fails`: the order is what the sentence is about."""

_QUESTION = re.compile(r"[？؟¿❓❔⁉🤔🤷]|\|\s*\?\s*\|")
"""The ASCII one is read with its order, which is then offered."""
_STRUCK_OUT = re.compile(
    r"~~|</?(?:s|del|strike)>|[\u0335-\u0338❌🚫⛔✖✗✘✕╳❎👎🗑🙅🛑☐☒🔲🔳⬜◻□○◯]|^\W*(?:\[\s*\]|\(\s*\))"
    r"|[-=](?:/|\|+)[-=>]|!\s*[-=>→–—]",
    re.IGNORECASE,
)
"""What crosses an order out, in a picture, a list or an arrow."""
_COMMENTED_OUT = re.compile(r"\W*?(?://|/\*)")


def doubt_in(code: str, phase: Phase, *, is_heading: bool) -> str:
    """What in the line, which has no comment, takes the force out of it; empty for nothing."""
    said = code.replace("_", " ")  # a key such as "legal_orders"
    title = said if is_heading else said.partition(":")[0] if said[:1] in _JSON else ""
    if word := _DOUBTS.search(said) or _OTHERS.search(title):
        return repr(word[0])
    if is_heading and any(int(year[0]) != phase.year for year in _YEAR.finditer(code)):
        return "another year"
    for when in _WHEN.finditer(code):
        if not _is_now(when, phase):
            return f"{when[0].strip(' :*_()[]')!r}, which is another phase than {phase},"
    if not is_heading and _COMMENTED_OUT.match(code):
        return "what comments it out"
    if said := _PREDICATE.search(code):
        return repr(said[0].split()[-1])
    if _QUESTION.search(code):
        return "a question"
    plain = code if code.isascii() else unicodedata.normalize("NFD", code)
    return "what crosses it out" if _STRUCK_OUT.search(plain) else ""


def _is_now(when: re.Match[str], phase: Phase) -> bool:
    """True for the season in play, where it is said the year too; winter adjustments are often called those of fall."""
    season = _SEASONS.get((when["season"] or when["code"] or "").lower(), phase.season)
    is_season = season is phase.season or (season, phase.season) == (Season.FALL, Season.WINTER)
    return is_season and (when["year"] or when["number"]) in (None, str(phase.year))
