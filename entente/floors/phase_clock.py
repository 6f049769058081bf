"""When a phase with a deadline is closed, computed from the times of its turns.

The clock of a phase runs while it is played and while it waits for people. It stops while the game is paused or was
killed, so that nobody is late because no process was there.
"""

from collections.abc import Sequence

from entente.players.record import TurnRecord, Waking
from graph.context import GameSettings


def seconds_open(turns: Sequence[TurnRecord], waiting_until: float | None) -> float:
    """How long the phase has been in play; `waiting_until` is now where people were waited for, None after a pause."""
    last = _last_timed(turns)
    if last is None or last.open_seconds is None:
        return 0.0
    return last.open_seconds + (0.0 if waiting_until is None else max(0.0, waiting_until - last.at))


def is_timed(turns: Sequence[TurnRecord]) -> bool:
    """True when a turn says how long the phase had been in play."""
    return _last_timed(turns) is not None


def closes_at(settings: GameSettings, turns: Sequence[TurnRecord]) -> float | None:
    """When a phase of these turns that waits for people is closed, in seconds since 1970, UTC; None: never."""
    last = _last_timed(turns)
    if settings.deadline_seconds is None or last is None or last.open_seconds is None:
        return None
    return last.at + settings.deadline_seconds - last.open_seconds


def _last_timed(turns: Sequence[TurnRecord]) -> Waking | None:
    timed = (turn.waking for turn in reversed(turns) if turn.waking is not None)
    return next((waking for waking in timed if waking.open_seconds is not None), None)
