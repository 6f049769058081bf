"""What people call the provinces: codes, full names, common abbreviations, and how names are misspelt.

Knows one map's geography and no position.
"""

import difflib
import itertools
from bisect import bisect_left
from collections.abc import Container, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from entente.board.engine import load_geography
from entente.board.geography import Geography
from entente.board.maps import SAFE_MAPS
from entente.board.normalise import split_words
from entente.board.types import Location

Words: TypeAlias = tuple[str, ...]

_ALTERNATIVES: dict[str, str] = {
    "ADRIATIC SEA": "ADRIATIC, ADS",
    "AEGEAN SEA": "AEGEAN",
    "APULIA": "PUGLIA, APULEIA",
    "BARENTS SEA": "BRN",
    "BELGIUM": "BELG",
    "BERLIN": "BERL",
    "BLACK SEA": "BLACK, BLS",
    "BULGARIA": "BULG",
    "BURGUNDY": "BOURGOGNE",
    "CONSTANTINOPLE": "CONST, ISTANBUL",
    "EASTERN MEDITERRANEAN": "EAST MED, EASTERN MED, EASTERN MEDITERRANEAN SEA, "
    "EAST MEDITERRANEAN, EASTMED, E MED, EMS, EME",
    "EDINBURGH": "EDINBURG, EDIN",
    "ENGLISH CHANNEL": "ECH, ENGLISH CH, ENG CHANNEL, ENG CH, LA MANCHE",
    "GULF OF BOTHNIA": "GOB, BOTH, GULF BOTHNIA",
    "GULF OF LYON": "GOL, LYONS, GULF OF LYONS, GULF LYON, GULF OF LION, GULF OF LIONS",
    "HELGOLAND BIGHT": "HEL BIGHT, HGB",
    "IONIAN SEA": "IONIAN, IOS",
    "IRISH SEA": "IRS",
    "LIVERPOOL": "LPOOL",
    "MARSEILLES": "MARS, MARSEILLE",
    "MID-ATLANTIC OCEAN": "MID ATLANTIC, MID-ATLANTIC, MIDDLE ATLANTIC, "
    "MIDDLE ATLANTIC OCEAN, MID ATL, MIDATL",
    "MUNICH": "MUNCHEN, MUNICHEN",
    "NAPLES": "NAPOLI",
    "NORTH AFRICA": "NAFR, N AFRICA, NORTH AFR",
    "NORTH ATLANTIC OCEAN": "NATL, NATLANTIC, NORTH ATLANTIC, N ATLANTIC, NORTH ATL, N ATL",
    "NORTH SEA": "NTS, N SEA, NORSEA, NTHSEA, NORTHSEA, NS",
    "NORWEGIAN SEA": "NRG, NORWSEA, NWS, NORG",
    "PICARDY": "PICARDIE",
    "PIEDMONT": "PIED, PIEMONTE, PID",
    "PORTUGAL": "PORT",
    "PRUSSIA": "PRUS",
    "ROME": "ROMA",
    "RUMANIA": "ROMANIA, ROUMANIA, RUMA",
    "SERBIA": "SERB",
    "SEVASTOPOL": "SEVASTAPOL, SEBASTOPOL, SEVAST",
    "SKAGERRAK": "SKAG, SKAGERRACK, SKAGERAK, SKAGGERAK",
    "ST PETERSBURG": "SAINT PETERSBURG, ST PETE, STPETE, SAINT PETE, "
    "PETERSBURG, STPETERSBURG, ST PETERSBERG, PETROGRAD",
    "ST-PETERSBURG": "SAINT PETERSBURG, ST PETE, STPETE, PETERSBURG",
    "TRIESTE": "TRIEST",
    "TUNIS": "TUNISIA",
    "TUSCANY": "TUSC, TUSCANIA",
    "TYROLIA": "TIROL, TIROLIA",
    "TYRRHENIAN SEA": "TYRRHENIAN, TYRR, TYN, TYRS, TYH, TYRHENIAN SEA",
    "UKRAINE": "UKRAIN",
    "VENICE": "VENEZIA",
    "VIENNA": "WIEN",
    "WARSAW": "WARS",
    "WESTERN MEDITERRANEAN": "WEST MED, WESTERN MED, WESTERN MEDITERRANEAN SEA, "
    "WEST MEDITERRANEAN, WESTMED, W MED, WMS, WME",
}
"""Names in wide use that some map's own list lacks, by the full name of what they mean, for every map that has it.
A map's own codes and names come first: `TYR` is Tyrolia on one map and a sea on another."""

