"""The loader of texts is strict: a missing or unknown field is an error, not a hole in a prompt."""

from pathlib import Path

import pytest

import prompts
from entente.errors import SettingsError


def test_a_text_is_filled() -> None:
    text = prompts.fill("seat_talk", power="FRANCE", phase="S1901M", round="1", rounds="3")
    assert text.startswith("You are FRANCE. It is S1901M, round 1 of 3")


@pytest.mark.parametrize(
    "fields", [{"power": "FRANCE"}, {"power": "F", "phase": "S", "units": "", "mood": "x"}]
)
def test_a_missing_or_an_unknown_field_is_an_error(fields: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match="wants the fields"):
        prompts.fill("seat_orders", **fields)


def test_a_text_that_is_not_there_is_an_error() -> None:
    with pytest.raises(SettingsError, match="no such file"):
        prompts.load("nothing")


def test_what_fills_a_field_is_not_read_for_fields() -> None:
    assert "{phase}" in prompts.fill("seat_orders", power="{phase}", phase="S1901M", units="A PAR")


def test_every_text_is_a_file_that_is_asked_for() -> None:
    names = {path.stem for path in Path(prompts.__file__).parent.glob("*.md")}
    assert names == {"seat_orders", "seat_talk"}
