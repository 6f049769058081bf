"""What the tests of batches have in common."""

from collections.abc import Sequence

from checkpoints.store import Store
from entente.arena import BatchReport
from entente.games.digest import journal_digest
from entente.games.runner import GameMaster


async def digests_of(store: Store, report: BatchReport) -> Sequence[str]:
    """What each game of the report came to, from its journal."""
    master = GameMaster(store)
    return [
        await journal_digest(store.journal, g.game, (await master.look(g.game)).state) for g in report.games
    ]
