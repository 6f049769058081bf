"""Who sends or reads too slowly costs the server little: he is refused, or cut off, and nobody else is."""

import asyncio
import logging
import re
import socket
import time
from asyncio import FIRST_COMPLETED
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from checkpoints.links import NewLink, key_of
from checkpoints.store import Store
from entente import connection, loopback
from entente.games.runner import GameMaster
from entente.games.sitting import Sitting
from entente.loopback import LOOPBACK, embedded
from entente.players.seating import players_of_process
from entente.web.access import Visitor
from entente.web.guests import Guests
from entente.web.house import House
from entente.web.stream import told
from entente.web.written import MOST_UNREAD
from graph.context import GameSettings
from tests.support.patience import PATIENCE
from tests.web.served import Visit, served

SECONDS = 0.4
"""What a client has for a head, a body, and to read."""
DROP_SECONDS = SECONDS / 10
SETTINGS = GameSettings(everyone="hold", seats={"FRANCE": "human"}, rounds=0, max_year=1901)
BOTS = SETTINGS.model_copy(update={"seats": {}, "max_year": 1903})


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("connection.HEAD_SECONDS", "connection.TAKING_SECONDS", "web.door.BODY_SECONDS"):
        monkeypatch.setattr(f"entente.{name}", SECONDS)


def _port(address: str) -> int:
    return int(address.rpartition(":")[2])


async def _answered(port: int, sent: bytes, drop: bytes) -> bytes:
    """All that is answered to this and then drop after drop, until the server closes."""
    reader, writer = await asyncio.open_connection(LOOPBACK, port)

    async def drops() -> None:
        writer.write(sent)
        while drop and not writer.is_closing():
            writer.write(drop)
            await asyncio.sleep(DROP_SECONDS)

    dropping = asyncio.create_task(drops())
    answer = b""
    try:
        async with asyncio.timeout(PATIENCE):
            while part := await reader.read(65536):
                answer += part
    except ConnectionError:  # since more was sent than the server read
        pass
    finally:
        dropping.cancel()
        await asyncio.gather(dropping, return_exceptions=True)
        writer.close()
    return answer


def _request(visit: Visit, line: str, *headers: str) -> bytes:
    cookies = "; ".join(f"{name}={value}" for name, value in visit.client.cookies.items())
    known = (f"Host: {LOOPBACK}", f"Cookie: {cookies}", f"X-CSRF-Token: {visit.csrf}")
    return "\r\n".join([f"{line} HTTP/1.1", *known, *headers, "", ""]).encode()


async def test_who_sends_drop_by_drop_is_refused_and_who_listens_stays(
    memory_store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "entente")
    master = GameMaster(memory_store)
    game = (await master.run(await master.begin(SETTINGS))).game
    async with served(memory_store) as page, page.visit(game, "FRANCE") as france:
        port, path = _port(page.address), france.at.removeprefix(page.address)
        body = ("Content-Type: application/json", "Content-Length: 1000")
        post = _request(france, f"POST {path}/orders", *body)
        unmeasured = _request(france, f"POST {path}/orders", body[0], "Transfer-Encoding: chunked")
        async with france.stream() as stream:
            await stream.until("view")
            for sent, drop, status in [
                (b"", b"", b"408 "),
                (b"GET ", b"/", b"408 "),
                (b"GET / HTTP/1.1\r\n", b"x: y\r\n", b"408 "),
                (b"GET / HTTP/1.1\r\nx: " + b"y" * 20_000, b"", b"400 "),
                (post, b" ", b"408 "),
                (unmeasured, b"1\r\n \r\n", b"408 "),
                (_request(france, f"GET {path}/me") + b"GET ", b"/", b"404 "),  # and then cut off
            ]:
                answer = await _answered(port, sent, drop)
                assert answer.startswith(b"HTTP/1.1 " + status), (sent[:40], answer)
            assert b"Nothing was done." in await _answered(port, post, b"")
            assert f"POST {path}/orders was refused with 408" in caplog.messages
            assert "A request whose head was late was refused with 408" in caplog.messages
            assert not any(LOOPBACK in told or france.csrf in told for told in caplog.messages)
            # All of that took much longer than anybody has who is slow.
            asked = (await france.get("/seat")).json()
            orders = ["A PAR - BUR", "A MAR H", "F BRE H"]
            assert (
                await france.post("/answer", {"question": asked["id"], "orders": orders})
            ).status_code == 204
            await stream.until_view(phase="F1901M")


