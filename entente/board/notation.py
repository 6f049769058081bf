"""Words into drafts: which verb, which units, which places, whatever notation they came in.

Knows the names of a map and no position, so a draft may be anything from legal to absurd. The words are
turned into items of one letter each, and the order's grammar is a table of patterns over those letters:
`u` a kind of unit, `p` a place, `m` move, `h` hold, `s` support, `c` convoy, `r` retreat, `d` disband,
`b` build, `w` waive, `v` by convoy, `n` a number.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, cast

from entente.board.naming import Gazetteer
from entente.board.types import Location, Power, Province, UnitKind
from entente.errors import OrderSyntaxError

Verb: TypeAlias = Literal["h", "m", "s", "c", "r", "d", "b", "w"]
"""The item letter of what is ordered."""


class Mention(NamedTuple):
    """A unit as a line names it: perhaps without its kind, perhaps of the wrong kind or on no coast."""

    kind: UnitKind | None
    place: Location

    @property
    def province(self) -> Province:
        """The province named, whichever the coast."""
        return self.place[:3]

    def __str__(self) -> str:
        return f"{self.kind.value} {self.place}" if self.kind else self.place


@dataclass(frozen=True, slots=True)
class Draft:
    """One reading of a line, not yet held against a position."""

    verb: Verb
    unit: Mention | None
    """Who is ordered; None for waive alone."""
    other: Mention | None = None
    """Who is supported or convoyed."""
    to: Location | None = None
    """Where the move, the supported move, the convoy or the retreat goes; None in a support to hold."""
    stops: tuple[Location, ...] = ()
    """Places named on the way there: the seas of a convoy, when it is one."""
    via_convoy: bool = False
    count: int = 1
    """How many builds are waived."""


class Item(NamedTuple):
    """A word or phrase that means something in an order."""

    letter: str
    word: str
    places: tuple[Location, ...] = ()
    """For a place what it may mean, the likelier first."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a line says, before its grammar is looked at."""

    items: tuple[Item, ...]
    speaker: Power | None
    """The power that stands in front of the order, if one does."""
    corrections: tuple[str, ...]
    """Misspelt names and what they were taken for."""

    @property
    def letters(self) -> str:
        """The items' letters: `upmp` for `A PAR - BUR`."""
        return "".join(item.letter for item in self.items)

    @property
    def provinces(self) -> tuple[Province, ...]:
        """The provinces named, in order, each by its likelier meaning."""
        return tuple(item.places[0][:3] for item in self.items if item.places)


_VOCABULARY: dict[str, str] = {
    "u": "A, AMY, ARMY, ARMIES, CANNON, F, FLT, FLEET, FLEETS, BOAT, SHIP",
    "m": "-, M, MOVE, MOVES, MOVING, MOVED, MOVEMENT, TO, INTO, MTO, CTO, GO, GOES, GOING, ATTACK, ATTACKS, "
    "ATTACKING, ADVANCE, ADVANCES, ENTER, ENTERS, MARCHES, SAILS, TOWARD, TOWARDS",
    "h": "H, HOLD, HOLDS, HOLDING, HLD, STAND, STANDS, STANDING, STAY, STAYS, REMAIN, REMAINS",
    "s": "S, SUPPORT, SUPPORTS, SUPPORTING, SUP, SUPP, SUPPORT HOLD, SUPPORTS HOLD, SUPPORT - HOLD, "
    "SUPPORT - MOVE, S - H",
    "c": "C, CONVOY, CONVOYS, CONVOYING, CVY, TRANSPORT, TRANSPORTS, FERRIES",
    "r": "R, RETREAT, RETREATS, RETREATING, RTO, WITHDRAW, WITHDRAWS",
    "d": "D, DISBAND, DISBANDS, DISBANDING, DISBANDED, DSB, REM, REMOVE, REMOVES, REMOVING, REMOVED, DESTROY, "
    "DESTROYS, BOOM, EXPLODE, EXPLODES, DIE, DIES, DROP, DROPS",
    "b": "B, BUILD, BUILDS, BUILDING, BLD, PLACE, PLACES",
    "w": "WAIVE, WAIVES, WAIVED, WAIVING, WVE",
    "v": "VIA, VIA CONVOY, VIA C, VIA SEA, BY CONVOY, BY SEA, WITH CONVOY, THROUGH CONVOY, USING CONVOY, CONVOYED, "
    "BY FLEET",
    "": "THE, AN, IN, AT, OF, ON, FROM, ITS, MY, OUR, WILL, IS, UNIT, ORDER, ORDERS, SUB",
}
"""What the words of an order mean, by item letter; those of the last line mean nothing. No word that denies or doubts
may ever stand there: `do not move` must not be read."""

