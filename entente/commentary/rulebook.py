"""The rules of Diplomacy as this table plays them, and which of them a question is about.

`rulebook.toml` has the rules, with the short forms in which people ask about each. A question is compared with them by
the words that they share; a word weighs the more, the fewer rules it belongs to. No model takes part and nothing is
made up: the same question always has the same answer, or none.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from importlib.resources import files
from math import log
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from entente.board.engine import load_geography

MAX_WORDS = 60
"""So many words of a question are read; more is a story, and what it asks cannot be told by counting words."""

FIT = 0.6
"""A rule answers a question from this likeness on; 1 is a question in the very words of a form of asking."""

_MISSING, _EXTRA = 1.5, 0.3
"""What a word that only the form has, or only the question, takes away, in parts of what a shared one counts: questions
have more words than what they are about, and a form has none to spare. (Tversky's index of likeness.)"""

_FEWEST_SHARED = 2
"""One word in common is no likeness."""

_LIKE = 0.8
"""How like a known word a misspelt one must be (difflib's ratio)."""

_SHORTEST_MENDED = 5
"""Shorter words are too easily mistaken for others."""

_ENDINGS = ("ments", "ment", "ings", "ing", "ers", "er", "ed", "es", "ly", "s", "e")
_UNITS = {"army": "unit", "fleet": "unit"}


class RuleAnswer(NamedTuple):
    """A rule that answers a question."""

    entry: str
    """Its id in rulebook.toml."""
    text: str
    section: str
    """The heading in the rulebook."""


class Rule(BaseModel):
    """One entry of rulebook.toml, whose head says what its fields are."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    section: str
    cases: tuple[Annotated[str, Field(pattern=r"6\.[A-J]\.\d+")], ...] = ()
    """Numbers of DATC's cases that show the rule; empty where none does."""
    text: str
    asks: tuple[str, ...]


class _Beyond(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    words: str
    asks: tuple[str, ...]


class _Rulebook(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    entries: dict[str, Rule]
    beyond: _Beyond
    words: dict[str, str]
    ignored: str


@lru_cache
def rules() -> Mapping[str, Rule]:
    """Every rule by its id, in the order of the rulebook."""
    return _book().entries


def answer(question: str) -> RuleAnswer | None:
    """The rule that the question is about; None where no rule fits well enough to be an answer."""
    entry = _index().best(question)
    if entry is None:
        return None
    rule = rules()[entry]
    return RuleAnswer(entry, rule.text, rule.section)


@lru_cache
def _book() -> _Rulebook:
    text = (files("entente.commentary") / "rulebook.toml").read_text(encoding="utf-8")
    return _Rulebook.model_validate(tomllib.loads(text))


@dataclass(frozen=True, slots=True)
class _Index:
    """What is needed to compare a question with all that is asked about rules."""

    asks: tuple[tuple[str | None, frozenset[str]], ...]
    """Each form of asking as stems, and its rule; None for what is beyond the rules."""
    weights: Mapping[str, float]
    """By stem, from rare to frequent; a stem that no form has weighs as much as the rarest."""
    known: frozenset[str]
    """Words as they are spelt, to mend misspelt ones by."""

    def best(self, question: str) -> str | None:
        """The rule whose form of asking is most like the question; None below FIT, or beyond the rules."""
        words = [
            mended
            for word in _words(question)[:MAX_WORDS]
            if (mended := self._mended(word)) not in _ignored()
        ]
        if _beyond() & {*words}:
            return None
        names = {stem for word in words for stem in _name_stems(word)}
        asked = {*map(_stem, words)} | names
        likeness, _, entry = max(
            ((*self._likeness(asked, names, form), entry) for entry, form in self.asks),
            key=lambda rated: rated[:2],
        )
        return entry if likeness >= FIT else None

    def _likeness(self, asked: set[str], names: set[str], form: frozenset[str]) -> tuple[float, float]:
        """How much of both is shared, then how much that is, so that of two good forms the fuller one counts."""
        if len(asked & form) < _FEWEST_SHARED:
            return 0.0, 0.0
        shared = self._weight(asked & form)
        # Which places and kinds of units a question happens to name takes nothing away.
        extra = self._weight(asked - form - names)
        missing = self._weight(form - asked)
        return shared / (shared + _MISSING * missing + _EXTRA * extra), shared

    def _weight(self, stems: Iterable[str]) -> float:
        # Sorted, because sums of floats depend on their order.
        return sum(self.weights.get(stem, log(len(rules()) + 1)) for stem in sorted(stems))

    def _mended(self, word: str) -> str:
        """The known word that a misspelt one is most like; the word itself where there is none, or two as like."""
        if word in self.known or len(word) < _SHORTEST_MENDED:
            return word
        rated = [
            (SequenceMatcher(None, word, other).ratio(), other) for other in self.known if other[0] == word[0]
        ]
        best = max(ratio for ratio, _ in rated) if rated else 0.0
        meant = {other for ratio, other in rated if ratio == best}
        return min(meant) if best >= _LIKE and len({*map(_stem, meant)}) == 1 else word


@lru_cache
def _index() -> _Index:
    book = _book()
    forms = [(entry, form) for entry, rule in book.entries.items() for form in rule.asks]
    forms += [(None, form) for form in book.beyond.asks]
    asks = tuple((entry, frozenset(map(_stem, _words(form)))) for entry, form in forms)
    frequency = Counter(stem for _, stem in {(entry, stem) for entry, form in asks for stem in form})
    weights = {stem: log(1 + (len(book.entries) + 1) / count) for stem, count in frequency.items()}
    known = (
        {word for _, form in forms for word in _words(form)}
        | _same().keys()
        | _places().keys()
        | _ignored()
        | _beyond()
    )
    return _Index(asks, weights, frozenset(known))


def _words(text: str) -> list[str]:
    """The words that say something, in small letters, names of several words as one."""
    small = text[: 20 * MAX_WORDS].casefold().replace("’", "'")
    joined = _place_names().sub(lambda name: name[0].replace(" ", "_"), small)
    words = (word.removesuffix("'s").strip("'-_") for word in re.findall(r"[a-z_'-]+", joined))
    return [word for word in words if word and word not in _ignored()]


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    """What inflected forms and words of one meaning have in common."""
    if word in _same():
        return _same()[word]
    for ending in _ENDINGS:
        bare = word.removesuffix(ending)
        if bare != word and len(bare) >= len("cut"):
            word = bare
            break
    if word.endswith("i"):
        return word[:-1] + "y"
    return word[:-1] if word[-1:] == word[-2:-1] else word.removesuffix("e")


def _name_stems(word: str) -> tuple[str, ...]:
    """For a province's name, or for army and fleet, that word and what kind of thing it names; else nothing."""
    stem = _stem(word)
    kind = _UNITS.get(stem) or _places().get(word)
    return (stem, kind) if kind else ()


@lru_cache
def _same() -> Mapping[str, str]:
    """From a word to the one that stands for all of its meaning."""
    return {word: chosen for chosen, words in _book().words.items() for word in (chosen, *words.split())}


@lru_cache
def _ignored() -> frozenset[str]:
    return frozenset(_book().ignored.split())


@lru_cache
def _beyond() -> frozenset[str]:
    return frozenset(_book().beyond.words.split())


@lru_cache
def _places() -> Mapping[str, str]:
    """From a province's name, as one word in small letters, to what the forms of asking call such a place."""
    map_ = load_geography("standard")
    kinds = {"inland": "inland", "coast": "shore", "sea": "sea"}
    names = {name.casefold(): _stem(kinds[map_.terrain[code]]) for code, name in map_.names.items()}
    return {name.replace(" ", "_"): kind for name, kind in names.items()}


@lru_cache
def _place_names() -> re.Pattern[str]:
    names = sorted((name.replace("_", " ") for name in _places()), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
