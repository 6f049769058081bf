"""Many games at once: batches in one process or in several, each game in the store as if it were played alone.

What a program of your own needs is named here; docs/arena.md begins with it.
"""

from entente.arena.batch import Batch, BatchGame, parse_batch
from entente.arena.in_processes import in_processes
from entente.arena.on_ray import on_ray
from entente.arena.playing import GameEnd, Play, play_batch
from entente.arena.report import BatchReport, BatchResult, BatchSeat, SeatFigures
from entente.arena.running import Ran, Watching, run_batch
from entente.games.planned import PlannedGame, planned

__all__ = [
    "Batch",
    "BatchGame",
    "BatchReport",
    "BatchResult",
    "BatchSeat",
    "GameEnd",
    "PlannedGame",
    "Play",
    "Ran",
    "SeatFigures",
    "Watching",
    "in_processes",
    "on_ray",
    "parse_batch",
    "planned",
    "play_batch",
    "run_batch",
]
