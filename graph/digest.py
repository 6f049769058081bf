"""Digests by which two games are known to be the same, whenever and wherever they were played.

They leave out what differs between equal games: ids that LangGraph draws, clocks, processes.
"""

import json
from hashlib import sha256
from typing import Any

from checkpoints.journal import Journal
from entente.players.record import PhaseRecord
from graph.line import records_on_line
from graph.state import GameState

_DRAWN = {"segments", "history"}
_DRAWN_IN_TURNS = {"game", "segment"}
_DRAWN_IN_PHASES = {"game", "id", "parent", "segments"}


def state_digest(state: GameState) -> str:
    """The state's digest, without the references into the journal."""
    return _digest({key: value for key, value in state.items() if key not in _DRAWN})


async def journal_digest(journal: Journal, game: str, state: GameState) -> str:
    """The digest of every turn and phase that led to this state, in their order."""
    records = await records_on_line(journal, game, state)
    return _digest(
        [
            record.model_dump(
                mode="json", exclude=_DRAWN_IN_PHASES if isinstance(record, PhaseRecord) else _DRAWN_IN_TURNS
            )
            for record in records
        ]
    )


def _digest(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
