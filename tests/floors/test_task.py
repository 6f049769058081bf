"""What the nodes tell while they run: the operator's events of what is committed."""

# LangGraph leaves a type parameter of its own methods open.
# pyright: reportUnknownMemberType=false

import json
from collections import Counter
from typing import Any

import pytest
from sqlalchemy import Connection, select, update

from checkpoints.store import Store
from checkpoints.tables import MESSAGES, SEGMENTS, TURNS
from entente.errors import PlayerError
from entente.floors.services import services_over
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, RunEnd, thread_config
from entente.players.projection import events_of
from graph.context import GameSettings
from graph.game import compile_game
from tests.support.players import Cast, secretive


async def told(store: Store, cast: Cast, settings: GameSettings) -> tuple[str, list[Any]]:
    """A game's id, and the custom events of its first run."""
    game = await GameMaster(store, cast).begin(settings)
    graph = compile_game(services_over(store, cast), store.saver)
    parts = graph.astream({}, thread_config(game), context=settings, stream_mode="custom")
    return game, [part async for part in parts]


@pytest.mark.parametrize("timing", ["simultaneous", "sequential"])
async def test_a_stream_tells_the_operators_events_of_every_record_once(
    memory_store: Store, timing: str
) -> None:
    settings = GameSettings.model_validate({"timing": timing, "rounds": 1, "max_year": 1901})
    game, events = await told(memory_store, Cast(), settings)
    state = (await GameMaster(memory_store).look(game)).state
    line = await records_on_line(memory_store.journal, game, state)
    expected = [event.model_dump(mode="json") for record in line for event in events_of(record, "OPERATOR")]
    assert Counter(map(json.dumps, events)) == Counter(map(json.dumps, expected))


async def test_private_words_are_told_as_they_are_kept_and_no_memory_is(memory_store: Store) -> None:
    cast = Cast(scripts={"secretive": secretive})
    settings = GameSettings(everyone="secretive", seats={"FRANCE": "human"}, rounds=1, max_year=1901)
    _, events = await told(memory_store, cast, settings)
    assert "canary-AUSTRIA-to-ENGLAND" in json.dumps(events)
    assert "memory" not in json.dumps(events)


async def test_orders_are_told_when_they_are_kept_and_their_results_with_the_phase(
    memory_store: Store,
) -> None:
    settings = GameSettings(everyone="dumbbot", floor="gunboat", max_year=1901)
    _, events = await told(memory_store, Cast(), settings)
    spring = [event for event in events if event["phase"] == "S1901M"]
    assert [event["kind"] for event in spring] == ["ordered"] * 7 + ["phase"]
    assert sum(len(event["data"]["orders"]) for event in spring[:-1]) == 22
    assert len(spring[-1]["data"]["results"]) == 22


async def test_turns_are_found_again_under_another_release_of_langgraph_and_it_is_said(
    memory_store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """Another release may name the same step otherwise: what was paid for in it counts all the same."""
    cast = Cast(failing={"TURKEY"})
    master = GameMaster(memory_store, cast)
    values = {"everyone": "dumbbot", "rounds": 1, "max_year": 1901, "timing": "sequential"}
    game = await master.begin(GameSettings.model_validate(values))
    with pytest.raises(PlayerError):
        await master.run(game)
    await memory_store.library.database.write(_as_of_another_release)
    cast.failing.clear()
    before = len(cast.seen)
    assert (await master.run(game)).end is RunEnd.FINISHED
    assert cast.seen[before].power == "TURKEY"
    (said,) = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert "was begun with LangGraph 0.0.1 and goes on with" in said
    assert "the 6 turns that were kept of it are not asked for again" in said


def _as_of_another_release(connection: Connection) -> None:
    """Rename the step in play, as a release would that makes the ids of tasks in another way."""
    (row,) = connection.execute(select(SEGMENTS.c.id, SEGMENTS.c.body)).all()
    body = json.dumps({**json.loads(row.body), "langgraph": "0.0.1"})
    connection.execute(update(SEGMENTS).values(id="another", body=body))
    for table in (TURNS, MESSAGES):
        connection.execute(update(table).values(segment="another"))
