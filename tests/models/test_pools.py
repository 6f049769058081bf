"""Many calls at once share pools of connections, few to each."""

from contextlib import AsyncExitStack, ExitStack

import httpx2
from hypothesis import given
from hypothesis import strategies as st

from entente.models.client import Connections
from entente.models.mock.plan import Plan
from entente.models.mock.server import mock_server
from entente.models.pools import ROOM, Pools
from tests.models.support import HandClock, ask, model_at


@given(st.lists(st.one_of(st.none(), st.integers(0, 100)), max_size=120))
async def test_no_pool_has_more_calls_than_it_has_room_for_and_none_is_opened_before_it_is_needed(
    steps: list[int | None],
) -> None:
    """A step begins a call, or ends one of those that are under way."""
    opened: list[httpx2.AsyncClient] = []
    under_way: list[tuple[httpx2.AsyncClient, ExitStack]] = []
    most = 0
    async with AsyncExitStack() as open_pools:

        def open_pool() -> httpx2.AsyncClient:
            pool = httpx2.AsyncClient(transport=httpx2.MockTransport(lambda _: httpx2.Response(200)))
            open_pools.push_async_callback(pool.aclose)
            opened.append(pool)
            return pool

        pools = Pools(open_pool)
        for step in steps:
            if step is None:
                call = ExitStack()
                under_way.append((call.enter_context(pools.one()), call))
                most = max(most, len(under_way))
            elif under_way:
                under_way.pop(step % len(under_way))[1].close()
            in_each = [sum(pool is other for pool, _ in under_way) for other in opened]
            assert max(in_each, default=0) <= ROOM
        assert len(opened) == -(-most // ROOM)


async def test_a_call_that_finds_a_pool_full_is_made_over_the_next_one() -> None:
    async with mock_server(Plan()) as server, Connections(HandClock()) as connections:
        model = model_at(server.url, connections)
        pools = connections.pools(server.url)
        with ExitStack() as calls:
            full = [calls.enter_context(pools.one()) for _ in range(ROOM)]
            await full[0].aclose()  # nothing can be asked over it any more
            await model.complete(ask())
        assert set(full) == {full[0]}
