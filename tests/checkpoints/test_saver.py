"""A game's checkpoints can be copied, pruned and deleted in every backend, and hold plain values only."""

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from langchain_core.runnables import RunnableConfig

from checkpoints.sqlite import SqliteSaver
from checkpoints.store import CHECKPOINTS_FILE, Store, open_store
from tests.checkpoints.small_graph import LOOPS, TURNS, answered, config, played_to_the_question, small_graph

GAME, COPY = "0c1a7f04-0000-4000-8000-000000000001", "0c1a7f04-0000-4000-8000-000000000002"


@dataclass
class Sneaky:
    """What must not come out of a checkpoint as an object."""

    word: str


async def _checkpoints(store: Store, game: str) -> list[str]:
    return [found.checkpoint["id"] async for found in store.saver.alist(config(game))]


async def test_a_copied_game_has_the_same_past_and_goes_its_own_way(store: Store) -> None:
    graph = await played_to_the_question(store.saver, GAME)
    await store.saver.acopy_thread(GAME, COPY)
    assert await _checkpoints(store, COPY) == await _checkpoints(store, GAME)
    assert await answered(graph, COPY, "copied") == [*TURNS, "FRANCE by itself", "copied"]
    assert await answered(graph, GAME, "first") == [*TURNS, "FRANCE by itself", "first"]


async def test_a_copy_keeps_the_task_ids_that_the_journal_is_keyed_by(store: Store) -> None:
    graph = await played_to_the_question(store.saver, GAME)
    await store.saver.acopy_thread(GAME, COPY)
    tasks = [[task.id for task in (await graph.aget_state(config(game))).tasks] for game in (GAME, COPY)]
    assert tasks[0] == tasks[1]


async def test_pruning_keeps_the_latest_checkpoint_and_the_game_goes_on(store: Store) -> None:
    graph = await played_to_the_question(store.saver, GAME)
    await store.saver.acopy_thread(GAME, COPY)
    latest, *older = await _checkpoints(store, GAME)
    await store.saver.aprune([GAME])
    assert len(older) > LOOPS
    assert await _checkpoints(store, GAME) == [latest]
    assert await _checkpoints(store, COPY) == [latest, *older]
    assert await answered(graph, GAME, "still here") == [*TURNS, "FRANCE by itself", "still here"]


async def test_pruning_twice_or_what_is_not_there_changes_nothing(store: Store) -> None:
    graph = await played_to_the_question(store.saver, GAME)
    for game in (GAME, GAME, "unknown"):
        await store.saver.aprune([game])
    assert await answered(graph, GAME, "here") == [*TURNS, "FRANCE by itself", "here"]


@pytest.mark.parametrize("how", ["adelete_thread", "aprune"])
async def test_a_deleted_game_leaves_nothing_and_others_alone(store: Store, how: str) -> None:
    graph = await played_to_the_question(store.saver, GAME)
    await store.saver.acopy_thread(GAME, COPY)
    if how == "aprune":
        await store.saver.aprune([GAME], strategy="delete")
    else:
        await store.saver.adelete_thread(GAME)
    assert await _checkpoints(store, GAME) == []
    assert not (await graph.aget_state(config(GAME))).values
    assert await answered(graph, COPY, "alone") == [*TURNS, "FRANCE by itself", "alone"]


async def test_a_class_of_ours_in_the_state_does_not_come_back_as_an_object(store: Store) -> None:
    graph = small_graph(store.saver)
    sneaky: Any = {"turn": LOOPS, "board": Sneaky("boo")}
    await graph.aupdate_state(config(GAME), sneaky)
    assert (await graph.aget_state(config(GAME))).values["board"] == {"word": "boo"}


async def test_checkpoints_are_there_when_the_store_is_opened_again(shared_location: str) -> None:
    async with open_store(shared_location) as store:
        await played_to_the_question(store.saver, GAME)
    async with open_store(shared_location) as store:
        graph = small_graph(store.saver)
        assert await answered(graph, GAME, "later") == [*TURNS, "FRANCE by itself", "later"]


async def test_games_that_run_at_once_do_not_disturb_each_other(store: Store) -> None:
    games = [f"game {number}" for number in range(8)]
    graphs = await asyncio.gather(*(played_to_the_question(store.saver, game) for game in games))
    said = await asyncio.gather(
        *(answered(graph, game, game) for graph, game in zip(graphs, games, strict=True))
    )
    assert [words[-1] for words in said] == games


async def test_copying_knows_every_column_of_the_savers_tables(store: Store) -> None:
    """A column that a new version of a saver adds would silently be lost in copies."""
    await played_to_the_question(store.saver, GAME)
    await store.saver.acopy_thread(GAME, COPY)
    one, other = [[found async for found in store.saver.alist(config(game))] for game in (GAME, COPY)]
    assert [(f.checkpoint, f.metadata, f.pending_writes) for f in one] == [
        (f.checkpoint, f.metadata, f.pending_writes) for f in other
    ]


def _kept_in(folder: Path, table: str, column: str) -> list[Any]:
    with closing(sqlite3.connect(folder / CHECKPOINTS_FILE)) as connection:
        return [value for (value,) in connection.execute(f"SELECT {column} FROM {table}")]


