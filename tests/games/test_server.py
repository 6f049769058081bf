"""The graph as Studio's server runs it: by itself, with no runner above it."""

# LangGraph leaves a type parameter of its own methods open.
# pyright: reportUnknownMemberType=false

from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, StateSnapshot

from checkpoints.shared import GameError, WholeGames
from checkpoints.store import Store, open_store
from entente.errors import CheckpointError, GameHeld, StoreUnavailable
from entente.floors.services import services_over
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, RunEnd, thread_config
from entente.games.selfcheck import check_store
from entente.games.server import graph_factory
from entente.players.bundle import Bundle
from entente.players.protocol import Reply
from entente.players.record import TurnRecord
from graph.context import GameSettings
from graph.game import GameGraph, compile_game
from graph.state import GameState
from tests.support.copied import copy_of, fill
from tests.support.floors import settings_for
from tests.support.players import Cast

GAME = "0c1a7f04-0000-4000-8000-00000000000a"
HERE = thread_config(GAME)


class Hosted:
    """What a server does with the graph: each time it asks for it anew, and gives it a saver of its own."""

    def __init__(self, store: Store, cast: Cast | None = None) -> None:
        self._factory = graph_factory(services_over(store, cast or Cast()))
        self._saver = WholeGames(store)

    @asynccontextmanager
    async def graph(
        self, access: str, config: RunnableConfig = HERE, form: dict[str, Any] | None = None
    ) -> AsyncGenerator[GameGraph]:
        execution = None if form is None else SimpleNamespace(context=form)
        runtime = SimpleNamespace(access_context=access, execution_runtime=execution)
        async with self._factory(config, cast("Any", runtime)) as graph:
            yield graph.copy(update={"checkpointer": self._saver})

    async def ainvoke(self, given: Any, config: RunnableConfig, **options: Any) -> None:
        async with self.graph("threads.create_run", config, _filled_in(**options)) as graph:
            await graph.ainvoke(given, config, **options)

    async def astream(self, given: Any, config: RunnableConfig, **options: Any) -> AsyncGenerator[Any]:
        async with self.graph("threads.create_run", config, _filled_in(**options)) as graph:
            async for part in graph.astream(given, config, **options):
                yield part

    async def aupdate_state(self, config: RunnableConfig, values: Any, as_node: str) -> None:
        async with self.graph("threads.update", config) as graph:
            await graph.aupdate_state(config, values, as_node=as_node)

    async def aget_state(self, config: RunnableConfig) -> StateSnapshot:
        async with self.graph("threads.read") as graph:
            return await graph.aget_state(config)

    async def aget_state_history(self, config: RunnableConfig) -> AsyncIterator[StateSnapshot]:
        async with self.graph("threads.read") as graph:
            async for snapshot in graph.aget_state_history(config):
                yield snapshot


def _filled_in(context: Any = None, **_: Any) -> dict[str, Any]:
    """The form of a run as the server hands it to the factory."""
    given = context.model_dump(exclude_unset=True) if isinstance(context, GameSettings) else context
    return cast("dict[str, Any]", given or {})


def hosted(store: Store, cast: Cast | None = None) -> Hosted:
    return Hosted(store, cast)


def short(**settings: object) -> GameSettings:
    return settings_for({"everyone": "dumbbot", "rounds": 1, "max_year": 1901}, settings)


def form(**fields: object) -> Any:
    """What a server makes of a form: the fields as they came."""
    return fields


async def run(graph: Hosted, given: Any, **settings: object) -> None:
    await graph.ainvoke(given, HERE, context=short(**settings))


async def turns_of(store: Store) -> list[TurnRecord]:
    """Every turn that led to where the game stands."""
    line = await records_on_line(store.journal, GAME, (await GameMaster(store).look(GAME)).state)
    return [record for record in line if isinstance(record, TurnRecord)]


async def answers(graph: Hosted) -> dict[str, Any]:
    """An answer to every open question."""
    asked = (await graph.aget_state(HERE)).interrupts
    return {
        i.id: {"talk": {"messages": []}}.get(i.value["ask"], {"orders": i.value["legal_orders"][:1]})
        for i in asked
    }


async def to_the_end(graph: Hosted) -> GameState:
    await run(graph, {})
    while given := await answers(graph):
        await run(graph, Command(resume=given))
    return cast("GameState", (await graph.aget_state(HERE)).values)


