"""The store that is opened for whoever does not open one: a store for each event loop, closed with it."""

import asyncio
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from checkpoints.shared import checkpointer, shared_store
from checkpoints.summaries import GameSummary
from entente.errors import StoreUnavailable
from tests.support.patience import PATIENCE

_SCRIPT = """
import asyncio
from langgraph.checkpoint.memory import InMemorySaver
from checkpoints.summaries import GameSummary
from checkpoints.shared import checkpointer
from graph.game import graph

SETTINGS = {"everyone": "dumbbot", "floor": "gunboat", "max_year": 1901, "stalemate_years": 0}

async def play(thread):
    config = {"configurable": {"thread_id": thread}}
    return (await graph.ainvoke({}, config, context=SETTINGS))["status"]

async def with_a_saver_of_ones_own(thread):
    graph.checkpointer = InMemorySaver()
    return await play(thread)

async def with_ours(thread):
    async with checkpointer() as graph.checkpointer:
        return await play(thread)

for run in (with_a_saver_of_ones_own, with_ours):
    for place in range(2):
        print(asyncio.run(run(f"{run.__name__}-{place}")))
"""


def test_the_graph_runs_in_one_event_loop_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENTENTE_STORE", str(tmp_path))
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", _SCRIPT],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (ran.stdout.split(), ran.stderr, ran.returncode) == (["finished"] * 4, "", 0)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the shared store is."""
    monkeypatch.setenv("ENTENTE_STORE", str(tmp_path / "store"))
    return tmp_path / "store"


async def test_all_in_a_loop_share_a_store_until_its_last_checkpointer_is_closed(place: Path) -> None:
    async with checkpointer():
        first = await shared_store()
        async with checkpointer():
            assert await shared_store() is first
        assert await first.library.games() == []
    with pytest.raises(StoreUnavailable, match="is closed"):
        await first.library.games()
    async with checkpointer():
        assert await (await shared_store()).library.games() == []


def test_a_store_that_cannot_be_opened_is_tried_again(place: Path) -> None:
    place.write_text("a file")
    with pytest.raises(StoreUnavailable):
        asyncio.run(shared_store())
    with pytest.raises(StoreUnavailable):
        asyncio.run(_opened_at_the_second_try(place))
    place.unlink()
    assert asyncio.run(_opened_at_the_second_try(place)) == []


async def _opened_at_the_second_try(place: Path) -> list[GameSummary]:
    with suppress(StoreUnavailable):
        await shared_store()
    async with checkpointer():
        return await (await shared_store()).library.games()


def test_the_store_is_closed_with_the_loop_that_nobody_closed_it_in(place: Path) -> None:
    store = asyncio.run(shared_store())
    with pytest.raises(StoreUnavailable, match="is closed"):
        asyncio.run(store.library.games())
