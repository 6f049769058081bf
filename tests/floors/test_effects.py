"""What is set for nobody is told where the game is begun, and counts once a fork seats somebody for it."""

# pyright: reportUnknownMemberType=false

from pathlib import Path

import pytest

from checkpoints.store import Store
from entente.floors.effects import without_effect
from entente.floors.services import players_of_process, services_over
from entente.floors.setup import resolve
from entente.games.runner import GameMaster, thread_config
from graph.context import GameSettings
from graph.game import compile_game
from tests.support.players import Cast

MODEL = "openai:mock@http://127.0.0.1:1/v1"
"""Never called: an address without a key."""
VAIN: dict[str, object] = {
    "models": {"temperature": 0.5},
    "seat_models": {"FRANCE": {"max_attempts": 2}},
    "drafts": True,
    "on_failure": "hold",
}

FRANCE_HAS_NO_MODEL = (
    "The setting seat_models.FRANCE has no effect until a fork seats a language model there; "
    "diplomat plays FRANCE."
)
SHORT = GameSettings(everyone="hold", floor="gunboat", on_failure="hold", max_year=1901)


def told(**settings: object) -> list[str]:
    return without_effect(resolve(GameSettings.model_validate(settings), players_of_process()))


def test_settings_of_language_models_are_told_where_there_is_none() -> None:
    assert told(**VAIN) == [
        FRANCE_HAS_NO_MODEL,
        "The setting drafts has no effect until a fork seats a language model; there is none.",
        "The setting models.temperature has no effect until a fork seats a language model; there is none.",
        "The setting on_failure has no effect until a fork seats a player whose provider can fail.",
    ]


def test_they_are_not_where_they_have_an_effect() -> None:
    assert told(**VAIN, seats={"FRANCE": MODEL}) == []


def test_a_seats_settings_are_told_where_another_seat_has_the_model() -> None:
    assert told(**VAIN, seats={"ITALY": MODEL}) == [FRANCE_HAS_NO_MODEL]


def test_a_player_for_all_who_plays_nothing_is_told() -> None:
    seats = dict.fromkeys(("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"), "random")
    assert told(everyone="hold", seats=seats) == [
        "The setting everyone has no effect; every seat is given, and none to hold."
    ]
    assert told(everyone="random", seats=seats) == []


def test_files_that_nobody_reads_are_told_and_hidden_ones_are_not(tmp_path: Path) -> None:
    (tmp_path / "personas").mkdir()
    for name in ("personas/FRANCE.md", "personas/FRANCE.txt", "notes.txt", ".DS_Store"):
        (tmp_path / name).write_text("Be bold.")
    assert told(seats={"FRANCE": MODEL}, prompts=str(tmp_path)) == [
        f"Nobody reads {name} in the folder {tmp_path}." for name in ("notes.txt", "personas/FRANCE.txt")
    ]


async def test_a_game_that_is_begun_tells_it_once(
    memory_store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    master = GameMaster(memory_store, Cast())
    await master.run(await master.begin(SHORT))
    assert [record.getMessage() for record in caplog.records] == told(on_failure="hold")


async def test_so_does_one_that_a_server_begins(
    memory_store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    graph = compile_game(services_over(memory_store, Cast()), memory_store.saver)
    await graph.ainvoke({}, thread_config("g"), context=SHORT)
    assert [record.getMessage() for record in caplog.records] == told(on_failure="hold")
