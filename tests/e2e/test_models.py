"""Whole games with language models in the seats, over the OpenAI wire, against the scripted model's server."""

import json
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from checkpoints.store import Store
from entente.cli.raw_work import replies_of
from entente.errors import PlayerError, SettingsError, UnknownMoment
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, RunEnd, Standing
from entente.models.client import Connections
from entente.models.mock.plan import Fault, Plan
from entente.models.mock.server import MockServer, mock_server
from entente.models.usage import summarize
from entente.players.record import TurnRecord
from entente.players.seating import Seating
from graph.context import GameSettings
from tests.support.terminal import apart, entente, start


@asynccontextmanager
async def at_the_table(
    store: Store, plan: Plan | None = None
) -> AsyncGenerator[tuple[MockServer, GameMaster]]:
    """A scripted model's server, and a game master that seats it."""
    async with mock_server(plan) as server, Connections() as connections:
        yield server, GameMaster(store, Seating(connections, {}))


def seven(server: MockServer, **settings: object) -> GameSettings:
    values = {"everyone": f"openai:mock@{server.url}", "rounds": 2, "max_year": 1901}
    return GameSettings.model_validate(values | settings)


async def turns_of(store: Store, standing: Standing) -> list[TurnRecord]:
    records = await records_on_line(store.journal, standing.game, standing.state)
    return [record for record in records if isinstance(record, TurnRecord)]


