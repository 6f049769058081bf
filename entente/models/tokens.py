"""How many tokens a prompt has before it is sent: estimated, and learned from what the model's server counts.

What a prompt contains is bounded by the first guess alone, which the model's name gives. What a process has learned
would differ after a resume, and the prompts before it with it.
"""

import re

from entente.models.wire import ModelRequest

_FIRST_GUESSES = (
    # Counted in prompts of ours: 2.43 in the longest one (docs/benchmarks.md), up to 3.0 in others.
    (re.compile(r"smollm"), 2.4),
    # The scripted provider's own measure.
    (re.compile(r"\bmock\b"), 4.0),
    # Not measured: what these providers tell of English text.
    (re.compile(r"\bgpt|\bchatgpt|\bo[1-9]\b|\bclaude|\bgemini"), 4.0),
)
"""Letters a token by the model's family, as its name tells it."""
_OTHERWISE = 3.0
"""Not measured: the most that was counted of a small model, since an unknown one is often small."""
_IMPLAUSIBLE = 8.0
"""More letters a token than any tokenizer packs of our prompts."""
_UNUSUAL = 1.4
"""So many times more letters a token than before are no matter of words: a part of the prompt was not counted."""


def letters_in(request: ModelRequest) -> int:
    """The letters of a prompt's messages; tools, which servers write in ways of their own, are left out."""
    return sum(len(message.content) for message in request.messages)


def letters_a_token(model: str) -> float:
    """The first guess for a model by its name, with or without provider and address.

    >>> letters_a_token("openai:smollm2@http://127.0.0.1:8080/v1"), letters_a_token("openai:gpt-4.1")
    (2.4, 4.0)
    """
    name = re.split(r"@[a-z]+://", model.lower())[0]
    return next((guess for family, guess in _FIRST_GUESSES if family.search(name)), _OTHERWISE)


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
