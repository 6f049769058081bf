"""Tool calls out of a reply's text, for models that write JSON where others call tools.

Wanted is `[{"tool_name": …, "arguments": {…}}]`; taken is whatever begins so, within a fence or between words,
and of a list that breaks off all that was complete.
"""

import json
import re
from typing import Any, NamedTuple

from pydantic import JsonValue

_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_FENCED = re.compile(r"```[a-zA-Z]*\s*(.*?)(?:```|\Z)", re.DOTALL)
_START = re.compile(r"\[\s*[\[{\]]|\{")
_BETWEEN = re.compile(r"[\s,]*")
_MAX_CHARS = 100_000
"""So much of a reply is looked at; no answer of use is longer."""


class Extract(NamedTuple):
    """What a text holds."""

    values: tuple[JsonValue, ...]
    """The JSON values where tool calls should be, complete ones only."""
    complaint: str = ""
    """What is wrong with the rest."""


def without_thoughts(text: str) -> str:
    """What a reply says, without what its model thought aloud before."""
    return _THOUGHTS.sub("", text[:_MAX_CHARS]).strip()


def values_in(text: str) -> Extract:
    """The JSON objects of a text; raises nothing whatever it is."""
    told = without_thoughts(text)
    for part in [*_FENCED.findall(told), told]:
        start = _START.search(part)
        if start:
            return _sequence(part, start.start())
    return Extract(())


def _sequence(text: str, start: int) -> Extract:
    """The values from there on: a list's, or objects one after the other."""
    is_list = text[start] == "["
    at = _skip(text, start + 1 if is_list else start)
    values: list[JsonValue] = []
    while at < len(text) and text[at] != "]" and (is_list or text[at] == "{"):
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            return Extract(tuple(values), f"The JSON breaks off or is wrong after {len(values)} calls.")
        values += _unwrapped(value)
        at = _skip(text, at)
    if is_list and at >= len(text):
        return Extract(tuple(values), f"The list of calls breaks off after {len(values)} calls.")
    return Extract(tuple(values))


def _skip(text: str, at: int) -> int:
    match = _BETWEEN.match(text, at)
    return match.end() if match else at


def _unwrapped(value: JsonValue) -> list[JsonValue]:
    """The calls of `{"actions": [...]}`, or the value itself."""
    if isinstance(value, dict):
        for key in ("actions", "tool_calls", "calls"):
            inner = value.get(key)
            if isinstance(inner, list):
                return list(inner)
    return [value]


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
