"""Games as files: settings in YAML or JSON, read with the line of each, and written to be played again."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml

from checkpoints.private import make_file
from entente.cli.leader_file import read_leader
from entente.errors import SettingsError
from entente.value_file import Place, ValueFile, Values, read_values
from graph.context import GameSettings, without_effect_on

_BY_POWER = ("seats", "seat_models", "away", "leaders")
_WHAT = "The settings of a game"
_HEAD = "# entente play --config FILE plays this; docs/settings.md says what each setting means.\n"


@dataclass(frozen=True)
class GameFile:
    """What a file says of a game."""

    file: ValueFile
    values: Values
    """As `game_values` has them."""

    def under(self, given: Values) -> Values:
        """The file's settings with those that were given over them; of tables, entry by entry."""
        return _merged(self.values, given)

    def placed(self, error: SettingsError, given: Values) -> SettingsError:
        """The error with the file's name and line, where the setting at fault is the file's and was not given."""
        if error.setting not in self.file.lines or error.setting in _places(given):
            return error
        return self.file.placed(error)


def read_game_file(path: Path) -> GameFile:
    """The file's settings, not yet checked; raises SettingsError for what is no table of names and values."""
    file = read_values(path, _WHAT, spelled)
    return GameFile(file, game_values(file.values, path.parent))


def spelled(place: Place, name: object) -> str:
    """The name as the game writes it, so that `france` and FRANCE are one seat."""
    return str(name).strip().upper() if len(place) == 1 and place[0] in _BY_POWER else str(name)


def game_values(values: Values, folder: Path) -> Values:
    """The settings of a game in a file of this folder, with its leaders and its prompts looked for there."""
    values = _of_powers(values)
    if isinstance(prompts := values.get("prompts"), str):
        values["prompts"] = str(folder / prompts)
    if leaders := _table(values.get("leaders")):
        for power, leader in leaders.items():
            if isinstance(leader, str):
                leaders[power] = read_leader(folder / leader).model_dump(mode="json")
    return values


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
        values = _of_powers(read_values(path, _WHAT, spelled).values) if text.strip() else {}
        new = (
            {"seats": {power: model}, "seat_models": {power: settings}}
            if power
            else {"everyone": model, "models": settings}
        )
        merged = yaml.safe_dump(_merged(values, new), sort_keys=False, allow_unicode=True)
        make_file(path)
        path.write_text(_HEAD + merged, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"A game's file in YAML was wanted and {path} cannot be read or written ({type(error).__name__}); the "
            "model was checked and nothing was written."
        ) from error


def _of_powers(values: Values) -> Values:
    tables = {name: table for name in _BY_POWER if (table := _table(values.get(name)))}
    return values | {
        name: {spelled((name,), key): entry for key, entry in table.items()} for name, table in tables.items()
    }


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
