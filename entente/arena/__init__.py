"""Many games at once: batches on one loop of one process, each game in the store as if it were played alone.

What a program of your own needs is named here.
"""

from entente.arena.playing import GameEnd, play_batch
from entente.games.planned import PlannedGame, planned

__all__ = ["GameEnd", "PlannedGame", "planned", "play_batch"]
