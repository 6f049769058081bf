"""What a game may be called: its id is typed in commands, and files are named after it."""

import re

from entente.errors import SettingsError

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_SHOWN_CHARS = 80


def is_id(game: str) -> bool:
    """True for what a game may be called."""
    return _ID.fullmatch(game) is not None


def check_id(game: str) -> str:
    """The id; raises SettingsError for one that no game may have."""
    if not is_id(game):
        raise SettingsError(
            "A game's id has up to 64 small letters, digits, - and _, the first of them a letter or a digit, and "
            f"{game[:_SHOWN_CHARS]!a} came; nothing was done."
        )
    return game