_COASTS: dict[str, str] = {
    "NC": "NC, NCS, NORTH COAST, N COAST, NORTHERN COAST, - NC, - NORTH COAST",
    "SC": "SC, SCS, SOUTH COAST, S COAST, SOUTHERN COAST, - SC, - SOUTH COAST",
    "EC": "EC, ECS, EAST COAST, E COAST, EASTERN COAST, - EC, - EAST COAST",
    "WC": "WC, WCS, WEST COAST, W COAST, WESTERN COAST, - WC, - WEST COAST",
}

_ADJECTIVES = {
    "AUSTRIAN": "AUSTRIA",
    "ENGLISH": "ENGLAND",
    "BRITISH": "ENGLAND",
    "FRENCH": "FRANCE",
    "GERMAN": "GERMANY",
    "ITALIAN": "ITALY",
    "RUSSIAN": "RUSSIA",
    "TURKISH": "TURKEY",
}

_LONGEST_PHRASE = 3
_LONGEST_NAME = 4
_MOST_CORRECTIONS = 3
_MOST_DRAFTS = 4


def _by_phrase(table: dict[str, str]) -> dict[tuple[str, ...], str]:
    return {tuple(phrase.split()): key for key, phrases in table.items() for phrase in phrases.split(",")}


_MEANINGS = _by_phrase(_VOCABULARY)
_COAST_OF = _by_phrase(_COASTS)

_SUBJECT = "(?P<unit>u?p)"
_OTHER = "(?P<other>u?p)"
_TO = "(?:m+p)*m*(?P<to>p)"
_GRAMMAR: tuple[tuple[Verb, re.Pattern[str]], ...] = (
    ("h", re.compile(f"{_SUBJECT}h+")),
    ("m", re.compile(f"{_SUBJECT}[vc]?{_TO}(?:v(?:m?p)*)?")),
    ("s", re.compile(f"{_SUBJECT}s+h?m?{_OTHER}(?:h+|v?{_TO}v?)?")),
    ("c", re.compile(f"{_SUBJECT}c+m?{_OTHER}v?{_TO}v?")),
    ("r", re.compile(f"{_SUBJECT}rm*(?P<to>p)")),
    ("d", re.compile(f"{_SUBJECT}r?d+")),
    ("b", re.compile(f"{_SUBJECT}b")),
    ("w", re.compile("(?:u?p)?n?u?b?(?:nb?)?w(?:nb?|ub?|b)?")),
)
_LEADING_VERB = re.compile("([hmrdb])m?(u?p)")
_UNIT_AFTER = re.compile("(?:p(bu)|(pu))b?")


class Vocabulary:
    """The words of one map: its places, its powers and the words of orders."""

    def __init__(self, gazetteer: Gazetteer, powers: Sequence[Power]) -> None:
        self._gazetteer = gazetteer
        self._powers = {name: power for power in powers for name in (power, power[:3])}
        self._powers |= {name: power for name, power in _ADJECTIVES.items() if power in powers}

    def sentence(self, words: Sequence[str]) -> Sentence:
        """What the words say; raises OrderSyntaxError at the first that says nothing."""
        return _Scanner(self._gazetteer, self._powers, words).run()


