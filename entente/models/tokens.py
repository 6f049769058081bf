"""How many tokens a prompt has before it is sent: estimated, and learned from what the model's server counts."""

from entente.models.wire import ModelRequest

_AT_FIRST = 3.0
"""Letters a token until the server has counted one prompt; small models need more tokens than large ones."""
_IMPLAUSIBLE = 8.0
"""More letters a token than any tokenizer packs of our prompts."""
_UNUSUAL = 1.4
"""So many times more letters a token than before are no matter of words: a part of the prompt was not counted."""


def letters_in(request: ModelRequest) -> int:
    """The letters of a prompt's messages; tools, which servers write in ways of their own, are left out."""
    return sum(len(message.content) for message in request.messages)


class Meter:
    """One model's letters a token, for prompts with tools or for those without."""

    def __init__(self) -> None:
        self._learned: float | None = None

    def tokens(self, letters: int) -> int:
        """About how many tokens so many letters are."""
        return int(letters / (self._learned or _AT_FIRST))

    def is_cut(self, letters: int, counted: int) -> bool:
        """True when the server counted far fewer tokens than were sent; else the count is learned from."""
        if not counted or not letters:
            return False
        here = letters / counted
        if here > (_IMPLAUSIBLE if self._learned is None else min(_IMPLAUSIBLE, _UNUSUAL * self._learned)):
            return True
        self._learned = here
        return False
