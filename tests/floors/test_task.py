"""What the nodes tell while they run: public events of what is committed, and nothing else."""

# LangGraph leaves a type parameter of its own methods open.
# pyright: reportUnknownMemberType=false

import json
from collections import Counter
from typing import Any

import pytest

from checkpoints.store import Store
from entente.floors.services import services_over
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, thread_config
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
async def test_a_stream_tells_the_public_events_of_every_record_once(
    memory_store: Store, timing: str
) -> None:
    settings = GameSettings.model_validate({"timing": timing, "rounds": 1, "max_year": 1901})
    game, events = await told(memory_store, Cast(), settings)
    state = (await GameMaster(memory_store).look(game)).state
    line = await records_on_line(memory_store.journal, game, state)
    expected = [event.model_dump(mode="json") for record in line for event in events_of(record, "PUBLIC")]
    assert Counter(map(json.dumps, events)) == Counter(map(json.dumps, expected))


async def test_no_private_word_memory_or_order_before_its_time_is_told(memory_store: Store) -> None:
    cast = Cast(scripts={"secretive": secretive})
    settings = GameSettings(everyone="secretive", seats={"FRANCE": "human"}, rounds=1, max_year=1901)
    _, events = await told(memory_store, cast, settings)
    assert "public-ITALY" in json.dumps(events)
    assert "canary" not in json.dumps(events)


async def test_orders_are_told_with_their_phase_and_not_before(memory_store: Store) -> None:
    settings = GameSettings(everyone="dumbbot", floor="gunboat", max_year=1901)
    _, events = await told(memory_store, Cast(), settings)
    spring = [event for event in events if event["phase"] == "S1901M"]
    assert [event["kind"] for event in spring] == ["ordered"] * 7 + ["phase"]
    assert all("orders" not in event["data"] for event in spring[:-1])
    assert len(spring[-1]["data"]["results"]) == 22
