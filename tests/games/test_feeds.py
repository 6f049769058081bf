"""What a server keeps of a game that is read."""

import gc
from weakref import ref

from checkpoints.store import Store
from entente.games.feeds import Feeds
from entente.games.runner import GameMaster
from entente.players.roster import HUMAN
from graph.context import GameSettings


async def test_a_game_that_nobody_reads_any_more_is_let_go_of_at_once(memory_store: Store) -> None:
    game = await GameMaster(memory_store).begin(GameSettings(seats={"FRANCE": HUMAN}, everyone="hold"))
    await GameMaster(memory_store).run(game)
    feeds = Feeds(memory_store)
    gc.disable()
    try:
        async with feeds.of(game, "PUBLIC") as feed:
            await feed.ready()
            kept = ref(feed)
        del feed
        assert kept() is None
    finally:
        gc.enable()
