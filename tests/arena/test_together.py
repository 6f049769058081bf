"""What batches and games share: one store between two batches, one limit between games that ask for different ones."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from langgraph.runtime import RunControl
from starlette.types import ASGIApp, Receive, Scope, Send

from checkpoints.store import Store, open_store
from entente.arena import Batch, GameEnd, planned, play_batch, run_batch
from entente.games.runner import RunEnd
from entente.loopback import embedded
from entente.models.client import Connections
from entente.models.mock.plan import Plan
from entente.models.mock.server import MockModel
from entente.players.seating import Seating
from graph.context import GameSettings
from tests.arena.support import digests_of

YEAR = GameSettings(floor="gunboat", everyone="random", max_year=1901)


async def test_two_batches_over_one_store_play_each_game_once(tmp_path: Path) -> None:
    location, batch = str(tmp_path / "store"), Batch(game=YEAR, games=6, parallel=2)
    async with open_store("memory") as alone:
        expected = (await run_batch(alone, batch)).report
        wanted = await digests_of(alone, expected)
    async with open_store(location) as first, open_store(location) as second:
        both = await asyncio.gather(run_batch(first, batch), run_batch(second, batch))
        # What the other batch is playing is waited for, and no failure.
        assert [(ran.report.finished, ran.report.failed, ran.exit_code) for ran in both] == [(6, 0, 0)] * 2
        again = (await run_batch(first, batch)).report
        assert all(game.was_over for game in again.games)
        assert await digests_of(first, again) == wanted


async def test_a_game_that_somebody_else_is_playing_comes_last_and_goes_on_where_it_was_left(
    tmp_path: Path,
) -> None:
    games = [planned("test", YEAR.model_copy(update={"seed": seed})) for seed in range(3)]
    location, left = str(tmp_path / "store"), list[GameEnd]()
    async with open_store(location) as ours, open_store(location) as theirs, AsyncExitStack() as held:
        await held.enter_async_context(theirs.leases.hold(games[0].id))

        async def let_go_at_last(end: GameEnd) -> None:
            left.append(end)
            if len(left) == 2:
                await held.aclose()

        await play_batch(ours, games, parallel=1, on_end=let_go_at_last)
    assert [end.game for end in left] == [*games[1:], games[0]]
    assert {(end.end, end.reason) for end in left} == {(RunEnd.FINISHED, "")}


async def test_a_batch_that_waits_for_somebody_else_is_paused_by_a_drain(tmp_path: Path) -> None:
    games, control = [planned("test", YEAR)], RunControl()
    location = str(tmp_path / "store")
    async with open_store(location) as ours, open_store(location) as theirs, theirs.leases.hold(games[0].id):
        (end,) = await play_batch(
            ours,
            games,
            parallel=1,
            control=control,
            on_begin=lambda _: control.request_drain("SIGINT"),
        )
    assert (end.end, end.reason) == (RunEnd.PAUSED, "")


class Gauge:
    """A server that sees how many calls are under way at once."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._now = self.most = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._now += 1
        self.most = max(self.most, self._now)
        try:
            await self._app(scope, receive, send)
        finally:
            self._now -= 1


async def test_games_that_ask_for_different_limits_of_one_address_share_the_strictest(
    memory_store: Store,
) -> None:
    model = MockModel(Plan(latency_ms=30))
    gauge = Gauge(model.application())
    async with embedded(gauge, model.stopping) as address, Connections() as connections:
        three, nine = (
            planned(
                "test",
                YEAR.model_copy(
                    update={
                        "everyone": f"openai:mock@{address}/v1",
                        "seed": concurrency,
                        "models": {"concurrency": concurrency},
                    }
                ),
            )
            for concurrency in (3, 9)
        )
        players = Seating(connections, {})
        alone = await play_batch(memory_store, [three], parallel=1, make_player=players)
        assert gauge.most == 3
        both = await play_batch(memory_store, [nine, three], parallel=2, make_player=players)
    assert [end.end for end in (*alone, *both)] == [RunEnd.FINISHED] * 3
    assert gauge.most == 3
    assert len(model.requests) >= 14
