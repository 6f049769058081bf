"""A batch of games as a file, in YAML or JSON; what is wrong in it is told with its line."""

import os
from pathlib import Path
from typing import cast

from checkpoints.locations import MEMORY
from entente.arena import Batch, parse_batch
from entente.cli.game_file import game_values, spelled
from entente.errors import SettingsError
from entente.value_file import Place, ValueFile, Values, read_values


def read_batch(path: Path) -> tuple[Batch, ValueFile]:
    """The batch and its file; raises SettingsError, which names the file and the line."""
    file = read_values(path, "The settings of a batch", _spelled)
    values = dict(file.values)
    if isinstance(game := values.get("game"), dict):
        values["game"] = game_values(cast("Values", game), path.parent)
    if isinstance(store := values.get("store"), str) and store != MEMORY and "://" not in store:
        values["store"] = str(path.parent / os.path.expanduser(store))  # noqa: PTH111 - as `--store` is read
    try:
        return parse_batch(values), file
    except SettingsError as error:
        raise file.placed(error) from error


def _spelled(place: Place, name: object) -> str:
    return spelled(place[1:], name) if place[:1] == ("game",) else str(name)
