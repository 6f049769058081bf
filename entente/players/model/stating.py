"""From what a model gives as commitments to statements: lenient about form, and sure of nothing.

Whether a statement means anything on this board is the ledger's to say.
"""

from typing import NamedTuple

from pydantic import JsonValue, ValidationError

from entente.press.messages import Statement


class Stated(NamedTuple):
    """What a message says about commitments, as far as it could be read."""

    statements: tuple[Statement, ...]
    unread: int
    """How many parts could not be read."""


def read_statements(value: JsonValue) -> Stated:
    """The statements of a list, or of one object alone; the words of a message stand whatever is wrong with them."""
    parts = value if isinstance(value, list) else [] if value is None else [value]
    read = [_statement(part) for part in parts]
    return Stated(tuple(statement for statement in read if statement), read.count(None))


def _statement(part: JsonValue) -> Statement | None:
    if not isinstance(part, dict):
        return None
    fields: dict[str, JsonValue] = {key: value for key, value in part.items() if value is not None}
    for key in ("kind", "act"):
        fields[key] = str(fields.get(key, "")).strip().lower()
    if isinstance(places := fields.get("locations"), str):
        fields["locations"] = [place for place in places.split(",") if place.strip()]
    if isinstance(year := fields.get("term"), int):
        fields["term"] = str(year)
    if isinstance(by := fields.get("by"), str):
        fields["by"] = by.strip().upper()
    try:
        return Statement.model_validate(fields)
    except ValidationError:
        return None
