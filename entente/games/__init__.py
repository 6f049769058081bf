"""Services over whole games: playing, answering, reading, forking and asking, for every front door alike.

What a program of your own needs is named here; docs/library.md begins with it.
"""

from checkpoints.store import open_store
from entente.games.feed import events_after, follow
from entente.games.forks import fork_game
from entente.games.runner import GameMaster, RunEnd, Standing
from entente.players.seating import Players
from entente.press.mailbox import Delayed
from graph.context import GameSettings

__all__ = [
    "Delayed",
    "GameMaster",
    "GameSettings",
    "Players",
    "RunEnd",
    "Standing",
    "events_after",
    "follow",
    "fork_game",
    "open_store",
]
