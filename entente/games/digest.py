"""Digests by which two games are known to be the same, whenever and wherever they were played.

They leave out what differs between equal games: ids that LangGraph draws, clocks, places in the order of commits, how
often talk was stopped, processes, and how much of a prompt a provider happened to have at hand.
"""

import json
from hashlib import sha256
from typing import Any

from checkpoints.journal import Journal
from entente.games.line import records_on_line
from entente.players.record import PhaseRecord, TurnRecord
from graph.state import GameState

_DRAWN = {"segments", "history"}
_DRAWN_IN_CALLS = {"latency_seconds", "attempts", "cached_tokens", "cost_usd"}
_DRAWN_IN_TURNS = {
    "game": True,
    "segment": True,
    "sequence": True,
    "at": True,
    "waking": {"at", "open_seconds"},
    "calls": {"__all__": _DRAWN_IN_CALLS},
    "replies": {"__all__": {"asked"}},  # two who were asked in other words have said the same
}
_DRAWN_IN_PHASES = {
    "game": True,
    "id": True,
    "parent": True,
    "segments": True,
    "sequence": True,
    "at": True,
}


def state_digest(state: GameState) -> str:
    """The state's digest, without the references into the journal."""
    return _digest({key: value for key, value in state.items() if key not in _DRAWN})


async def journal_digest(journal: Journal, game: str, state: GameState) -> str:
    """The digest of every turn and phase that led to this state, in their order."""
    records = await records_on_line(journal, game, state)
    return _digest([record.model_dump(mode="json", exclude=_drawn_in(record)) for record in records])


def _drawn_in(record: TurnRecord | PhaseRecord) -> dict[str, Any]:
    if isinstance(record, PhaseRecord):
        return _DRAWN_IN_PHASES
    # Where powers are woken one by one, it is chance in which stretch a turn falls when the game was stopped.
    return _DRAWN_IN_TURNS | {"round": True} if record.waking else _DRAWN_IN_TURNS


def _digest(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
