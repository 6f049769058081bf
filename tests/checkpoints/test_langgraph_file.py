"""A game's checkpoints open in LangGraph's own saver, with the same state, history, questions and writes."""

from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from checkpoints.langgraph_file import export_langgraph
from checkpoints.store import Store
from entente.errors import StoreUnavailable, UnknownGame
from entente.floors.services import services_over
from entente.games.runner import GameMaster, thread_config
from entente.players.seating import players_of_process
from graph.context import GameSettings
from graph.game import compile_game
from tests.support.driver import scripted_answers
from tests.support.full_disk import no_file_larger_than


async def a_waiting_game(store: Store) -> str:
    """Two people were asked, and one has answered."""
    master = GameMaster(store)
    people = {"FRANCE": "human", "ITALY": "human"}
    settings = GameSettings(everyone="diplomat", seats=people, rounds=1, max_year=1901, stalemate_years=0)
    standing = await master.run(await master.begin(settings))
    answers = scripted_answers(standing)
    standing = await master.answer(standing.game, answers)
    first, *_ = standing.pending
    await master.answer(standing.game, {first: scripted_answers(standing)[first]})
    return standing.game


async def test_the_file_has_what_the_store_has(store: Store, tmp_path: Path) -> None:
    game = await a_waiting_game(store)
    path = tmp_path / "game.sqlite"
    await export_langgraph(store.library, game, path)
    async with AsyncSqliteSaver.from_conn_string(str(path)) as theirs:
        ours, there = (
            compile_game(services_over(store, players_of_process()), saver) for saver in (store.saver, theirs)
        )
        now, then = [await graph.aget_state(thread_config(game)) for graph in (ours, there)]
        assert now.interrupts
        assert now.next
        assert _told(now) == _told(then)
        histories = [
            [_told(s) async for s in graph.aget_state_history(thread_config(game))] for graph in (ours, there)
        ]
        assert len(histories[0]) > 5
        assert histories[0] == histories[1]
        kept, found = [[s async for s in saver.alist(thread_config(game))] for saver in (store.saver, theirs)]
        assert [s.pending_writes for s in kept] == [s.pending_writes for s in found]
        assert any(s.pending_writes for s in kept)
        assert [s.checkpoint for s in kept] == [s.checkpoint for s in found]


def _told(snapshot: Any) -> tuple[Any, ...]:
    """A snapshot, without what configurations have beside the place that they point at."""
    places = [config and config["configurable"] for config in (snapshot.config, snapshot.parent_config)]
    return (
        *places,
        *snapshot[:2],
        snapshot.metadata,
        snapshot.created_at,
        snapshot.tasks,
        snapshot.interrupts,
    )


async def test_the_file_takes_the_place_of_what_is_there(memory_store: Store, tmp_path: Path) -> None:
    game = await a_waiting_game(memory_store)
    path = tmp_path / "game.sqlite"
    path.write_text("something else")
    for _ in range(2):
        await export_langgraph(memory_store.library, game, path)
    assert _names(tmp_path) == ["game.sqlite"]


async def test_a_disk_that_is_full_leaves_what_was_there_and_nothing_beside_it(
    memory_store: Store, tmp_path: Path
) -> None:
    game = await a_waiting_game(memory_store)
    path = tmp_path / "game.sqlite"
    path.write_text("something else")
    for size in (0, 4096, 40_000):
        with no_file_larger_than(size), pytest.raises(StoreUnavailable, match="the disk"):
            await export_langgraph(memory_store.library, game, path)
        assert (_names(tmp_path), path.read_text()) == (["game.sqlite"], "something else")


def _names(folder: Path) -> list[str]:
    return [each.name for each in folder.iterdir()]


async def test_what_cannot_be_written_is_told(
    memory_store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UnknownGame):
        await export_langgraph(memory_store.library, "0c1a", tmp_path / "game.sqlite")
    game = await a_waiting_game(memory_store)
    with pytest.raises(StoreUnavailable, match="it is not there"):
        await export_langgraph(memory_store.library, game, tmp_path / "nowhere" / "game.sqlite")
    monkeypatch.setitem(__import__("sys").modules, "langgraph.checkpoint.sqlite.aio", None)
    with pytest.raises(StoreUnavailable, match=r"please install entente\[langgraph\]"):
        await export_langgraph(memory_store.library, game, tmp_path / "game.sqlite")
    assert _names(tmp_path) == []
