"""Files and folders that their owner alone reads: a store or an export holds everybody's press, memory and orders.

What is there already keeps its mode: somebody may share it on purpose.
"""

import os
from contextlib import suppress
from pathlib import Path

_FOLDER_MODE = 0o700
_FILE_MODE = 0o600


def make_folder(path: Path) -> None:
    """Make the folder, and those above it that are missing; raises OSError."""
    for folder in reversed([path, *path.parents]):
        folder.mkdir(mode=_FOLDER_MODE, exist_ok=True)


def make_file(path: Path) -> None:
    """Make an empty file unless there is one; raises OSError."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _FILE_MODE))


def make_new_file(path: Path) -> None:
    """Make an empty file in place of what is there; raises OSError."""
    path.unlink(missing_ok=True)
    make_file(path)


def is_only_readable(path: Path) -> bool:
    """True for a file that this process may read, where it may not write it or its folder."""

    def may(place: Path, mode: int) -> bool:
        return os.access(place, mode, effective_ids=os.access in os.supports_effective_ids)

    return may(path, os.R_OK) and not (may(path, os.W_OK) and may(path.parent, os.W_OK))
