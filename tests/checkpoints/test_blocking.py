"""Nothing that a store does blocks the event loop: `langgraph dev` raises where anything does."""

from blockbuster import blockbuster_ctx

from checkpoints.store import open_store
from tests.checkpoints.small_graph import answered, played_to_the_question
from tests.support.stores import a_phase, a_segment, a_turn

GAME = "0c1a7f04-0000-4000-8000-000000000001"


async def test_a_whole_life_of_a_store_blocks_nothing(shared_location: str) -> None:
    with blockbuster_ctx():
        async with open_store(shared_location) as store:
            async with store.leases.hold(GAME):
                await store.journal.create_game(GAME, settings={})
                await store.journal.open_segment(a_segment(GAME, "s1"))
                await store.journal.commit_turn(a_turn(GAME, "s1", "FRANCE"))
                await store.journal.commit_phase(a_phase(GAME, "p1", None, "s1"), "F1901M")
                await store.leases.beat()
            assert await answered(await played_to_the_question(store.saver, GAME), GAME, "yes")
            copy = await store.library.copy(GAME)
            await store.library.prune(copy)
            await store.library.delete(copy)
            assert len(await store.library.games()) == 1
