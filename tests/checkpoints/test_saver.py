"""A game's checkpoints can be copied, pruned and deleted in every store, and hold plain values only."""

import asyncio
from dataclasses import dataclass
from typing import Any, cast

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint
from sqlalchemy import event, select

from checkpoints.store import Store, open_store
from checkpoints.tables import CHECKPOINTS, VALUES
from entente.errors import CheckpointError, ClockBehind, LeaseLost
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


async def test_a_copy_has_every_checkpoint_as_it_was(store: Store) -> None:
    await played_to_the_question(store.saver, GAME)
    await store.saver.acopy_thread(GAME, COPY)
    one, other = [[found async for found in store.saver.alist(config(game))] for game in (GAME, COPY)]
    assert [(f.checkpoint, f.metadata, f.pending_writes) for f in one] == [
        (f.checkpoint, f.metadata, f.pending_writes) for f in other
    ]


async def _values(store: Store, column: str = "channel") -> list[str]:
    """A column of all values that have rows of their own."""
    return await store.library.database.read(lambda c: [*c.scalars(select(VALUES.c[column]))])


async def test_a_value_is_kept_once_until_it_changes(store: Store) -> None:
    graph = await played_to_the_question(store.saver, GAME)
    before = len(await _checkpoints(store, GAME))
    await answered(graph, GAME, "me")
    history = [found.values.get("board") async for found in graph.aget_state_history(config(GAME))]
    bodies = await store.library.database.read(lambda c: [*c.scalars(select(CHECKPOINTS.c.body))])
    assert before > LOOPS
    assert (await _values(store)).count("board") == LOOPS
    assert not [body for body in bodies if b"F NAP" in body]
    assert [board["ITALY"] for board in history if board] == [["F NAP 3"]] * 2 + [["F NAP 2"], ["F NAP 1"]]


async def test_values_are_found_by_their_whole_key_however_long_the_game(memory_store: Store) -> None:
    asked: list[tuple[str, Any]] = []
    graph = await played_to_the_question(memory_store.saver, GAME)

    def note(*arguments: Any) -> None:
        asked.append((arguments[2], arguments[3]))

    event.listen(memory_store.library.database._engine, "before_cursor_execute", note)
    await graph.aget_state(config(GAME))
    [(statement, parameters)] = [each for each in asked if "FROM thread_values" in each[0]]
    steps = await memory_store.library.database.read(
        lambda c: c.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()
    )
    assert "(thread=? AND namespace=? AND version=?)" in steps[-1][-1]


async def test_pruning_and_deleting_take_the_values_along(store: Store) -> None:
    await played_to_the_question(store.saver, GAME)
    await store.saver.acopy_thread(GAME, COPY)
    await store.saver.aprune([GAME])
    await store.saver.adelete_thread(COPY)
    [latest] = [found async for found in store.saver.alist(config(GAME))]
    assert latest.checkpoint["channel_values"]["board"]["ITALY"] == ["F NAP 3"]
    assert set(await _values(store, "thread")) == {GAME}
    assert (await _values(store)).count("board") == 1


async def test_a_transaction_that_was_undone_is_tried_again_without_what_failed(store: Store) -> None:
    await played_to_the_question(store.saver, GAME)
    found = await store.saver.aget_tuple(config(GAME))
    assert found is not None
    where = RunnableConfig(configurable={"thread_id": COPY, "checkpoint_ns": ""})
    gone = RunnableConfig(configurable={"thread_id": "gone", "checkpoint_ns": "", "checkpoint_id": "1"})
    versions = found.checkpoint["channel_versions"]
    kept, failed = await asyncio.gather(
        store.saver.aput(where, found.checkpoint, found.metadata, versions),
        store.saver.aput_writes(gone, [("said", [])], "a task"),  # shares its transaction
        return_exceptions=True,
    )
    assert not isinstance(kept, BaseException)
    assert isinstance(failed, LeaseLost)
    copied = await store.saver.aget_tuple(config(COPY))
    assert copied is not None
    assert copied.checkpoint == found.checkpoint


async def test_a_value_is_there_after_another_process_has_pruned(shared_location: str) -> None:
    async with open_store(shared_location) as one, open_store(shared_location) as other:
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


async def test_a_graph_that_is_called_synchronously_is_told_how_to_call_it(memory_store: Store) -> None:
    graph = small_graph(memory_store.saver)
    for call in (lambda: graph.invoke({"turn": 0}, config(GAME)), lambda: graph.get_state(config(GAME))):
        with pytest.raises(CheckpointError, match="please call it by `ainvoke`"):
            call()


async def test_versions_grow_and_differ_between_futures(memory_store: Store) -> None:
    following = memory_store.saver.get_next_version
    of_servers = "00000000000000000000000000000999.0.4321"  # and of stores before schema 5
    for current in (None, following(None, None), of_servers):
        one, other = following(current, None), following(current, None)
        assert one != other
        assert min(one, other) > (current or "")
        # A server makes the next one by itself, whatever the saver is.
        assert f"{int(one.split('.')[0]) + 1:032}.{0.4321:.16f}" > one


async def test_a_game_that_was_played_by_a_clock_ahead_of_ours_is_told_as_such_and_stays_as_it_is(
    store: Store,
) -> None:
    await played_to_the_question(store.saver, GAME)
    latest = await store.saver.aget_tuple(config(GAME))
    assert latest is not None

    async def go_on(where: RunnableConfig, digits: str) -> RunnableConfig:
        """The first digits of an id say when it was made."""
        made = latest.checkpoint | {"id": digits + latest.checkpoint["id"][len(digits) :]}
        return await store.saver.aput(where, cast("Checkpoint", made), latest.metadata, {})

    ahead = await go_on(latest.config, "f000")
    before = await _checkpoints(store, GAME)
    with pytest.raises(ClockBehind, match=f"behind the one by which game {GAME} was last played"):
        await go_on(ahead, "e000")
    assert await _checkpoints(store, GAME) == before
    await go_on(ahead, "f001")
