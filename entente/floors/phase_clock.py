"""When a phase of the conductor's floor is closed, reckoned from what its turns say of their time.

The clock of a phase runs while it is played and while it waits for people. It stands still while the game is paused
or was killed, so that nobody is late because a process was not there.
"""

from collections.abc import Sequence

from checkpoints.journal import Journal
from entente.players.record import TurnRecord, Waking
from graph.state import GameState, settings_of


def seconds_open(turns: Sequence[TurnRecord], waiting_until: float | None) -> float:
    """How long the phase has been in play; `waiting_until` is now where people were waited for, None after a pause."""
    last = _last_timed(turns)
    if last is None or last.open_seconds is None:
        return 0.0
    return last.open_seconds + (0.0 if waiting_until is None else max(0.0, waiting_until - last.at))


def is_timed(turns: Sequence[TurnRecord]) -> bool:
    """True when a turn says how long the phase had been in play."""
    return _last_timed(turns) is not None


async def closes_at(journal: Journal, game: str, state: GameState) -> float | None:
    """When the phase that waits for people is closed, in seconds since 1970, UTC; None where it has no deadline."""
    deadline = settings_of(state).deadline_seconds
    if deadline is None or state.get("talk_over", False):
        return None
    last = _last_timed(await journal.turns_over(game, state.get("segments", [])))
    return None if last is None or last.open_seconds is None else last.at + deadline - last.open_seconds


def _last_timed(turns: Sequence[TurnRecord]) -> Waking | None:
    timed = (turn.waking for turn in reversed(turns) if turn.waking is not None)
    return next((waking for waking in timed if waking.open_seconds is not None), None)
