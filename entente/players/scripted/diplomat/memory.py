"""What the diplomat keeps between turns: a handful of small values, as many in 1920 as in 1902."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from entente.board.types import Power
from entente.players.actions import Action, UpdateMemory


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory read."""

    stances: Mapping[Power, float]
    judged: str
    """The movement phase that the stances already count."""
    partners: tuple[Power, ...]
    """With whom it keeps peace for good, for one whose word never lapses; empty for others."""
    plan_phase: str
    plan: tuple[str, ...]
    """The orders planned in `plan_phase`, as said to others or kept to oneself."""
    has_voted: bool
    """True while a vote for a draw stands."""
    voice: str
    """What its choice of sentences goes by in the whole game; empty before it has spoken."""
    warned: Mapping[Power, str]
    """Of what each power was warned last, in notation."""


def read_memory(memory: Mapping[str, JsonValue]) -> Memory:
    """The memory as `writing` left it; whatever is missing or misshapen is as at the start of a game."""
    plan_phase, plan = _plan(memory.get("plan"))
    return Memory(
        stances=_stances(memory.get("stances")),
        judged=_text(memory.get("judged")),
        partners=tuple(_texts(memory.get("partners"))),
        plan_phase=plan_phase,
        plan=tuple(plan),
        has_voted=memory.get("has_voted") is True,
        voice=_text(memory.get("voice")),
        warned=_warned(memory.get("warned")),
    )


def writing(memory: Mapping[str, JsonValue], **values: JsonValue) -> list[Action]:
    """The updates that bring the memory to these values; none for what it already holds."""
    return [UpdateMemory(key=key, value=value) for key, value in values.items() if memory.get(key) != value]


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: JsonValue) -> Sequence[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else ()


def _stances(value: JsonValue) -> dict[Power, float]:
    pairs = value.items() if isinstance(value, dict) else ()
    return {power: float(stance) for power, stance in pairs if isinstance(stance, int | float)}


def _warned(value: JsonValue) -> dict[Power, str]:
    pairs = value.items() if isinstance(value, dict) else ()
    return {power: fact for power, fact in pairs if isinstance(fact, str)}


def _plan(value: JsonValue) -> tuple[str, Sequence[str]]:
    if not isinstance(value, dict):
        return "", ()
    return _text(value.get("phase")), _texts(value.get("orders"))