async def test_a_value_is_kept_once_until_it_changes(tmp_path: Path) -> None:
    async with open_store(str(tmp_path)) as store:
        graph = await played_to_the_question(store.saver, GAME)
        before = len(await _checkpoints(store, GAME))
        await answered(graph, GAME, "me")
        history = [found.values.get("board") async for found in graph.aget_state_history(config(GAME))]
    assert before > LOOPS
    assert _kept_in(tmp_path, "checkpoint_blobs", "channel").count("board") == LOOPS
    assert not [found for found in _kept_in(tmp_path, "checkpoints", "checkpoint") if b"F NAP" in found]
    assert [board["ITALY"] for board in history if board] == [["F NAP 3"]] * 2 + [["F NAP 2"], ["F NAP 1"]]


async def test_values_are_found_by_their_whole_key_however_long_the_game(tmp_path: Path) -> None:
    async with open_store(str(tmp_path)) as store:
        statements: list[str] = []
        graph = await played_to_the_question(store.saver, GAME)
        cast("SqliteSaver", store.saver).conn.set_trace_callback(statements.append)
        await graph.aget_state(config(GAME))
    [looked_up] = [statement for statement in statements if "checkpoint_blobs" in statement]
    with closing(sqlite3.connect(tmp_path / CHECKPOINTS_FILE)) as connection:
        plan = [step for *_, step in connection.execute(f"EXPLAIN QUERY PLAN {looked_up}")]
    assert "(thread_id=? AND checkpoint_ns=? AND version=? AND channel=?)" in plan[-1]


async def test_pruning_and_deleting_take_the_values_along(tmp_path: Path) -> None:
    async with open_store(str(tmp_path)) as store:
        await played_to_the_question(store.saver, GAME)
        await store.saver.acopy_thread(GAME, COPY)
        await store.saver.aprune([GAME])
        await store.saver.adelete_thread(COPY)
        [latest] = [found async for found in store.saver.alist(config(GAME))]
    assert latest.checkpoint["channel_values"]["board"]["ITALY"] == ["F NAP 3"]
    assert set(_kept_in(tmp_path, "checkpoint_blobs", "thread_id")) == {GAME}
    assert _kept_in(tmp_path, "checkpoint_blobs", "channel").count("board") == 1


async def test_values_outlast_a_transaction_that_was_undone_and_tried_again(tmp_path: Path) -> None:
    async with open_store(str(tmp_path)) as store:
        await played_to_the_question(store.saver, GAME)
        found = await store.saver.aget_tuple(config(GAME))
        assert found is not None
        where = RunnableConfig(configurable={"thread_id": COPY, "checkpoint_ns": ""})
        versions = found.checkpoint["channel_versions"]
        kept, failed = await asyncio.gather(
            store.saver.aput(where, found.checkpoint, found.metadata, versions),
            store.saver.aput_writes(found.config, [("said", object())], "a task"),  # shares its transaction
            return_exceptions=True,
        )
        assert not isinstance(kept, BaseException)
        assert isinstance(failed, TypeError)
        copied = await store.saver.aget_tuple(config(COPY))
        assert copied is not None
        assert copied.checkpoint == found.checkpoint


async def test_a_value_that_another_process_has_pruned_is_kept_again_when_it_is_needed(
    tmp_path: Path,
) -> None:
    async with open_store(str(tmp_path)) as one, open_store(str(tmp_path)) as other:
        graph = await played_to_the_question(one.saver, GAME)
        elsewhere = small_graph(other.saver)
        await elsewhere.aupdate_state(config(GAME), {"board": {"ITALY": ["A ROM"]}}, as_node="advance")
        await other.saver.aprune([GAME])
        await graph.aupdate_state(config(GAME), {"turn": 9}, as_node="advance")
        assert (await elsewhere.aget_state(config(GAME))).values == {
            "turn": 9,
            "board": {"ITALY": ["A ROM"]},
            "said": TURNS,
        }


async def test_a_checkpoint_that_is_named_without_its_namespace_is_found_whole(store: Store) -> None:
    await played_to_the_question(store.saver, GAME)
    latest = await store.saver.aget_tuple(config(GAME))
    assert latest is not None
    where = RunnableConfig(configurable={"thread_id": GAME, "checkpoint_id": latest.checkpoint["id"]})
    named = await store.saver.aget_tuple(where)
    assert named is not None
    assert named.checkpoint == latest.checkpoint


async def test_the_futures_of_one_moment_do_not_share_what_they_changed(store: Store) -> None:
    graph = await played_to_the_question(store.saver, GAME)
    early = [found async for found in graph.aget_state_history(config(GAME)) if found.values.get("turn") == 1]
    forks = [
        await graph.aupdate_state(early[0].config, {"board": {"ITALY": [word]}}, as_node="advance")
        for word in ("one", "other")
    ]
    boards = [(await graph.aget_state(fork)).values["board"]["ITALY"] for fork in forks]
    assert boards == [["one"], ["other"]]
    assert (await graph.aget_state(early[0].config)).values["board"]["ITALY"] == ["F NAP 1"]
