"""Items into drafts: who is ordered to do what, in any of the orders of words that are in use.

Knows no names and no position, so a draft may be anything from legal to absurd. The grammar is a table of patterns over
the items' letters: `upmp` is `A PAR - BUR`.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from entente.board.lexicon import Item, NotAnOrder, Sentence, kind_of
from entente.board.types import Location, PhaseKind, Province, UnitKind, Verb


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


_MOST_DRAFTS = 4
"""So many meanings of shared names are looked at; two such names in an order are already rare."""

_SUBJECT = "(?P<unit>u?p)"
_OTHER = "(?P<other>u?p)"
_TO = "(?:m+p)*m*(?P<to>p)"
_GRAMMAR: tuple[tuple[Verb, re.Pattern[str]], ...] = (
    ("h", re.compile(f"{_SUBJECT}m*h+(?P<at>p)?")),
    ("m", re.compile(f"{_SUBJECT}[vc]?{_TO}(?:v(?:m?p)*)?")),
    ("m", re.compile(f"m+(?P<to>p)f{_SUBJECT}v?")),
    ("s", re.compile(f"{_SUBJECT}s+h?m?{_OTHER}(?:m?h+|v?{_TO}v?)?")),
    ("s", re.compile(f"{_SUBJECT}s+m{{2,}}(?P<to>p)f{_OTHER}v?")),
    ("c", re.compile(f"{_SUBJECT}c+m?{_OTHER}v?{_TO}v?")),
    ("c", re.compile(f"{_SUBJECT}c+m+(?P<to>p)f{_OTHER}")),
    ("r", re.compile(f"{_SUBJECT}rm*(?P<to>p)")),
    ("d", re.compile(f"{_SUBJECT}r?d+")),
    ("b", re.compile(f"{_SUBJECT}b")),
    ("w", re.compile("(?:u?p)?n?u?b?(?:nb?)?w(?:nb?|ub?|b)?")),
)
_LEADING_VERB = re.compile("(?!m+pf)([hmrdb])m?(u?p)")
_UNIT_AFTER = re.compile("(?:p(bu)|(pu))b?")


def drafts(sentence: Sentence, kind: PhaseKind) -> list[Draft]:
    """Every reading of the sentence: one, or a few when a place has two meanings; raises NotAnOrder.

    In adjustments an R is njudge's removal, since nothing retreats.
    """
    items = _subject_first(sentence.items)
    letters = "".join(item.letter for item in items)
    if kind is PhaseKind.ADJUSTMENTS and re.fullmatch("u?pr", letters):
        letters = f"{letters[:-1]}d"
    for verb, pattern in _GRAMMAR:
        match = pattern.fullmatch(letters)
        if match and _stays(match, items):
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


def _stays(match: re.Match[str], items: Sequence[Item]) -> bool:
    """False where a unit would hold in a place that is not its own: `A PAR stays in BUR`."""
    if "at" not in match.re.groupindex or match["at"] is None:
        return True
    own, at = items[match.end("unit") - 1], items[match.start("at")]
    return own.places == at.places


def _draft(verb: Verb, match: re.Match[str], items: Sequence[Item], places: Sequence[Location]) -> Draft:
    unit, other = _mention(match, "unit", items, places), _mention(match, "other", items, places)
    if "to" not in match.re.groupindex or match["to"] is None:
        return Draft(verb, unit, other, count=_count(items))
    to = match.start("to")
    begun = match.end("other" if other else "unit")
    if begun > to:  # "to BUR from PAR": the places stand the other way round, and none lies between
        return Draft(verb, unit, other, places[to], via_convoy=verb == "m" and "v" in match.group())
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
        kind = kind_of(items[start].word)
    return Mention(kind, places[end - 1])


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
            return f"An order was wanted and this one leaves out {missing}"
    return "An order such as A PAR - BUR was wanted and these words do not make one"
