"""Words into items: which of them name a verb, a kind of unit or a place, and which say nothing.

Knows the names of a map and no grammar. An item has one letter: `u` a kind of unit, `p` a place, `m` move, `h` hold,
`s` support, `c` convoy, `r` retreat, `d` disband, `b` build, `w` waive, `v` by convoy, `n` a number, `f` a "from" that
no order may hold.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

from entente.board.naming import Gazetteer
from entente.board.purposes import letter_of, speaks_for_its_order
from entente.board.types import Location, Power, Province, UnitKind, Verb
from entente.errors import OrderSyntaxError


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
    def provinces(self) -> tuple[Province, ...]:
        """The provinces named, in order, each by its likelier meaning."""
        return tuple(item.places[0][:3] for item in self.items if item.places)

    @property
    def verb(self) -> Verb | None:
        """The first verb, whether the order is complete or not; None where there is none."""
        found = next((item.letter for item in self.items if item.letter in "hmscrdbw"), None)
        return cast("Verb", found) if found else None  # the search is over the letters of Verb

    @property
    def unit_kind(self) -> UnitKind | None:
        """The kind of unit that is named first; None where none is."""
        return next((kind_of(item.word) for item in self.items if item.letter == "u"), None)


_VOCABULARY: dict[str, str] = {
    "u": "A, AMY, ARMY, ARMIES, CANNON, F, FLT, FLEET, FLEETS, BOAT, SHIP",
    "m": "-, M, MOVE, MOVES, MOVING, MOVED, MOVEMENT, SEND, SENDS, TO, INTO, MTO, CTO, GO, GOES, GOING, ATTACK, "
    "ATTACKS, ATTACKING, ADVANCE, ADVANCES, ENTER, ENTERS, MARCHES, SAILS, TOWARD, TOWARDS",
    "h": "H, HOLD, HOLDS, HOLDING, HLD, STAND, STANDS, STANDING, STAY, STAYS, REMAIN, REMAINS, "
    "HOLD POSITION, HOLDS POSITION, STAY PUT, STAYS PUT, STAY IN PLACE, STAYS IN PLACE, REMAINS IN PLACE",
    "s": "S, SUPPORT, SUPPORTS, SUPPORTING, SUP, SUPP, SUPPORT HOLD, SUPPORTS HOLD, SUPPORT - HOLD, "
    "SUPPORT - MOVE, S - H",
    "c": "C, CONVOY, CONVOYS, CONVOYING, CVY, TRANSPORT, TRANSPORTS, FERRIES",
    "r": "R, RET, RETREAT, RETREATS, RETREATING, RTO, WITHDRAW, WITHDRAWS",
    "d": "D, DISBAND, DISBANDS, DISBANDING, DISBANDED, DSB, REM, REMOVE, REMOVES, REMOVING, REMOVED, DESTROY, "
    "DESTROYS, BOOM, EXPLODE, EXPLODES, DIE, DIES, DROP, DROPS",
    "b": "B, BUILD, BUILDS, BUILDING, BLD, PLACE, PLACES",
    "w": "W, WAIVE, WAIVES, WAIVED, WAIVING, WVE",
    "v": "VIA, VIA CONVOY, VIA C, VIA SEA, BY CONVOY, BY SEA, WITH CONVOY, THROUGH CONVOY, USING CONVOY, CONVOYED, "
    "BY FLEET",
    "f": "FROM",
    "": "THE, AN, IN, AT, OF, ON, ITS, MY, OUR, WILL, UNIT, ORDER, ORDERS, ORDERS ARE, ORDER FOR, ORDERS FOR, SUB",
}
"""What the words of an order mean, by item letter; those of the last line mean nothing. No word that denies, doubts or
asks may ever stand there: `do not move` must not be read."""

_COASTS: dict[str, str] = {
    "NC": "NC, NCS, NORTH COAST, N COAST, NORTHERN COAST, - NC, - NORTH COAST",
    "SC": "SC, SCS, SOUTH COAST, S COAST, SOUTHERN COAST, - SC, - SOUTH COAST",
    "EC": "EC, ECS, EAST COAST, E COAST, EASTERN COAST, - EC, - EAST COAST",
    "WC": "WC, WCS, WEST COAST, W COAST, WESTERN COAST, - WC, - WEST COAST",
}

_DIRECTIONS = {"NORTH": "NC", "SOUTH": "SC", "EAST": "EC", "WEST": "WC"}

_LABEL_WORDS = """
ORDER ORDERS MY OUR THE HERE ARE IS I THESE FOLLOWING FOR AS FOLLOWS THIS TURN PHASE SEASON YEAR SUBMIT SUBMITTED FINAL
DECISION ACTION ACTIONS PLAN MOVES MOVEMENT MOVEMENTS SPRING FALL AUTUMN WINTER RETREATS ADJUSTMENTS BUILDS UNIT UNITS
ARMIES FLEETS LAND NAVAL HOME FRONT NORTH SOUTH EAST WEST NORTHERN SOUTHERN EASTERN WESTERN CENTRAL IBERIA BALKANS
SCANDINAVIA DEFENCE DEFENSE OFFENCE OFFENSE OPENING EXPANSION ANSWER CHOSEN STEP CENTER CENTRE CAPITAL NAVY
SEA BELOW MINE TO FROM AND
"""
_LABELS = frozenset(_LABEL_WORDS.split())
_COURTESY_WORDS = """
HELLO HI DEAR ALL EVERYONE FOLKS SIR GM THANKS THANK YOU MANY MUCH VERY GOOD GREAT LUCK GAME REGARDS CHEERS BEST PLEASE
"""
_COURTESIES = frozenset(_COURTESY_WORDS.split())
"""What may stand above or below orders and means nothing for them."""
_SMALL_WORDS = frozenset(["THE", "IS", "ARE", "TO", "FROM", "AND", "FOR", "AS", "THIS", "THESE", "A"])
"""What may be said in front of a colon beside the order's own places and verb."""

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

