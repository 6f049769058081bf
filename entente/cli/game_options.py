"""The options of a new game: one for each setting of a game, made from the setting itself.

A setting's default, bounds and description are written once, where the setting is. Here is only what the command line
adds: other names for some options, and short forms for tables.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, cast, get_args, get_origin

import typer
from pydantic.fields import FieldInfo

from entente.board.types import Power
from entente.cli.completion import complete_player, complete_seat, one_of
from entente.cli.leader_file import leaders_in
from entente.cli.model_options import (
    SHORT,
    ModelSettingOption,
    parse_crew_settings,
    parse_model_settings,
    repeatable,
)
from entente.cli.panels import BOARD, CONDUCTED, MODELS, PLAYERS, TALK
from entente.errors import SettingsError
from entente.validation import discreet
from graph.context import GameSettings, without_effect_on

_FLAGS = {
    "map_name": "--map",
    "everyone": "--all",
    "seats": "--seat",
    "leaders": "--leader",
    "crew_model": "--crew-setting",
}
"""Options whose names are not those of their settings."""
_COMPLETED = {"everyone": complete_player, "seats": complete_seat}
_METAVARS = {
    "map_name": "MAP",
    "everyone": "PLAYER",
    "seats": "POWER=PLAYER",
    "away": "POWER=PLAYER",
    "leaders": "FILE",
    "prompts": "FOLDER",
    "crew": "WHO",
    "crew_model": "NAME=VALUE",
    "debounce_ms": "MS",
    "deadline_seconds": "SECONDS",
}
_PANELS = {
    PLAYERS: ("seats", "everyone", "away"),
    TALK: ("floor", "rounds", "timing", "until_silent", "drafts", "crew", "crew_model"),
    CONDUCTED: ("wake", "debounce_ms", "max_wakes", "deadline_seconds", "send_at_deadline"),
    MODELS: ("on_failure", "prompts"),
    BOARD: ("map_name", "max_year", "stalemate_years", "seed"),
}
"""The groups of the help; what is in none stands with what is no setting."""
_PANEL_OF = {name: panel for panel, names in _PANELS.items() for name in names}
_OF_MODELS = ("models", "seat_models")
"""Both are filled in by --model-setting and by what has an option of its own."""
_LARGEST_SHOWN = 10**6
"""A larger bound is what can be stored, and says nothing about a game."""

Command = TypeVar("Command", bound=Callable[..., None])


def offers_settings(floor: str | None = None) -> Callable[[Command], Command]:
    """Give a command with `**options` an option for each setting; with a floor, for those that have an effect on it.

    The command must take a `context`: `settings_of_options` reads from it which options were given.
    """
    hidden = {"floor", *without_effect_on(floor)} if floor else set[str]()

    def with_options(command: Command) -> Command:
        own = inspect.signature(command)
        named = [each for each in own.parameters.values() if each.kind is inspect.Parameter.KEYWORD_ONLY]
        options = [each for each in _options() if each.name not in hidden]
        # Where Python, and typer with it, looks first for a function's parameters (PEP 362).
        command.__signature__ = own.replace(parameters=[*options, *named])
        return command

    return with_options


def settings_of_options(context: typer.Context, options: Mapping[str, Any]) -> dict[str, Any]:
    """What was given on the command line, by the names of the settings; raises SettingsError."""
    given = {name: value for name, value in options.items() if _is_given(context, name)}
    short = {name: given.pop(name) for name in SHORT if name in given}
    if "leaders" in given:
        given["leaders"] = leaders_in(map(Path, given["leaders"]))
    if "crew_model" in given:
        given["crew_model"] = parse_crew_settings(given["crew_model"])
    models = dict(zip(_OF_MODELS, parse_model_settings(given.pop("models", None), short), strict=True))
    for name in {"seats", "away"} & given.keys():
        given[name] = parse_seats(given[name])
    return given | {name: values for name, values in models.items() if values}


def parse_seats(texts: Iterable[str]) -> dict[Power, str]:
    """The powers and players of `FRANCE=dumbbot` and the like; raises SettingsError."""
    seats: dict[Power, str] = {}
    for text in texts:
        power, _, player = (part.strip() for part in text.partition("="))
        if not power or not player:
            raise SettingsError(
                f"A seat such as FRANCE=dumbbot was wanted and {discreet(text)!r} came; no game was started."
            )
        if power.upper() in seats:
            raise SettingsError(f"The seat {power.upper()} was given twice; no game was started.")
        seats[power.upper()] = player
    return seats


def _is_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def _options() -> Iterator[inspect.Parameter]:
    for name, field in GameSettings.model_fields.items():
        if name == "models":
            yield from (
                _parameter(each, option) for each, option in (("models", ModelSettingOption), *SHORT.items())
            )
        elif name not in _OF_MODELS:
            yield _option(name, field)


def _option(name: str, field: FieldInfo) -> inspect.Parameter:
    if field.annotation is bool:
        return _parameter(name, Annotated[bool, option_for(name)], field.default)
    if get_origin(field.annotation) is dict:
        return _parameter(name, Annotated[list[str] | None, option_for(name)])
    # A text, whatever it stands for: the settings check it, as they check what a file or a form says.
    default = None if field.default is None else str(field.default)
    return _parameter(name, Annotated[str | None, option_for(name)], default)


def _parameter(name: str, annotation: object, default: object = None) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def option_for(name: str) -> Any:
    """The option that fills in this setting, for an `Annotated`."""
    field = GameSettings.model_fields[name]
    flag = _FLAGS.get(name, f"--{name.replace('_', '-')}")
    if field.annotation is bool:
        both = f"{flag}/--no-{flag.removeprefix('--')}"
        return typer.Option(both, rich_help_panel=_PANEL_OF.get(name), help=field.description)
    choices = _choices(field)
    return typer.Option(
        flag,
        metavar=_METAVARS.get(name) or _metavar(field, choices),
        rich_help_panel=_PANEL_OF.get(name),
        help=repeatable(field) if get_origin(field.annotation) is dict else field.description,
        autocompletion=_COMPLETED.get(name) or one_of(choices),
    )


def _metavar(field: FieldInfo, choices: Sequence[str]) -> str:
    """`<rounds|conductor|gunboat>`, `<0 to 20>`, `<1 or more>`."""
    if choices:
        return f"<{'|'.join(choices)}>"
    low, high = (_bound(field, side) for side in ("ge", "le"))
    return f"<{low} to {high}>" if high is not None and high <= _LARGEST_SHOWN else f"<{low} or more>"


def _choices(field: FieldInfo) -> Sequence[str]:
    """The values of a setting that has only so many."""
    if get_origin(field.annotation) is Literal:
        return get_args(field.annotation)
    extra = cast("Mapping[str, Any]", field.json_schema_extra or {})
    return extra.get("enum", ())


def _bound(field: FieldInfo, side: str) -> int | None:
    return next((getattr(each, side) for each in field.metadata if hasattr(each, side)), None)
