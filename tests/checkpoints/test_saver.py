"""A game's checkpoints can be copied, pruned and deleted in every backend, and hold plain values only."""

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from checkpoints.store import Store, open_store
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
