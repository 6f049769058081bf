"""How a model is called: per game, and per seat where a seat differs."""

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from entente.errors import SettingsError


class ModelSettings(BaseModel):
    """Settings of one seat's calls; a limit that is None is not kept."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    temperature: float | None = Field(default=None, ge=0, le=2)
    """None leaves it to the provider; some models take no other."""
    base_url: str | None = None
    """Where a spec without an address of its own is sent; None for the provider's own."""
    key_variable: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    """The environment variable that holds the key, never the key; None for the provider's customary one."""
    connect_seconds: float = Field(default=10, gt=0)
    first_token_seconds: float | None = Field(default=None, gt=0)
    """Until the first word of a reply; when given, replies are streamed, which costs more CPU."""
    attempt_seconds: float = Field(default=60, gt=0)
    """Until the whole reply to one attempt."""
    total_seconds: float = Field(default=120, gt=0)
    """For all attempts and the pauses between them; waiting for a rate limit is not counted."""
    max_attempts: int = Field(default=4, ge=1)
    requests_per_minute: float | None = Field(default=None, gt=0)
    """To one provider address, whoever asks."""
    tokens_per_minute: float | None = Field(default=None, gt=0)
    concurrency: int = Field(default=16, ge=1)
    """Calls at once to one provider address."""
    budget_usd: float | None = Field(default=None, ge=0)
    budget_tokens: int | None = Field(default=None, ge=0)
    """Prompt and completion tokens together."""

    def over(self, changes: Mapping[str, JsonValue]) -> "ModelSettings":
        """These settings with a seat's own put over them; raises SettingsError."""
        try:
            return ModelSettings.model_validate({**self.model_dump(), **changes})
        except ValidationError as error:
            first = error.errors()[0]
            name = ".".join(str(part) for part in first["loc"])
            # The value is not repeated: it may be a key that was taken for the name of its variable.
            raise SettingsError(
                f"A usable model setting {name!r} was wanted and it is not one ({first['msg']}); no model was opened."
            ) from None
