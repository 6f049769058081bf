"""Misspelled names of provinces and powers put right: `Silessia` is Silesia, `Germnay` Germany."""

import re
from functools import lru_cache

from entente.board.engine import load_geography
from entente.players.scripted.diplomat.places import names_on

_WORD = re.compile(r"[A-Za-z]{5,}")
_SHORTEST = 6
"""Letters of a name; shorter ones are too near to other words."""
_LONG = 9
"""From here on two letters may be wrong."""
_WORDS = frozenset(
    {
        "PLAYER",
        "PLAYERS",
        "FINISH",
        "FINISHED",
        "POLISH",
        "PAIRS",
        "ATTACH",
        "CONVEY",
        "REUSE",
        "ALLOYS",
        "BOARDER",
    }
)
"""English words that are near to a name."""


_SPOKEN = frozenset(
    re.findall(
        r"\w+",
        "SUPPORT SUPPORTS SUPPORTING NEITHER ALLIANCE PLEASE ATTACK ATTACKS ATTACKING AGREED SHOULD WITHDRAW "
        "DEMILITARIZED CEASEFIRE TOGETHER BETWEEN AGAINST PROPOSE PROPOSAL PROMISE BETRAYED CONVOY BOUNCE NOBODY "
        "REFUSE DECLINE TRUCE PEACE FRIENDS FRIENDLY BORDER NEUTRAL REGRET FLEET",
    )
)
"""Words that a reading hangs on."""


@lru_cache(maxsize=16)
def _parts(map_name: str) -> frozenset[str]:
    """The words that names of provinces and powers are made of, in capitals."""
    names = " ".join([*names_on(map_name), *load_geography(map_name).powers])
    return frozenset(re.findall(r"[A-Z]+", names))


@lru_cache(maxsize=4096)
def _meant(word: str, map_name: str) -> str:
    """The name that the word, in capitals, is nearly; the word itself when there is none, or several."""
    parts, names = _parts(map_name), names_on(map_name)
    if word in _WORDS or any(_is_form_of(word, known) for known in parts | _SPOKEN):
        return word
    near = [part for part in sorted(parts | _SPOKEN) if part[0] == word[0] and _is_near(word, part)]
    return near[0] if len({names.get(part, part) for part in near}) == 1 else word


def _is_form_of(word: str, known: str) -> bool:
    """True for `withdraws` and `friend`, which are no misspelled `withdraw` and `friends`."""
    is_long = len(known) >= _SHORTEST - 1
    return word == known or (is_long and (word.startswith(known) or known.startswith(word)))


def _is_near(word: str, name: str) -> bool:
    """True where letters of a long word are wrong, or those of a shorter one the wrong way round."""
    if len(name) < _SHORTEST:
        return sorted(word) == sorted(name) and distance(word, name) == 1
    allowed = 2 if len(name) >= _LONG else 1
    return abs(len(word) - len(name)) <= allowed and distance(word, name) <= allowed


def distance(one: str, other: str) -> int:
    """How many letters are wrong, too many, missing, or the wrong way round."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, wanted in enumerate(other, 1):
            costs = [last[j] + 1, row[-1] + 1, last[j - 1] + (letter != wanted)]
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                costs.append(before[j - 2] + 1)
            row.append(min(costs))
        before, last = last, row
    return last[-1]


def mended(text: str, map_name: str) -> str:
    """The text with the names that are nearly in it."""

    def put_right(match: re.Match[str]) -> str:
        meant = _meant(match[0].upper(), map_name)
        if meant == match[0].upper():
            return match[0]
        return meant.lower() if meant in _SPOKEN else meant.title()

    return _WORD.sub(put_right, text)
