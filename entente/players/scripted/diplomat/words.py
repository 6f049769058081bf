"""A text as it is read: abbreviations spelled out, corrections applied, provinces and powers found in it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from entente.board.engine import Board
from entente.board.types import Power, Province
from entente.players.scripted.diplomat import phrases
from entente.players.scripted.diplomat.cues import Topic, score
from entente.players.scripted.diplomat.places import mentions_in, provinces_in, with_owners
from entente.players.scripted.diplomat.shorthand import spelled_out


@dataclass(frozen=True)
class Words:
    """What `sender` wrote to `me`, on that board."""

    written: str
    """The words with capitals; where the writer corrected himself, what he said last."""
    board: Board
    me: Power
    sender: Power

    @classmethod
    def of(cls, content: str, board: Board, me: Power, sender: Power) -> "Words":
        """The words of a message's content."""
        map_name = board.position.map_name
        straight = " ".join(content.replace("’", "'").split())
        return cls(_corrected(spelled_out(straight, map_name), map_name), board, me, sender)

    @cached_property
    def text(self) -> str:
        """The words in small letters, a negative question as the plain one."""
        return in_small_letters(self.written)

    @cached_property
    def marked(self) -> str:
        """The same with who stands in each province in the place of its name, as cues want it."""
        return in_small_letters(with_owners(self.written, self.board, self.me, self.sender))

    @cached_property
    def named(self) -> tuple[Province, ...]:
        """The provinces in it, in order."""
        return tuple(provinces_in(self.written, self.board.position.map_name))

    @cached_property
    def third_power(self) -> Power:
        """The first power in it that is neither of the two; empty when there is none."""
        others = (p for p in self.board.powers if p not in (self.me, self.sender))
        return next((p for p in others if _spoken_of(p).search(self.text)), "")

    @cached_property
    def clauses(self) -> tuple["Words", ...]:
        """Its sentences and what is set apart in them."""
        parts = phrases.CLAUSE_ENDS.split(self.written)
        return tuple(replace(self, written=part) for part in parts if part.strip(" .,!"))

    def only(self, wanted: Callable[["Words"], bool]) -> "Words":
        """The clauses that are wanted."""
        return replace(self, written=" ".join(clause.written for clause in self.clauses if wanted(clause)))

    def without(self, pattern: re.Pattern[str]) -> "Words":
        """The words with all that fits the pattern left out."""
        return replace(self, written=pattern.sub("", self.written))

    def score(self, topic: Topic) -> int:
        """How strongly the words speak for the topic."""
        return score(topic, self.marked)

    def stands(self, power: Power) -> frozenset[Province]:
        """Where the power's units are."""
        return frozenset(unit.province for unit in self.board.position.units[power])


_PEOPLE = {
    "AUSTRIA": "austrians?|habsburgs?",
    "ENGLAND": "english(?! channel)|brits?|british|britain",
    "FRANCE": "french",
    "GERMANY": "germans?|kaiser",
    "ITALY": "italians?",
    "RUSSIA": "russians?|tsar|czar",
    "TURKEY": "turkish|turks?|sultan|ottomans?",
}
"""How else a power is spoken of, on the standard map."""


def _spoken_of(power: Power) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(filter(None, (re.escape(power.lower()), _PEOPLE.get(power))))})\b")


def in_small_letters(text: str) -> str:
    """A negative question asks for the thing itself."""
    plain = phrases.COULD_YOU.sub("could you", phrases.SHALL_WE.sub("shall we", text.lower()))
    return phrases.HOW_ABOUT.sub("how about", plain)


def _corrected(text: str, map_name: str) -> str:
    """The text with what its writer corrected, and without words that say nothing of what is to be done.

    A place behind an afterthought takes the place of the last one before it; other words take that of all before.
    """
    straight = phrases.REASSURANCE.sub("", text)
    ends = [(match.start(), match.end()) for match in phrases.AFTERTHOUGHT.finditer(straight.lower())]
    start, end = ends[-1] if ends else (0, 0)
    last = straight[end:].lstrip(" ,.:")
    named_before, named_last = mentions_in(straight[:start], map_name), mentions_in(last, map_name)
    is_place = named_before and named_last and not _BEFORE_PLACE.sub("", last[: named_last[0].start])
    if is_place:
        return straight[: named_before[-1].start] + last[named_last[0].start :]
    return last if re.search(r"\w", last) else straight


_BEFORE_PLACE = re.compile(r"\W*(?:(?:the|to|into|in|from|of|sorry|your|my)\b\W*)*")