async def test_a_game_that_another_process_plays_is_neither_run_nor_edited(shared_location: str) -> None:
    async with open_store(shared_location) as here, open_store(shared_location) as there:
        graph = hosted(here)
        await run(graph, {}, seats={"FRANCE": "human"})
        before = (await graph.aget_state(HERE)).config
        async with there.leases.hold(GAME):
            with pytest.raises(GameError, match="is being played by"):
                await run(graph, {})
            with pytest.raises(GameError):
                await run(graph, Command(resume=await answers(graph)))
            with pytest.raises(GameError):
                await graph.aupdate_state(HERE, {"round": 0}, as_node="negotiate")
        assert (await graph.aget_state(HERE)).config == before


async def test_a_game_is_held_for_the_whole_run_and_not_after_it(shared_location: str) -> None:
    async with open_store(shared_location) as here, open_store(shared_location) as there:
        graph, seen = hosted(here), set[str]()
        async for _ in graph.astream({}, HERE, context=short(), stream_mode="updates"):
            seen |= (await there.leases.holders()).keys()
            with pytest.raises(GameHeld):
                await GameMaster(there).run(GAME)
        assert seen == {GAME}
        assert await there.leases.holders() == {}


async def test_nobody_is_asked_before_the_step_is_on_disk(memory_store: Store) -> None:
    rounds: list[tuple[int, int]] = []

    class Watcher:
        async def take_turn(self, bundle: Bundle, /) -> Reply:
            kept = await memory_store.saver.aget_tuple(HERE)
            assert kept is not None
            rounds.append((bundle.round, kept.checkpoint["channel_values"]["round"]))
            return Reply()

    graph = compile_game(services_over(memory_store, lambda _: Watcher()), WholeGames(memory_store))
    # "async" is what a server asks for.
    await graph.ainvoke({}, HERE, context=short(rounds=2), durability="async")
    assert {round_ for round_, _ in rounds} == {0, 1, 2}
    assert all(kept == (round_ - 1 if round_ else kept) for round_, kept in rounds)


async def test_lists_say_where_a_run_has_left_the_game(memory_store: Store) -> None:
    cast_ = Cast(failing={"ITALY"})
    graph = hosted(memory_store, cast_)
    with pytest.raises(GameError, match="the line is dead"):
        await run(graph, {}, seats={"FRANCE": "human"})
    assert (await memory_store.library.summary(GAME)).status == "paused"
    cast_.failing.clear()
    await run(graph, {})
    assert (await memory_store.library.summary(GAME)).status == "waiting"
    await to_the_end(graph)
    assert (await memory_store.library.summary(GAME)).status == "finished"


async def test_new_input_goes_on_with_a_game_and_asks_no_program_again(memory_store: Store) -> None:
    cast_ = Cast()
    graph = hosted(memory_store, cast_)
    await run(graph, {}, seats={"FRANCE": "human"}, floor="gunboat")
    asked = len(cast_.seen)
    await run(graph, {}, everyone="random", rounds=5)
    assert len(cast_.seen) == asked
    assert list(await questions(graph)) == ["FRANCE"]
    await to_the_end(graph)
    assert all(turn.player != "random" for turn in await turns_of(memory_store))


async def test_new_input_keeps_what_people_have_answered_and_programs_have_done(memory_store: Store) -> None:
    cast_ = Cast(failing={"ITALY"})
    graph = hosted(memory_store, cast_)
    with pytest.raises(GameError, match="the line is dead"):
        await run(graph, {}, seats={"FRANCE": "human", "GERMANY": "human"})
    cast_.failing.clear()
    cast_.seen.clear()
    await run(graph, {})
    assert [bundle.power for bundle in cast_.seen] == ["ITALY"]
    asked = await questions(graph)
    await run(graph, Command(resume={asked["FRANCE"]: "ITALY: peace?"}))
    await run(graph, {})
    assert list(await questions(graph)) == ["GERMANY"]
    await to_the_end(graph)
    said = [m.content for turn in await turns_of(memory_store) for m in turn.messages]
    assert said == ["peace?"]


async def test_new_input_changes_nothing_in_a_finished_game(memory_store: Store) -> None:
    graph = hosted(memory_store)
    await run(graph, {}, floor="gunboat")
    before = (await graph.aget_state(HERE)).values
    await run(graph, {})
    assert (await graph.aget_state(HERE)).values == before


async def test_a_finished_game_that_is_given_more_years_goes_on(memory_store: Store) -> None:
    graph = hosted(memory_store)
    await run(graph, {}, floor="gunboat")
    settings = (await graph.aget_state(HERE)).values["settings"] | {"max_year": 1902}
    await graph.aupdate_state(HERE, {"status": "playing", "settings": settings}, as_node="summarize")
    assert (await to_the_end(graph))["phase"] == "S1903M"


