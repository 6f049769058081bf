"""Programs that lie to their seat over the page's server: each lie ends the same, by WebSocket and by MCP.

The lies are those of programs in processes of their own (`tests/e2e/test_outside.py`).
"""

import asyncio
import json
import logging
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import httpx2
import pytest
from mcp import Client, MCPError
from websockets.exceptions import ConnectionClosed, InvalidStatus

from checkpoints.links import NewLink
from checkpoints.store import Store
from entente.web.door import MOST_BYTES
from entente.web.guests import MOST_CALLS, MOST_SOCKETS
from tests.e2e.test_outside import FAULTS
from tests.support.patience import PATIENCE, until
from tests.web.served import Page, served
from tests.web.test_programs import begun, connected, tools

LIES: dict[str, tuple[str, dict[str, object], str]] = {
    "asks for what there is not": ("adjudicate", {}, "Unknown tool: adjudicate"),
    "answers": (
        "orders_read",
        {"is_taken": True, "lines": []},
        "Unknown tool: orders_read",
    ),
    "orders for another": (
        "submit_orders",
        {"phase": "S1901M", "power": "GERMANY", "orders": ["A MUN - BUR"]},
        "submit_orders takes the fields phase, orders and 'power' came; nothing was done.",
    ),
    "writes for another": (
        "send_press",
        {"phase": "S1901M", "sender": "GERMANY", "to": "ITALY", "text": "I am Germany"},
        "send_press takes the fields phase, to, text and 'sender' came; nothing was done.",
    ),
    "waits for another": (
        "wait_for_event",
        {"power": "GERMANY"},
        "wait_for_event takes the fields seconds, after and 'power' came; nothing was done.",
    ),
    "looks for another": (
        "board_state",
        {"power": "GERMANY"},
        "board_state takes no fields and 'power' came; nothing was done.",
    ),
}
"""What is no request of the protocol, and what is told of it over MCP; a WebSocket ends."""
UNTIMELY: dict[str, tuple[str, dict[str, object]]] = {
    "acts for a phase that is over": ("send_press", {"phase": "F1900M", "to": "ITALY", "text": "late"}),
    "acts for a phase to come": ("submit_orders", {"phase": "S1902M", "orders": ["A PAR - BUR"]}),
}
"""Requests of the protocol that cannot be met."""
RAW: dict[str, tuple[str | bytes, int, int]] = {
    "sends garbage": ("A PAR - BUR", 1008, 400),
    "sends bytes": (bytes(range(128, 250)), 1008, 400),
    "sends half a line": ('{"do": ', 1008, 400),
    "sends what is nested deep": ("[" * 60_000, 1008, 400),
    "floods with lines": ("\n" * 65_536, 1008, 400),
    "floods with one line": ("a" * (MOST_BYTES + 1), 1009, 413),
}
"""What is sent as it is, the code with which a WebSocket ends, and the status of an HTTP answer."""
FLOODS = {"floods with requests", "reads nothing"}
"""By WebSocket, what is not read: `test_slow.py`. Over MCP an answer that nobody reads is one HTTP answer."""
OF_A_PROCESS = {
    "dies",
    "is killed",
    "hangs",
    "hangs with its output closed",
    "dies and leaves a child that hangs",
    "leaves a child that nobody can find",
    "floods without end",
}
"""Who comes over a network and does so is away: its seat waits for it, as for a person."""


def test_each_lie_of_a_program_in_a_process_is_told_here_too() -> None:
    told = {*LIES, *UNTIMELY, *RAW, *FLOODS, *OF_A_PROCESS}
    assert told - {*FAULTS} == {"looks for another"}
    assert {*FAULTS} - told == set()


async def test_lies_over_a_websocket_end_it_and_do_nothing(memory_store: Store) -> None:
    game = await begun(memory_store)
    async with served(memory_store) as page:
        link = await page.link(game, "FRANCE")
        before = await memory_store.journal.newest()
        sent = {name: (json.dumps({"do": do, **fields}), 1008) for name, (do, fields, _) in LIES.items()}
        sent |= {name: (raw, code) for name, (raw, code, _) in RAW.items()}
        for name, (raw, code) in sent.items():
            async with connected(page, link) as ask:
                await ask.connection.send(raw)
                assert await ask.close_code() == code, name
        async with connected(page, link) as ask:
            for name, (do, fields) in UNTIMELY.items():
                assert "nothing of it was taken" in (await ask(do, **fields))["why"], name
        async with connected(page, link) as ask:
            with suppress(ConnectionClosed):
                for _ in range(2000):
                    await ask.connection.send('{"do": "my_possible_orders"}')
            assert await ask.close_code() == 1008
        assert await memory_store.journal.newest() == before


