"""The page's server is killed while a program sits at a seat of it: it comes back by itself, and the game goes on."""

import asyncio
import os
import sys
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from checkpoints.store import Store, open_store
from entente.games.runner import GameMaster, RunEnd
from entente.players.record import PhaseRecord, TurnRecord
from graph.context import GameSettings
from tests.support.patience import PATIENCE
from tests.web.test_kill import Server, post
from tests.web.test_programs import EXAMPLES

pytestmark = pytest.mark.slow

KILLS = 3


async def _goes_on(store: Store, game: str) -> None:
    """Wait until the game has committed something more, or is over."""
    seen = await store.journal.newest()
    if (await GameMaster(store).look(game)).end is not RunEnd.FINISHED:
        async with asyncio.timeout(PATIENCE):
            await store.journal.wait_after(game, seen)


@pytest.mark.parametrize(("example", "scheme"), [("websocket_bot.py", "ws"), ("mcp_bot.py", "http")])
async def test_a_program_comes_back_to_a_server_that_was_killed_and_says_nothing_twice(
    tmp_path: Path, example: str, scheme: str
) -> None:
    server = Server(tmp_path)
    settings = GameSettings(everyone="hold", seats={"FRANCE": "human"}, rounds=1, max_year=1902)
    async with open_store(str(tmp_path / "store")) as store, AsyncExitStack() as after:
        await asyncio.to_thread(server.start)
        after.push_async_callback(asyncio.to_thread, server.kill)
        master = GameMaster(store)
        game = (await master.run(await master.begin(settings))).game
        made = await store.links.make(game, "FRANCE", seconds=3600)
        address = f"{scheme}://127.0.0.1:{server.port}/at/{made.link.id}"
        bot = await asyncio.create_subprocess_exec(
            *(sys.executable, str(EXAMPLES / example), address, made.token),
            stderr=asyncio.subprocess.PIPE,
            env=os.environ | {"WEBSOCKETS_BACKOFF_MAX_DELAY": "0.5"},
        )
        for _ in range(KILLS):
            await _goes_on(store, game)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            await post(server.operator, f"/games/{game}/run", {})
        _, errors = await asyncio.wait_for(bot.communicate(), 2 * PATIENCE)
        assert (bot.returncode, errors) == (0, b"")
        assert (await master.look(game)).end is RunEnd.FINISHED
        records = (await store.journal.records_after(game, 0)).records
        turns = [record for record in records if isinstance(record, TurnRecord)]
        said = Counter(
            (m.phase, m.recipient) for turn in turns for m in turn.messages if m.sender == "FRANCE"
        )
        assert set(said.values()) == {1}
        assert len(said) == 4 * 6
        phases = [record for record in records if isinstance(record, PhaseRecord)]
        assert not any(
            each.is_default for phase in phases for each in phase.results if each.power == "FRANCE"
        )