async def test_a_game_that_was_begun_elsewhere_is_played_with_its_settings_or_not_at_all(
    memory_store: Store,
) -> None:
    await GameMaster(memory_store).begin(short(seed=7, floor="gunboat"), GAME)
    graph = hosted(memory_store)
    with pytest.raises(GameError, match="was begun with seed 7, and 8 came"):
        await graph.ainvoke({}, HERE, context=form(seed=8))
    await graph.ainvoke({}, HERE, context=form(seed=7))
    values = (await graph.aget_state(HERE)).values
    assert (values["settings"]["seed"], values["settings"]["floor"]) == (7, "gunboat")
    assert values["status"] == "finished"


async def test_a_thread_that_the_journal_knows_from_elsewhere_is_not_played_as_another_game(
    memory_store: Store,
) -> None:
    await run(hosted(memory_store), {}, floor="gunboat")
    own = compile_game(services_over(memory_store, Cast()), InMemorySaver())
    with pytest.raises(CheckpointError, match="would be another game under the same name"):
        await own.ainvoke({}, HERE, context=short(everyone="random"))
    assert "status" not in (await own.aget_state(HERE)).values


async def test_a_form_filled_in_wrongly_is_answered_in_a_sentence(memory_store: Store) -> None:
    with pytest.raises(GameError, match="The setting floor cannot be 'loud'"):
        await hosted(memory_store).ainvoke({}, HERE, context=form(floor="loud"))
    with pytest.raises(GameError, match="napoleon"):
        await hosted(memory_store).ainvoke({}, HERE, context=form(everyone="napoleon"))
    assert await memory_store.library.games() == []
    await run(hosted(memory_store), {}, floor="gunboat")
    assert [summary.status for summary in await memory_store.library.games()] == ["finished"]


async def test_a_setting_that_is_none_is_told_and_not_left_out(memory_store: Store) -> None:
    """The server hands LangGraph the settings alone that there are, and the rest is not seen by anybody."""
    with pytest.raises(GameError, match="There is no setting evryone; did you mean everyone"):
        async with hosted(memory_store).graph("threads.create_run", form=form(evryone="hold")):
            pytest.fail("a game was begun")
    async with hosted(memory_store).graph(
        "threads.create_run", form={"thread_id": GAME, "checkpoint_ns": "", "__event_streaming_v2": True}
    ):
        pass
    assert await memory_store.library.games() == []


NO_CHECKPOINT = "1f1e806b-7ea9-6b62-8009-034573f7b384"


async def test_a_checkpoint_that_the_game_has_not_is_told_and_ends_nothing(memory_store: Store) -> None:
    graph = hosted(memory_store)
    await run(graph, {}, seats={"FRANCE": "human"})
    before = (await graph.aget_state(HERE)).config
    elsewhere = thread_config(GAME, NO_CHECKPOINT)
    runs: list[Any] = [{}, None, Command(resume=await answers(graph))]
    for given in runs:
        with pytest.raises(GameError, match=f"A checkpoint of thread {GAME} was wanted"):
            await graph.ainvoke(given, elsewhere)
    with pytest.raises(GameError, match=f"A checkpoint of thread {GAME} was wanted"):
        await graph.aupdate_state(elsewhere, {"round": 0}, as_node="negotiate")
    assert (await graph.aget_state(HERE)).config == before
    await graph.ainvoke(None, before)
    assert (await to_the_end(graph))["status"] == "finished"


async def test_without_a_thread_to_keep_it_in_no_game_is_begun(memory_store: Store) -> None:
    graph = compile_game(services_over(memory_store, Cast()))
    with pytest.raises(CheckpointError, match="needs a thread_id and a checkpointer"):
        await graph.ainvoke({}, context=short())
    assert await memory_store.library.games() == []


