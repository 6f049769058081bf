"""Which store a command's `--store` means, and how a hint names it.

Nothing is opened here, and the database is not loaded: the shell's completion asks as well.
"""

import os
import re
import shlex
from pathlib import Path

from entente.errors import SettingsError

_SERVERS = ("postgresql", "postgres")
_MAY_HOLD_A_PASSWORD = re.compile(r":[^/]*@")
"""`user:password@host`: as a folder's name it would be made, and shown by each hint."""


def location_of(option: str | None) -> str | None:
    """What the option or the environment names; None for the user's own folder. Raises SettingsError."""
    from entente.config import StoreSettings

    if option is not None and not option.strip():  # of a variable that is not set, and not the default's name
        raise SettingsError(
            "A store is a folder, a postgresql:// URL or memory, and --store came with nothing; nothing was opened."
        )
    location = option or StoreSettings().store or None
    scheme, is_url, _ = (location or "").partition("://")
    if is_url and scheme not in _SERVERS:
        raise SettingsError(
            f"A store is a folder, a postgresql:// URL or memory, and {scheme}:// came; nothing was opened."
        )
    if location and not is_url and _MAY_HOLD_A_PASSWORD.search(location):
        raise SettingsError(
            "A store is a folder, a postgresql:// URL or memory, and what may be an address without postgresql:// "
            "came; nothing was opened."
        )
    # The shell leaves `--store=~/games` and quoted values as they are.
    return location if location is None or is_url else os.path.expanduser(location)  # noqa: PTH111 - Path's raises for a user it does not know


def folder_of(option: str | None) -> Path | None:
    """The folder that the option or the environment names; None for a store that is none."""
    from checkpoints.locations import MEMORY, default_folder

    location = location_of(option)
    if location is None:
        return default_folder()
    return None if location == MEMORY or "://" in location else Path(location)


def server_of(option: str | None) -> str | None:
    """The URL of the server that the option or the environment names; None for a store that is on none."""
    location = location_of(option)
    return location if location and "://" in location else None


def has_store(option: str | None) -> bool:
    """False where a folder is named that has no store in it; what else may be wrong shows when it is opened."""
    from checkpoints.locations import JOURNAL_FILE

    folder = folder_of(option)
    if folder is None:
        return True
    try:
        (folder / JOURNAL_FILE).stat()
    except FileNotFoundError:
        return False
    except OSError:  # a file in the folder's place, or a folder that may not be read
        return True
    return True


def command_for(location: str, command: str) -> str:
    """`entente resume 0c1a --store games`: a command as it can be typed here, for the store at this location.

    Every hint that names a next command says it so.
    """
    return f"entente {command}{_same_store(location)}"


def _same_store(location: str) -> str:
    """The option that names the store; empty where none is needed."""
    from checkpoints.locations import default_folder

    usual = location_of(None) or str(default_folder())
    is_usual = location == usual or (
        "://" in location and "://" in usual
    )  # a server's is shown without its password
    return "" if is_usual else f" --store {shlex.quote(location)}"
