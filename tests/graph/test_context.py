"""Settings that no game can be played with are refused before there is a game."""

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from entente.errors import SettingsError
from entente.players.model.settings import SeatSettings
from graph.context import GameSettings, parse_settings

TOO_LARGE = (2**63, -(2**63) - 1, 10**5000)
"""Beyond what a checkpoint takes, and one that Python does not even write."""


def integers_of(model: type[BaseModel]) -> Iterator[str]:
    for name, schema in model.model_json_schema()["properties"].items():
        if "integer" in [one.get("type") for one in schema.get("anyOf", [schema])]:
            yield name


GAMES = tuple(integers_of(GameSettings))
MODELS = tuple(integers_of(SeatSettings))


def is_one_sentence(refused: pytest.ExceptionInfo[SettingsError], name: str) -> bool:
    told = str(refused.value)
    return name in told and "\n" not in told and len(told) < 500


def test_the_tables_name_the_integers() -> None:
    assert {"seed", "max_year", "rounds", "max_wakes", "debounce_ms", "stalemate_years"} == set(GAMES)
    assert {"budget_tokens", "history_tokens", "max_attempts", "concurrency"} < set(MODELS)


@pytest.mark.parametrize("number", TOO_LARGE, ids=["above", "below", "endless"])
@pytest.mark.parametrize("name", GAMES)
def test_an_integer_that_no_checkpoint_takes_is_refused(name: str, number: int) -> None:
    with pytest.raises(ValidationError):
        GameSettings.model_validate({name: number})
    with pytest.raises(SettingsError) as refused:
        parse_settings({name: number})
    assert is_one_sentence(refused, name)


@pytest.mark.parametrize("number", TOO_LARGE, ids=["above", "below", "endless"])
@pytest.mark.parametrize("name", MODELS)
def test_so_it_is_in_the_settings_of_models(name: str, number: int) -> None:
    given: tuple[dict[str, Any], ...] = (
        {"models": {name: number}},
        {"seat_models": {"FRANCE": {name: number}}},
    )
    for values in given:
        with pytest.raises(SettingsError) as refused:
            parse_settings(values)
        assert is_one_sentence(refused, name)


@pytest.mark.parametrize("seconds", [float("inf"), float("nan"), 1e300])
def test_a_deadline_is_a_time_that_comes(seconds: float) -> None:
    with pytest.raises(SettingsError, match="deadline_seconds"):
        parse_settings({"floor": "conductor", "deadline_seconds": seconds})


def test_a_models_patience_is_a_number_of_seconds() -> None:
    for name in ("connect_seconds", "attempt_seconds", "total_seconds"):
        with pytest.raises(SettingsError, match=name):
            parse_settings({"models": {name: float("inf")}})


def test_the_largest_that_can_be_kept_are_taken() -> None:
    settings = parse_settings({"seed": 2**63 - 1, "max_year": 9999})
    assert (settings.seed, settings.max_year) == (2**63 - 1, 9999)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"roundz": 3}, "There is no setting roundz; did you mean rounds?"),
        ({"seats": {"FRANCE": 3}}, "The setting seats.FRANCE cannot be 3; it takes a text."),
        ({"deadline_seconds": 0}, "it takes a number above 0 to 1000000000 or nothing."),
        (3, "The setting settings cannot be 3; it takes a table."),
    ],
)
def test_what_cannot_be_used_is_told_with_what_can(values: Any, told: str) -> None:
    with pytest.raises(SettingsError) as refused:
        parse_settings(values)
    assert told in str(refused.value)
    assert str(refused.value).endswith(" No game was started.")


def test_every_field_of_the_form_has_a_title_for_people_and_a_default() -> None:
    for name, field in GameSettings.model_json_schema()["properties"].items():
        assert field["title"] != name.replace("_", " ").title() or name == "floor", name
        assert field["description"].endswith("."), name
        assert "default" in field, name
