"""The loader of texts is strict: a missing or unknown field is an error, not a hole in a prompt."""

from pathlib import Path

import pytest

import prompts
from entente.board.engine import Board
from entente.errors import SettingsError

ROOT = Path(prompts.__file__).parent.parent


def test_a_text_is_filled() -> None:
    text = prompts.fill("seat_talk", power="FRANCE", phase="S1901M", round="1", rounds="3", other="ITALY")
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
    fields = {"phase": "S1901M", "units": "A PAR", "order": "A PAR H", "default": "It holds."}
    assert "{phase}" in prompts.fill("seat_orders", power="{phase}", **fields)


def test_a_section_with_nothing_to_say_is_left_out_with_its_heading() -> None:
    text = "# Talk of {phase}\n{said}\n\n# Diary\n<memory>{diary}</memory>\n\n# Task\n{left}\nOrder."
    texts = prompts.PromptSet({"x": text})
    assert texts.fill("x", phase="S1901M", said="", diary="", left="") == "# Task\n\nOrder."
    whole = texts.fill("x", phase="S1901M", said="Hi.", diary="We met.", left="")
    assert whole == "# Talk of S1901M\nHi.\n\n# Diary\n<memory>We met.</memory>\n\n# Task\n\nOrder."
    assert texts.fill("x", phase="", said="# Diary\n\n", diary="", left="").startswith("# Talk of \n# Diary")


def test_every_text_is_asked_for_by_the_code() -> None:
    code = "".join(path.read_text() for top in ("entente", "nodes") for path in (ROOT / top).rglob("*.py"))
    names = {path.stem for path in (ROOT / "prompts").glob("*.md")}
    assert {name for name in names if f'"{name}"' not in code} == set()


def test_the_short_set_replaces_texts_of_the_default_one() -> None:
    short, default = prompts.open_set(short=True), prompts.open_set()
    assert short.load("model_seat") == default.load("model_seat")
    assert len(short.load("model_rules")) < len(default.load("model_rules"))


def test_each_power_has_a_persona_and_others_have_the_neutral_one() -> None:
    texts = prompts.open_set()
    personas = {texts.persona(power) for power in Board.start().powers}
    assert len(personas) == 7
    assert texts.persona("CARTHAGE") == texts.load("personas/NEUTRAL") not in personas


def test_a_users_folder_goes_before_the_default_set(tmp_path: Path) -> None:
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "FRANCE.md").write_text("You trust nobody.")
    texts = prompts.open_set(tmp_path)
    assert texts.persona("FRANCE") == "You trust nobody."
    assert texts.persona("ITALY") == prompts.open_set().persona("ITALY")


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("model_rulez.md", "You play.", "is no prompt"),
        ("model_seat.md", "You are {power}.", "has the fields power and guidance, power were wanted"),
        ("model_seat.md", "You are {power}. {guidance} {mood}", "has the fields guidance, mood, power"),
    ],
)
def test_a_users_text_that_would_be_left_out_or_leave_a_hole_is_an_error(
    tmp_path: Path, name: str, text: str, problem: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(SettingsError, match=problem):
        prompts.open_set(tmp_path)


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="folder of prompts"):
        prompts.open_set(tmp_path / "none")