class _Scanner:
    """One pass over the words of a line."""

    def __init__(self, gazetteer: Gazetteer, powers: dict[str, Power], words: Sequence[str]) -> None:
        self._gazetteer = gazetteer
        self._powers = powers
        self._words = words
        self._at = 0
        self._items: list[Item] = []
        self._starts: list[int] = []
        self._speaker: Power | None = None
        self._corrections: list[str] = []

    def run(self) -> Sentence:
        steps = (self._coast, self._power, self._place, self._phrase, self._number, self._misspelt)
        while self._at < len(self._words):
            if not any(step() for step in steps):
                self._give_up()
        return Sentence(tuple(self._items), self._speaker, tuple(self._corrections))

    def _coast(self) -> bool:
        """A coast after a place belongs to it."""
        if not self._items or not self._items[-1].places:
            return False
        for length in range(_LONGEST_PHRASE, 0, -1):
            coast = _COAST_OF.get(tuple(self._words[self._at : self._at + length]))
            if coast:
                last = self._items[-1]
                self._items[-1] = last._replace(places=tuple(f"{p[:3]}/{coast}" for p in last.places))
                self._at += length
                return True
        return False

    def _power(self) -> bool:
        """A power's name says whose the unit is, and the position knows that better."""
        power = self._powers.get(self._words[self._at])
        if power is None or (self._is_place() and not self._stands_before_unit()):
            return False
        if self._at == 0:
            self._speaker = power
        self._at += 1
        return True

    def _is_place(self) -> bool:
        return self._gazetteer.match(self._words, self._at) is not None

    def _stands_before_unit(self) -> bool:
        after = self._words[self._at + 1 : self._at + 2]
        return _MEANINGS.get(tuple(after)) == "u" and self._at + 2 < len(self._words)

    def _place(self) -> bool:
        found = self._gazetteer.match(self._words, self._at)
        if found is None:
            return False
        self._add(found.length, "p", found.places)
        return True

    def _phrase(self) -> bool:
        for length in range(_LONGEST_PHRASE, 0, -1):
            letter = _MEANINGS.get(tuple(self._words[self._at : self._at + length]))
            if letter is None:
                continue
            if letter:
                self._add(length, letter)
            else:
                self._at += length
            return True
        return False

    def _number(self) -> bool:
        if not self._words[self._at].isdecimal():
            return False
        self._add(1, "n")
        return True

    def _misspelt(self) -> bool:
        """A name with a mistake in it, which may have begun with a word that was read already."""
        if len(self._corrections) == _MOST_CORRECTIONS:
            return False
        for start, end in self._spans():
            spelling = " ".join(word for word in self._words[start:end] if word != "-")
            place = self._gazetteer.correct(spelling)
            if place:
                self._correct(start, end, spelling, place)
                return True
        return False

    def _spans(self) -> Iterator[tuple[int, int]]:
        """Where the name may begin and end, the longest first: at a place just before, or here."""
        before = [
            start for item, start in zip(self._items[-2:], self._starts[-2:], strict=True) if item.places
        ]
        for start in [*(s for s in before if s >= self._at - 2), self._at]:
            for end in range(min(start + _LONGEST_NAME, len(self._words)), self._at, -1):
                yield start, end

    def _correct(self, start: int, end: int, spelling: str, place: Location) -> None:
        while self._starts and self._starts[-1] >= start:
            self._items.pop()
            self._starts.pop()
        self._at = start
        self._add(end - start, "p", (place,))
        self._corrections.append(f"{spelling} was taken for {place}")

    def _add(self, length: int, letter: str, places: tuple[Location, ...] = ()) -> None:
        item = Item(letter, " ".join(self._words[self._at : self._at + length]), places)
        if letter == "u" and self._items and self._items[-1].letter == "u":
            self._items[-1] = item  # "build a fleet": the first was an article
        else:
            self._items.append(item)
            self._starts.append(self._at)
        self._at += length

    def _give_up(self) -> None:
        word = self._words[self._at][:40]
        place = self._gazetteer.suggest(word) if len(word) > 1 else None
        hint = f"; the nearest name is {place}" if place else ""
        partial = Sentence(tuple(self._items), self._speaker, ())
        raise NotAnOrder(
            f"An order was wanted and {word!r} is neither a place nor a word of orders{hint}.", partial
        )