_SHARED = {
    "LIV": ("LIVONIA", "LIVERPOOL"),
    "NOR": ("NORWAY", "NORWEGIAN SEA"),
    "NORW": ("NORWAY", "NORWEGIAN SEA"),
    "ATLANTIC": ("MID-ATLANTIC OCEAN", "NORTH ATLANTIC OCEAN"),
    "ATLANTIC OCEAN": ("MID-ATLANTIC OCEAN", "NORTH ATLANTIC OCEAN"),
}
"""Abbreviations that two places claim; the reader takes the one that makes a legal order."""

_PREFIX_LETTERS = 4
"""So many letters of a name's beginning stand for it when no other name begins so."""

_CODE_LETTERS = 3

_LONGEST_SPELLING = 30
"""Letters of a name that are compared at all; the longest real one has 26."""


_MOST_KEPT = 10_000
"""So many misspelt names are remembered with what they look like: a text says the same ones again and again."""


class Match(NamedTuple):
    """A name found at the head of some words."""

    length: int
    """How many words it takes."""
    places: tuple[Location, ...]
    """What it means, the likelier first; more than one only for names that two places share."""


class Gazetteer:
    """All the names of one map."""

    def __init__(self, geography: Geography) -> None:
        self._names = _all_names(geography)
        self._by_first = _index_by_first_word(self._names)
        self._spellings = {
            " ".join(name): places[0]
            for name, places in self._names.items()
            if "-" not in name and len(places[0]) == _CODE_LETTERS
        }
        """What misspelt names are compared to: names of provinces, a coast being a word by itself."""
        self._coasts = frozenset(geography.coasts)
        self._corrected = lru_cache(_MOST_KEPT)(self._correct)
        self._suggested = lru_cache(_MOST_KEPT)(self._alike)
        self._sorted = sorted(self._spellings)
        self._by_length: dict[int, list[tuple[str, frozenset[str]]]] = {}
        for spelling in self._sorted:
            self._by_length.setdefault(len(spelling), []).append((spelling, frozenset(spelling)))

    def match(self, words: Sequence[str], start: int) -> Match | None:
        """The longest name that begins at `start`."""
        for name in self._by_first.get(words[start], ()):
            if tuple(words[start : start + len(name)]) == name:
                return Match(len(name), self._names[name])
        return None

    def has_coasts(self, place: Location) -> bool:
        """True when fleets stand on a named coast of the place."""
        return place[:3] in self._coasts

    def correct(self, spelling: str) -> Location | None:
        """The one place that a misspelt or shortened name can mean; None when there is none or several.

        Four letters and more count as the beginning of a name. Otherwise five to seven letters may have one
        mistake and longer ones two; an exchange of neighbours is one mistake.
        """
        if not _PREFIX_LETTERS <= len(spelling) <= _LONGEST_SPELLING:
            return None
        return self._corrected(spelling)

    def suggest(self, word: str) -> Location | None:
        """The place whose name looks most like the word, however loosely."""
        return self._suggested(word[:_LONGEST_SPELLING])

    def _correct(self, spelling: str) -> Location | None:
        return self._begun(spelling) or self._nearly(spelling)

    def _alike(self, word: str) -> Location | None:
        letters = frozenset(word)
        alike = [
            name
            for length in range(len(word) // 2, 2 * len(word) + 1)
            for name, own in self._by_length.get(length, ())
            if 2 * len(letters & own) >= len(own)
        ]
        close = difflib.get_close_matches(word, alike, n=1, cutoff=0.66)
        return self._spellings[close[0]] if close else None

    def _begun(self, spelling: str) -> Location | None:
        first = bisect_left(self._sorted, spelling)
        begun = itertools.takewhile(lambda name: name.startswith(spelling), self._sorted[first:])
        places = {self._spellings[name] for name in begun}
        return places.pop() if len(places) == 1 else None

    def _nearly(self, spelling: str) -> Location | None:
        if len(spelling) == _PREFIX_LETTERS:
            return None
        allowed = 1 if len(spelling) < 8 else 2
        letters = frozenset(spelling)
        found: dict[Location, int] = {}
        lengths = range(max(5, len(spelling) - allowed), len(spelling) + allowed + 1)
        for name, name_letters in (each for length in lengths for each in self._by_length.get(length, ())):
            if len(letters ^ name_letters) > 2 * allowed or name.count(" ") < spelling.count(" "):
                continue  # `A PAR - BUR. Undo.` has no misspelt Burgundy
            distance = _edit_distance(spelling, name)
            if distance <= allowed:
                place = self._spellings[name]
                found[place] = min(distance, found.get(place, distance))
        best = [place for place, distance in found.items() if distance == min(found.values())]
        return best[0] if len(best) == 1 else None


@lru_cache(maxsize=len(SAFE_MAPS))
def gazetteer(map_name: str) -> Gazetteer:
    """The names of a map, put together once a process."""
    return Gazetteer(load_geography(map_name))


def _all_names(geography: Geography) -> dict[Words, tuple[Location, ...]]:
    """Every name as words; codes win over full names, full names over alternatives."""
    spellings = {**{name.upper(): code for code, name in geography.names.items()}, **geography.aliases}
    names: dict[Words, tuple[Location, ...]] = {
        tuple(split_words(name)): (place,) for name, place in spellings.items()
    }
    names |= {(code,): (code,) for code in geography.terrain}
    names.pop((), None)
    for name, place in spellings.items():
        alternatives = (
            tuple(split_words(other)) for other in _ALTERNATIVES.get(name, "").split(",") if other
        )
        for words in (_without_dash(name), *alternatives):
            names.setdefault(words, (place,))
    names.update(_shared_names(names, geography.terrain))
    names.update(_joined_coasts(names, geography))
    return names


def _without_dash(name: str) -> Words:
    return tuple(word for word in split_words(name) if word != "-")


def _shared_names(
    names: dict[Words, tuple[Location, ...]], codes: Container[str]
) -> dict[Words, tuple[Location, ...]]:
    shared = {
        short: [names.get(tuple(split_words(name))) for name in long] for short, long in _SHARED.items()
    }
    return {
        tuple(short.split()): tuple(places[0] for places in found if places)
        for short, found in shared.items()
        if short not in codes and all(found)
    }


def _joined_coasts(
    names: dict[Words, tuple[Location, ...]], geography: Geography
) -> dict[Words, tuple[Location, ...]]:
    """`STPSC` and `SPAINNC`: the coast written onto the name."""
    coasts = [coast for some in geography.coasts.values() for coast in some]
    return {
        (words[0] + coast[4:],): (coast,)
        for words, places in names.items()
        for coast in coasts
        if len(words) == 1 and places == (coast[:3],)
    }


def _index_by_first_word(names: Iterable[Words]) -> dict[str, list[Words]]:
    index: dict[str, list[Words]] = {}
    for name in sorted(names, key=len, reverse=True):
        index.setdefault(name[0], []).append(name)
    return index


def _edit_distance(one: str, other: str) -> int:
    """Insertions, deletions, replacements and exchanges of neighbours that turn one into the other."""
    before: list[int] = []
    previous = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        row = [i]
        for j, b in enumerate(other, 1):
            best = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and b == one[i - 2]:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before, previous = previous, row
    return previous[-1]
