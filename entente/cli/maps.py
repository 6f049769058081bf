"""Where the final map of a game lies."""

from pathlib import Path

from checkpoints.store import default_folder


def map_file(location: str, game: str) -> Path:
    """The file, which need not be there: in the store's folder, or in the default one for a store that is no folder."""
    folder = Path(location)
    return (folder if folder.is_dir() else default_folder()) / "maps" / f"{game}.svg"
