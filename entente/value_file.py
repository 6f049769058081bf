"""Files of names and values, in YAML or JSON, read with the line of each value."""

# PyYAML's stubs leave open what a stream may be.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

import yaml

from entente.errors import SettingsError

Place: TypeAlias = tuple[str, ...]
"""`("rounds",)`, `("seats", "FRANCE")`, `("seat_models", "FRANCE", "temperature")`, `("powers", "0", "name")`."""
Values: TypeAlias = dict[str, Any]
Spelled: TypeAlias = Callable[[Place, object], str]
"""How a name is kept that stands in the table at this place."""

MOST_CHARACTERS = 2**20
"""Of a file: a longer one takes YAML minutes, and none of ours comes near it."""
_DEEPEST = 3
"""Tables and lists in tables whose lines are known; deeper ones are refused by what the values are for."""


@dataclass(frozen=True, slots=True)
class ValueFile:
    """What a file says."""

    path: Path
    values: Values
    """Not yet checked; names as they came."""
    lines: Mapping[Place, int]
    """Where each value begins, from 1."""

    def placed(self, error: SettingsError) -> SettingsError:
        """The error with the file's name, and the line of the setting at fault or of the table that it is wanted in."""
        place = error.setting
        line = next(
            (self.lines[place[:end]] for end in range(len(place), 0, -1) if place[:end] in self.lines), 0
        )
        where = f"{self.path}, line {line}" if line else str(self.path)
        return SettingsError(f"{where}: {error}", setting=place)


def read_values(path: Path, what: str, spelled: Spelled = lambda _, name: str(name)) -> ValueFile:
    """The file's table; `what` is what it should be: `The settings of a game`.

    Raises SettingsError for what is no table of names and values, and for a name that comes twice.
    """
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(MOST_CHARACTERS + 1)
        if len(text) > MOST_CHARACTERS:
            raise ValueError(f"it has more than {MOST_CHARACTERS:,} characters")
        # JSON is YAML but for tabs, which stand between its words alone.
        is_json = path.suffix == ".json"
        lines = _composed(text.replace("\t", " ") if is_json else text, spelled)
        values = json.loads(text) if is_json else yaml.safe_load(text)
        if not isinstance(values, dict):
            raise ValueError("it is no table of names and values")
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise _unreadable(path, what, line, error.problem) from error
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        problem = type(error).__name__ if isinstance(error, RecursionError) else error
        raise _unreadable(path, what, "", problem) from error
    seen: dict[Place, int] = {}
    for place, line in lines:
        if place in seen:
            raise SettingsError(
                f"{path}, line {line}: The setting {'.'.join(place)} was given in line {seen[place]} already; "
                "nothing was done."
            )
        seen[place] = line
    return ValueFile(path, cast("Values", values), seen)


def _unreadable(path: Path, what: str, line: str, why: object) -> SettingsError:
    return SettingsError(f"{path}{line}: {what} were wanted and cannot be read ({why}); nothing was done.")


def _composed(text: str, spelled: Spelled) -> list[tuple[Place, int]]:
    if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.SafeLoader)):
        raise ValueError("it has an alias, which a few lines can make endless; please write it out")
    node = cast("yaml.Node | None", yaml.compose(text, Loader=yaml.SafeLoader))
    return list(_lines(node, (), spelled))


def _lines(node: yaml.Node | None, place: Place, spelled: Spelled) -> Iterator[tuple[Place, int]]:
    if len(place) > _DEEPEST:
        return
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            here = (*place, spelled(place, key.value))
            yield here, key.start_mark.line + 1
            yield from _lines(value, here, spelled)
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            here = (*place, str(number))
            yield here, value.start_mark.line + 1
            yield from _lines(value, here, spelled)
