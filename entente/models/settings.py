"""How a model is called: per game, and per seat where a seat differs."""

from collections.abc import Mapping
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, field_validator

from entente.errors import SettingsError
from entente.models.secrecy import check_body, check_headers
from entente.models.spec import check_address
from entente.validation import first_misfit

MOST = 10**12
"""More than any number of calls, characters or tokens means here, and less than the 64 bits that a checkpoint takes."""

HOW_REACHED = frozenset(
    {
        "key_variable",
        "connect_seconds",
        "first_token_seconds",
        "attempt_seconds",
        "silent_seconds",
        "total_seconds",
        "max_attempts",
        "requests_per_minute",
        "tokens_per_minute",
        "concurrency",
        "budget_usd",
        "budget_tokens",
    }
)
"""Settings that decide whether a model answers, and when, but not what it is asked or says."""


class ModelSettings(BaseModel):
    """Settings of one seat's calls; a limit that is None is not kept."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    temperature: float | None = Field(
        default=None,
        ge=0,
        le=2,
        description="None leaves it to the provider; some models take no other.",
    )
    base_url: str | None = Field(
        default=None,
        pattern=r"^https?://",
        description="Where a spec without an address of its own is sent; None for the provider's own.",
    )
    key_variable: str | None = Field(
        default=None,
        # No token of a provider is all of capitals, or all of small letters.
        pattern=r"^([A-Z_][A-Z0-9_]*|[a-z_]+)(@https?://[^@?#]+)?$",
        description="The environment variable that holds the key, never the key; None for the provider's "
        "customary one. It is sent to the one address that it was given for, which a game notes as NAME@ADDRESS "
        "when it begins.",
    )
    reasoning_effort: str | None = Field(
        default=None,
        pattern=r"^[a-z]+$",
        description="How hard a reasoning model thinks, in its provider's words: minimal, low, medium, high. None "
        "leaves it to the provider.",
    )
    verbosity: Literal["low", "medium", "high"] | None = Field(
        default=None,
        description="How long the words of OpenAI's models are.",
    )
    extra_body: dict[str, JsonValue] = Field(
        default_factory=dict,
        description='More fields of each request, as a server wants them: {"top_k": 20}. Never a secret.',
    )
    extra_headers: dict[str, str] = Field(
        default_factory=dict,
        description='More headers of each request: {"X-Title": "entente"}. Never a secret.',
    )
    connect_seconds: float = Field(
        default=10,
        gt=0,
        description="Until a connection stands.",
    )
    first_token_seconds: float | None = Field(
        default=None,
        gt=0,
        description="Until the first word of a reply; when given, replies are streamed, which costs more CPU.",
    )
    attempt_seconds: float = Field(
        default=600,
        gt=0,
        description="Until the whole reply to one attempt, while the server gives signs of life.",
    )
    silent_seconds: float = Field(
        default=15,
        gt=0,
        description="Without a sign of life from the server, which is a part of the reply or any answer, but a "
        "failure (5xx), to `GET /models`; it is asked for one when half of the time is over.",
    )
    total_seconds: float = Field(
        default=30,
        gt=0,
        description="For attempts that fail and the pauses between them: a dead provider pauses the game within a "
        "minute. An attempt counts as `silent_seconds` at most, and is never cut short; waiting for a rate limit is "
        "not counted.",
    )
    max_attempts: int = Field(
        default=4,
        ge=1,
        le=MOST,
        description="How often a call is tried that fails in a way that may pass.",
    )
    requests_per_minute: float | None = Field(
        default=None,
        gt=0,
        description="To one provider address, whoever asks; of several games' and seats' limits the strictest holds.",
    )
    tokens_per_minute: float | None = Field(
        default=None,
        gt=0,
        description="To one provider address, whoever asks; of several games' and seats' limits the strictest holds.",
    )
    concurrency: int = Field(
        default=16,
        ge=1,
        le=MOST,
        description="Calls at once to one provider address, whoever asks; the strictest holds here too.",
    )
    budget_usd: float | None = Field(
        default=None,
        ge=0,
        description="What may be spent in dollars: by the whole game, or by the seat that it is set for.",
    )
    budget_tokens: int | None = Field(
        default=None,
        ge=0,
        le=MOST,
        description="How many tokens may be spent, prompts and replies together: by the whole game, or by the "
        "seat that it is set for.",
    )

    @field_validator("extra_body")
    @classmethod
    def _has_no_secret_field(cls, body: dict[str, JsonValue]) -> dict[str, JsonValue]:
        check_body(body)
        return body

    @field_validator("extra_headers")
    @classmethod
    def _has_no_secret_header(cls, headers: dict[str, str]) -> dict[str, str]:
        check_headers(headers)
        return headers

    @field_validator("base_url")
    @classmethod
    def _holds_no_password(cls, address: str | None) -> str | None:
        _check(address, "base_url")
        return address

    @field_validator("key_variable")
    @classmethod
    def _is_for_an_address(cls, name: str | None) -> str | None:
        _check((name or "").partition("@")[2], "key_variable")
        return name

    def over(self, changes: Mapping[str, JsonValue]) -> Self:
        """These settings with some put over them; raises SettingsError."""
        try:
            return type(self).model_validate({**self.model_dump(), **changes})
        except ValidationError as error:
            misfit = first_misfit(error, type(self))
            # The value is not repeated: it may be a key that was taken for the name of its variable.
            told = (
                "There is no model setting"
                if misfit.is_unknown
                else "A value cannot be used for the model setting"
            )
            raise SettingsError(
                f"{told} {misfit.name!r}; {misfit.reason} No model was opened.", setting=misfit.path
            ) from None


def _check(address: str | None, setting: str) -> None:
    if address:
        try:
            check_address(address)
        except SettingsError as error:
            raise SettingsError(
                f"The model setting {setting!r} cannot be used: {error}", setting=(setting,)
            ) from None