async def test_seven_models_play_a_game_of_one_call_a_turn(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        standing = await master.run(await master.begin(seven(server)))
        turns = await turns_of(memory_store, standing)
        calls = [call for turn in turns for call in turn.calls]
        assert standing.end is RunEnd.FINISHED
        assert len(calls) == len(turns) == len(server.requests)
        assert any(turn.messages for turn in turns)
        assert {call.model for call in calls} == {"mock"}
        assert summarize(calls).cost_usd is None
        assert summarize(calls).cached_share > 0.7


async def test_models_and_scripted_players_sit_at_one_table(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        settings = seven(server, everyone="diplomat", seats={"FRANCE": f"openai:mock@{server.url}"})
        standing = await master.run(await master.begin(settings))
        asked = {turn.power for turn in await turns_of(memory_store, standing) if turn.calls}
        assert asked == {"FRANCE"}


async def test_the_same_replies_give_the_same_game(memory_store: Store) -> None:
    games: list[list[str]] = []
    async with at_the_table(memory_store) as (server, master):
        for _ in range(2):
            standing = await master.run(await master.begin(seven(server)))
            drawn = {"game", "segment", "sequence", "at", "calls"}
            games.append([t.model_dump_json(exclude=drawn) for t in await turns_of(memory_store, standing)])
    assert games[0] == games[1]


async def test_a_dead_provider_pauses_the_game_and_no_finished_call_is_made_again(store: Store) -> None:
    refused = range(18, 22)  # four of the seven calls for the first orders, after two rounds of seven
    async with at_the_table(store, Plan(faults=(Fault(kind="401", calls=tuple(refused)),))) as (
        server,
        master,
    ):
        game = await master.begin(seven(server))
        with pytest.raises(PlayerError, match=r"failed in S1901M: .*The game is paused"):
            await master.run(game)
        assert (await store.library.summary(game)).status == "paused"
        segments = [segment.id for segment in await store.journal.segments(game)]
        assert len(await store.journal.turns(game, segments)) == 17
        standing = await master.run(game)
        assert standing.end is RunEnd.FINISHED
        assert len(server.requests) == len(await turns_of(store, standing)) + len(refused)


async def test_limits_go_by_the_tokens_that_a_server_counted_and_a_resumed_game_asks_the_same(
    store: Store,
) -> None:
    """The model's name says 2.6 letters a token, and its server counts nearly 4."""
    plan = Plan(
        faults=(Fault(kind="401", calls=(4,)),)
    )  # in spring a round and the orders, then fall's orders
    async with mock_server(plan) as server:
        settings = seven(server, everyone="hold", seats={"FRANCE": f"openai:unknown@{server.url}"}, rounds=1)
        async with Connections() as connections:
            master = GameMaster(store, Seating(connections, {}))
            game = await master.begin(settings)
            with pytest.raises(PlayerError, match="failed in F1901M"):
                await master.run(game)
        async with Connections() as connections:
            await GameMaster(store, Seating(connections, {})).run(game)
    assert server.requests[3].messages == server.requests[4].messages
    told = [str(request.messages[0]["content"]) for request in server.requests]
    assert ["1560 characters" in text for text in told] == [True, True, *([False] * (len(told) - 2))]
    (later,) = {number for text in told[2:] for number in re.findall(r"(\d+) characters in all", text)}
    assert 2200 < int(later) < 2500


@pytest.mark.parametrize("kind", ["garbage", "truncate", "empty", "null_content", "bad_tool", "refusal"])
async def test_what_a_model_cannot_say_well_is_recorded_and_never_ends_the_game(
    memory_store: Store, kind: str
) -> None:
    plan = Plan.model_validate({"faults": [{"kind": kind, "every": 3}]})
    async with at_the_table(memory_store, plan) as (server, master):
        standing = await master.run(await master.begin(seven(server, rounds=1)))
        assert standing.end is RunEnd.FINISHED
        turns = await turns_of(memory_store, standing)
        assert sum(len(turn.calls) for turn in turns) > len(turns)


UNUSABLE = Plan(faults=(Fault(kind="garbage", calls=(1, 2)),))
"""Nothing of the first turn can be used."""
THEN_GONE = Plan(faults=(Fault(kind="garbage", calls=(1,)), Fault(kind="500")))
"""Nothing of the first reply can be used, and nobody is there to mend it."""


@pytest.mark.parametrize(
    ("plan", "replies", "stand_in"), [(UNUSABLE, 2, ""), (THEN_GONE, 1, "dumbbot")], ids=["given-up", "gone"]
)
async def test_what_a_model_wrote_can_be_read_where_nothing_of_it_could_be_used(
    memory_store: Store, plan: Plan, replies: int, stand_in: str
) -> None:
    async with at_the_table(memory_store, plan) as (server, master):
        seats = {"FRANCE": f"openai:mock@{server.url}"}
        settings = GameSettings(everyone="hold", seats=seats, rounds=1, max_year=1901, on_failure="dumbbot")
        game = (await master.run(await master.begin(settings))).game
        (turn,) = await replies_of(memory_store, game, "S1901M.1")
        told = turn.plain()
        assert (told["power"], told["stand_in"]) == ("FRANCE", stand_in)
        assert len(told["replies"]) == replies
        assert all(reply["text"] and reply["faults"] for reply in told["replies"])
        assert all(reply["usage"]["completion_tokens"] for reply in told["replies"])
        assert any(event["kind"] == "notice" for event in told["made_of_it"])
        with pytest.raises(UnknownMoment):
            await replies_of(memory_store, game, "S1950M")
        if not stand_in:
            (orders,) = await replies_of(memory_store, game, "S1901M.orders")
            assert orders.plain()["replies"][0]["calls"][-1]["name"] == "finish_orders"


async def test_an_unknown_provider_is_told_of_before_a_game_begins(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (_, master):
        with pytest.raises(SettingsError):
            await master.begin(GameSettings(everyone="nobody:model"))
        assert await memory_store.library.games() == []


async def test_no_key_reaches_the_store(store: Store) -> None:
    canary = "sk-canary-0123456789"
    async with mock_server() as server, Connections() as connections:
        master = GameMaster(store, Seating(connections, {"OPENAI_API_KEY": canary}))
        standing = await master.run(await master.begin(seven(server, rounds=1)))
        records = await records_on_line(store.journal, standing.game, standing.state)
        assert canary not in "".join(record.model_dump_json() for record in records)
        assert canary not in json.dumps(standing.state)


def test_a_game_of_models_is_played_and_reckoned_from_the_command_line(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    short = ("--rounds", "1", "--max-year", "1901")
    with start("mock-model", "--port", "0") as server:
        url = server.stderr.readline().split(" answers at ")[1].split(";")[0]
        try:
            played = apart("play", "--all", f"openai:mock@{url}", *short, "--store", store)
        finally:
            server.terminate()
    assert played.code == 0, played.err
    game = played.err.split("Game ")[1].split()[0]
    spending = json.loads(entente("usage", game, "--json", "--store", store).out)
    assert spending["total"]["calls"] > 20
    assert spending["total"]["cost_usd"] is None
    assert len(spending["by_seat"]) == 7
    assert "S1901M" in spending["by_phase"]
