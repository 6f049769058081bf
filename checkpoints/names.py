"""What an operator may call a game, and note of it: words for lists, of which nothing else takes notice."""

from entente.errors import SettingsError

NAME_CHARS = 60
NOTE_CHARS = 2000


def check_name(name: str) -> str:
    """The name with its blanks made one, empty for none; raises SettingsError for one that no game may have."""
    name = " ".join(name.split())
    if len(name) > NAME_CHARS or not name.isprintable():
        raise SettingsError(
            f"A name has up to {NAME_CHARS} characters in one line, all of them visible, and {_told(name)} came; "
            "nothing was changed."
        )
    return name


def check_note(note: str) -> str:
    """The note, empty for none; raises SettingsError for one that no game may have."""
    note = note.strip()
    if len(note) > NOTE_CHARS or not all(line.isprintable() for line in note.split("\n")):
        raise SettingsError(
            f"A note has up to {NOTE_CHARS:,} characters, all of them visible, and {_told(note)} came; "
            "nothing was changed."
        )
    return note


def _told(text: str) -> str:
    shown = ascii(text if len(text) <= NAME_CHARS else f"{text[:NAME_CHARS]}...")
    return f"{shown} ({len(text):,} characters)"
