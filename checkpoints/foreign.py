"""What a file from somebody else holds: looked through before anything of it is used."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from langgraph.types import Send

from graph.context import GameSettings


def settings_in(value: object) -> Iterator[GameSettings]:
    """Every settings of a game in what a checkpoint or a write holds; raises ValidationError, SettingsError."""
    match value:
        case Send():
            yield from settings_in(value.arg)
        case Mapping():
            for name, part in cast("Mapping[str, Any]", value).items():
                yield from [GameSettings.model_validate(part)] if name == "settings" else settings_in(part)
        case list() | tuple():
            parts = cast("list[object]", value)
            if parts[1:2] == ["settings"]:  # a task, the channel, and what the task has written to it
                yield GameSettings.model_validate(parts[-1])
            for part in parts:
                yield from settings_in(part)
        case _:
            pass
