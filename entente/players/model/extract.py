"""Tool calls out of a reply's text, for models that write JSON where others call tools.

Wanted is `{"thinking": …, "actions": [{"tool_name": …, "arguments": {…}}], "finish": …}`, thoughts where they are asked
for. Such a list by itself and calls one after the other are taken too, within a fence or between words, and of a list
that breaks off all that was complete.
"""

import json
import re
from contextlib import suppress
from typing import Any, NamedTuple

from pydantic import JsonValue

THINKING, ACTIONS, FINISH = "thinking", "actions", "finish"
"""Where the thoughts, the calls and the name of the last call of a reply stand that is one object."""

_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_FENCED = re.compile(r"```[a-zA-Z]*\s*(.*?)(?:```|\Z)", re.DOTALL)
_START = re.compile(r"\[\s*[\[{\]]|\{")
_NAMES = ("tool_name", "name", "tool")
_LIST_KEYS = (ACTIONS, "tool_calls", "calls")
_THOUGHT_KEYS = (THINKING, "thoughts", "reasoning")
_BROKEN_LIST = re.compile(rf'"(?:{"|".join(_LIST_KEYS)})"\s*:\s*(?=\[)')
"""Where the calls begin in an object that is not whole; within a text its quotes would have strokes before them."""
_BROKEN_THOUGHTS = re.compile(rf'"(?:{"|".join(_THOUGHT_KEYS)})"\s*:\s*(?=")')
_BETWEEN = re.compile(r"[\s,]*")
_MAX_CHARS = 100_000
"""So much of a reply is looked at; no answer of use is longer."""


class Extract(NamedTuple):
    """What a text holds."""

    values: tuple[JsonValue, ...]
    """The JSON values where tool calls should be, complete ones only."""
    complaint: str = ""
    """What is wrong with the rest."""
    thinking: str = ""
    """What was thought aloud: the words before the values, and those that stand among them under `thinking`."""


def without_thoughts(text: str) -> str:
    """What a reply says, without what its model thought aloud before."""
    return _THOUGHTS.sub("", text[:_MAX_CHARS]).strip()


def values_in(text: str) -> Extract:
    """The JSON objects of a text; raises nothing whatever it is."""
    told = without_thoughts(text)
    parts = [(fence[1], fence.start()) for fence in _FENCED.finditer(told)]
    for part, at in [*parts, (told, 0)]:
        start = _START.search(part)
        if start:
            found = _sequence(part, start.start())
            before = told[: at or start.start()].strip()
            return found._replace(thinking="\n".join(filter(None, [before, found.thinking])))
    return Extract((), thinking=told)


def _sequence(text: str, start: int) -> Extract:
    """The values from there on: a list's, or objects one after the other."""
    is_list = text[start] == "["
    at = _skip(text, start + 1 if is_list else start)
    values, thoughts = list[JsonValue](), list[str]()
    while at < len(text) and text[at] != "]" and (is_list or text[at] == "{"):
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            if not values and (inner := _BROKEN_LIST.search(text, at)):
                return _sequence(text, inner.end())._replace(thinking=_text_after(_BROKEN_THOUGHTS, text, at))
            complaint = f"The JSON breaks off or is wrong after {len(values)} calls."
            return Extract(tuple(values), complaint, "\n".join(thoughts))
        thoughts += _thoughts_in(value)
        values += _unwrapped(value)
        at = _skip(text, at)
    if is_list and at >= len(text):
        complaint = f"The list of calls breaks off after {len(values)} calls."
        return Extract(tuple(values), complaint, "\n".join(thoughts))
    return Extract(tuple(values), thinking="\n".join(thoughts))


def _thoughts_in(value: JsonValue) -> list[str]:
    """What stands under `thinking` beside calls, or alone."""
    if not isinstance(value, dict) or any(name in value for name in _NAMES):
        return []
    return [thought for key in _THOUGHT_KEYS if isinstance(thought := value.get(key), str)]


def _text_after(mark: re.Pattern[str], text: str, start: int) -> str:
    """The JSON text behind the mark; empty where there is none, or it breaks off."""
    if (found := mark.search(text, start)) is None:
        return ""
    with suppress(ValueError):
        return str(_DECODER.raw_decode(text, found.end())[0])
    return ""


def _skip(text: str, at: int) -> int:
    match = _BETWEEN.match(text, at)
    return match.end() if match else at


def _unwrapped(value: JsonValue) -> list[JsonValue]:
    """The calls of `{"actions": [...], "finish": ...}`, none of what holds thoughts alone, or the value itself."""
    if isinstance(value, dict):
        for key in _LIST_KEYS:
            inner = value.get(key)
            if isinstance(inner, list):
                over = value.get(FINISH)
                return [*inner, *([{"tool_name": over}] if over else [])]
        if value and value.keys() <= set(_THOUGHT_KEYS):
            return []
    return [value]


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
