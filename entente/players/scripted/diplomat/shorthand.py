"""Players' shorthand put into words: `sup me mun from ruh plz` says `support me MUN from RUH please`.

Codes of provinces are written in capitals, as everything behind this reads them. A code that is a word as well,
`war` or `den`, is one only where a place stands.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from entente.board.engine import load_geography
from entente.board.types import Province
from entente.players.scripted.diplomat.spelling import mended

_WORDS = {
    "u": "you",
    "ur": "your",
    "r": "are",
    "n": "and",
    "w": "with",
    "y": "why",
    "k": "ok",
    "plz": "please",
    "pls": "please",
    "sry": "sorry",
    "ty": "thank you",
    "thx": "thanks",
    "thnx": "thanks",
    "tnx": "thanks",
    "im": "i'm",
    "ill": "i'll",
    "id": "i'd",
    "ive": "i've",
    "youre": "you're",
    "youll": "you'll",
    "lets": "let's",
    "wanna": "want to",
    "gonna": "going to",
    "gotta": "have to",
    "lemme": "let me",
    "bout": "about",
    "cuz": "because",
    "vs": "against",
    "sup": "support",
    "supp": "support",
    "rn": "right now",
    "atm": "right now",
    "idk": "i don't know",
    "np": "no problem",
    "nvm": "never mind",
    "gl": "good luck",
    "gg": "good game",
    "hf": "have fun",
    "nty": "no thank you",
    "ofc": "of course",
    "def": "definitely",
    "alr": "all right",
    "ya": "yes",
    "jk": "just kidding",
    "bc": "because",
    "pax": "peace",
    "thru": "through",
    "msg": "message",
    "til": "until",
    "nada": "nothing",
    "tmrw": "tomorrow",
    "wat": "what",
    "wht": "what",
    "wats": "what's",
    "whos": "who's",
    "allys": "allies",
    "alys": "allies",
    "outta": "out of",
    "outa": "out of",
    "gimme": "give me",
    "dunno": "don't know",
    "hafta": "have to",
    "atk": "attack",
    "att": "attack",
    "mv": "move",
    "tmr": "tomorrow",
    "cos": "because",
    "coz": "because",
    "cud": "could",
    "wud": "would",
    "shud": "should",
    "cld": "could",
    "wld": "would",
    "abt": "about",
    "btwn": "between",
    "prolly": "probably",
    "prob": "probably",
    "thot": "thought",
    "lmk": "let me know",
    "tho": "though",
}
"""Words as they are typed in haste, in small letters."""
_NOT = re.compile(
    r"\b(ca|wo|do|does|did|is|are|was|were|has|have|had|should|would|could|must)nt\b", re.IGNORECASE
)
_IS = re.compile(r"\b(it|that|what|who|where|how|there|here)s\b", re.IGNORECASE)
"""Words that want their apostrophe."""
_NUMBERS = {"2": "to", "4": "for"}
_WORD = re.compile(r"(?<![\w'])(?:[a-z]{1,6}|[A-Z][a-z]{1,5}|[24])(?![\w'])/?")
"""A short word, one all in capitals left out: that is a unit, a code or an order."""
_SPOKEN_FIRST = re.compile(r"^(\W*)you (?=(?:\w+ing|allied|still|with|ok)\b)", re.IGNORECASE)
"""`you moving to Piedmont?`: the verb before it is left out."""

_PACT = re.compile(
    r"(?:(?<=\ba )|(?<=\ban )|(?<=\bour )|(?<=\bthe )|(?<=\banother )|(?<=^))NAP\b|"
    r"(?<!\bto )(?<!\bin )(?<!\binto )(?<!\bfrom )(?<![->/])(?<!\bA )(?<!\bF )(?<!\bS )"
    r"\bNAP(?=\W*$| (?:till?|until|through|thru|for|with|between|us|this|ok|pls|please|then|deal)\b)"
)
"""Not Naples."""

_ALSO_A_WORD = re.compile(r"arm|bar|bud|con|den|gas|mid|nap|par|pie|por|rum|spa|vie")
_WAR = "war"
"""A place beside an arrow alone: people go to war and are at war."""
_NEITHER = "nor"
"""No place: what it is short for is two of them, besides."""
_PLACED_BEFORE = re.compile(
    r"(?:[->+/]|\b(?:to|into|in|of|from|at|through|via|on|for|with|and|or|dmz|take|taking|enter|leave|vacate|support|"
    r"hit|hitting|touch|near|go|going|open|attack|attacking|defend|need|keep|keeping|move|send|"
    r"bring|put|army|fleet|is|s|f))\s*$"
)
_PLACED_AFTER = re.compile(
    r"\s*(?:[->+/]|(?:s|to|dmz|hold|holds|support|supports|takes|moves|goes|hits|attacks|backs|"
    r"helps|will|can|stays?|empty|neutral|off[- ]limits|open|opens)\b)"
)
_ARTICLE_BEFORE = re.compile(r"\b(?:a|an|the|this|that|old|my|his|her|in on|hey|hi|thanks)\s+$")
"""`a gal` is none."""
_ARROW_BEFORE, _ARROW_AFTER = re.compile(r"[->/]\s*$"), re.compile(r"\s*[->/]")
_POWER_BEFORE = re.compile(
    r"\b(?:against|about|trust|beat|stab|kill|crush|think of|up on|"
    r"(?:ally|allied|peace|talking|friends) (?:to|with))\s+$"
)
_SUPPORTS = re.compile(r"(?<![\w'])[sS](?=\s+(?:me|my|[A-Za-z]{3,})\b)(?! and\b)")
"""A letter alone before a place; before a unit in notation it stays."""


def spelled_out(text: str, map_name: str) -> str:
    """The text with its abbreviations in words; codes and short names of provinces as codes in capitals."""
    apart = _IS.sub(r"\1's", _NOT.sub(r"\1n't", mended(text, map_name)))
    apart = _PACT.sub("non-aggression pact", apart)
    worded = _SPOKEN_FIRST.sub(r"\1are you ", _WORD.sub(_worded, apart))
    return _SUPPORTS.sub("support", _with_codes(worded, map_name))


def _worded(match: re.Match[str]) -> str:
    word, behind = match[0].rstrip("/"), match.string[match.end() :]
    if word in _NUMBERS:
        return _NUMBERS[word] if re.match(r" (?!of\b|vs?\b)[a-z]", behind) else match[0]
    return _WORDS.get(word.lower(), match[0])


class _Codes(NamedTuple):
    """What is short for something on one map, in small letters."""

    pattern: re.Pattern[str]
    places: Mapping[str, Province]
    powers: Mapping[str, str]
    """Each power's beginning with its name."""


