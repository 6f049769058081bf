"""Leaders: the characters that play powers, by five traits of a few grades each.

A leader is the persona of a language model's seat, sets the knobs of a talking scripted player, and stands on a
person's card.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from entente.display import in_one_line
from entente.errors import SettingsError
from entente.validation import first_error, first_misfit, shown

LONGEST_NAME = 60
LONGEST_DESCRIPTION = 600
_ENDS = (".", "!", "?", "…")
_LONGEST_SHOWN = 60

Model = TypeVar("Model", bound=BaseModel)


class Grade(NamedTuple):
    """One of the degrees in which leaders have a trait."""

    word: str
    meaning: str
    """A sentence to the leader."""
    knob: float
    """What it sets the trait's knob of a talking scripted player to."""
    also: str
    """Words and phrases of people that mean it, too, commas between them."""

    @property
    def phrases(self) -> list[str]:
        """All that mean it."""
        return [self.word, *self.also.split(", ")]


class Trait(NamedTuple):
    """A side of a leader's character."""

    name: str
    """The field of a character sheet."""
    question: str
    knob: str
    """The knob of a talking scripted player that it sets."""
    grades: tuple[Grade, ...]

    def grade(self, word: str) -> Grade:
        """The grade of this word, which must be one of the trait's."""
        return next(grade for grade in self.grades if grade.word == word)


TRAITS = (
    Trait(
        "temper",
        "Somebody has broken a promise. How does your leader take it?",
        "forgiveness",
        (
            Grade(
                "calm",
                "You stay calm when you are wronged, and soon deal again.",
                0.9,
                "cool, cold, patient, gentle, forgiving, forgives, serene, mild, relaxed",
            ),
            Grade(
                "even",
                "You remember a wrong for a while and answer it in kind.",
                0.5,
                "even-tempered, balanced, moderate, measured, medium, normal, fair, just",
            ),
            Grade(
                "hot",
                "You answer a wrong at once, and you hardly ever forget one.",
                0.1,
                "hot-tempered, angry, furious, fierce, vengeful, revenge, short, fiery, rage, "
                "never forgives, never forgets, does not forgive, unforgiving",
            ),
        ),
    ),
    Trait(
        "honesty",
        "What do others hear of your leader's plans?",
        "honesty",
        (
            Grade(
                "open",
                "You tell others what you are about to do, and it is true.",
                1.0,
                "honest, frank, truthful, truth, candid, sincere, everything, never lies, does not lie, "
                "would never lie, no lies",
            ),
            Grade(
                "guarded",
                "What you say is true, but you keep most plans to yourself.",
                0.5,
                "discreet, careful, cautious, reserved, some, little, half, sometimes",
            ),
            Grade(
                "deceitful",
                "You say what serves you, true or not, and hide your plans.",
                0.0,
                "liar, lies, lie, lying, dishonest, sly, cunning, secretive, secret, nothing, "
                "never honest, not honest, deceptive, deceives",
            ),
        ),
    ),
    Trait(
        "loyalty",
        "An ally leaves a door open. Does your leader walk in?",
        "loyalty",
        (
            Grade(
                "steadfast",
                "You keep your word, also when breaking it would pay.",
                1.0,
                "loyal, faithful, true, reliable, never, never betrays, no, keeps his word, "
                "keeps her word, keeps their word, would never betray, never breaks a promise",
            ),
            Grade(
                "practical",
                "You keep your word unless breaking it wins very much.",
                0.6,
                "pragmatic, it depends, depends, maybe, perhaps, flexible, sometimes, if it pays",
            ),
            Grade(
                "faithless",
                "Your word binds you only as long as it serves you.",
                0.1,
                "disloyal, traitor, treacherous, betrays, unfaithful, yes, always, opportunist, "
                "not loyal, stabs, stab, backstabber",
            ),
        ),
    ),
    Trait(
        "ambition",
        "How much of the board does your leader want?",
        "appetite",
        (
            Grade(
                "modest",
                "You want a fair share, and give up some of it for peace.",
                0.4,
                "small, humble, little, content, peaceful, peace, a fair share, enough, low",
            ),
            Grade(
                "steady",
                "You want to grow every year, and give up little for peace.",
                0.1,
                "medium, moderate, growth, patient, step by step, normal, much, a lot, more",
            ),
            Grade(
                "boundless",
                "You want the whole board, and give up next to nothing for peace.",
                0.02,
                "endless, everything, all, all of it, the whole board, world, conquest, huge, "
                "never enough, high, greedy, limitless",
            ),
        ),
    ),
    Trait(
        "manner_of_speech",
        "How does your leader write to others?",
        "chattiness",
        (
            Grade(
                "terse",
                "You write seldom, and in short sentences.",
                1,
                "short, brief, curt, laconic, silent, quiet, few words, seldom",
            ),
            Grade(
                "plain",
                "You write plainly, to those whom it concerns.",
                2,
                "simple, direct, clear, normal, friendly, polite, businesslike, matter of fact",
            ),
            Grade(
                "florid",
                "You write to everybody, at length and with pleasure.",
                3,
                "flowery, long, eloquent, grand, charming, chatty, talkative, poetic, verbose, rich, "
                "many words, a lot",
            ),
        ),
    ),
)
"""In the order in which an interviewer asks for them."""


