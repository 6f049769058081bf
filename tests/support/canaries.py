"""Canaries: what is private in a game of secretive powers, and how to find it where it does not belong."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from checkpoints.early import EarlyAnswer
from checkpoints.store import Store
from entente.games.line import records_on_line
from entente.games.runner import Standing
from entente.models.wire import CallUsage, ModelReply, ModelRequest
from entente.players.record import PhaseRecord, TurnRecord
from entente.press.mailbox import Reader
from tests.support.players import Cast, diary_of_secrets, secretive

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
READERS = (*POWERS, "PUBLIC")
MODELS = tuple(power for power in POWERS if power != "FRANCE")
CANARY = re.compile(r"canary-([A-Z]+)-(?:to-([A-Z]+)|memory[-0-9]*|diary|misspelt|order|thought|draft)")
COMMITMENT = re.compile(
    r"(?:between|by) ([A-Z]{5,}) (?:and|to) ([A-Z]{5,})|\"parties\": ?\[\"([A-Z]+)\", ?\"([A-Z]+)\"\]"
)
"""A commitment between two, in words or as JSON: nothing else that anybody is shown is written so."""


ADVICE = re.compile(r"these are none of 2 suggestions|\"followed\"|followed=")
"""What became of suggestions, in words, as JSON or as a value: the operator's alone."""

_RULES = Path(__file__).parents[2] / "prompts" / "model_rules.md"

OF_FLOOR: dict[str, dict[str, Any]] = {
    "rounds": {"rounds": 2, "drafts": True},
    "conductor": {"max_wakes": 3, "debounce_ms": 0},
}


def a_cast() -> Cast:
    """Who plays the seats of `openai:secretive`."""
    return Cast(
        scripts={"openai:secretive": secretive},
        diaries={"openai:secretive": diary_of_secrets},
        suggested=(("A PAR - BUR",), ("A PAR - PIC",)),
    )


EARLY = "canary-FRANCE-diary"
"""What FRANCE has sent early; a person has no diary, so that it stands nowhere else."""


async def send_early(store: Store, game: str, phase: str) -> None:
    """Keep an answer of FRANCE's for a round that never comes, so that the game never takes it."""
    words: JsonValue = {"messages": [{"to": "ITALY", "text": EARLY}], "orders": [EARLY]}
    early = EarlyAnswer(game=game, power="FRANCE", phase=phase, ask="talk", number=9, answer=words)
    assert await store.early.keep(early, has_written=True, has_ordered=True)


async def records(store: Store, standing: Standing) -> list[TurnRecord | PhaseRecord]:
    """The line, and the turns of the step in play too: what is committed may be asked for at any moment."""
    line = await records_on_line(store.journal, standing.game, standing.state)
    listed = {record.segment for record in line if isinstance(record, TurnRecord)}
    segments = [s.id for s in await store.journal.segments(standing.game) if s.id not in listed]
    return [*line, *await store.journal.turns(standing.game, segments)]


def foreign(text: str, reader: Reader) -> list[str]:
    """What a text has that its reader must not see: canaries, commitments of others, what became of suggestions."""
    canaries = [m[0] for m in CANARY.finditer(text) if reader not in (m[1], m[2])]
    canaries += [m[0] for m in ADVICE.finditer(text)]
    return canaries + [m[0] for m in COMMITMENT.finditer(text) if reader not in m.groups()]


def secret_lines(turns: Iterable[TurnRecord | PhaseRecord], phase: str, reader: Reader) -> set[str]:
    """Supports that others ordered or drafted in a phase, but for examples in the rules, which everybody reads."""
    lines = {
        line
        for turn in turns
        if isinstance(turn, TurnRecord) and turn.phase == phase and turn.power != reader
        for line in (*turn.orders, *turn.drafts)
    }
    known = _RULES.read_text(encoding="utf-8")
    return {line for line in lines if " S " in line and line not in known}


def found(orders: Iterable[str], text: str) -> set[str]:
    """Those of the orders that a text has: `A PAR S A MAR` is not in `A PAR S A MAR - BUR`."""
    return {order for order in orders if re.search(rf"{re.escape(order)}(?! -)", text)}


def adjudicated(line: Iterable[TurnRecord | PhaseRecord]) -> set[str]:
    """All orders that have become public."""
    return {result.order for record in line if isinstance(record, PhaseRecord) for result in record.results}


@dataclass
class Listener:
    """A model that remembers what it was asked."""

    asked: list[str] = field(default_factory=list[str])

    async def complete(self, request: ModelRequest, /) -> ModelReply:
        self.asked.append(request.model_dump_json())
        return ModelReply(text="Nobody.", tool_calls=(), usage=FREE)


FREE = CallUsage(
    purpose="interview",
    model="listener",
    provider="here",
    latency_seconds=0,
    prompt_tokens=0,
    cached_tokens=0,
    completion_tokens=0,
    cost_usd=0,
    attempts=1,
    finish_reason="stop",
)
