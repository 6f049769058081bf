"""As whom the holder of a link comes: a reader of the house, written as a link keeps it."""

from entente.board.types import Power
from entente.errors import SettingsError
from entente.press.mailbox import Delayed, Reader

OPERATOR = "OPERATOR"
_DELAYED = "DELAYED-"


def role_of(reader: Reader) -> str:
    """`FRANCE`, `PUBLIC`, `OPERATOR`, or `DELAYED-2` for the public two phases later."""
    return f"{_DELAYED}{reader.phases}" if isinstance(reader, Delayed) else reader


def reader_of(role: str) -> Reader:
    """The reader of a role; raises SettingsError for what `role_of` does not write."""
    if not role.startswith(_DELAYED):
        return role
    phases = role.removeprefix(_DELAYED)
    if not phases.isdecimal() or phases == "0":
        raise SettingsError(f"A role such as DELAYED-2 was wanted and {role!r} came; nothing was shown.")
    return Delayed(int(phases))


def seat_of(reader: Reader) -> Power | None:
    """The power whose seat the reader has; None for who only looks on."""
    return None if isinstance(reader, Delayed) or reader in ("PUBLIC", OPERATOR) else reader