async def test_where_a_game_would_be_kept_nowhere_none_is_begun(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server takes the checkpointer from a run without a thread, and gives it a thread's id all the same."""
    monkeypatch.setattr("checkpoints.saver._KEPT_SECONDS", 0.05)
    services = replace(services_over(memory_store, Cast()), is_kept_here=True)
    with pytest.raises(CheckpointError, match="A run that is kept was wanted"):
        await compile_game(services).ainvoke({}, HERE, context=short())
    assert await memory_store.library.games() == []
    kept = compile_game(services, WholeGames(memory_store))
    await kept.ainvoke({}, HERE, context=short(floor="gunboat"), durability="async")
    assert [game.status for game in await memory_store.library.games()] == ["finished"]


async def test_a_thread_id_may_be_a_number(memory_store: Store) -> None:
    graph = compile_game(services_over(memory_store, Cast()), memory_store.saver)
    config = thread_config(cast("str", 7))
    await graph.ainvoke({}, config, context=short(floor="gunboat"), durability="sync")
    assert [(game.id, game.status) for game in await memory_store.library.games()] == [("7", "finished")]


EDITS: dict[str, Callable[[GameState], dict[str, Any]]] = {
    "open_game": lambda s: {"settings": s["settings"] | {"seats": s["settings"]["seats"] | {"ITALY": "hold"}}},
    "negotiate": lambda _: {"round": 1, "waiting": []},
    "order": lambda _: {"orders": {"ITALY": ["A VEN H"]}},
    "seat": lambda _: {"orders": {"FRANCE": ["A PAR H"]}, "waiting": []},
    "adjudicate": lambda s: {"board": s["board"]},
    "summarize": lambda s: {"settings": s["settings"] | {"seats": dict.fromkeys(s["settings"]["seats"], "hold")}},
}  # fmt: skip
"""Edits as every node, by the node after which they are made."""


@pytest.fixture(scope="module")
def answered_to_its_end(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose game a person has played to its end: played once, and copied for each test."""
    folder = tmp_path_factory.mktemp("answered") / "store"

    async def play(store: Store) -> None:
        graph = hosted(store)
        await run(graph, {}, seats={"FRANCE": "human"})
        await to_the_end(graph)

    fill(folder, play)
    return folder


@pytest.fixture
async def over(answered_to_its_end: Path, tmp_path: Path) -> AsyncGenerator[Store]:
    """A store of one's own with that game."""
    async with copy_of(answered_to_its_end, tmp_path / "store") as store:
        yield store


@pytest.mark.parametrize("node", EDITS)
async def test_an_earlier_moment_is_edited_as_any_node_and_played_to_the_end(over: Store, node: str) -> None:
    graph = hosted(over)
    history = [snapshot async for snapshot in graph.aget_state_history(HERE)]
    following = {"open_game": "negotiate", "summarize": "negotiate", "adjudicate": "summarize"}
    wanted = following.get(node, "adjudicate")
    moment = next(s for s in reversed(history) if wanted in s.next and s.values["phase"] == "S1901M")
    edit = EDITS[node](cast("GameState", moment.values))
    await graph.aupdate_state(moment.config, edit, as_node=node)
    assert (await graph.aget_state(HERE)).next
    assert (await to_the_end(graph))["status"] == "finished"
    assert await records_on_line(over.journal, GAME, (await GameMaster(over).look(GAME)).state)


NO_STATES: dict[str, dict[str, Any]] = {
    "a board of text": {"board": "x"},
    "an empty board": {"board": {}},
    "no settings": {"settings": {}},
    "settings of nothing": {"settings": None},
    "a floor that is none": {"settings": {"floor": "loud"}},
    "orders of text": {"orders": "x"},
    "an order that is a number": {"orders": {"FRANCE": 7}},
    "a round of text": {"round": "x"},
    "a phase that is none": {"phase": "X9999Z"},
    "a status that is none": {"status": "bogus"},
    "memories of text": {"memories": {"FRANCE": "x"}},
    "orders of a power that the map has not": {"orders": {"NARNIA": ["A PAR H"]}},
    "orders of a power that is spelt otherwise": {"orders": {"france": ["A PAR H"]}},
    "a vote of such a power": {"votes": {"NARNIA": True}},
    "memories of such a power": {"memories": {"NARNIA": {}}},
    "such a power that is waited for": {"waiting": ["NARNIA"]},
    "a phase before it that was never played": {"history": "x"},
    "a round that was never played": {"segments": ["x"]},
}


@pytest.mark.parametrize("edit", NO_STATES.values(), ids=NO_STATES.keys())
async def test_an_edit_that_no_game_can_have_is_refused_in_a_sentence_and_not_written(
    memory_store: Store, edit: dict[str, Any]
) -> None:
    graph = hosted(memory_store)
    await run(graph, {}, seats={"FRANCE": "human"})
    before, asked = (await graph.aget_state(HERE)).config, await questions(graph)
    with pytest.raises(GameError, match=f"A state that a game can have was wanted for {GAME}") as raised:
        await graph.aupdate_state(HERE, edit, as_node="negotiate")
    assert "\n" not in str(raised.value)
    with pytest.raises((ValueError, TypeError)):  # some of these LangGraph cannot even put in
        await graph.ainvoke(Command(update=edit), HERE)
    assert (await graph.aget_state(HERE)).config == before
    assert await questions(graph) == asked
    assert (await to_the_end(graph))["status"] == "finished"


PEOPLE = {"FRANCE": "human", "GERMANY": "human"}
HOLDS = {"FRANCE": {"orders": ["A PAR H"]}, "GERMANY": {"orders": ["A MUN H"]}}


async def questions(graph: Hosted) -> dict[str, str]:
    """The id of each question that the game waits for, by the power that is asked."""
    found = (await graph.aget_state(HERE)).interrupts
    return {i.value["power"]: i.id for i in found if not i.value["is_optional"]}


async def free_questions(graph: Hosted) -> dict[str, str]:
    """The id of each question that needs no answer."""
    found = (await graph.aget_state(HERE)).interrupts
    return {i.value["power"]: i.id for i in found if i.value["is_optional"]}


async def test_people_on_the_conductors_floor_are_answered_for_one_by_one(memory_store: Store) -> None:
    cast_ = Cast()
    graph = hosted(memory_store, cast_)
    await run(graph, {}, floor="conductor", seats=PEOPLE)
    asked = await questions(graph)
    assert list(asked) == ["FRANCE", "GERMANY"]
    await run(graph, Command(resume={asked["FRANCE"]: "ITALY: peace?\nA PAR - BUR"}))
    assert "peace?" in {message.content for bundle in cast_.asked("ITALY") for message in bundle.inbox}
    again = await questions(graph)
    assert list(again) == ["GERMANY"]
    await run(graph, Command(resume={again["GERMANY"]: "A MUN - RUH"}))
    values = (await graph.aget_state(HERE)).values
    assert values["phase"] == "F1901M"
    while given := await answers(graph):
        await run(graph, Command(resume=given))
    assert (await graph.aget_state(HERE)).values["status"] == "finished"
    played = await memory_store.journal.phases(GAME, (await graph.aget_state(HERE)).values["history"])
    given = {result.order for result in played[0].results if not result.is_default}
    assert {"A PAR - BUR", "A MUN - RUH"} <= given


async def test_who_has_ordered_may_write_as_long_as_somebody_else_is_waited_for(memory_store: Store) -> None:
    cast_ = Cast()
    graph = hosted(memory_store, cast_)
    await run(graph, {}, floor="conductor", seats=PEOPLE)
    assert await free_questions(graph) == {}
    await run(graph, Command(resume={(await questions(graph))["FRANCE"]: "A PAR - BUR"}))
    free = await free_questions(graph)
    assert list(free) == ["FRANCE"]
    await run(graph, Command(resume={free["FRANCE"]: "ITALY: peace?"}))
    assert "peace?" in {message.content for bundle in cast_.asked("ITALY") for message in bundle.inbox}
    assert (await graph.aget_state(HERE)).values["orders"]["FRANCE"] == ["A PAR - BUR"]
    await run(graph, Command(resume={(await questions(graph))["GERMANY"]: "A MUN - RUH"}))
    assert (await graph.aget_state(HERE)).values["phase"] == "F1901M"


async def test_nobody_is_answered_for_beside_an_answer_that_cannot_be_kept(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = hosted(memory_store)
    await run(graph, {}, floor="conductor", seats=PEOPLE)
    asked = await questions(graph)

    async def fails(*_: object) -> TurnRecord:
        raise StoreUnavailable("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(memory_store.journal, "commit_turns", fails)
        with pytest.raises(GameError, match="disk is full"):
            await run(graph, Command(resume={asked["GERMANY"]: HOLDS["GERMANY"]}))
    # FRANCE is asked what it was asked, and GERMANY's answer counts when the store works again.
    assert (await questions(graph))["FRANCE"] == asked["FRANCE"]
    await run(graph, None)
    assert list(await questions(graph)) == ["FRANCE"]
    assert "GERMANY" in (await graph.aget_state(HERE)).values["orders"]


async def test_the_only_person_on_the_conductors_floor_may_answer_without_naming_the_question(
    memory_store: Store,
) -> None:
    graph = hosted(memory_store)
    await run(graph, {}, floor="conductor", seats={"FRANCE": "human"})
    await run(graph, Command(resume=HOLDS["FRANCE"]))
    assert (await graph.aget_state(HERE)).values["phase"] == "F1901M"


async def test_an_answer_to_a_question_that_was_put_anew_changes_nothing(
    memory_store: Store,
) -> None:
    graph = hosted(memory_store)
    await run(graph, {}, floor="conductor", seats=PEOPLE)
    old = await questions(graph)
    await run(graph, Command(resume={old["GERMANY"]: "FRANCE: peace?"}))
    before = (await graph.aget_state(HERE)).config
    await run(graph, Command(resume={old["FRANCE"]: "A PAR - BUR"}))
    assert (await graph.aget_state(HERE)).config == before
    assert list(await questions(graph)) == ["FRANCE", "GERMANY"]


async def test_a_copied_thread_is_a_whole_game(store: Store) -> None:
    graph, copy = hosted(store), "0c1a7f04-0000-4000-8000-00000000000b"
    await run(graph, {}, seats={"FRANCE": "human"})
    await WholeGames(store).acopy_thread(GAME, copy)
    master = GameMaster(store)
    assert (await master.look(copy)).end is RunEnd.WAITING
    assert len(await store.journal.segments(copy)) == len(await store.journal.segments(GAME))


async def test_a_deleted_thread_is_a_deleted_game(store: Store) -> None:
    await run(hosted(store), {}, floor="gunboat")
    await WholeGames(store).adelete_thread(GAME)
    assert await store.library.games() == []
    await WholeGames(store).adelete_thread(GAME)


def by_run(run_id: str) -> RunnableConfig:
    """The thread as a run of the server of this id plays in it."""
    return RunnableConfig(configurable={"thread_id": GAME}, metadata={"run_id": run_id})


LONG = {"rounds": 2, "max_year": 1902}


async def test_a_run_that_is_rolled_back_leaves_the_game_as_it_stood_before_it(store: Store) -> None:
    graph, saver, master = hosted(store), WholeGames(store), GameMaster(store)
    await graph.ainvoke({}, by_run("first"), context=short(**LONG), interrupt_before=["adjudicate"])
    before, segments = (await master.look(GAME)).state, await store.journal.segments(GAME)
    await graph.ainvoke({}, by_run("second"))
    assert (await store.library.summary(GAME)).status == "finished"
    await saver.adelete_for_runs(["second"])
    assert (await master.look(GAME)).state == before
    assert await store.journal.segments(GAME) == segments
    assert await check_store(store) == []
    summary = await store.library.summary(GAME)
    assert (summary.phase, summary.status) == ("S1901M", "paused")
    ended = await master.run(GAME)
    assert ended.end is RunEnd.FINISHED
    await saver.adelete_for_runs(["first"])  # from which another has gone on
    assert await master.look(GAME) == ended
    assert await check_store(store) == []


async def test_a_run_that_is_rolled_back_while_it_plays_writes_no_more(memory_store: Store) -> None:
    graph, master = hosted(memory_store), GameMaster(memory_store)
    await graph.ainvoke({}, by_run("first"), context=short(**LONG), interrupt_before=["adjudicate"])
    before = (await master.look(GAME)).state
    async with aclosing(graph.astream({}, by_run("second"), stream_mode="updates")) as steps:
        async for _ in steps:
            if (await master.look(GAME)).state["phase"] == "F1901M":
                await WholeGames(memory_store).adelete_for_runs(["second"])
                break
    assert (await master.look(GAME)).state == before
    assert await check_store(memory_store) == []
    assert (await memory_store.library.summary(GAME)).status == "paused"
    assert (await master.run(GAME)).end is RunEnd.FINISHED


def test_the_drawing_has_every_node_and_every_way_between_them() -> None:
    from graph.game import graph

    drawn = graph.get_graph().edges
    assert all(edge.data for edge in drawn if edge.conditional)
    edges = Counter((edge.source, edge.target, edge.conditional) for edge in drawn)
    straight = [("__start__", "open_game"), ("order", "adjudicate"), ("adjudicate", "summarize")]
    phase = ("negotiate", "order", "seat", "__end__")
    ways = {
        "open_game": (*phase, "adjudicate"),
        "summarize": (*phase, "adjudicate"),
        "negotiate": (*phase[:3], "adjudicate"),
        "seat": ("negotiate", "adjudicate"),
    }
    expected = [(*edge, False) for edge in straight]
    expected += [(source, target, True) for source, targets in ways.items() for target in targets]
    assert edges == Counter(expected)
