"""The provinces that a text names, and the words around them."""

import re
from functools import lru_cache
from typing import NamedTuple

from entente.board.engine import load_geography
from entente.board.types import Province

_PLAIN_WORDS = frozenset(
    {"BOTH", "EAST", "EASTERN", "WEST", "WESTERN", "BLACK", "IRISH", "PORT", "MARS", "NORWEGIAN"}
)
"""Names of the map's own list that say something else in a sentence, or nothing without the word behind them."""
_SPOKEN = {"MID-ATLANTIC": "MAO", "MID ATLANTIC": "MAO"}
"""What people say and the map's list has not."""
_NOT_BEFORE = re.compile(r"\W*(?:(?:the|my|your|our|army|armies|fleet|fleets|unit|units|in|at)\W+)*$")


class Mention(NamedTuple):
    """A province named in a text."""

    province: Province
    before: str
    """The word before the name, articles and the word for the unit left out; small letters, empty at the start."""


@lru_cache(maxsize=16)
def _names(map_name: str) -> tuple[re.Pattern[str], dict[str, Province]]:
    geography = load_geography(map_name)
    full = {name: code[:3] for name, code in geography.aliases.items() if len(name) > 3 and "/" not in name}
    full |= {name.upper(): province for province, name in geography.names.items() if len(name) > 3}
    full |= {name: province for name, province in _SPOKEN.items() if province in geography.terrain}
    full = {name: province for name, province in full.items() if name not in _PLAIN_WORDS}
    longest_first = "|".join(re.escape(name) for name in sorted(full, key=lambda name: (-len(name), name)))
    codes = "|".join(geography.terrain)
    # Codes count in capitals only: "her", "den" and "war" are words.
    return re.compile(rf"\b(?:(?i:({longest_first}))|({codes}))\b"), full


def mentions_in(text: str, map_name: str) -> list[Mention]:
    """The provinces that a text names, by full name or code, in order; each where it is named first."""
    pattern, full = _names(map_name)
    found: dict[Province, Mention] = {}
    for match in pattern.finditer(text):
        province = full[match[1].upper()] if match[1] else match[2]
        found.setdefault(province, Mention(province, _word_before(text[: match.start()])))
    return list(found.values())


def provinces_in(text: str, map_name: str) -> list[Province]:
    """The provinces that a text names, by full name or code, in order, without repetition."""
    return [mention.province for mention in mentions_in(text, map_name)]


def _word_before(text: str) -> str:
    """`to` for `move your fleet to the`; `-` for an arrow."""
    before = text.lower()
    if before.rstrip().endswith(("-", ">")):
        return "to"
    core = _NOT_BEFORE.sub("", before) if not before.rstrip().endswith((" in", " at")) else before
    return next(iter(re.findall(r"[a-z]+", core[-20:])[-1:]), "")