class NotAnOrder(OrderSyntaxError):
    """Raised within the reader for words that are not an order; `partial` is what could be made of them."""

    def __init__(self, message: str, partial: Sentence) -> None:
        super().__init__(message)
        self.partial = partial


def drafts(sentence: Sentence) -> list[Draft]:
    """Every reading of the sentence: one, or a few when a place has two meanings; raises NotAnOrder."""
    items = _subject_first(sentence.items)
    letters = "".join(item.letter for item in items)
    for verb, pattern in _GRAMMAR:
        match = pattern.fullmatch(letters)
        if match:
            choices = itertools.product(*(item.places or ("",) for item in items))
            return [_draft(verb, match, items, places) for places in itertools.islice(choices, _MOST_DRAFTS)]
    raise NotAnOrder(_what_is_missing(letters), sentence)


def _subject_first(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The items with the unit before its verb and the kind before its place.

    `remove A PAR`, `Move PAR to BUR`, `MAR build army`.
    """
    letters = "".join(item.letter for item in items)
    leading = _LEADING_VERB.match(letters)
    if leading:
        verb, (start, end) = items[0], leading.span(2)
        moved = (*items[start:end], verb, *items[end:])
        items, letters = moved, "".join(item.letter for item in moved)
    behind = _UNIT_AFTER.fullmatch(letters)
    if behind and "b" in letters:
        unit = letters.index("u")
        items = (items[unit], *items[:unit], *items[unit + 1 :])
    return items


def _draft(verb: Verb, match: re.Match[str], items: Sequence[Item], places: Sequence[Location]) -> Draft:
    unit, other = _mention(match, "unit", items, places), _mention(match, "other", items, places)
    if "to" not in match.re.groupindex or match["to"] is None:
        return Draft(verb, unit, other, count=_count(items))
    to = match.start("to")
    begun = match.end("other" if other else "unit")
    stops = tuple(place for at, place in enumerate(places) if place and at >= begun and at != to)
    by_way = bool(stops) or any(letter in "vc" for letter in match.group())
    return Draft(verb, unit, other, places[to], stops, by_way and verb == "m")


def _mention(
    match: re.Match[str], group: str, items: Sequence[Item], places: Sequence[Location]
) -> Mention | None:
    if group not in match.re.groupindex or match[group] is None:
        return None
    start, end = match.span(group)
    kind = None
    if match[group][0] == "u":
        kind = _kind(items[start].word)
    return Mention(kind, places[end - 1])


def _kind(word: str) -> UnitKind:
    return UnitKind.ARMY if word[0] == "A" or word == "CANNON" else UnitKind.FLEET


def _count(items: Sequence[Item]) -> int:
    numbers = [int(item.word[:3]) for item in items if item.letter == "n"]
    return max(1, numbers[0]) if numbers else 1


_MISSING = (
    (re.compile("u?p"), "what it is to do"),
    (re.compile("u?p[vc]?m+v?"), "where it moves"),
    (re.compile("u?ps+h?"), "whom it supports"),
    (re.compile("u?pc.*"), "whom it convoys and where to"),
    (re.compile("u?prm*"), "where it retreats"),
    (re.compile("u?[hmscrdb]+.*"), "the unit in front of the verb"),
)


def _what_is_missing(letters: str) -> str:
    for pattern, missing in _MISSING:
        if pattern.fullmatch(letters):
            return f"An order was wanted and this one leaves out {missing}."
    return "An order such as A PAR - BUR was wanted and these words do not make one."


def verb_of(sentence: Sentence) -> Verb | None:
    """The first verb of a sentence, complete or not; a bare place or unit has none."""
    found = next((letter for letter in sentence.letters if letter in "hmscrdbw"), None)
    return cast("Verb", found) if found else None  # the search is over the letters of Verb


def kind_named(sentence: Sentence) -> UnitKind | None:
    """The kind of unit that a sentence names first; None where it names none."""
    return next((_kind(item.word) for item in sentence.items if item.letter == "u"), None)
