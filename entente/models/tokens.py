"""How many tokens a prompt has before it is sent: estimated, and learned from what the model's server counts.

A process learns for its budgets at each call. What a prompt contains is bounded by what the game's record tells, so
that a game that is resumed writes what it would have written.
"""

import json
import re
from collections.abc import Iterable
from math import floor
from typing import NotRequired

from typing_extensions import TypedDict

from entente.models.wire import CallUsage, ModelRequest

_FIRST_GUESSES = (
    # Counted in prompts of ours by these families' tokenizers: docs/models.md has the least and the most of each.
    (re.compile(r"smollm"), 2.4),
    (re.compile(r"anthropic|claude-"), 2.6),
    (re.compile(r"mistral|mixtral|ministral|magistral|codestral|devstral"), 2.6),
    (re.compile(r"qwen|\bqwq|deepseek"), 2.8),
    (re.compile(r"\bgemma|\bgemini"), 2.9),
    (re.compile(r"\bgpt|\bchatgpt|\bo[1-9]\b"), 2.8),
    # The scripted provider's own measure.
    (re.compile(r"\bmock\b"), 4.0),
)
"""Letters a token by the model's family, as its name tells it."""
_OTHERWISE = 2.6
"""Not measured: among the families that were counted, about the middle of the fewest."""
_NEAR = 0.15
"""A first guess that is no further off, as a share of it, stands: to write prompts anew would cost more."""
_FEWEST = 1.0
"""Fewer letters a token than any has of our prompts: then something else was counted."""
_IMPLAUSIBLE = 8.0
"""More letters a token than any tokenizer packs of our prompts."""
_UNUSUAL = 1.4
"""So many times more letters a token than before are no matter of words: a part of the prompt was not counted."""


class Learned(TypedDict):
    """What a game has learned of a power's model."""

    player: str
    """Whose server counted: `openai:gpt-5-mini`."""
    letters: float
    """A token's, to one decimal, in the first phase: what the seat's limits are made of, which prompts repeat."""
    fewest: NotRequired[float]
    """In any phase until now, which no prompt repeats; in games of before that was kept, `letters`."""


def letters_in(request: ModelRequest) -> int:
    """The letters of a prompt's messages and tools, without what its server writes around them."""
    said = sum(len(message.content) for message in request.messages)
    calls = (call for message in request.messages for call in message.tool_calls)
    called = sum(len(call.name) + len(json.dumps(call.arguments)) for call in calls)
    return said + called + sum(len(tool.model_dump_json()) for tool in request.tools)


def letters_learned(calls: Iterable[CallUsage]) -> float | None:
    """The letters a token of these calls' prompts, to one decimal; None where no server counted any.

    The fewest, rounded down: a prompt that was cut has more.
    """
    counted = (call.prompt_letters / call.prompt_tokens for call in calls if call.prompt_tokens)
    likely = [letters for letters in counted if _FEWEST <= letters <= _IMPLAUSIBLE]
    return floor(min(likely) * 10) / 10 if likely else None


def letters_a_token(model: str, learned: float | None = None) -> float:
    """What was learned of a model, else the first guess by its name, with or without provider and address.

    >>> letters_a_token("openai:smollm2@http://127.0.0.1:8080/v1"), letters_a_token("openai:gpt-4.1", 3.5)
    (2.4, 3.5)
    """
    name = re.split(r"@[a-z]+://", model.lower())[0]
    guess = next((guess for family, guess in _FIRST_GUESSES if family.search(name)), _OTHERWISE)
    return learned if learned and abs(learned - guess) > _NEAR * guess else guess


def fewest_letters_a_token(model: str, counted: float | None = None) -> float:
    """For a bound that prompts must keep: the fewer of the guess and of the fewest that were counted."""
    return min(letters_a_token(model), counted or _IMPLAUSIBLE)


def fewest_of(learned: Learned) -> float:
    """The fewest letters a token of any phase until now: a crowded board has fewer than the first one."""
    return learned.get("fewest", learned["letters"])


class Meter:
    """One model's letters a token, for prompts with tools or for those without."""

    def __init__(self, model: str) -> None:
        self._first_guess = letters_a_token(model)
        self._learned: float | None = None

    def tokens(self, letters: int) -> int:
        """About how many tokens so many letters are."""
        return int(letters / (self._learned or self._first_guess))

    def is_cut(self, letters: int, counted: int) -> bool:
        """True when the server counted far fewer tokens than were sent; else the count is learned from."""
        if not counted or not letters:
            return False
        here = letters / counted
        if here > (_IMPLAUSIBLE if self._learned is None else min(_IMPLAUSIBLE, _UNUSUAL * self._learned)):
            return True
        self._learned = here
        return False