async def test_lies_over_mcp_are_refused_and_do_nothing(memory_store: Store) -> None:
    game = await begun(memory_store)
    async with served(memory_store) as page:
        link = await page.link(game, "FRANCE")
        before = await memory_store.journal.newest()
        async with tools(page, link) as client:
            for name, (tool, fields, why) in LIES.items():
                assert why in await told(client, tool, fields), name
            for name, (tool, fields) in UNTIMELY.items():
                assert "nothing of it was taken" in await told(client, tool, fields), name
            view = (await client.call_tool("board_state", {})).structured_content
            assert view is not None
            assert view["to_be_sent"] == []
        async with at_tools(link) as http:
            at = f"{page.address}/at/{link.link.id}/mcp"
            for name, (raw, _, status) in RAW.items():
                assert (await http.post(at, content=raw)).status_code == status, name
        assert await memory_store.journal.newest() == before


async def test_what_a_websocket_is_refused_for_is_told(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("entente.web.door._REQUESTS_AT_ONCE", MOST_SOCKETS + 2.0)
    monkeypatch.setattr("entente.web.door._REQUESTS_PER_SECOND", 0.0)
    game = await begun(memory_store)
    async with served(memory_store) as page:
        link = await page.link(game, "FRANCE")
        async with connected(page, link) as ask:
            await ask.connection.send(b"\xff", text=True)
            assert await ask.close_code() == 1007
        async with AsyncExitStack() as connections:
            for _ in range(MOST_SOCKETS):
                await connections.enter_async_context(connected(page, link))
            for why in ("connections of a link were wanted", "Fewer requests were wanted"):
                with pytest.raises(InvalidStatus, match="429") as refused:
                    await connections.enter_async_context(connected(page, link))
                assert why in (refused.value.response.body or b"").decode()


async def test_nothing_is_logged_of_who_asks_for_what_he_may_not_have(
    memory_store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    game = await begun(memory_store)
    async with served(memory_store) as page:
        link = await page.link(game, "FRANCE")
        with pytest.raises(InvalidStatus, match="401"):
            async with connected(page, link, Authorization="Bearer x"):
                pass
        async with connected(page, link) as program:
            await program.connection.send(b"\xff", text=True)
            assert await program.close_code() == 1007
        port = int(page.address.rpartition(":")[2])
        for asked in (
            b"nothing\r\n\r\n",
            b"GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n",
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(asked)
            writer.write_eof()
            assert (await asyncio.wait_for(reader.read(), PATIENCE)).startswith(b"HTTP/1.1 4")
            writer.close()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_who_lies_and_leaves_at_once_is_no_error_of_the_servers(
    memory_store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """It was a traceback of 900 lines in the server's log, as often as anybody liked."""
    game = await begun(memory_store)
    async with served(memory_store) as page:
        link = await page.link(game, "FRANCE")
        for _ in range(2 * MOST_SOCKETS):
            async with connected(page, link) as program:
                await program.connection.send("A PAR - BUR")
                program.connection.transport.abort()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_floods_over_mcp_are_refused_and_nobody_else_is(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("entente.web.door._REQUESTS_AT_ONCE", 20.0)
    monkeypatch.setattr("entente.web.door._REQUESTS_PER_SECOND", 0.0)  # however slow this machine is
    game = await begun(memory_store, seats={"FRANCE": "human", "ITALY": "human"})
    async with served(memory_store) as page:
        links = [await page.link(game, power) for power in ("FRANCE", "ITALY")]
        before = await memory_store.journal.newest()
        async with at_tools(links[0]) as http:
            at = f"{page.address}/at/{links[0].link.id}/mcp"
            for _ in range(5):  # reads none of its answers
                async with http.stream("POST", at, json=CALL):
                    pass
            statuses = [(await http.post(at, json=CALL)).status_code for _ in range(20)]
            assert (statuses[0], statuses[-1]) == (200, 429)
        async with tools(page, links[1]) as client:
            assert (await client.call_tool("board_state", {})).structured_content
        assert await memory_store.journal.newest() == before


async def test_calls_that_wait_over_mcp_are_as_many_as_a_link_may_have(memory_store: Store) -> None:
    game = await begun(memory_store)
    wait = CALL | {"params": {"name": "wait_for_event", "arguments": {"seconds": 600}}}
    async with served(memory_store) as page, AsyncExitStack() as calls:
        link = await page.link(game, "FRANCE")
        http, at = await calls.enter_async_context(at_tools(link)), f"{page.address}/at/{link.link.id}/mcp"
        assert (await http.post(at, json=wait)).status_code == 200
        held = AsyncExitStack()
        for _ in range(MOST_CALLS):
            waiting = await held.enter_async_context(http.stream("POST", at, json=wait))
            assert waiting.status_code == 200
        refused = await http.post(at, json=CALL)
        assert (refused.status_code, "requests at /mcp of a link" in refused.text) == (429, True)
        await held.aclose()

        async def is_answered() -> bool:
            return (await http.post(at, json=CALL)).status_code == 200

        await until(is_answered)


async def test_an_agent_that_dies_or_hangs_over_mcp_is_away_and_its_seat_waits_for_it(
    memory_store: Store,
) -> None:
    """Each breaks off in the midst of a request; what it had written in the round is kept."""
    game = await begun(memory_store)
    async with served(memory_store) as page:
        link = await page.link(game, "FRANCE")
        async with tools(page, link) as client:
            await client.call_tool("wait_for_event", {})
            written = {"phase": "S1901M", "to": "ITALY", "text": "hello"}
            assert not (await client.call_tool("send_press", written)).is_error
        before = await memory_store.journal.newest()
        async with AsyncExitStack() as agents:
            for name in OF_A_PROCESS:
                agent = await agents.enter_async_context(half_a_call(page, link, FAULTS[name][0]))
                if "hangs" not in name:
                    async with asyncio.timeout(PATIENCE):
                        await agent.wait()
            async with tools(page, link) as client:
                view = (await client.call_tool("board_state", {})).structured_content
                assert view is not None
                assert view["to_be_sent"] == ["ITALY: hello"]
                assert await memory_store.journal.newest() == before
                event = (await client.call_tool("wait_for_event", {})).structured_content
                assert event is not None
                assert (event["phase"], event["wants"]) == ("S1901M", ["orders"])  # the game goes on with it


CALL: dict[str, object] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "board_state", "arguments": {}},
}


def at_tools(link: NewLink) -> httpx2.AsyncClient:
    """A client that speaks to a link's tools in raw HTTP."""
    headers = {"Authorization": f"Bearer {link.token}", "Content-Type": "application/json"}
    headers["Accept"] = "application/json, text/event-stream"
    return httpx2.AsyncClient(headers=headers, timeout=PATIENCE, verify=False)


AGENT = """
import os, socket, sys, time
connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
os.dup2(connection.fileno(), 1)
connection.close()
os.write(1, sys.stdin.buffer.read())
print("sent", file=sys.stderr, flush=True)
"""


@asynccontextmanager
async def half_a_call(page: Page, link: NewLink, does: str) -> AsyncGenerator[Process]:
    """An agent that sends half of a tool's call and then does this; its standard output is its connection."""
    head = [
        f"POST /at/{link.link.id}/mcp HTTP/1.1",
        "Host: 127.0.0.1",
        f"Authorization: Bearer {link.token}",
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        "Content-Length: 9999999",
    ]
    agent = await asyncio.create_subprocess_exec(
        *(sys.executable, "-S", "-c", AGENT + does, page.address.rpartition(":")[2]),
        stdin=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    assert agent.stdin is not None
    assert agent.stderr is not None
    try:
        agent.stdin.write("\r\n".join([*head, "", '{"jsonrpc": ']).encode())
        agent.stdin.close()
        assert await agent.stderr.readline() == b"sent\n"
        yield agent
    finally:
        with suppress(ProcessLookupError):
            os.killpg(agent.pid, signal.SIGKILL)
        await agent.stderr.read()  # to its end, or the pipe outlives the loop
        await agent.wait()


async def told(client: Client, tool: str, fields: dict[str, object]) -> str:
    """Why the tool refused."""
    try:
        answer = await client.call_tool(tool, fields)
    except MCPError as refused:
        return str(refused)
    assert answer.is_error
    return str(answer.content)
