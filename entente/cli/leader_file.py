"""Leaders as files, in YAML: read to be seated, and written by their interview."""

# PyYAML's stubs leave open what a stream may be.
# pyright: reportUnknownMemberType=false

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from checkpoints.private import make_new_file
from entente.commentary.leader import Leader
from entente.commentary.leader_text import by_power, leader_in, unreadable
from entente.errors import SettingsError, StoreUnavailable

_LARGEST = 100_000
"""Bytes. A leader has a few hundred."""
_HEAD = "# entente play --leader FILE seats this leader; docs/crew.md says what each line means.\n"


def read_leader(path: Path) -> Leader:
    """The leader of a file; raises SettingsError, which names it."""
    try:
        with path.open("rb") as file:
            text = file.read(_LARGEST + 1)
        if len(text) > _LARGEST:
            raise ValueError(f"it has more than {_LARGEST:,} bytes")
        read = text.decode("utf-8")
    except (OSError, ValueError) as error:
        raise unreadable(str(path), getattr(error, "strerror", None) or error) from error
    return leader_in(read, str(path))


def leaders_in(paths: Iterable[Path]) -> dict[str, dict[str, Any]]:
    """The leaders of these files as settings, by power; raises SettingsError."""
    return by_power((str(path), read_leader(path)) for path in paths)


def write_leader(path: Path, leader: Leader, *, replaces: bool) -> None:
    """Write the leader's file, whole or not at all; raises SettingsError for one that is there and must stay."""
    import yaml

    text = _HEAD + yaml.safe_dump(leader.model_dump(mode="json"), sort_keys=False, allow_unicode=True)
    partial = path.with_name(f".{path.name}.partial")
    try:
        make_new_file(partial)
        partial.write_text(text, encoding="utf-8")
        if not replaces:
            path.touch(exist_ok=False)  # a move alone would go over what came there meanwhile
        partial.replace(path)
    except OSError as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        if isinstance(error, FileExistsError):
            raise is_there(path) from error
        raise StoreUnavailable(
            f"The leader cannot be written to {path} ({error.strerror}); nothing was written."
        ) from error


def is_there(path: Path) -> SettingsError:
    """A file that must not be written over."""
    return SettingsError(f"{path} is there already and stays as it is; --replace writes over it.")
