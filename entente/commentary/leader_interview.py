"""An interview that makes a leader: a question, an answer, the next question, and in the end the leader.

It is a value: it can be kept as JSON between any two answers, and the same answers to the same seed make the same
leader. Who asks is another's business: a terminal, a page, a language model that puts the questions in words of its
own.
"""

import re
from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from entente.commentary.leader import (
    LONGEST_DESCRIPTION,
    LONGEST_NAME,
    TRAITS,
    CharacterSheet,
    Grade,
    Leader,
)
from entente.display import in_one_line
from entente.validation import listed

_LONGEST_CHOICE = 200
"""Characters of an answer to a question of grades; nobody needs more to say one."""
_SHOWN = 40
_WORDS = re.compile(r"[a-z]+(?:[-'][a-z]+)*")
_DENIALS = frozenset(
    ("not", "no", "never", "hardly", "neither", "nor", "without", "isn't", "doesn't", "don't")
)
_TITLES = ("Chancellor", "Marshal", "Minister", "Ambassador", "Admiral", "Regent", "Consul")
_NAMES = ("Aldane", "Brisco", "Corvel", "Dessaline", "Elverton", "Farkas", "Galloway", "Hartwig", "Ilvane")
_DESCRIPTIONS = (
    "A veteran of many tables who reads every dispatch twice.",
    "A newcomer to great affairs, raised by merchants, who counts before speaking.",
    "A former surveyor who knows every border by heart.",
    "An heir to an old house who would rather be feared than forgotten.",
    "A collector of maps and of favors, seldom seen before noon.",
    "A soldier's child who rose by keeping accounts, not by charging.",
    "A player of chess by letter who has never been in a hurry.",
    "A lover of the theater who treats each council as a stage.",
)


class Question(NamedTuple):
    """What the interviewer asks next."""

    name: str
    """What the answer becomes: `name`, a trait, or `character_description`."""
    text: str
    choices: tuple[Grade, ...] = ()
    """The grades of a trait; empty where any words will do."""
    longest: int = _LONGEST_CHOICE
    """How many characters an answer may have."""


QUESTIONS = (
    Question("name", "What is your leader called?", longest=LONGEST_NAME),
    *(Question(trait.name, trait.question, trait.grades) for trait in TRAITS),
    Question(
        "character_description",
        "Who is this leader, in a sentence or two?",
        longest=LONGEST_DESCRIPTION,
    ),
)
"""All of them, in the order in which they are asked."""


class Interview(BaseModel):
    """How far an interview has come; it never changes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    power: str
    seed: int = 42
    """What is left out is chosen by chance from this number."""
    taken: dict[str, str] = {}
    """What was made of the answers, by the names of the questions."""
    remark: str = ""
    """Why the last answer was not taken, a sentence; empty when it was."""

    @property
    def question(self) -> Question | None:
        """What is asked next; None when there is nothing left to ask."""
        return next((question for question in QUESTIONS if question.name not in self.taken), None)

    @property
    def leader(self) -> Leader | None:
        """The leader, when everything was answered."""
        if self.question is not None:
            return None
        return Leader(
            name=self.taken["name"],
            power=self.power,
            character_description=self.taken["character_description"],
            character_sheet=CharacterSheet.model_validate({t.name: self.taken[t.name] for t in TRAITS}),
        )

    def answer(self, text: str) -> "Interview":
        """The interview after this answer to its question.

        A blank answer leaves the choice to chance. What is not understood is asked again, with a remark.
        """
        question = self.question
        return self if question is None else self.answer_to(question, text)

    def answer_to(self, question: Question, text: str) -> "Interview":
        """The same with the answer to a question that need not be the next one."""
        plain = in_one_line(text[: 4 * question.longest])
        if len(text) > 4 * question.longest or len(plain) > question.longest:
            return self._not_taken(
                f"An answer of at most {question.longest} characters was wanted and {len(text):,} came; "
                "please say it shorter."
            )
        if not plain:
            return self._with(question, self._by_chance(question))
        if not question.choices:
            return self._with(question, plain)
        meant = grades_meant(question.choices, plain)
        if len(meant) == 1:
            return self._with(question, meant[0].word)
        words = listed(grade.word for grade in question.choices)
        came = plain if len(plain) <= _SHOWN else f"{plain[:_SHOWN]}…"
        told = f"could be {listed(grade.word for grade in meant)}" if meant else "was not understood"
        return self._not_taken(f"One of {words} was wanted, and {came!r} {told}; please say it another way.")

    def _with(self, question: Question, value: str) -> "Interview":
        return self.model_copy(update={"taken": {**self.taken, question.name: value}, "remark": ""})

    def _not_taken(self, remark: str) -> "Interview":
        return self.model_copy(update={"remark": remark})

    def _by_chance(self, question: Question) -> str:
        chance = Random(f"{self.seed} {self.power} {question.name}")
        if question.choices:
            return chance.choice(question.choices).word
        if question.name == "name":
            return f"{chance.choice(_TITLES)} {chance.choice(_NAMES)}"
        return chance.choice(_DESCRIPTIONS)


def grades_meant(grades: tuple[Grade, ...], answer: str) -> list[Grade]:
    """The grades that an answer may mean: one when it is understood.

    It is a number from 1, the beginning of a grade's word, or free words with one of a grade's in them. Free words
    that deny something mean nothing, unless the denial itself is known.
    """
    said = answer.lower().replace("\u2019", "'").strip(" .!")
    if said.isdecimal() and said.isascii():
        return [grades[int(said) - 1]] if len(said) == 1 and 1 <= int(said) <= len(grades) else []
    begun = [grade for grade in grades if grade.word.startswith(said)]
    if begun:
        return begun
    known = {tuple(phrase.split()): grade for grade in grades for phrase in grade.phrases}
    words = tuple(_WORDS.findall(said))
    if words in known:
        return [known[words]]
    found, rest = _phrases(words, known)
    return [] if _DENIALS.intersection(rest) else [grade for grade in grades if grade in found]


def _phrases(words: tuple[str, ...], known: Mapping[tuple[str, ...], Grade]) -> tuple[list[Grade], list[str]]:
    """Whose phrases are among the words, the longest first at each place; and the words that are in none.

    A denial that stands alone is in none: it may deny what follows it.
    """
    found: list[Grade] = []
    rest: list[str] = []
    longest = max(map(len, known))
    place = 0
    while place < len(words):
        sizes = range(min(longest, len(words) - place), 0, -1)
        size = next((size for size in sizes if words[place : place + size] in known), 1)
        phrase = words[place : place + size]
        if phrase in known and (size > 1 or phrase[0] not in _DENIALS):
            found.append(known[phrase])
        else:
            rest.extend(phrase)
        place += size
    return found, rest
