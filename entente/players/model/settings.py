"""Settings of a language model's seat: how it is called, what it is shown, and how much it may say and keep."""

from typing import Literal

from pydantic import Field

from entente.models.settings import MOST, ModelSettings

_SHORT_CONTEXT = 8_192
"""Tokens: what small models have that can play at all."""
_REPLY_SHARE = 16
"""Of the context, so much is left for a reply whose length nothing limits: 512 tokens of 8,192."""


class SeatSettings(ModelSettings):
    """One seat's settings; beside the calls', what concerns the game."""

    instructions: str = Field(
        default="",
        description="What whoever runs the game wants of the seat, beside its persona.",
    )
    persona: str = Field(
        default="",
        description="Who plays, in words that replace the power's own persona; a name in capitals is that of a file: "
        "`NEUTRAL` for measurements, `ITALY` for the persona of another power.",
    )
    prompts: Literal["default", "short"] = Field(
        default="default",
        description="`short` is for small models: fewer words, a map without borders, no orders that help others.",
    )
    actions: Literal["tools", "json", "schema"] = Field(
        default="tools",
        description="`json` for a model that cannot call tools and writes JSON instead; `schema` where its server, "
        "at an address of its own, holds that JSON to a schema, which lists the phase's legal orders.",
    )
    thinking: Literal["auto", "always", "never"] = Field(
        default="auto",
        description="Whether the model is asked for some lines of thought before its calls, which nobody but its seat "
        "and the operator reads. `auto`: unless it reasons by itself, as its name or `reasoning_effort` tells.",
    )
    advice: Literal["none", "candidates", "plan"] = Field(
        default="none",
        description="What a search suggests to the seat in movement phases: up to three whole sets of orders with what "
        "each wins and risks, or one. For models that play the board weakly.",
    )
    max_messages: int = Field(
        default=12,
        ge=0,
        le=MOST,
        description="Messages in one turn: two to each of six other powers. A runaway reply has fifty.",
    )
    max_message_chars: int = Field(
        default=600,
        ge=1,
        le=MOST,
        description="Signs in one message; people's have a median of 5 words and the best negotiating program's "
        "9.",
    )
    max_phase_chars: int = Field(
        default=6000,
        ge=1,
        le=MOST,
        description="Signs in all messages of one power in one phase.",
    )
    max_memory_tokens: int = Field(
        default=600,
        ge=0,
        le=MOST,
        description="The private memory as a whole, as JSON text; the diary is not counted.",
    )
    max_diary_tokens: int = Field(
        default=250,
        ge=0,
        le=MOST,
        description="The diary, folded anew at the beginning of each game year; a longer one is cut. 0: no diary.",
    )
    max_value_chars: int = Field(
        default=600,
        ge=1,
        le=MOST,
        description="One remembered text; a longer one is cut.",
    )
    press_tokens: int | None = Field(
        default=None,
        ge=0,
        le=MOST,
        description="Where press is in rounds, how many tokens of earlier phases' talk a call shows, estimated: whole "
        "with whom something is open, the rest in short with its terms. If not given: 4000, 250 in the short set.",
    )
    history_tokens: int | None = Field(
        default=None,
        ge=0,
        le=MOST,
        description="On the conductor's floor, how many tokens of the game so far a call shows, estimated; None: all "
        "of it that `context_tokens` has room for. The oldest turns are left out first, with their talk in short.",
    )
    context_tokens: int | None = Field(
        default=None,
        ge=1,
        le=MOST,
        description="What the model's server takes, prompt and reply together, estimated: of a longer call the oldest "
        "turns and then the phase's talk are told in short. If not given: 8192 in the short set, else no bound.",
    )
    max_output_tokens: int | None = Field(
        default=None,
        ge=1,
        le=MOST,
        description="What a call may answer, reasoning included; None leaves it to the provider. A reply that is cut "
        "off there is asked for once more, with four times the room.",
    )

    @property
    def prompt_tokens(self) -> int | None:
        """What a prompt may have with its tools, so that its reply has room behind it; None: no bound."""
        context = self.context_tokens or (_SHORT_CONTEXT if self.prompts == "short" else None)
        if context is None:
            return None
        return context - min(self.max_output_tokens or context // _REPLY_SHARE, context // 2)

    @property
    def max_thinking_chars(self) -> int:
        """What is kept of the thoughts in one reply."""
        return 400 if self.prompts == "short" else 1200

    def max_past_press_chars(self, letters_a_token: float) -> int:
        """What is shown of earlier phases' talk, in characters."""
        tokens = self.press_tokens
        if tokens is None:
            tokens = 250 if self.prompts == "short" else 4000
        return int(tokens * letters_a_token)

    def max_memory_chars(self, letters_a_token: float) -> int:
        """The memory's cap in characters of JSON text."""
        return int(self.max_memory_tokens * letters_a_token)

    def max_diary_chars(self, letters_a_token: float) -> int:
        """The diary's cap in characters."""
        return int(self.max_diary_tokens * letters_a_token)

    def history_chars(self, letters_a_token: float) -> int | None:
        """How many characters of the game so far a call shows; None: all of it."""
        return None if self.history_tokens is None else int(self.history_tokens * letters_a_token)
