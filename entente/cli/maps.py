"""Pictures of games: where they lie, how they are written and opened."""

import os
import sys
import webbrowser
from pathlib import Path

from checkpoints.private import make_folder, make_new_file
from checkpoints.store import default_folder
from entente.board.types import Power
from entente.errors import SettingsError


def map_file(location: str, game: str) -> Path:
    """The final map, which need not be there: in the store's folder, or in the default one for a store that is none."""
    folder = Path(location)
    return (folder if folder.is_dir() else default_folder()) / "maps" / f"{game}.svg"


def map_of_seat(location: str, game: str, power: Power) -> Path:
    """A seat's own picture of its draft, beside the final map."""
    return map_file(location, game).with_suffix(f".{power}.svg")


def delete_maps(location: str, game: str) -> None:
    """Delete all pictures of the game; raises OSError."""
    final = map_file(location, game)
    for path in (final, *final.parent.glob(f"{game}.*.svg")):
        path.unlink(missing_ok=True)


def write_picture(path: Path, svg: str) -> None:
    """Write the picture, for its owner alone to read, in place of what is there; raises OSError."""
    make_folder(path.parent)
    make_new_file(path)
    path.write_text(svg, encoding="utf-8")


def write_map(path: Path, svg: str) -> None:
    """Write the picture where somebody wants it; raises SettingsError where it cannot be written."""
    try:
        path.write_text(svg, encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"The map could not be written to {path} ({error.strerror}).") from error


def show_picture(path: Path) -> None:
    """Open the picture where there is a screen: a browser that is text would take the terminal."""
    if sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(path.resolve().as_uri())
