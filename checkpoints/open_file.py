"""The file of a SQLite store as it was opened, to notice when it is no longer the one of its name, or has no room.

Who deletes, moves or replaces it, or a file that SQLite keeps beside it, hinders nobody who has it open: they would
write on where no other process looks, and pay for turns that nobody finds.
"""

import shutil
from pathlib import Path

from entente.errors import StoreUnavailable

_BESIDE = ("-wal", "-shm")
"""SQLite's own files beside one that is written ahead: they stay as long as anybody has it open."""

ROOM_BYTES = 16 * 1024 * 1024
"""What a step of a game may need on the disk: players are not asked where what they say may not be kept."""


class OpenFile:
    """A file, and those beside it, as one process has them open."""

    def __init__(self, path: Path, location: str) -> None:
        self._path = path
        self._beside = [path.with_name(path.name + ending) for ending in _BESIDE]
        self._location = location
        self._opened: dict[Path, tuple[int, int]] = {}
        """Device and inode of each, as they were when it was first seen."""

    def check(self) -> None:
        """Raise StoreUnavailable once a file is not the one any more that was first seen under its name."""
        if not self._is_as_opened(self._path):
            raise self._moved(self._path, "what was kept is in that file: put it back before you go on")
        for path in self._beside:
            if not self._is_as_opened(path):
                kept = f"what was kept comes into {self._path.name} when this process ends"
                raise self._moved(path, kept)

    def check_room(self) -> None:
        """Raise StoreUnavailable where the disk has less room than a step of a game may need."""
        left = shutil.disk_usage(self._path.parent).free
        if left < ROOM_BYTES:
            raise StoreUnavailable(
                f"The store at {self._location} cannot be played in: its disk has {left >> 10:,} KiB left, and a step "
                f"of a game may need {ROOM_BYTES >> 10:,}; nobody was asked, and nothing was changed."
            )

    def _is_as_opened(self, path: Path) -> bool:
        try:
            stat = path.stat()
        except FileNotFoundError:
            return path not in self._opened  # it is made when it is first needed
        now = (stat.st_dev, stat.st_ino)
        return self._opened.setdefault(path, now) == now

    def _moved(self, path: Path, kept: str) -> StoreUnavailable:
        return StoreUnavailable(
            f"The store at {self._location} cannot be used: its file {path.name} was deleted, moved or replaced while "
            f"it was open; nothing was changed, and {kept}."
        )
