"""The options of a new game are its settings: none is missing, and none says anything of its own."""

import inspect
import json
import re
from pathlib import Path

from entente.cli.main import app
from entente.cli.play import conductor, play
from entente.players.model.settings import SeatSettings
from entente.players.roster import HUMAN, SCRIPTED
from graph.context import FLOORS, GameSettings
from tests.support.terminal import entente, games_in

GIVEN_OTHERWISE = {"seat_models": "--model-setting FRANCE.temperature=0"}
"""Settings without an option of their own, and how they are given."""
OF_MODELS = {"budget_usd", "budget_tokens", "history_tokens"}
"""Settings of language models that have one."""
OF_COMMANDS = {"config", "here", "quiet", "store", "verbose"}


def options_of(command: object) -> dict[str, dict[str, object]]:
    """What typer is told of a command: each option's help, default and flags by its parameter."""
    (callback,) = (each.callback for each in app.registered_commands if each.callback is command)
    assert callback is not None
    parameters = inspect.signature(callback).parameters.values()
    found: dict[str, dict[str, object]] = {}
    for parameter in parameters:
        if metadata := getattr(parameter.annotation, "__metadata__", ()):
            found[parameter.name] = {**vars(metadata[0]), "default": parameter.default}
    return found


def test_every_setting_of_a_game_is_an_option_of_play() -> None:
    wanted = GameSettings.model_fields.keys() - GIVEN_OTHERWISE.keys() | OF_MODELS
    assert options_of(play).keys() - OF_COMMANDS == wanted


def test_an_option_says_what_its_setting_says() -> None:
    for name, option in options_of(play).items():
        if name in OF_COMMANDS:
            continue
        field = (SeatSettings if name in OF_MODELS else GameSettings).model_fields[name]
        told = str(option["help"]).removesuffix(" Repeatable.")
        if name == "models":
            told = told.removesuffix(f" {GameSettings.model_fields['seat_models'].description}")
        assert told == field.description
        default = "None" if field.is_required() or field.default_factory else str(field.default)
        assert str(option["default"]) == default


def test_the_conductors_command_has_the_options_that_have_an_effect_there() -> None:
    only_elsewhere = set[str]().union(*(entry.settings for entry in FLOORS.values()))
    only_elsewhere -= FLOORS["conductor"].settings
    assert only_elsewhere == {"rounds", "until_silent", "drafts"}
    assert options_of(conductor).keys() == options_of(play).keys() - only_elsewhere - {"floor"}


def test_the_players_in_the_help_are_those_that_can_be_seated() -> None:
    told = GameSettings.model_fields["everyone"].description or ""
    assert f": {', '.join((HUMAN, *SCRIPTED))}, a language model" in told


def test_what_is_given_is_kept_and_all_else_is_the_settings_default(tmp_path: Path) -> None:
    store = f"{tmp_path}/store"
    ran = entente(
        *("play", "--seat", "FRANCE=Human", "--all", "hold", "--floor", "rounds", "--rounds", "2"),
        *("--stalemate-years", "1", "--until-silent", "--map", " Standard", "--max-year", "1902"),
        *("--model-setting", "FRANCE.temperature=0.5", "--budget-usd", "3", "--store", store),
    )
    assert ran.code == 6, ran
    (game,) = games_in(store)
    kept = json.loads(entente("games", "show", game, "--json", "--store", store).out)["settings"]
    default = GameSettings().model_dump(mode="json")
    assert {name: value for name, value in kept.items() if value != default[name]} == {
        "seats": {power: "human" if power == "FRANCE" else "hold" for power in kept["seats"]},
        "everyone": "hold",
        "rounds": 2,
        "until_silent": True,
        "models": {"budget_usd": 3.0},
        "seat_models": {"FRANCE": {"temperature": 0.5}},
        "max_year": 1902,
        "stalemate_years": 1,
    }


def test_the_help_has_options_in_groups_with_what_is_rare_at_the_end() -> None:
    groups = re.findall(r"^(\w.*):$", entente("log", "--help").out, re.MULTILINE)
    assert groups == ["Arguments", "Who reads", "Which events", "Options", "Rarely wanted"]
    of_no_setting = entente("play", "--help").out.rpartition("\nOptions:\n")[2]
    assert re.findall(r"^  (?:-\w, )?--(\w+)", of_no_setting, re.MULTILINE) == [
        *("leader", "config", "quiet", "verbose", "store", "help"),
    ]
