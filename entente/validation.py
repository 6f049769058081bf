"""What is wrong with a value that a pydantic model refuses, in words of ours.

Documents and refusals take what a field may hold from the same place, the field's JSON schema.
"""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

_KINDS = {
    "integer": "an integer",
    "number": "a number",
    "string": "a text",
    "boolean": "true or false",
    "object": "a table",
    "null": "nothing",
}
_BOUNDS = (("minimum", "from"), ("exclusiveMinimum", "above"), ("maximum", "to"))
_SHOWN_BITS = 256
_MAY_HIDE = re.compile(r"[@?#]|://")
"""What addresses with a password, a query or a fragment are known by."""


class Misfit(NamedTuple):
    """The first value that a model refuses."""

    path: tuple[str, ...]
    """The field, and the key in it where it holds a table."""
    is_unknown: bool
    """True where the model has no such field."""
    reason: str
    """`it takes an integer from 0 to 20.`, or of an unknown field `did you mean rounds?`"""

    @property
    def name(self) -> str:
        """`rounds`, `seats.FRANCE`."""
        return ".".join(self.path)


def first_misfit(error: ValidationError, model: type[BaseModel]) -> Misfit:
    """What the model, whose error this is, refused first."""
    first = first_error(error)
    path = tuple(str(part) for part in first["loc"] if part != "[key]")
    if not path:
        return Misfit(("settings",), False, "it takes a table.")
    if path[0] not in model.model_fields:
        return Misfit(path, True, near(path[0], model.model_fields))
    schema: Mapping[str, Any] = model.model_json_schema()["properties"][path[0]]
    if len(path) > 1:
        schema = schema.get("additionalProperties", {})
    return Misfit(path, False, f"it takes {in_words(schema)}.")


def first_error(error: ValidationError) -> ErrorDetails:
    """The first of what was refused; a name that is not known goes before one that is missing: it may be the same."""
    errors = error.errors(include_url=False)
    return next((each for each in errors if each["type"] == "extra_forbidden"), errors[0])


def in_words(schema: Mapping[str, Any]) -> str:
    """What a field may hold, from its JSON schema: `an integer from 0 to 20`, `pause, hold or dumbbot`."""
    if "enum" in schema:
        return listed(schema["enum"])
    if "anyOf" in schema:
        return " or ".join(map(in_words, schema["anyOf"]))
    if "pattern" in schema:
        return f"a text that matches {schema['pattern']}"
    if "maxLength" in schema:
        return f"a text of {schema.get('minLength', 0)} to {schema['maxLength']} characters"
    bounds = [f"{word} {schema[key]}" for key, word in _BOUNDS if key in schema]
    return " ".join([_KINDS.get(schema.get("type", ""), "what JSON can hold"), *bounds])


def listed(names: Iterable[object]) -> str:
    """`rounds, conductor or gunboat`."""
    *most, last = map(str, names)
    return f"{', '.join(most)} or {last}" if most else last


def near(name: str, known: Iterable[str]) -> str:
    """`did you mean rounds?`, or all that are known where none is near."""
    names = list(known)
    close = get_close_matches(name.lower(), names, n=1)
    return f"did you mean {close[0]}?" if close else f"there are {', '.join(names)}."


def discreet(text: str) -> str:
    """The text for a message; of one that may hold an address, and a password in it, only what comes before its colon.

    >>> discreet("opneai:m@http://me:hunter2@host")
    'opneai:…'
    """
    if not _MAY_HIDE.search(text):
        return text
    before, colon, _ = text.partition(":")
    return "…" if not colon or _MAY_HIDE.search(before) else f"{before}:…"


def shown(value: object) -> str:
    """The value as Python writes it, which refuses to write a number of thousands of digits; texts are discreet."""
    if isinstance(value, str):
        return repr(discreet(value))
    if isinstance(value, int) and value.bit_length() > _SHOWN_BITS:
        return f"a number of {value.bit_length()} bits"
    return repr(value)
