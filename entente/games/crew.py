"""What the crew may know of a kept game, for one who listens."""

from itertools import pairwise

from checkpoints.store import Store
from entente.board.engine import Board
from entente.board.types import Adjudication, Phase
from entente.commentary.router import GamePhase
from entente.commentary.scene import Scene
from entente.errors import UnknownPhase
from entente.games.reading import begun_state
from entente.players.record import results_of
from graph.state import board_from, board_of


async def scene_after(store: Store, game: str, at: str | None) -> Scene:
    """The table just after the phase was adjudicated, the latest one when `at` is None: the public record alone.

    Raises NotBegun, UnknownPhase.
    """
    state = await begun_state(store, game)
    records = await store.journal.phases(game, state["history"])
    boards = [*(board_from(record.board) for record in records), board_of(state)]
    played = [
        Adjudication(before.position, results_of(record), after.position)
        for record, (before, after) in zip(records, pairwise(boards), strict=True)
    ]
    phases = [record.phase for record in records]
    if not phases:
        raise UnknownPhase(f"A phase that is over was wanted and game {game} has none yet; nothing was told.")
    wanted = phases[-1] if at is None else str(Phase.parse(at))
    if wanted not in phases:
        raise UnknownPhase(
            f"A phase that is over, from {phases[0]} to {phases[-1]}, was wanted and {wanted} came; nothing was told."
        )
    told = played[: phases.index(wanted) + 1]
    return Scene(Board(told[-1].after), GamePhase.COMBAT, tuple(told))
