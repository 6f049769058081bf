"""Values that any store and any reader of JSON takes back as they were."""

import math
from collections.abc import Callable

from pydantic import JsonValue

_MAX_NUMBER = 2**53
"""What every JSON reader keeps exactly."""
_DEPTH = 8


def is_plain(value: JsonValue, depth: int = _DEPTH) -> bool:
    """True for JSON that any store takes back as it was: no NaN, no endless number, not nested deeper than that."""
    if isinstance(value, list):
        return depth > 0 and all(is_plain(part, depth - 1) for part in value)
    if isinstance(value, dict):
        return depth > 0 and all(is_plain(part, depth - 1) for part in value.values())
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or abs(value) < _MAX_NUMBER


def is_larger(value: JsonValue, most: int) -> bool:
    """True where the value has more parts and characters than that; what is far larger is not gone through."""
    left, parts = most, [value]
    while parts and left >= 0:
        part = parts.pop()
        if isinstance(part, str | list | dict):
            left -= len(part)
        if isinstance(part, list | dict) and left >= 0:
            parts += part if isinstance(part, list) else [*part, *part.values()]
    return left < 0


def storable(text: str) -> str:
    """The text without what UTF-8 or a database cannot hold."""
    return text.encode("utf-8", "replace").decode().replace("\0", " ")


def map_texts(value: JsonValue, change: Callable[[str], str]) -> JsonValue:
    """The value with `change` made to every text in it, keys too."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [map_texts(part, change) for part in value]
    if isinstance(value, dict):
        return {change(key): map_texts(part, change) for key, part in value.items()}
    return value
