"""Programs at a person's seat over the page's server, by WebSocket and by MCP.

They are refused what they may not, told nothing of another's, and nothing is lost or told twice.
"""

import asyncio
import json
import logging
import sys
import threading
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from pydantic import JsonValue
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Opcode

from checkpoints.drafts import SeatDraft
from checkpoints.links import NewLink
from checkpoints.store import Store, open_store
from entente import loopback
from entente.floors.answers import MOST_NAMES, Checked, check
from entente.floors.seat_view import SeatView
from entente.games.drafts import keep_draft
from entente.games.runner import GameMaster, RunEnd
from entente.players.seat_protocol import ANSWERS
from entente.web.guests import MOST_SOCKETS
from graph.context import GameSettings
from tests.support.canaries import CANARY, OF_FLOOR, a_cast, foreign, send_early
from tests.support.patience import PATIENCE
from tests.support.players import Cast
from tests.web.served import Page, served

EXAMPLES = Path(__file__).parents[2] / "examples"
SDK = "entente.games.mcp_server"
"""What loads the SDK of MCP."""


class Socket:
    """A program's connection, and all that it was told."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.told: list[str] = []

    async def __call__(self, do: str, **request: object) -> dict[str, Any]:
        await self.connection.send(json.dumps({"do": do, **request}))
        self.told.append(str(await asyncio.wait_for(self.connection.recv(), PATIENCE)))
        return json.loads(self.told[-1])

    async def close_code(self) -> int:
        """The code with which the server ends it."""
        async with asyncio.timeout(PATIENCE):
            self.told += [str(message) async for message in _until_closed(self.connection)]
        assert self.connection.close_code is not None
        return self.connection.close_code


async def _until_closed(connection: ClientConnection) -> AsyncGenerator[str | bytes]:
    with suppress(ConnectionClosed):
        while True:
            yield await connection.recv()


@asynccontextmanager
async def connected(page: Page, link: NewLink, **headers: str) -> AsyncGenerator[Socket]:
    address = f"{page.address.replace('http', 'ws')}/at/{link.link.id}/socket"
    given = {"Authorization": f"Bearer {link.token}"} | headers
    async with connect(address, additional_headers=given) as connection:
        yield Socket(connection)


@asynccontextmanager
async def tools(page: Page, link: NewLink, token: str | None = None) -> AsyncGenerator[Client]:
    headers = {"Authorization": f"Bearer {link.token if token is None else token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE, verify=False) as http:
        carrier = streamable_http_client(f"{page.address}/at/{link.link.id}/mcp", http_client=http)
        async with Client(carrier) as client:
            yield client


async def begun(store: Store, cast: Cast | None = None, **settings: object) -> str:
    usual = {"seats": {"FRANCE": "human"}, "everyone": "hold", "max_year": 1901}
    values = usual | ({} if "floor" in settings else {"rounds": 1}) | settings
    master = GameMaster(store, cast)
    return (await master.run(await master.begin(GameSettings.model_validate(values)))).game


@pytest.mark.parametrize(("example", "scheme"), [("websocket_bot.py", "ws"), ("mcp_bot.py", "http")])
async def test_the_example_plays_a_year(memory_store: Store, example: str, scheme: str) -> None:
    game = await begun(memory_store)
    async with served(memory_store) as page:
        link = await page.link(game, "FRANCE")
        address = f"{page.address.replace('http', scheme, 1)}/at/{link.link.id}"
        bot = await asyncio.create_subprocess_exec(
            sys.executable, str(EXAMPLES / example), address, link.token, stderr=asyncio.subprocess.PIPE
        )
        _, errors = await asyncio.wait_for(bot.communicate(), PATIENCE)
        assert (bot.returncode, errors) == (0, b"")
    assert (await GameMaster(memory_store).look(game)).end is RunEnd.FINISHED
    segments = [segment.id for segment in await memory_store.journal.segments(game)]
    turns = await memory_store.journal.turns(game, segments)
    assert [m.sender for turn in turns for m in turn.messages] == ["FRANCE"] * 12


async def test_who_may_not_sit_there_is_refused(memory_store: Store) -> None:
    game = await begun(memory_store, seats={"FRANCE": "human", "ITALY": "human"})
    async with served(memory_store) as page:
        france, italy, onlooker, scripted = [
            await page.link(game, reader) for reader in ("FRANCE", "ITALY", "PUBLIC", "GERMANY")
        ]
        expired = await page.link(game, "FRANCE", seconds=-1)
        origin = {"Origin": "https://evil.example"}
        for link, headers, status in [
            (france, {"Authorization": f"Bearer {italy.token}"}, 401),
            (france, {"Authorization": f"Basic {france.token}"}, 401),
            (france, {"Authorization": "Bearer"}, 401),
            (france, {"Authorization": f"Bearer {france.link.digest}"}, 401),
            (expired, {}, 401),
            (onlooker, {}, 403),
            (scripted, {}, 422),
            (france, origin, 403),
        ]:
            with pytest.raises(InvalidStatus) as refused:
                async with connected(page, link, **headers):
                    pass
            assert refused.value.response.status_code == status, headers
            given = {"Authorization": f"Bearer {link.token}"} | headers
            async with httpx2.AsyncClient(headers=given, verify=False, timeout=PATIENCE) as http:
                answered = await http.post(f"{page.address}/at/{link.link.id}/mcp", json={})
            assert answered.status_code == status, headers
            assert italy.token not in answered.text
        held = [connected(page, france) for _ in range(MOST_SOCKETS)]
        for each in held:
            await each.__aenter__()
        with pytest.raises(InvalidStatus, match="429"):
            async with connected(page, france):
                pass
        for each in held:
            await each.__aexit__(None, None, None)
        async with page.visit(game, "FRANCE") as visit:
            name = f"entente_{visit.made.link.id}"
            cookie = {"Cookie": f"{name}={visit.client.cookies[name]}", "Origin": page.address}
            address = f"{page.address.replace('http', 'ws')}/at/{visit.made.link.id}/socket"
            async with connect(address, additional_headers=cookie) as connection:
                assert (await Socket(connection)("board_state"))["power"] == "FRANCE"


async def test_a_program_that_comes_back_misses_nothing_and_hears_nothing_twice(tmp_path: Path) -> None:
    """Its press of a round outlives the server too, which nobody closed."""
    location = str(tmp_path / "games")
    heard: list[str] = []
    async with open_store(location) as store:
        game = await begun(store, everyone="diplomat", seed=1)
        async with served(store) as page:
            link = await page.link(game, "FRANCE")
            async with connected(page, link) as ask:
                event = await ask("wait_for_event")
                assert (await ask("send_press", phase="S1901M", to="ITALY", text="hello\nyou"))[
                    "to"
                ] == "ITALY"
    async with open_store(location) as store, served(store) as page:
        async with connected(page, link) as ask:
            assert (await ask("board_state"))["to_be_sent"] == ["ITALY: hello\nyou"]
            again = await ask("wait_for_event", after=event["cursor"])
            assert (again["phase"], again["wants"], again["press"]) == ("S1901M", ["press"], [])
        while not event["is_over"]:
            async with connected(page, link) as ask:  # a new connection for each event
                event = await ask("wait_for_event", after=event["cursor"])
                heard += [message["id"] for message in event["press"]]
                if "press" in event["wants"]:
                    event = await ask("wait_for_event", after=event["cursor"])
                    heard += [message["id"] for message in event["press"]]
                if "orders" in event["wants"]:
                    assert (await ask("submit_orders", phase=event["phase"], orders=[]))["is_taken"]
        segments = [segment.id for segment in await store.journal.segments(game)]
        written = [m for turn in await store.journal.turns(game, segments) for m in turn.messages]
        assert [m.content for m in written if m.sender == "FRANCE"] == ["hello\nyou"]
        to_france = sorted(
            m.id for m in written if m.sender != "FRANCE" and m.recipient in ("FRANCE", "BROADCAST")
        )
        assert sorted(heard) == to_france
        assert len(heard) == 3


async def test_a_draft_with_thousands_of_names_is_looked_through_for_a_few(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0

    def counted(view: SeatView, value: JsonValue) -> Checked:
        nonlocal looks
        looks += 1
        return check(view, value)

    monkeypatch.setattr("entente.games.sitting.check", counted)
    game = await begun(memory_store)
    lines = (f"ITALY,{'ENGLAND,' * 6000}TURKEY: hi", "ITALY, TURKEY: hello")
    await keep_draft(memory_store, game, "FRANCE", "S1901M", SeatDraft(messages=lines))
    async with served(memory_store) as page:
        link = await page.link(game, "FRANCE")
        async with connected(page, link) as ask:
            written = (await ask("board_state"))["to_be_sent"]
    assert written[1] == "ITALY, TURKEY: hello"
    assert looks <= 2 * (MOST_NAMES + 1)


async def test_a_seat_is_not_told_who_plays_another_and_how_it_failed(memory_store: Store) -> None:
    cast = Cast()
    game = await begun(memory_store, cast, floor="gunboat")
    async with served(memory_store, cast) as page:
        link = await page.link(game, "FRANCE")
        cast.failing |= {"GERMANY"}
        async with connected(page, link) as ask:
            event = await ask("wait_for_event")
            await ask("submit_orders", phase=event["phase"], orders=[])
            refused = await ask("wait_for_event", after=event["cursor"])
            while refused["answer"] == "event" and not refused["is_over"]:
                refused = await ask("wait_for_event", after=refused["cursor"])
        assert refused["why"].startswith(f"Game {game} is paused, since a player failed;")
        assert "GERMANY" not in refused["why"]


@pytest.mark.parametrize("floor", OF_FLOOR)
async def test_no_answer_tells_what_is_anothers_and_none_comes_once_the_link_is_revoked(
    memory_store: Store, floor: str
) -> None:
    cast = a_cast()
    settings = {"seats": {"AUSTRIA": "human"}, "everyone": "openai:secretive", "floor": floor}
    game = await begun(memory_store, cast, **settings | OF_FLOOR[floor])
    await keep_draft(memory_store, game, "FRANCE", "S1901M", SeatDraft(begun="canary-FRANCE-draft"))
    async with served(memory_store, cast) as page:
        link = await page.link(game, "AUSTRIA")
        async with connected(page, link) as ask, tools(page, link) as client:
            event = await ask("wait_for_event")
            await send_early(memory_store, game, "S1901M")
            while event["phase"] == "S1901M":
                await ask("board_state")
                await ask("my_possible_orders")
                if "press" in event["wants"] and floor == "rounds":
                    await ask("send_press", phase="S1901M", to="ITALY", text="Who is your friend?")
                    await ask("send_press", phase="S1901M", to="NOBODY", text="Who are you?")
                if "orders" in event["wants"]:
                    await ask("submit_orders", phase="S1901M", orders=["A VIE H", "A BUD H", "F TRI H"])
                event = await ask("wait_for_event", after=event["cursor"])
            called = {
                name: (await client.call_tool(name, given)).model_dump_json() for name, given in GIVEN.items()
            }
            assert {tool.name for tool in (await client.list_tools()).tools} == {*GIVEN}
            told = "\n".join([*ask.told, *called.values()])
            assert foreign(told, "AUSTRIA") == []
            assert CANARY.search(told)
            kinds = {ANSWERS.validate_json(each).answer for each in ask.told}
            assert kinds >= {"event", "board_state", "my_possible_orders", "orders_read"}
            await memory_store.links.revoke(link.link.id)
            await ask.connection.send('{"do": "board_state"}')
            count = len(ask.told)
            assert (await ask.close_code(), len(ask.told)) == (1008, count)
            for name, given in GIVEN.items():
                with pytest.raises(MCPError, match="Server returned an error response"):
                    await client.call_tool(name, given)
            headers = {"Authorization": f"Bearer {link.token}"}
            async with httpx2.AsyncClient(headers=headers, verify=False, timeout=PATIENCE) as http:
                answered = await http.post(f"{page.address}/at/{link.link.id}/mcp", json={})
            assert answered.status_code == 401


GIVEN: dict[str, dict[str, Any]] = {
    "board_state": {},
    "my_possible_orders": {},
    "send_press": {"phase": "S1901M", "to": "ITALY", "text": "late"},
    "submit_orders": {"phase": "S1901M", "orders": ["A MUN - BUR"]},
    "wait_for_event": {"seconds": 0, "after": "S1901M/"},
}
"""Every tool, and what it is called with."""


def never_answers_pings(connection: ClientConnection) -> None:
    """From now on, as one whose machine was switched off: it neither leaves nor says that it lives."""
    protocol, send = connection.protocol, connection.protocol.send_frame
    protocol.send_frame = lambda frame: None if frame.opcode is Opcode.PONG else send(frame)


async def test_a_program_that_is_silent_for_too_long_loses_its_connection(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loopback, "HEARTBEAT_SECONDS", 0.6)
    game = await begun(memory_store)
    async with served(memory_store) as page, AsyncExitStack() as connections:
        link = await page.link(game, "FRANCE")
        silent = [await connections.enter_async_context(connected(page, link)) for _ in range(MOST_SOCKETS)]
        for each in silent:
            never_answers_pings(each.connection)
        assert [await each.close_code() for each in silent] == [1011] * MOST_SOCKETS
        async with connected(page, link) as ask:  # there is room for who lives
            assert (await ask("board_state"))["power"] == "FRANCE"


async def test_a_revoked_link_ends_what_waits_by_it_at_once(
    shared_location: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where another process revokes it; nothing of the game is committed that would wake anybody."""
    monkeypatch.setattr(
        "entente.web.guests.BEAT_SECONDS", 3600
    )  # who looks then for what is over looks too late
    async with open_store(shared_location) as store, open_store(shared_location) as elsewhere:
        game = await begun(store, seats={"FRANCE": "human", "ITALY": "human"})
        async with served(store) as page:
            links = [await page.link(game, "FRANCE") for _ in range(2)]
            async with connected(page, links[0]) as ask, tools(page, links[1]) as client:
                await ask("board_state")
                await client.call_tool("wait_for_event", {})
                sent = await store.journal.newest()
                waiting = asyncio.create_task(client.call_tool("wait_for_event", {"seconds": 600}))
                await store.journal.wait_after(game, sent)  # its round is sent: now it waits for ITALY's
                for link in links:
                    await elsewhere.links.revoke(link.link.id)
                refused = await waiting
                assert refused.is_error
                assert "The link was revoked or has expired; nothing more is told." in str(refused.content)
                assert await ask.close_code() == 1008


async def test_who_comes_first_over_mcp_keeps_nobody_waiting_while_the_sdk_is_loaded(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded_by = list[threading.Thread]()

    class Noting(MetaPathFinder):
        def find_spec(self, fullname: str, path: object, target: object = None) -> None:
            if fullname == SDK:
                loaded_by.append(threading.current_thread())

    monkeypatch.delitem(sys.modules, SDK, raising=False)
    monkeypatch.setattr(sys, "meta_path", [Noting(), *sys.meta_path])
    game = await begun(memory_store)
    async with served(memory_store) as page, tools(page, await page.link(game, "FRANCE")) as client:
        assert (await client.list_tools()).tools
    assert loaded_by
    assert threading.main_thread() not in loaded_by


async def test_who_comes_over_mcp_ends_no_warnings_of_the_server(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = logging.getLogger()
    monkeypatch.setattr(root, "level", root.level)
    monkeypatch.setattr(root, "handlers", [])  # as in a server's process
    game = await begun(memory_store)
    async with served(memory_store) as page, tools(page, await page.link(game, "FRANCE")) as client:
        assert (await client.list_tools()).tools
    assert root.handlers == []
    assert logging.getLogger("entente").isEnabledFor(logging.WARNING)
