"""Games as files: settings in YAML or JSON, read with the line of each, and written to be played again."""

# PyYAML's stubs leave open what a stream may be.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

import yaml

from entente.cli.leader_file import read_leader
from entente.errors import SettingsError
from graph.context import GameSettings, without_effect_on

Place: TypeAlias = tuple[str, ...]
"""`("rounds",)`, `("seats", "FRANCE")`, `("seat_models", "FRANCE", "temperature")`."""
Values: TypeAlias = dict[str, Any]

_BY_POWER = ("seats", "seat_models", "away", "leaders")
_DEEPEST = 2
"""Tables in tables in the settings; deeper ones are refused by them."""
_HEAD = "# entente play --config FILE plays this; docs/settings.md says what each setting means.\n"


@dataclass(frozen=True)
class GameFile:
    """What a file says of a game."""

    path: Path
    values: Values
    lines: Mapping[Place, int]
    """Where each setting begins, from 1."""

    def under(self, given: Values) -> Values:
        """The file's settings with those that were given over them; of tables, entry by entry."""
        return _merged(self.values, given)

    def placed(self, error: SettingsError, given: Values) -> SettingsError:
        """The error with the file's name and line, where the setting at fault is the file's and was not given."""
        line = self.lines.get(error.setting)
        if line is None or error.setting in _places(given):
            return error
        return SettingsError(f"{self.path}, line {line}: {error}", setting=error.setting)


def read_game_file(path: Path) -> GameFile:
    """The file's settings, not yet checked; raises SettingsError for what is no table of names and values."""
    try:
        text = path.read_text(encoding="utf-8")
        values, lines = _json(text) if path.suffix == ".json" else _yaml(text)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise _no_settings(path, line, error.problem) from error
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise _no_settings(
            path, "", type(error).__name__ if isinstance(error, RecursionError) else error
        ) from error
    seen: dict[Place, int] = {}
    for place, line in lines:
        if place in seen:
            raise SettingsError(
                f"{path}, line {line}: The setting {'.'.join(place)} was given in line {seen[place]} already; "
                "no game was started."
            )
        seen[place] = line
    if isinstance(folder := values.get("prompts"), str):
        values["prompts"] = str(path.parent / folder)
    if leaders := _table(values.get("leaders")):
        for power, leader in leaders.items():
            if isinstance(leader, str):
                leaders[power] = read_leader(path.parent / leader).model_dump(mode="json")
    return GameFile(path, values, seen)


def game_yaml(settings: Mapping[str, Any]) -> str:
    """A file that plays a game with these settings, which are those of a game that was begun."""
    hidden = without_effect_on(settings["floor"])
    names = [name for name in GameSettings.model_fields if name in settings and name not in hidden]
    kept = {name: settings[name] for name in names if settings[name] not in (None, {})}
    return _HEAD + yaml.safe_dump(kept, sort_keys=False, allow_unicode=True)


def write_model(path: Path, power: str, model: str, settings: Values) -> None:
    """Put a model with its settings into a game's file: into a power's seat, or into all where none is named.

    What else the file says stays, but for its comments. Raises SettingsError.
    """
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        values, _ = _yaml(text) if text.strip() else ({}, [])
        new = (
            {"seats": {power: model}, "seat_models": {power: settings}}
            if power
            else {"everyone": model, "models": settings}
        )
        merged = yaml.safe_dump(_merged(values, new), sort_keys=False, allow_unicode=True)
        path.write_text(_HEAD + merged, encoding="utf-8")
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise SettingsError(
            f"A game's file in YAML was wanted and {path} cannot be read or written ({type(error).__name__}); the "
            "model was checked and nothing was written."
        ) from error


def _no_settings(path: Path, line: str, why: object) -> SettingsError:
    return SettingsError(
        f"{path}{line}: The settings of a game were wanted and cannot be read ({why}); nothing was done."
    )


def _json(text: str) -> tuple[Values, list[tuple[Place, int]]]:
    # JSON is YAML but for tabs, which stand between its words alone.
    return _checked(json.loads(text)), _composed(text.replace("\t", " "))


def _yaml(text: str) -> tuple[Values, list[tuple[Place, int]]]:
    lines = _composed(text)
    return _checked(yaml.safe_load(text)), lines


def _checked(value: object) -> Values:
    """The table with powers as the game writes them, so that `france` and FRANCE are one seat."""
    if (values := _table(value)) is None:
        raise ValueError("it is no table of names and values")
    for name in _BY_POWER:
        if table := _table(values.get(name)):
            values[name] = {_name((name,), key): entry for key, entry in table.items()}
    return values


def _composed(text: str) -> list[tuple[Place, int]]:
    if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.SafeLoader)):
        raise ValueError("it has an alias, which a few lines can make endless; please write it out")
    return list(_lines(cast("yaml.Node | None", yaml.compose(text, Loader=yaml.SafeLoader)), ()))


def _lines(node: yaml.Node | None, place: Place) -> Iterator[tuple[Place, int]]:
    if not isinstance(node, yaml.MappingNode) or len(place) > _DEEPEST:
        return
    for key, value in node.value:
        here = (*place, _name(place, key.value))
        yield here, key.start_mark.line + 1
        yield from _lines(value, here)


def _name(place: Place, key: object) -> str:
    return str(key).strip().upper() if len(place) == 1 and place[0] in _BY_POWER else str(key)


def _merged(below: Values, above: Values) -> Values:
    merged = dict(below)
    for name, value in above.items():
        old, new = _table(below.get(name)), _table(value)
        merged[name] = value if old is None or new is None else _merged(old, new)
    return merged


def _places(values: Values, place: Place = ()) -> Iterator[Place]:
    for name, value in values.items():
        yield (*place, name)
        yield from _places(_table(value) or {}, (*place, name))


def _table(value: object) -> Values | None:
    return cast("Values", value) if isinstance(value, dict) else None
