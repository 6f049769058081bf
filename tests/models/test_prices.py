from datetime import date

import pytest

from entente.models.prices import price_lists, price_of
from entente.models.spec import PROVIDERS, ModelSpec


def test_every_price_list_has_its_date_its_source_and_prices_in_order() -> None:
    for provider, prices in price_lists().items():
        assert provider in PROVIDERS
        assert date(2025, 1, 1) < prices.date
        assert prices.source
        for model, price in prices.models.items():
            assert 0 < price.cached_input <= price.input <= (price.cache_write or price.input), model
            assert price.input < price.output, model


def test_cached_tokens_cost_what_cached_tokens_cost() -> None:
    price = price_of(ModelSpec.parse("openai:gpt-4.1"))
    assert price is not None
    assert price.cost_usd(1_000_000, 0, 0) == pytest.approx(2.00)
    assert price.cost_usd(1_000_000, 1_000_000, 0) == pytest.approx(0.50)
    assert price.cost_usd(1_000_000, 500_000, 100_000) == pytest.approx(1.00 + 0.25 + 0.80)


def test_tokens_that_are_put_into_a_cache_cost_what_that_costs() -> None:
    price = price_of(ModelSpec.parse("anthropic:claude-haiku-4-5"))
    assert price is not None
    assert price.cost_usd(1_000_000, 500_000, 0, 400_000) == pytest.approx(0.10 + 0.05 + 0.50)


@pytest.mark.parametrize("name", ["openai:gpt-4o-2024-08-06", "anthropic:claude-haiku-4-5-20251001"])
def test_a_dated_release_costs_what_its_model_costs(name: str) -> None:
    assert price_of(ModelSpec.parse(name)) is not None


@pytest.mark.parametrize(
    "name",
    [
        "openai:gpt-4o-audio",
        "openai:gpt-99",
        "google_genai:gemini-2.5-pro",
        "openai:gpt-4o@http://localhost/v1",
    ],
)
def test_a_price_that_is_not_known_is_none(name: str) -> None:
    assert price_of(ModelSpec.parse(name)) is None
