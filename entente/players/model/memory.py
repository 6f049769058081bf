"""A seat's private memory: what of it fits into a prompt, what may be written into it, and what is said of the rest."""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from pydantic import JsonValue

from entente.board.types import Power
from entente.players.bundle import DIARY, Bundle
from entente.players.model.quoting import clip, escape, escape_json
from entente.players.model.settings import SeatSettings

RELATIONS = "relations"
"""The key under which stands what each power is to this one."""
RELATION_WORDS = ("enemy", "unfriendly", "neutral", "friendly", "ally")


def memory_at_opening(bundle: Bundle) -> Mapping[str, JsonValue]:
    """The memory as it stood when the phase began, which is what its opening shows."""
    return bundle.memory if bundle.phase_memory is None else bundle.phase_memory


class Fitting(NamedTuple):
    """A memory within its bounds."""

    values: dict[str, JsonValue]
    """As many keys as fit, without the diary, which has bounds of its own."""
    left_out: tuple[str, ...]
    """The other keys."""


def fitting(memory: Mapping[str, JsonValue], limit: int) -> Fitting:
    """The keys that fit into `limit` characters of JSON, in the memory's order."""
    kept: dict[str, JsonValue] = {}
    left_out: list[str] = []
    for key, value in memory.items():
        if key == DIARY:
            continue
        if len(as_json({**kept, key: value})) <= limit:
            kept[key] = value
        else:
            left_out.append(key)
    return Fitting(kept, tuple(left_out))


def memory_text(memory: Mapping[str, JsonValue], limit: int) -> str:
    """The memory as JSON within `limit` characters, and the names of the keys that did not fit; empty for none."""
    kept, left_out = fitting(memory, limit)
    text = as_json(escape_json(kept)) if kept or left_out else ""
    if not left_out:
        return text
    return f"{text} (left out, since there is no room: {escape(', '.join(left_out))[:limit]})"


def diary_text(memory: Mapping[str, JsonValue], limit: int) -> str:
    """The diary within `limit` characters; empty when there is none, or none is wanted."""
    return escape(clip(_diary(memory), limit)) if limit else ""


def not_shown(
    memory: Mapping[str, JsonValue], settings: SeatSettings, letters_a_token: float
) -> tuple[str, ...]:
    """A sentence for each part of the memory that its bounds keep out of the prompt."""
    most, most_of_diary = (
        settings.max_memory_chars(letters_a_token),
        settings.max_diary_chars(letters_a_token),
    )
    told = [
        f"The memory may have {most} characters; {key} did not fit and was not shown."
        for key in fitting(memory, most).left_out
    ]
    if len(diary := _diary(memory)) > most_of_diary:
        told.append(f"The diary may have {most_of_diary} characters; of {len(diary)} the rest was not shown.")
    return tuple(told)


def read_relations(value: JsonValue, others: Sequence[Power]) -> dict[str, JsonValue] | None:
    """The relations in canonical words; None for what names another power than these, or another word.

    They may come as JSON text: providers whose tools know no objects have models write that.
    """
    if isinstance(value, str):
        value = _from_text(value)
    if not isinstance(value, dict):
        return None
    read = {power.strip().upper(): _word(relation) for power, relation in value.items()}
    if any(power not in others or word not in RELATION_WORDS for power, word in read.items()):
        return None
    return dict(read)


def _from_text(text: str) -> JsonValue:
    with suppress(ValueError, RecursionError):
        return json.loads(text)
    return None


def _word(value: JsonValue) -> str:
    return value.strip().lower() if isinstance(value, str) else ""


def as_json(value: JsonValue) -> str:
    """A value of the memory as a prompt has it, and as its characters are counted."""
    return json.dumps(value, ensure_ascii=False)


def _diary(memory: Mapping[str, JsonValue]) -> str:
    diary = memory.get(DIARY)
    return diary if isinstance(diary, str) else ""
