"""Narrator and jester, as they speak with a language model. The keeper never does: rules are not made up."""

import logging
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from random import Random

from entente.commentary.prompting import ModelledVoice, request_of
from entente.commentary.voices import Cue, Fault, Jester, Narrator, Speaker, Spoken, Voices
from entente.display import displayable_behind
from entente.errors import (
    AuthenticationFailed,
    BudgetExceeded,
    ModelError,
    ModelTimeout,
    ProviderUnavailable,
    RateLimited,
)
from entente.models.budget import Budget
from entente.models.client import Connections, open_model
from entente.models.listening import pieces_of
from entente.models.reasoning import reasons_by_itself
from entente.models.settings import ModelSettings
from entente.models.spec import ModelSpec
from entente.models.wire import AudibleModel, ModelReply
from prompts import open_set

_log = logging.getLogger(__name__)

SETTINGS = ModelSettings(first_token_seconds=20, attempt_seconds=60, total_seconds=20, max_attempts=3)
"""Somebody waits for the words: they are streamed, and a provider that fails is given up sooner than in play."""

MOST_SPOKEN: Mapping[str, int] = {"narrator": 1200, "jester": 400}
"""Characters of one reply; what a model says beyond that is not said."""
_MOST_TOKENS: Mapping[str, int] = {"narrator": 300, "jester": 120}
_MOST_THOUGHT = 2000
"""Tokens more for a model that thinks before it speaks."""
_WHY: Mapping[type[ModelError], str] = {
    BudgetExceeded: "the budget of its model is used up",
    ModelTimeout: "its model did not answer in time",
    ProviderUnavailable: "its model cannot be reached",
    RateLimited: "its model is asked for too much",
    AuthenticationFailed: "its model's provider does not take the key",
}
"""As its listener is told; nothing of whose model it is, or of what it was asked."""


class ModelVoice:
    """A voice that speaks with a model; where that fails before a word, the scripted voice speaks, and it is said."""

    def __init__(
        self,
        voice: ModelledVoice,
        model: AudibleModel,
        scripted: Speaker,
        *,
        thinks: bool = False,
    ) -> None:
        self._voice: ModelledVoice = voice
        self._model = model
        self._scripted = scripted
        self._most_tokens = _MOST_TOKENS[voice] + (_MOST_THOUGHT if thinks else 0)

    async def speak(self, cue: Cue) -> AsyncGenerator[Spoken]:
        """The model's words as they come, as they may be shown, and what its call was."""
        request = request_of(self._voice, cue, open_set(), self._most_tokens)
        mouth = _Mouth(MOST_SPOKEN[self._voice])
        why = "its model said nothing"
        try:
            async with aclosing(pieces_of(self._model, request)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, ModelReply):
                        yield piece.usage
                        if piece.usage.finish_reason == "refusal":
                            why = "its model refused"
                    elif words := mouth.say(piece):
                        yield words
        except ModelError as error:
            _log.warning("The %s's model failed: %s", self._voice, error)
            why = next((told for kind, told in _WHY.items() if isinstance(error, kind)), "its model failed")
            if mouth.has_spoken:
                yield Fault(f"The {self._voice} breaks off: {why}.")
        if not mouth.has_spoken:
            yield Fault(f"The {self._voice} speaks without a model: {why}.")
            async with aclosing(self._scripted.speak(cue)) as spoken:
                async for each in spoken:
                    yield each


class _Mouth:
    """Lets of a model's words only those out that are said: no thoughts, nothing that cannot be shown, so many."""

    _BEGIN, _END = "<think>", "</think>"

    def __init__(self, most: int) -> None:
        self._most = most
        self._said = ""
        self._held = ""
        self._is_thinking: bool | None = None

    @property
    def has_spoken(self) -> bool:
        return bool(self._said)

    def say(self, piece: str) -> str:
        """What of it is said now; empty for nothing."""
        words = displayable_behind(self._said, self._thought_out(piece))
        if not self.has_spoken:
            words = words.lstrip()
        left = self._most - len(self._said)
        if not words or not left:
            return ""
        self._said += words[:left]
        return words if len(words) < left else f"{words[:left]}…"

    def _thought_out(self, piece: str) -> str:
        """The piece without the thoughts that some models write before their reply."""
        if self._is_thinking is False:
            return piece
        self._held += piece
        if self._is_thinking is None:
            self._held = self._held.lstrip()
            if not self._BEGIN.startswith(self._held[: len(self._BEGIN)]):
                self._is_thinking = False
                return self._held
            if len(self._held) < len(self._BEGIN):
                return ""
        _, is_over, said = self._held.partition(self._END)
        self._is_thinking = not is_over
        # All of a thought would be searched again with each piece.
        self._held = self._held[1 - len(self._END) :]
        return said


def open_voices(
    spec: str,
    connections: Connections,
    environ: Mapping[str, str],
    budgets: Sequence[Budget] = (),
    settings: ModelSettings = SETTINGS,
) -> Voices:
    """Voices that speak with the model; nothing is sent yet. Raises SettingsError, MissingKey among them."""
    named = ModelSpec.parse(spec)
    thinks = reasons_by_itself(str(named), settings)

    def model(voice: str) -> AudibleModel:
        return open_model(
            named,
            settings,
            connections,
            environ=environ,
            rng=Random(),
            budgets=budgets,
            caller=voice,
        )

    return Voices(
        narrator=ModelVoice("narrator", model("narrator"), Narrator(), thinks=thinks),
        jester=ModelVoice("jester", model("jester"), Jester(), thinks=thinks),
    )
