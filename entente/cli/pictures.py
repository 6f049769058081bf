"""Pictures of games: where they lie, how they are written and opened."""

import importlib.util
import os
import stat
import sys
import webbrowser
from importlib import import_module
from pathlib import Path

from checkpoints.locations import default_folder
from checkpoints.private import make_folder, make_new_file
from entente.board.types import Power
from entente.errors import SettingsError

_PNG = ".png"
_PNG_ZOOM = 2.0
"""1836 pixels wide on the standard map: names can be read on any screen, and in print."""
_DRAWS_PNG = "resvg_py"


def map_file(location: str, game: str) -> Path:
    """The final map, which need not be there: in the store's folder, or in the default one for a store that is none."""
    folder = Path(location)
    return (folder if folder.is_dir() else default_folder()) / "maps" / f"{game}.svg"


def map_of_seat(location: str, game: str, power: Power) -> Path:
    """A seat's own picture of its draft, beside the final map."""
    return map_file(location, game).with_suffix(f".{power}.svg")


def map_to_open(location: str, game: str) -> Path:
    """The picture that `board --open` draws, beside the final map."""
    return map_file(location, game).with_suffix(".board.svg")


def delete_maps(location: str, game: str) -> None:
    """Delete all pictures of the game; raises OSError."""
    final = map_file(location, game)
    for path in (final, *final.parent.glob(f"{game}.*.svg")):
        path.unlink(missing_ok=True)


def write_picture(path: Path, svg: str) -> None:
    """Write the picture, for its owner alone to read, in place of what is there; raises OSError."""
    make_folder(path.parent)
    _write_whole(path, svg.encode())


def check_map_name(path: Path) -> None:
    """Raise SettingsError unless a picture can be written into a file of this name."""
    if path.suffix.lower() not in (".svg", _PNG):
        raise SettingsError(
            f"A file whose name ends in .svg or .png was wanted and {path.name} came; nothing was written."
        )
    if path.suffix.lower() == _PNG and importlib.util.find_spec(_DRAWS_PNG) is None:
        raise SettingsError(
            "A map as PNG wants the package of the extra `png`, which is not installed: pip install 'entente[png]'. "
            "Nothing was written; as .svg it needs none."
        )


def write_map(path: Path, svg: str) -> None:
    """Write the picture where somebody wants it; what is there keeps its mode. Raises SettingsError where it cannot."""
    picture = _png(svg) if path.suffix.lower() == _PNG else svg.encode()
    try:
        target = path.resolve()  # a link stays one
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        _write_whole(target, picture, mode)
    except OSError as error:
        raise SettingsError(f"The map could not be written to {path} ({error.strerror}).") from error


def _write_whole(path: Path, content: bytes, mode: int | None = None) -> None:
    """The whole file or none: what was there stays until then."""
    part = path.with_name(f".{path.name}.partial")
    try:
        make_new_file(part)
        part.write_bytes(content)
        if mode is not None:
            part.chmod(mode)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _png(svg: str) -> bytes:
    # Loaded when it is wanted: it is an extra.
    return import_module(_DRAWS_PNG).svg_to_bytes(svg_string=svg, zoom=_PNG_ZOOM, background="white")


def show_picture(path: Path) -> bool:
    """Open the picture where there is a screen: a browser that is text would take the terminal. False: it was not."""
    if sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return webbrowser.open(path.resolve().as_uri())
    return False
