"""Rows of the store that cannot be read: which they are, and why, in a sentence.

The sentence tells nothing of what is in a row: that may be somebody's private press.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from pydantic import ValidationError
from sqlalchemy import Row, Table

from checkpoints.tables import PHASES
from entente.errors import DamagedRow

P = ParamSpec("P")
T = TypeVar("T")

UNREADABLE = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    OverflowError,
    RecursionError,
    NotImplementedError,
    EOFError,
)
"""What reading a row raises that holds something else than was put into it."""
_NO_TEXT = "it holds bytes that are no text"
_OWNERS = ("game", "thread")


def read_by(
    table: Table,
) -> Callable[[Callable[Concatenate[Row[Any], P], T]], Callable[Concatenate[Row[Any], P], T]]:
    """Have a function that reads a row of this table raise DamagedRow for one that cannot be read."""

    def named(read: Callable[Concatenate[Row[Any], P], T]) -> Callable[Concatenate[Row[Any], P], T]:
        @wraps(read)
        def reading(row: Row[Any], *arguments: P.args, **options: P.kwargs) -> T:
            try:
                if not all(is_text(value) for value in row if isinstance(value, str)):
                    raise damaged(table, row, _NO_TEXT)
                return read(row, *arguments, **options)
            except UNREADABLE as error:
                raise damaged(table, row, why(error)) from error

        return reading

    return named


def is_text(value: str) -> bool:
    """False for bytes that are none: SQLite hands them over as a text with halves of pairs in it."""
    try:
        return value.isascii() or bool(value.encode())
    except UnicodeEncodeError:
        return False


def as_text(value: object) -> str:
    """The value as a text that can be shown and sent, with a mark in place of bytes that are none."""
    return str(value).encode(errors="replace").decode()


def check_types(table: Table, row: Row[Any]) -> None:
    """Raises DamagedRow for a value of another type than its column's, which SQLite keeps without a word."""
    for column in table.columns:
        value, wanted = getattr(row, column.name), column.type.python_type
        is_right = (
            column.nullable
            if value is None
            else isinstance(value, (wanted, int) if wanted is float else wanted)
        )
        if not is_right:
            raise damaged(table, row, f"its {column.name} is not what was put into it")
        if isinstance(value, str) and not is_text(value):
            raise damaged(table, row, f"its {column.name} holds bytes that are no text")


def damaged(table: Table, row: Row[Any], what: str) -> DamagedRow:
    """The error for this row; `what` says what is wrong with it, as in `it is no JSON`."""
    key = [column.name for column in table.primary_key if column.name not in _OWNERS]
    owner = next((str(getattr(row, name)) for name in _OWNERS if name in table.c), "")
    return DamagedRow(owner, table.name, "/".join(_shown(getattr(row, name)) for name in key), what)


def missing(table: Table, game: str, row: str, needed_by: str) -> DamagedRow:
    """The error for a row that is not there; `needed_by` is what refers to it."""
    return DamagedRow(game, table.name, row, f"it is missing, and {needed_by} needs it")


def in_a_circle(game: str, phase: str) -> DamagedRow:
    """The error for phases of which each is the one before the other."""
    return DamagedRow(game, PHASES.name, phase, "the phases before it lead back to it")


def why(error: Exception) -> str:
    """What is wrong with a row whose reading has raised this."""
    match error:
        case ValidationError():
            # Its words may repeat what came; the name of the part does not.
            parts = [str(part) for part in error.errors(include_url=False, include_input=False)[0]["loc"][:1]]
            return f"{parts[0] if parts else 'it'} is not what was put into it"
        case UnicodeError():
            return _NO_TEXT
        case KeyError():
            return "a part of it is missing"
        case _:
            return "it is not what was put into it"


def _shown(value: object) -> str:
    return repr(value) if isinstance(value, bytes) else as_text(value)
