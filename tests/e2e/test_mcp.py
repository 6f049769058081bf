"""A person's seat over MCP: played by the SDK's own client, refused what it may not, and told nothing of another's."""

import asyncio
import importlib.util
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from checkpoints.store import Store, open_store
from entente import __version__
from entente.errors import SettingsError
from entente.games.mcp_server import mcp_server
from entente.games.runner import GameMaster, RunEnd
from entente.games.sitting import Sitting
from entente.players.record import TurnRecord
from entente.players.seating import PlayerFactory
from graph.context import GameSettings
from tests.support.canaries import CANARY, OF_FLOOR, a_cast, foreign
from tests.support.patience import PATIENCE
from tests.support.terminal import entente

EXAMPLE = Path(__file__).parents[2] / "examples" / "mcp_bot.py"
TOOLS = {"wait_for_event", "board_state", "my_possible_orders", "send_press", "submit_orders"}


class Seat:
    """A seat's tools, and all that they have told."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.told: list[str] = []

    async def __call__(self, tool: str, **given: object) -> dict[str, Any]:
        result = await asyncio.wait_for(self.client.call_tool(tool, given), PATIENCE)
        self.told.append(result.model_dump_json())
        if result.is_error:
            return {"why": "".join(getattr(part, "text", "") for part in result.content)}
        return result.structured_content or {}


@asynccontextmanager
async def seated(
    store: Store, power: str, players: PlayerFactory | None = None, **settings: object
) -> AsyncGenerator[tuple[Seat, GameMaster, str]]:
    values = {"seats": {power: "human"}, "everyone": "hold", "max_year": 1901} | settings
    master = GameMaster(store, players)
    game = await master.begin(GameSettings.model_validate(values))
    await master.run(game)
    sitting = await Sitting.at(store, master, game, power)
    async with Client(mcp_server(sitting)) as client:
        yield Seat(client), master, game
    await sitting.aclose()


@pytest.mark.parametrize("floor", ["rounds", "conductor"])
def test_the_example_plays_a_year_over_stdio(tmp_path: Path, floor: str) -> None:
    store = str(tmp_path / "games")
    rounds = ("--rounds", "1") if floor == "rounds" else ()
    options = ("--floor", floor, *rounds, "--all", "hold", "--seat", "FRANCE=human", "--max-year", "1901")
    assert entente("play", *options, "--store", store).code == 6
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), game_in(store), "FRANCE", "--store", store],
        capture_output=True,
        text=True,
        timeout=PATIENCE * 2,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    log = entente("log", game_in(store), "--store", store).out
    assert log.count("Peace?") == 12
    assert asyncio.run(stand(store)) is RunEnd.FINISHED


def game_in(location: str) -> str:
    async def found() -> str:
        async with open_store(location) as store:
            return await store.library.newest() or ""

    return asyncio.run(found())


async def stand(location: str) -> RunEnd:
    async with open_store(location) as store:
        return (await GameMaster(store).look(await store.library.newest() or "")).end


async def test_a_round_is_sent_as_a_whole_and_what_cannot_be_used_is_refused(memory_store: Store) -> None:
    async with seated(memory_store, "FRANCE", rounds=1) as (ask, _, game):
        assert {tool.name for tool in (await ask.client.list_tools()).tools} == TOOLS
        event = await ask("wait_for_event")
        assert (event["phase"], event["wants"]) == ("S1901M", ["press"])
        assert (
            "nothing of it was taken"
            in (await ask("submit_orders", phase="S1901M", orders=["A PAR H"]))["why"]
        )
        assert (
            "nothing of it was taken"
            in (await ask("send_press", phase="F1901M", to="ITALY", text="late"))["why"]
        )
        assert "why" in await ask("send_press", phase="S1901M", to="FRANCE", text="me")
        sent = await ask("send_press", phase="S1901M", to="ITALY", text="hello")
        assert sent["to"] == "ITALY"
        event = await ask("wait_for_event")
        assert (event["phase"], event["wants"]) == ("S1901M", ["orders"])
        refused = await ask("submit_orders", phase="S1901M", orders=["A MUN - BUR", "A PAR H"])
        assert (refused["is_taken"], refused["lines"][0]["verdict"]) == (False, "rejected")
        assert (await ask("submit_orders", phase="S1901M", orders=["A PAR - BUR"]))["is_taken"]
        assert "nothing of it was taken" in (await ask("submit_orders", phase="S1901M", orders=[]))["why"]
        event = await ask("wait_for_event")
        assert (event["phase"], event["last_phase"]) == ("F1901M", "S1901M")
        page = await memory_store.journal.records_after(game, 0)
        turns = [record for record in page.records if isinstance(record, TurnRecord)]
        assert [m.content for turn in turns for m in turn.messages] == ["hello"]


REFUSED: list[tuple[str, dict[str, object], str]] = [
    (
        "send_press",
        {"phase": "S1901M", "to": "ITALY", "text": "hello", "power": "GERMANY"},
        "send_press takes the fields phase, to, text and 'power' came; nothing was done.",
    ),
    (
        "board_state",
        {"power": "GERMANY"},
        "board_state takes no fields and 'power' came; nothing was done.",
    ),
    (
        "wait_for_event",
        {"seconds": 601},
        "wait_for_event cannot take its field 'seconds' (Input should be less than or equal to 600); nothing was done.",
    ),
    (
        "send_press",
        {"phase": "S1901M"},
        "send_press cannot take its field 'to' (Field required); nothing was done.",
    ),
]


async def test_a_call_with_a_field_that_the_tool_has_not_is_refused_with_a_sentence(
    memory_store: Store,
) -> None:
    async with seated(memory_store, "FRANCE", rounds=1) as (ask, _, _):
        await ask("wait_for_event")
        for tool, given, why in REFUSED:
            assert (await ask(tool, **given))["why"] == why
        assert (await ask("board_state"))["to_be_sent"] == []
        for tool in (await ask.client.list_tools()).tools:
            assert tool.input_schema["additionalProperties"] is False, tool.name


async def test_the_server_says_what_it_is(memory_store: Store) -> None:
    async with seated(memory_store, "FRANCE", rounds=1) as (ask, _, _):
        told = ask.client.server_info
        assert told
        assert (told.name, told.version) == ("entente", __version__)


async def test_what_was_written_in_a_round_outlives_the_server(memory_store: Store) -> None:
    """Nothing of the first sitting is closed: it is as if its process had been killed."""
    async with seated(memory_store, "FRANCE", rounds=1) as (ask, master, game):
        await ask("wait_for_event")
        await ask("send_press", phase="S1901M", to="ITALY", text="hello")
        again = await Sitting.at(memory_store, master, game, "FRANCE")
        async with Client(mcp_server(again)) as client:
            anew = Seat(client)
            assert (await anew("wait_for_event"))["wants"] == ["press"]
            await anew("send_press", phase="S1901M", to="GERMANY", text="you too")
            written = (await anew("board_state"))["to_be_sent"]
            assert written == ["ITALY: hello", "GERMANY: you too"]
            event = await anew("wait_for_event")
            assert event["wants"] == ["orders"]
            view = await anew("board_state")
            assert [m["content"] for m in view["sent"]] == ["hello", "you too"]
            assert view["to_be_sent"] == []
        await again.aclose()


@pytest.mark.parametrize("floor", OF_FLOOR)
async def test_no_tool_tells_what_is_anothers(memory_store: Store, floor: str) -> None:
    settings = {"everyone": "openai:secretive", "floor": floor, **OF_FLOOR[floor]}
    async with seated(memory_store, "AUSTRIA", a_cast(), **settings) as (ask, _, _):
        first = await ask("wait_for_event", seconds=0)
        if floor == "rounds":
            assert first["press"] == []  # what others say in this round it reads when the round is over
        event = first
        while event["phase"] == "S1901M":
            await ask("board_state")
            await ask("my_possible_orders")
            if "press" in event["wants"] and event is first:
                await ask("send_press", phase="S1901M", to="ITALY", text="Who is your friend?")
            if "orders" in event["wants"]:
                await ask("submit_orders", phase="S1901M", orders=["A VIE H", "A BUD H", "F TRI H"])
            event = await ask("wait_for_event", seconds=5)
        told = "\n".join(ask.told)
    assert foreign(told, "AUSTRIA") == []
    assert CANARY.search(told)


async def test_only_a_persons_seat_can_be_sat_down_on(memory_store: Store) -> None:
    async with seated(memory_store, "FRANCE", rounds=1) as (_, master, game):
        with pytest.raises(SettingsError, match=r"^A person's seat was wanted and hold plays ITALY in game"):
            await Sitting.at(memory_store, master, game, "italy")


def test_without_the_extra_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", {"mcp": None}.get)
    ran = entente("mcp", "0c1a", "FRANCE")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "pip install 'entente[mcp]'. Nothing was started." in ran.err