@lru_cache(maxsize=16)
def _codes(map_name: str) -> _Codes:
    geography = load_geography(map_name)
    short = {
        name.lower(): code[:3]
        for name, code in geography.aliases.items()
        if len(name) == 3 and name.isalpha()
    }
    places = {name: code for name, code in short.items() if name != _NEITHER}
    places |= {code.lower(): code for code in geography.terrain}
    powers = {power[:3].lower(): power.title() for power in geography.powers}
    pattern = re.compile(rf"(?<![\w'])(?:{'|'.join(sorted({*places, *powers}))})(?![\w'])", re.IGNORECASE)
    return _Codes(pattern, places, powers)


def _with_codes(text: str, map_name: str) -> str:
    codes = _codes(map_name)
    short = {match[0].lower() for match in codes.pattern.finditer(text)} & codes.places.keys()
    is_coded = any(not _ALSO_A_WORD.fullmatch(code) and code != _WAR for code in short)

    def written(match: re.Match[str]) -> str:
        word, before, behind = match[0].lower(), text[: match.start()].lower(), text[match.end() :].lower()
        last = before.split()[-1:]
        is_beside = bool(last) and last[0] in codes.places and not _ALSO_A_WORD.fullmatch(last[0])
        is_power = word not in codes.places or _POWER_BEFORE.search(before)
        if word in codes.powers and is_power:
            return codes.powers[word]
        is_place = match[0].isupper() or is_beside or _is_place(word, before, behind)
        is_place = is_place or (is_coded and word != _WAR and not _ARTICLE_BEFORE.search(before))
        return codes.places[word] if is_place else match[0]

    return codes.pattern.sub(written, text)


def _is_place(word: str, before: str, behind: str) -> bool:
    if word == _WAR:
        return bool(_ARROW_BEFORE.search(before) or _ARROW_AFTER.match(behind))
    if not _ALSO_A_WORD.fullmatch(word):
        return not _ARTICLE_BEFORE.search(before)
    return bool(_PLACED_BEFORE.search(before) or _PLACED_AFTER.match(behind))
