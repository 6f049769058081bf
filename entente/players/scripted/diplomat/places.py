"""The provinces that a text names, the words around them, and who stands in them."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from entente.board.engine import Board, load_geography
from entente.board.types import Power, Province

_PLAIN_WORDS = frozenset(
    {"BOTH", "EAST", "EASTERN", "WEST", "WESTERN", "BLACK", "IRISH", "PORT", "MARS", "NORWEGIAN"}
)
"""Names of the map's own list that say something else in a sentence, or nothing without the word behind them."""
_SPOKEN = {
    "MID-ATLANTIC": "MAO",
    "MID ATLANTIC": "MAO",
    "NORTH ATLANTIC": "NAO",
    "MARSEILLE": "MAR",
    "WESTERN MED": "WES",
    "EASTERN MED": "EAS",
    "EAST MED": "EAS",
    "TYRRHENIAN": "TYS",
    "TYRREHNIAN": "TYS",
    "HELIGOLAND BIGHT": "HEL",
    "LIVERPOOL": "LVP",
    "PETERSBURG": "STP",
    "ST. PETERSBURG": "STP",
    "SAINT PETERSBURG": "STP",
    "ST PETE": "STP",
    "ST. PETE": "STP",
    "BULGARY": "BUL",
    "TIROL": "TYR",
    "TIROLIA": "TYR",
    "SEBASTOPOL": "SEV",
    "TUNISIA": "TUN",
    "GULF OF LIONS": "LYO",
    "GULF OF LION": "LYO",
}
"""What people say and the map's list has not."""
_ADJECTIVES = {
    "ALBANIAN": "ALB",
    "ARMENIAN": "ARM",
    "BELGIAN": "BEL",
    "BOHEMIAN": "BOH",
    "BULGARIAN": "BUL",
    "BURGUNDIAN": "BUR",
    "DANISH": "DEN",
    "DUTCH": "HOL",
    "FINNISH": "FIN",
    "GALICIAN": "GAL",
    "GREEK": "GRE",
    "LIVONIAN": "LVN",
    "NORWEGIAN": "NWY",
    "PIEDMONTESE": "PIE",
    "PORTUGUESE": "POR",
    "PRUSSIAN": "PRU",
    "ROMANIAN": "RUM",
    "RUMANIAN": "RUM",
    "SERBIAN": "SER",
    "SILESIAN": "SIL",
    "SPANISH": "SPA",
    "SWEDISH": "SWE",
    "SYRIAN": "SYR",
    "TUNISIAN": "TUN",
    "TYROLEAN": "TYR",
    "UKRAINIAN": "UKR",
    "VENETIAN": "VEN",
    "VIENNESE": "VIE",
}
"""`my Danish fleet` is the one in Denmark."""
_NOT_BEFORE = re.compile(
    r"\W*(?:(?:the|my|your|our|an|army|armies|fleet|fleets|unit|units|guys?|troops|boats?|ships?|in|at|"
    r"of|empty|open|nearby)\W+)*$"
)


_NEAR = 60
"""Characters in which the word before a name is looked for."""


class Mention(NamedTuple):
    """A province named in a text."""

    province: Province
    before: str
    """The word before the name, articles and the word for the unit left out; small letters, empty at the start."""
    start: int = 0
    end: int = 0


@lru_cache(maxsize=16)
def names_on(map_name: str) -> Mapping[str, Province]:
    """All names of the map's provinces that count in letters of any size, in capitals."""
    geography = load_geography(map_name)
    full = {name: code[:3] for name, code in geography.aliases.items() if len(name) > 3 and "/" not in name}
    full |= {name.upper(): province for province, name in geography.names.items() if len(name) > 3}
    full = {name: province for name, province in full.items() if name not in _PLAIN_WORDS}
    peoples = {f"{name}S": code for name, code in _ADJECTIVES.items() if name.endswith("AN")}
    spoken = {**_SPOKEN, **_ADJECTIVES, **peoples}
    return full | {name: province for name, province in spoken.items() if province in geography.terrain}


@lru_cache(maxsize=16)
def _pattern(map_name: str) -> re.Pattern[str]:
    longest_first = sorted(names_on(map_name), key=lambda name: (-len(name), name))
    codes = "|".join(load_geography(map_name).terrain)
    # Codes count in capitals only: "her", "den" and "war" are words.
    return re.compile(rf"\b(?:(?i:({'|'.join(map(re.escape, longest_first))}))|({codes}))\b")


def mentions_in(text: str, map_name: str) -> list[Mention]:
    """The provinces that a text names, by full name or code, in order; each where it is named first."""
    names = names_on(map_name)
    found: dict[Province, Mention] = {}
    for match in _pattern(map_name).finditer(text):
        province = names[match[1].upper()] if match[1] else match[2]
        if province not in found:
            before = _word_before(text[max(match.start() - _NEAR, 0) : match.start()])
            found[province] = Mention(province, before, match.start(), match.end())
    return list(found.values())


def provinces_in(text: str, map_name: str) -> list[Province]:
    """The provinces that a text names, by full name or code, in order, without repetition."""
    return [mention.province for mention in mentions_in(text, map_name)]


def with_owners(text: str, board: Board, me: Power, sender: Power) -> str:
    """The text in small letters, each province a single word that says whose unit stands there.

    `yourland` is the reader's, `myland` the writer's, `openland` neither's; a third power is `thirdpower`.
    """
    names, map_name = names_on(board.position.map_name), board.position.map_name
    owners = {unit.province: "yourland" for unit in board.position.units[me]}
    owners |= {unit.province: "myland" for unit in board.position.units[sender]}

    def owned(match: re.Match[str]) -> str:
        return owners.get(names[match[1].upper()] if match[1] else match[2], "openland")

    marked = _pattern(map_name).sub(owned, text).lower()
    others = "|".join(power.lower() for power in board.powers if power not in (me, sender))
    return re.sub(rf"\b(?:{others})\b", "thirdpower", marked)


def _word_before(text: str) -> str:
    """`to` for `move your fleet to the`; also for an arrow."""
    before = text.lower()
    if before.rstrip().endswith(("-", ">")):
        return "to"
    core = _NOT_BEFORE.sub("", before) if not before.rstrip().endswith((" in", " at")) else before
    return next(iter(re.findall(r"[a-z]+", core[-20:])[-1:]), "")
