import pytest

from entente.errors import SettingsError
from entente.models.settings import ModelSettings


def test_a_seats_settings_are_put_over_the_games() -> None:
    game = ModelSettings(temperature=0.5, max_attempts=2)
    assert game.over({"temperature": None, "budget_tokens": 9}) == ModelSettings(
        max_attempts=2, budget_tokens=9
    )


@pytest.mark.parametrize(
    "changes", [{"temprature": 1}, {"max_attempts": 0}, {"concurrency": "many"}, {"connect_seconds": 0}]
)
def test_a_setting_that_cannot_be_used_is_refused_by_name(changes: dict[str, str | int]) -> None:
    with pytest.raises(SettingsError, match=next(iter(changes))):
        ModelSettings().over(changes)


def test_a_key_given_for_the_name_of_its_variable_is_not_repeated() -> None:
    with pytest.raises(SettingsError, match="key_variable") as refused:
        ModelSettings().over({"key_variable": "sk-canary-0123456789"})
    assert "canary" not in str(refused.value)