_BEGINNING = re.compile("up|p[mhscrdbvwp]|n*[mhscrdb]m?u?p|u?bu?p|w|n?u?w")
"""How the items of an order begin."""
_WHERE = frozenset(["IN", "AT", "OF", "ON"])
_IS_PHASE = re.compile(r"[SFW]?[12]\d{3}[MRA]?")

_LONGEST_PHRASE = 3
_CODE_LETTERS = 3
_LONGEST_NAME = 4
_MOST_CORRECTIONS = 3


def _by_phrase(table: dict[str, str]) -> dict[tuple[str, ...], str]:
    return {tuple(phrase.split()): key for key, phrases in table.items() for phrase in phrases.split(",")}


_MEANINGS = _by_phrase(_VOCABULARY)
_COAST_OF = _by_phrase(_COASTS)


class Vocabulary:
    """The words of one map: its places, its powers and the words of orders."""

    def __init__(self, gazetteer: Gazetteer, powers: Sequence[Power]) -> None:
        self._gazetteer = gazetteer
        self._powers = {name: power for power in powers for name in (power, power[:3])}
        self._powers |= {name: power for name, power in _ADJECTIVES.items() if power in powers}

    def sentence(self, words: Sequence[str]) -> Sentence:
        """What the words say; raises OrderSyntaxError at the first that says nothing."""
        return _Scanner(self._gazetteer, self._powers, words).run()

    def letter(self, word: str) -> str:
        """The letter of a word of orders; empty for any other."""
        return _MEANINGS.get((word,), "")

    def begins_order(self, words: Sequence[str]) -> bool:
        """True when a unit that is ordered comes first, or its verb, whatever comes behind."""
        try:
            items = self.sentence(words).items
        except NotAnOrder as error:
            items = error.partial.items
        return _BEGINNING.match("".join(item.letter for item in items)) is not None

    def is_label(
        self, words: Sequence[str], own: Power, verb: Verb | None, provinces: Sequence[Province]
    ) -> bool:
        """True when the words in front of a colon may stand before the power's own orders."""
        others = {self._powers[word] for word in words if word in self._powers} - {own}
        left = [word for word in words if word not in _LABELS and not _IS_PHASE.fullmatch(word)]
        return not others and self._repeats(left, verb, provinces)

    def names_orders(self, words: Sequence[str], own: Power) -> bool:
        """True when a heading has a word of orders: a place, a unit, a verb, `orders`, the power's own name.

        One that names another power speaks of that one's, and one with a word that is not known of nobody knows what.
        """
        if any(self._powers.get(word, own) != own for word in words):
            return False
        phrases = list(self._phrases(words))
        is_known = all(place or word in self._powers or self._is_of_titles(word) for word, place in phrases)
        return is_known and any(self._is_of_orders(word, place, own) for word, place in phrases)

    def _is_of_titles(self, word: str) -> bool:
        return word in _LABELS or not word.isalpha() or bool(_MEANINGS.get((word,))) or letter_of(word) == "s"

    def _is_of_orders(self, word: str, place: Province | None, own: Power) -> bool:
        if place or self._powers.get(word) == own:
            return True
        return (
            word.isalpha() and word not in _SMALL_WORDS and (word in _LABELS or bool(_MEANINGS.get((word,))))
        )

    def are_strange(self, words: Sequence[str]) -> bool:
        """True for words that are no courtesies; one that is unknown beside a place may be a slip in an order."""
        said = [
            (word, place)
            for word, place in self._phrases(words)
            if word.isalpha() and word not in _COURTESIES
        ]
        unknown = sum(not (place or self._letter(word) or word in _LABELS) for word, place in said)
        is_plain = all(place or letter_of(word) in ("", "s", "q") for word, place in said)
        return bool(said) and not (is_plain and unknown == 1 and any(place for _, place in said))

    def is_called(self, words: Sequence[str], own: Power) -> bool:
        """True when another power alone is named: `Germany, A PAR - BUR` is said to it."""
        return len(words) == 1 and self._powers.get(words[0], own) != own

    def hint(self, word: str) -> str:
        """A clause with the place that looks most like the word; empty when none does."""
        place = self._gazetteer.suggest(word) if len(word) >= _CODE_LETTERS else None
        return f"; the nearest name is {place}" if place else ""

    def is_idle(self, words: Sequence[str], verb: Verb | None, provinces: Sequence[Province]) -> bool:
        """True when a remark beside an order says nothing against it, is no order, and is no part of that one.

        It holds nothing but the order's own verb, places and numbers, or it says what the order is for.
        """
        try:
            self.sentence(words)
        except NotAnOrder:
            return speaks_for_its_order(self._letters(words, provinces)) and not self._orders_unit(words)
        is_mark = len("".join(words)) == 1  # `(B)` may be what another line speaks of
        is_others = any(word in self._powers for word in words)
        return not (is_mark or is_others) and self._repeats(words, verb, provinces)

    def _repeats(self, words: Sequence[str], verb: Verb | None, provinces: Sequence[Province]) -> bool:
        """True when the words hold nothing but the verb, the places and numbers."""
        try:
            said = self.sentence(words)
        except NotAnOrder:
            return False
        letters = {item.letter for item in said.items}
        return letters <= {verb, "u", "p", "n"} and set(said.provinces) <= set(provinces)

    def _letters(self, words: Sequence[str], provinces: Sequence[Province]) -> Iterator[str]:
        """Of each word or name, the letter that it has in a remark."""
        for word, place in self._phrases(words):
            yield "p" if place in provinces else "o" if place else self._letter(word)

    def _letter(self, word: str) -> str:
        if word in self._powers:
            return "e"
        return letter_of(word) or ("m" if _MEANINGS.get((word,)) else "o" if word.isdecimal() else "")

    def _phrases(self, words: Sequence[str]) -> Iterator[tuple[str, Province | None]]:
        """Each word and None, or the first word of a place's name and the place; a word of remarks names none."""
        at = 0
        while at < len(words):
            found = None if letter_of(words[at]) else self._gazetteer.match(words, at)
            yield words[at], found.places[0][:3] if found else None
            at += found.length if found else 1

    def _orders_unit(self, words: Sequence[str]) -> bool:
        """True when a verb follows a unit with its place."""
        for at in range(len(words) - 2):
            place = self._gazetteer.match(words, at + 1) if _MEANINGS.get((words[at],)) == "u" else None
            if place and _MEANINGS.get(tuple(words[at + 1 + place.length : at + 2 + place.length])):
                return True
        return False


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
        steps = (
            self._coast,
            self._coast_in_front,
            self._direction,
            self._power,
            self._convoy,
            self._place,
            self._phrase,
            self._number,
            self._misspelt,
        )
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
            if coast and self._words[self._at + length : self._at + length + 1] != ("OF",):
                last = self._items[-1]
                if any("/" in place and not place.endswith(f"/{coast}") for place in last.places):
                    return False  # `SPA/NC/SC`: one of two
                self._items[-1] = last._replace(places=tuple(f"{p[:3]}/{coast}" for p in last.places))
                self._at += length
                return True
        return False

    def _coast_in_front(self) -> bool:
        """`south coast of Spain`."""
        for length in range(_LONGEST_PHRASE, 1, -1):
            coast = _COAST_OF.get(tuple(self._words[self._at : self._at + length]))
            begin = self._at + length + (self._words[self._at + length : self._at + length + 1] == ("OF",))
            found = self._gazetteer.match(self._words, begin) if coast and begin < len(self._words) else None
            if found:
                self._at = begin
                self._add(found.length, "p", tuple(f"{place[:3]}/{coast}" for place in found.places))
                return True
        return False

    def _direction(self) -> bool:
        """`StP/South`: a direction alone, where it begins no name and the place has coasts."""
        coast = _DIRECTIONS.get(self._words[self._at])
        places = self._items[-1].places if self._items else ()
        if (
            coast is None
            or self._is_place()
            or not any(self._gazetteer.has_coasts(place) for place in places)
        ):
            return False
        self._items[-1] = self._items[-1]._replace(places=tuple(f"{place[:3]}/{coast}" for place in places))
        self._at += 1
        return True

    def _convoy(self) -> bool:
        """`F NTH CON A YOR - NWY`: between a place and a unit CON is no place."""
        behind = _MEANINGS.get(tuple(self._words[self._at + 1 : self._at + 2]))
        if self._words[self._at] != "CON" or behind != "u" or not (self._items and self._items[-1].places):
            return False
        self._add(1, "c")
        return True

    def _power(self) -> bool:
        """A power's name says whose the unit is, and the position knows that better."""
        power = self._powers.get(self._words[self._at])
        if power is None or (self._is_place() and not self._stands_before_unit()):
            return False
        if not self._items:
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
            if letter == "f" and not (self._items and self._items[-1].places):
                letter = ""  # "from PAR to BUR"; behind a place it turns the order around, and is not read
            if letter:
                self._add(length, letter)
            elif self._joins_places(length):
                return False
            else:
                self._at += length
            return True
        return False

    def _joins_places(self, length: int) -> bool:
        """`A PAR in BUR`: a word between two places that says where something is, and no move."""
        is_behind = bool(self._items) and bool(self._items[-1].places)
        if not is_behind or self._words[self._at] not in _WHERE or any(i.letter == "m" for i in self._items):
            return False
        ahead = self._at + length
        return ahead < len(self._words) and self._gazetteer.match(self._words, ahead) is not None

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
        partial = Sentence(tuple(self._items), self._speaker, ())
        raise NotAnOrder(
            f"An order was wanted and {word!r} is neither a place nor a word of orders", partial, word
        )


class NotAnOrder(OrderSyntaxError):
    """Raised within the reader for words that are not an order; the message is a clause without its full stop."""

    def __init__(self, message: str, partial: Sentence, unknown: str = "") -> None:
        super().__init__(message)
        self.partial = partial
        """What could be made of them."""
        self.unknown = unknown
        """The word that could not be read, if that was it."""


def kind_of(word: str) -> UnitKind:
    """The kind that a word for units stands for."""
    return UnitKind.ARMY if word[0] == "A" or word == "CANNON" else UnitKind.FLEET
