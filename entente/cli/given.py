"""Text that somebody pipes in or gives as an argument, and times."""

from datetime import datetime

from entente.errors import SettingsError

_NUL = 0
_ESCAPED = range(0xDC80, 0xDD00)
"""What Python has for bytes that are no UTF-8 (`surrogateescape`)."""


def check_text(text: str, *, undone: str) -> str:
    """The text; raises SettingsError for one that holds NUL or is no UTF-8. `undone` says what was not done."""
    for code in map(ord, text):
        if code == _NUL or code in _ESCAPED:
            raise SettingsError(f"Text in UTF-8 was wanted and the byte 0x{code & 0xFF:02x} came; {undone}.")
    return text


def time_given(text: str) -> float:
    """Seconds since 1970 of `2026-03-01` or `2026-03-01T14:35`, by the clock of this place; raises ValueError."""
    try:
        return datetime.fromisoformat(text.strip()).timestamp()
    except OverflowError as error:
        raise ValueError(str(error)) from error