async def test_who_does_not_read_is_cut_off() -> None:
    ended = asyncio.Event()

    async def endless(request: Request) -> StreamingResponse:
        async def parts() -> AsyncGenerator[bytes]:
            try:
                while True:
                    yield b"x" * MOST_UNREAD
                    await asyncio.sleep(0)
            finally:
                ended.set()

        return StreamingResponse(parts())

    application = Starlette(routes=[Route("/", endless)])
    async with embedded(application, asyncio.Event()) as address, asyncio.timeout(PATIENCE):
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.sock_connect(client, (LOOPBACK, _port(address)))
            await loop.sock_sendall(client, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await ended.wait()


async def test_a_program_that_never_reads_its_websocket_loses_it(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loopback, "HEARTBEAT_SECONDS", SECONDS)
    left, sit = asyncio.Event(), Guests.socket

    @asynccontextmanager
    async def noted(guests: Guests, who: Visitor) -> AsyncGenerator[Sitting]:
        async with sit(guests, who) as sitting:
            yield sitting
        left.set()

    monkeypatch.setattr(Guests, "socket", noted)
    master = GameMaster(memory_store)
    game = (await master.run(await master.begin(SETTINGS))).game
    async with served(memory_store) as page:
        link = await page.link(game, "FRANCE")
        address = f"{page.address.replace('http', 'ws')}/at/{link.link.id}/socket"
        given = {"Authorization": f"Bearer {link.token}"}
        async with connect(address, additional_headers=given) as connection:
            connection.transport.pause_reading()
            with suppress(ConnectionClosed):
                for _ in range(16):
                    await connection.send('{"do": "board_state"}')
            await asyncio.wait_for(left.wait(), PATIENCE)
            connection.transport.abort()


async def test_a_stream_writes_no_more_at_once_than_may_stay_unread_and_stops_with_its_link(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 2000
    monkeypatch.setattr("entente.web.written.MOST_UNREAD", most)
    master = GameMaster(memory_store)
    game = (await master.run(await master.begin(BOTS))).game
    here = House.over(memory_store, players_of_process())
    made = await memory_store.links.make(game, "PUBLIC", seconds=60)
    visitor = Visitor(made.link, key_of(made.token))
    parts = [part async for part in told(here, visitor, game, "")]
    numbers = [int(number) for part in parts for number in re.findall(rb"id: (\d+)-", part)]
    assert numbers == [*range(1, len(numbers) + 1)]
    sizes = [len(part.partition(b"event: view")[0]) for part in parts if part.count(b"id: ") > 1]
    assert most / 2 < max(sizes) <= most
    reading = told(here, visitor, game, "")
    await anext(reading)
    await memory_store.links.revoke(made.link.id)
    assert [part async for part in reading] == []
    await here.close()


UPGRADE = (
    "Upgrade: websocket",
    "Connection: Upgrade",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
)
CHUNKED = ("Content-Type: application/json", "Transfer-Encoding: chunked")
PING = b"\x89\xfd\0\0\0\0" + b"x" * 125
ENDLESS = {
    "pings": ("GET /at/{}/socket", UPGRADE, b"", PING),
    "pongs": ("GET /at/{}/socket", UPGRADE, b"", b"\x8a\x80\0\0\0\0"),
    "a message in pieces": ("GET /at/{}/socket", UPGRADE, b"\x01\x80\0\0\0\0", b"\0\x80\0\0\0\0"),
    "a body in chunks": ("POST /at/{}/enter", CHUNKED, b"", b"1\r\nx\r\n"),
}
"""A request, its headers, what is sent once and what is sent again and again."""


async def _endless(port: int, link: NewLink, what: str) -> None:
    """Send without end, and read nothing but the head of an answer that is wanted for it; raises ConnectionError."""
    asked, headers, once, always = ENDLESS[what]
    known = (f"Host: {LOOPBACK}", f"Authorization: Bearer {link.token}", *headers)
    head = "\r\n".join([f"{asked.format(link.link.id)} HTTP/1.1", *known, "", ""])
    loop = asyncio.get_running_loop()
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.setblocking(False)
        await loop.sock_connect(client, (LOOPBACK, port))
        await loop.sock_sendall(client, head.encode())
        if headers is UPGRADE:
            assert (await loop.sock_recv(client, 4096)).startswith(b"HTTP/1.1 101 ")
        await loop.sock_sendall(client, once)
        while True:
            await loop.sock_sendall(client, always * 1000)


@pytest.mark.parametrize("what", ENDLESS)
async def test_who_sends_without_end_takes_little_of_the_servers_time(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr("entente.connection.CREDIT_SECONDS", 0.0)
    monkeypatch.setattr("entente.connection.TAKING_SECONDS", PATIENCE)
    monkeypatch.setattr("entente.web.door.BODY_SECONDS", PATIENCE)
    took, has_read = list[float](), asyncio.Event()
    whose = WebSocketsSansIOProtocol if ENDLESS[what][1] is UPGRADE else H11Protocol
    take = whose.data_received

    def timed(each: Any, data: bytes) -> None:
        before = time.thread_time()
        take(each, data)
        took.append(time.thread_time() - before)
        if len(took) > 4:
            has_read.set()

    monkeypatch.setattr(whose, "data_received", timed)
    master = GameMaster(memory_store)
    game = (await master.run(await master.begin(SETTINGS))).game
    async with served(memory_store) as page, asyncio.timeout(PATIENCE):
        began, link = time.monotonic(), await page.link(game, "FRANCE")
        flood = asyncio.create_task(_endless(_port(page.address), link, what))
        await asyncio.wait([flood, asyncio.create_task(has_read.wait())], return_when=FIRST_COMPLETED)
        assert sum(took) < (time.monotonic() - began) / 5
        flood.cancel()
        await asyncio.gather(flood, return_exceptions=True)


async def test_a_program_that_reads_no_pongs_loses_its_websocket(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("entente.connection.REST", 0.0)
    master = GameMaster(memory_store)
    game = (await master.run(await master.begin(SETTINGS))).game
    async with served(memory_store) as page, asyncio.timeout(PATIENCE):
        link = await page.link(game, "FRANCE")
        with suppress(ConnectionError):
            await _endless(_port(page.address), link, "pings")


async def test_who_connects_without_end_and_asks_nothing_gives_way_to_who_asks(
    memory_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("connection.HEAD_SECONDS", "connection.TAKING_SECONDS"):
        monkeypatch.setattr(f"entente.{name}", PATIENCE)
    monkeypatch.setattr(connection, "most_connections", lambda: 4)
    master = GameMaster(memory_store)
    game = (await master.run(await master.begin(SETTINGS))).game
    async with served(memory_store) as page, page.visit(game, "FRANCE") as france, france.stream() as stream:
        silent = [await asyncio.open_connection(LOOPBACK, _port(page.address)) for _ in range(12)]
        await stream.until("view")
        async with asyncio.timeout(PATIENCE):
            for reader, _ in silent[:8]:
                with suppress(ConnectionError):
                    assert await reader.read() == b""
        assert (await france.get("/seat")).status_code == 200
        for _, writer in silent:
            writer.close()
