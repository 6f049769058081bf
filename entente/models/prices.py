"""What a call costs, by the table in prices.toml; an unknown price stays unknown, and is never 0."""

import re
import tomllib
from datetime import date
from functools import lru_cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from entente.models.spec import ModelSpec

_RELEASE = re.compile(r"-(?:\d{8}|\d{4}-\d{2}-\d{2})$")
"""The day at the end of a model's name: `gpt-4o-2024-08-06` costs what `gpt-4o` costs."""


class Price(BaseModel):
    """US dollars for a million tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: float
    cached_input: float
    output: float
    cache_write: float | None = None
    """For tokens that the provider puts into its cache; None where they cost what others do."""

    def cost_usd(
        self, prompt_tokens: int, cached_tokens: int, completion_tokens: int, written_tokens: int = 0
    ) -> float:
        """What a call costs; the cached and the written tokens are among the prompt's."""
        written_at = self.input if self.cache_write is None else self.cache_write
        millionths = (
            (prompt_tokens - cached_tokens - written_tokens) * self.input
            + cached_tokens * self.cached_input
            + written_tokens * written_at
            + completion_tokens * self.output
        )
        return millionths / 1_000_000


class ProviderPrices(BaseModel):
    """One provider's list."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    date: date
    """When the list was read."""
    source: str
    models: dict[str, Price]


@lru_cache
def price_lists() -> dict[str, ProviderPrices]:
    """From provider to its list, as the file has them."""
    text = (files("entente.models") / "prices.toml").read_text(encoding="utf-8")
    return {provider: ProviderPrices.model_validate(each) for provider, each in tomllib.loads(text).items()}


def price_of(spec: ModelSpec) -> Price | None:
    """The model's price; None when it is not known, as for every address that is not the provider's own."""
    prices = price_lists().get(spec.provider)
    if prices is None or spec.base_url is not None:
        return None
    return prices.models.get(spec.model) or prices.models.get(_RELEASE.sub("", spec.model))