class CharacterSheet(BaseModel):
    """A leader's traits, each by its grade's word; `TRAITS` says what each means."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    temper: Literal["calm", "even", "hot"]
    honesty: Literal["open", "guarded", "deceitful"]
    loyalty: Literal["steadfast", "practical", "faithless"]
    ambition: Literal["modest", "steady", "boundless"]
    manner_of_speech: Literal["terse", "plain", "florid"]

    @property
    def grades(self) -> dict[str, Grade]:
        """Each trait's grade, by the trait's name."""
        return {trait.name: trait.grade(getattr(self, trait.name)) for trait in TRAITS}


def _plain(text: object) -> object:
    """A text in one line, nothing in it that cannot be seen: it stands in prompts and on terminals."""
    return in_one_line(text) if isinstance(text, str) else text


def _power(name: object) -> object:
    return name.strip().upper() if isinstance(name, str) else name


class Leader(BaseModel):
    """Who leads a power."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, BeforeValidator(_plain), Field(min_length=1, max_length=LONGEST_NAME)]
    power: Annotated[str, BeforeValidator(_power), Field(pattern="^[A-Z][A-Z_-]{0,39}$")]
    character_description: Annotated[
        str, BeforeValidator(_plain), Field(min_length=1, max_length=LONGEST_DESCRIPTION)
    ]
    character_sheet: CharacterSheet

    @property
    def persona(self) -> str:
        """Who plays, in words to a language model, or to the person at the seat."""
        described = self.character_description
        sentence = described if described.endswith(_ENDS) else f"{described}."
        meanings = [grade.meaning for grade in self.character_sheet.grades.values()]
        return " ".join([f"You are {self.name}.", sentence, *meanings])

    @property
    def knobs(self) -> dict[str, float]:
        """The knobs of a talking scripted player that plays as this leader would."""
        grades = self.character_sheet.grades
        return {trait.knob: grades[trait.name].knob for trait in TRAITS}


def card_text(leader: Leader) -> str:
    """The leader on a card, for people: name, description, and what each grade means."""
    traits = [f"  {grade.word}: {grade.meaning}" for grade in leader.character_sheet.grades.values()]
    return "\n".join([f"{leader.name}, {leader.power}", leader.character_description, *traits])


def parse_leader(values: object) -> Leader:
    """The leader from plain values; raises SettingsError, whose setting is where it goes wrong."""
    if isinstance(values, Mapping):
        sheet = cast("Mapping[str, object]", values).get("character_sheet")
        if isinstance(sheet, Mapping):
            _validated(CharacterSheet, cast("object", sheet), "character_sheet")
    return _validated(Leader, cast("object", values))


def _validated(model: type[Model], values: object, *place: str) -> Model:
    try:
        return model.model_validate(values)
    except ValidationError as error:
        misfit, came = first_misfit(error, model), first_error(error)["input"]
        name = ".".join((*place, *misfit.path))
        if misfit.is_unknown:
            told = f"A leader has no {name}"
        elif isinstance(values, Mapping) and misfit.path[0] not in values:
            told = f"A leader's {name} is missing"
        else:
            told = f"A leader's {name} cannot be {_came(came)}"
        raise SettingsError(
            f"{told}; {misfit.reason} Nobody was seated.", setting=(*place, *misfit.path)
        ) from error


def _came(value: object) -> str:
    text = shown(value)
    return text if len(text) <= _LONGEST_SHOWN else f"one of {len(text):,} characters"
