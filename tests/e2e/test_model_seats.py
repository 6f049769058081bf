"""What is decided for a seat's language model: how it is called, what it may spend, what it is shown."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pydantic import JsonValue

from checkpoints.store import Store
from entente.cli.live import Progress
from entente.cli.show_work import look
from entente.cli.situation import stand_in_lines
from entente.errors import MissingKey, PlayerError, SettingsError
from entente.events import EventKind
from entente.games.line import records_on_line
from entente.games.runner import GameMaster, RunEnd, Standing
from entente.models.client import Connections
from entente.models.mock.server import MockServer, mock_server
from entente.players.actions import Action
from entente.players.bundle import Bundle
from entente.players.projection import events_of
from entente.players.record import TurnRecord
from entente.players.seating import Seating
from entente.press.mailbox import Reader
from graph.context import GameSettings, parse_settings
from tests.support.leaders import RENARD
from tests.support.players import Cast, say


@asynccontextmanager
async def at_the_table(
    store: Store, environ: dict[str, str] | None = None
) -> AsyncGenerator[tuple[MockServer, GameMaster]]:
    async with mock_server() as server, Connections() as connections:
        yield server, GameMaster(store, Seating(connections, environ or {}))


def seats(server: MockServer, **settings: object) -> GameSettings:
    """A short game of scripted players, with models in the seats of FRANCE and ITALY."""
    models = {power: f"openai:{power.lower()}@{server.url}" for power in ("FRANCE", "ITALY")}
    values = {"everyone": "hold", "seats": models, "rounds": 2, "max_year": 1901, "stalemate_years": 0}
    return parse_settings(values | settings)


async def turns_of(store: Store, standing: Standing) -> list[TurnRecord]:
    records = await records_on_line(store.journal, standing.game, standing.state)
    return [record for record in records if isinstance(record, TurnRecord)]


def told(turn: TurnRecord, reader: Reader) -> str:
    """All that a reader learns of a turn."""
    return "".join(event.model_dump_json() for event in events_of(turn, reader))


def texts_to(server: MockServer, model: str) -> str:
    return json.dumps([request.messages for request in server.requests if request.model == model])


async def test_a_seats_settings_are_put_over_the_games(memory_store: Store) -> None:
    async with at_the_table(memory_store, {"ITALYS_KEY": "sk-italy"}) as (server, master):
        settings = seats(
            server,
            models={"instructions": "all-are-told-this"},
            seat_models={
                "italy": {
                    "instructions": "italy-is-told-this",
                    "actions": "json",
                    "prompts": "short",
                    "key_variable": "ITALYS_KEY",
                }
            },
        )
        standing = await master.run(await master.begin(settings))
        assert standing.end is RunEnd.FINISHED
        france, italy = texts_to(server, "france"), texts_to(server, "italy")
        assert "all-are-told-this" in france
        assert "italy-is-told-this" not in france
        assert "italy-is-told-this" in italy
        assert "all-are-told-this" not in italy
        asked = {request.model: request for request in server.requests}
        assert asked["france"].tools
        assert not asked["italy"].tools
        assert asked["france"].key_digest != asked["italy"].key_digest
        given = [
            turn for turn in await turns_of(memory_store, standing) if turn.power == "ITALY" and turn.orders
        ]
        assert given
        assert "You play one power in the board game Diplomacy" in italy


async def test_a_key_that_is_missing_is_told_before_the_game_begins(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        with pytest.raises(MissingKey, match="NO_SUCH_KEY"):
            await master.begin(seats(server, models={"key_variable": "NO_SUCH_KEY"}))
        assert await memory_store.library.games() == []


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"models": {"temprature": 1}}, "'temprature'"),
        ({"seat_models": {"FRANCE": {"concurrency": 0}}}, "'concurrency'"),
        ({"models": {"actions": "shout"}}, "'actions'"),
    ],
)
def test_a_model_setting_that_cannot_be_used_is_refused_by_name(
    settings: dict[str, object], told: str
) -> None:
    with pytest.raises(SettingsError, match=told):
        parse_settings(settings)


def test_a_key_given_for_the_name_of_its_variable_is_not_repeated() -> None:
    with pytest.raises(SettingsError, match="key_variable") as refused:
        parse_settings({"models": {"key_variable": "sk-canary-0123"}})
    assert "canary" not in str(refused.value)


async def test_settings_for_a_power_that_is_not_on_the_map_are_refused(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        with pytest.raises(SettingsError, match="NARNIA"):
            await master.begin(seats(server, seat_models={"NARNIA": {"temperature": 1}}))


async def test_a_spent_budget_pauses_the_game_and_names_whose_it_was(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        # A prompt and its tools are taken for 5,000 tokens and a reply may have 1,000 more: one call, no second one.
        limits: dict[str, object] = {"max_output_tokens": 1000}
        settings = seats(server, models=limits, seat_models={"ITALY": {"budget_tokens": 7000}})
        game = await master.begin(settings)
        with pytest.raises(
            PlayerError, match=r"ITALY .* ITALY has used [\d,]+ of 7,000 tokens; no call was made"
        ):
            await master.run(game)
        assert (await memory_store.library.summary(game)).status == "paused"
        with pytest.raises(PlayerError, match="ITALY has used"):
            await GameMaster(memory_store, Seating(Connections(), {})).run(game)
        assert sum(request.model == "italy" for request in server.requests) == 1


async def test_a_game_whose_budget_is_spent_goes_on_with_a_larger_one(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        game = await master.begin(seats(server, seat_models={"ITALY": {"budget_tokens": 10}}))
        with pytest.raises(PlayerError, match="ITALY has used"):
            await master.run(game)
        await master.change(game, {}, {"ITALY": {"budget_tokens": 10_000_000}}, None)
        standing = await master.run(game)
        assert standing.end is RunEnd.FINISHED
        asked = [json.dumps(request.messages) for request in server.requests]
        assert (
            len(asked) == len(set(asked)) == sum(len(t.calls) for t in await turns_of(memory_store, standing))
        )


async def test_how_models_are_called_is_changed_for_good_and_only_when_it_can_be_used(
    memory_store: Store,
) -> None:
    async with at_the_table(memory_store) as (server, master):
        game = await master.begin(seats(server, models={"instructions": "at first"}))
        with pytest.raises(SettingsError, match="'temprature'"):
            await master.change(game, {"temprature": 1}, {}, None)
        with pytest.raises(MissingKey):
            await master.change(game, {}, {"FRANCE": {"key_variable": "NO_SUCH_KEY"}}, None)
        await master.change(game, {"instructions": "later"}, {}, "dumbbot")
        kept = (await memory_store.library.summary(game)).settings
        assert (kept["models"], kept["seat_models"], kept["on_failure"]) == (
            {"instructions": "later"},
            {},
            "dumbbot",
        )
        await master.run(game)
        assert "at first" not in texts_to(server, "france")
        assert "later" in texts_to(server, "france")


async def test_a_budget_in_dollars_wants_a_price_before_the_game_begins(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        with pytest.raises(SettingsError, match="the price of openai:france@"):
            await master.begin(seats(server, models={"budget_usd": 1}))


async def test_a_stand_in_plays_when_the_budget_is_spent_and_every_event_says_so(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        settings = seats(server, seat_models={"FRANCE": {"budget_tokens": 10}}, on_failure="dumbbot")
        standing = await master.run(await master.begin(settings))
        assert standing.end is RunEnd.FINISHED
        assert texts_to(server, "france") == "[]"
        france = [turn for turn in await turns_of(memory_store, standing) if turn.power == "FRANCE"]
        assert {turn.stand_in for turn in france} == {"dumbbot"}
        assert all("stands in" in turn.notices[0].detail for turn in france)
        public = [
            event
            for turn in france
            for event in events_of(turn, "PUBLIC")
            if event.kind is not EventKind.MESSAGE
        ]
        assert public
        assert all("(dumbbot stands in)" in event.text for event in public)
        assert "openai" not in "".join(event.model_dump_json() for event in public)


async def test_every_view_of_the_game_says_who_stands_in(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        settings = seats(server, seat_models={"FRANCE": {"budget_tokens": 10}}, on_failure="dumbbot")
        standing = await master.run(await master.begin(settings))
        progress = await Progress.of(memory_store, standing.game)
        for turn in await turns_of(memory_store, standing):
            progress.take(turn)
        assert progress.player("FRANCE").startswith("dumbbot for openai:france@")
        assert "dumbbot for FRANCE" in progress.line("F1901M")
        assert (await look(memory_store, standing.game)).plain()["stand_ins"] == {"FRANCE": "dumbbot"}
        assert [line.split(" stands")[0] for line in await stand_in_lines(memory_store, standing)] == [
            "FRANCE: dumbbot"
        ]


async def test_drafts_ride_on_the_talk_and_are_nobody_elses(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        standing = await master.run(await master.begin(seats(server, drafts=True)))
        turns = await turns_of(memory_store, standing)
        talked = [turn for turn in turns if turn.stage == "talk" and turn.power == "FRANCE"]
        assert all(turn.drafts and len(turn.calls) == 1 for turn in talked)
        assert not any(turn.notices for turn in talked)
        for turn in talked:
            assert turn.drafts[0] in told(turn, "FRANCE")
            assert turn.drafts[0] not in told(turn, "ITALY") + told(turn, "PUBLIC")
        assert not any(turn.drafts for turn in turns if turn.power not in ("FRANCE", "ITALY"))


async def test_what_a_seat_with_advice_does_with_it_is_the_operators_to_know(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        settings = seats(server, seat_models={"FRANCE": {"advice": "candidates"}}, rounds=1)
        standing = await master.run(await master.begin(settings))
        assert "# Suggestions" in texts_to(server, "france")
        assert "# Suggestions" not in texts_to(server, "italy")
        turns = await turns_of(memory_store, standing)
        advised = [turn for turn in turns if turn.advice]
        moved = [
            turn for turn in turns if turn.power == "FRANCE" and turn.orders and turn.phase.endswith("M")
        ]
        assert advised == moved
        assert moved
        for turn in advised:
            assert "suggestion" in told(turn, "OPERATOR")
            assert "suggest" not in told(turn, "FRANCE") + told(turn, "ITALY") + told(turn, "PUBLIC")


async def test_without_drafts_nobody_is_asked_for_any(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        await master.run(await master.begin(seats(server)))
        assert "draft:" not in texts_to(server, "france")


async def test_a_folder_of_prompts_is_put_over_ours_and_a_leader_over_its_persona(
    memory_store: Store, tmp_path: Path
) -> None:
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "FRANCE.md").write_text("You are a poet.")
    async with at_the_table(memory_store) as (server, master):
        leaders = {"ITALY": RENARD | {"power": "ITALY"}}
        await master.run(await master.begin(seats(server, prompts=str(tmp_path), leaders=leaders, rounds=1)))
        assert "You are a poet." in texts_to(server, "france")
        assert "You are a poet." not in texts_to(server, "italy")
        assert "You are Marguerite Renard. A banker's daughter" in texts_to(server, "italy")
        assert "Renard" not in texts_to(server, "france")


async def test_a_folder_that_is_not_there_is_told_before_the_game_begins(memory_store: Store) -> None:
    async with at_the_table(memory_store) as (server, master):
        with pytest.raises(SettingsError, match="/no/such/folder"):
            await master.begin(seats(server, prompts="/no/such/folder"))
        assert await memory_store.library.games() == []


async def test_a_round_in_which_nobody_writes_ends_the_talk(memory_store: Store) -> None:
    def speak_once(bundle: Bundle) -> list[Action]:
        return [say("ITALY", "hello")] if bundle.round == 1 else []

    cast = Cast(scripts={"brief": speak_once})
    master = GameMaster(memory_store, cast)
    for until_silent, rounds in ((True, {1, 2}), (False, {1, 2, 3, 4, 5})):
        cast.seen.clear()
        settings = GameSettings(everyone="brief", rounds=5, max_year=1901, until_silent=until_silent)
        await master.run(await master.begin(settings))
        assert {bundle.round for bundle in cast.seen if not bundle.wants_orders} == rounds


async def test_people_who_write_keep_the_talk_going(memory_store: Store) -> None:
    master = GameMaster(memory_store, Cast())
    settings = GameSettings(
        everyone="hold", seats={"FRANCE": "human"}, rounds=3, max_year=1901, until_silent=True
    )
    standing = await master.run(await master.begin(settings))
    heard: list[tuple[str, int]] = []
    while standing.pending and standing.pending[0].phase == "S1901M":
        seat = standing.pending[0]
        heard.append((seat.ask, seat.round))
        words: JsonValue = {"messages": [{"to": "ITALY", "text": "hello"}] if seat.round == 1 else []}
        orders: JsonValue = {"orders": []}
        standing = await master.answer(standing.game, {seat: words if seat.ask == "talk" else orders})
    assert heard == [("talk", 1), ("talk", 2), ("orders", 0)]


@pytest.mark.parametrize("on_failure", ["pause", "dumbbot"])
async def test_a_key_that_is_missing_when_a_game_goes_on_pauses_it_and_nobody_stands_in(
    memory_store: Store, on_failure: str
) -> None:
    """It is whoever runs the game who has to do something, not a provider."""
    async with mock_server() as server, Connections() as connections:
        model, seat_models = f"openai:mock@{server.url}", {"FRANCE": {"key_variable": "MY_KEY"}}
        values = {
            "everyone": "hold",
            "seats": {"FRANCE": model, "ITALY": "human"},
            "seat_models": seat_models,
            "max_year": 1901,
        }
        settings = GameSettings.model_validate({**values, "rounds": 1, "on_failure": on_failure})
        master = GameMaster(memory_store, Seating(connections, {"MY_KEY": "x"}))
        game = await master.begin(settings)
        (asked,) = (await master.run(game)).pending
        with pytest.raises(PlayerError, match="variable MY_KEY, which is not set; nothing was sent"):
            await GameMaster(memory_store, Seating(connections, {})).answer(game, {asked: {}})
        assert len(server.requests) == 1
        assert (await memory_store.library.summary(game)).status == "paused"
