"""Proxies that the environment names are used, as every HTTP program does."""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import pytest

from entente.errors import ProviderUnavailable
from entente.models.client import Connections
from entente.models.mock.server import mock_server
from tests.models.support import HandClock, ask, model_at

VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "OPENAI_PROXY")


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the machine of the test is set to."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@dataclass
class Proxy:
    """A proxy on the loopback that reads the head of each request, and passes plain HTTP on to one server."""

    to: int = 0
    """The server's port; 0 refuses all."""
    address: str = ""
    heads: list[str] = field(default_factory=list[str])

    @asynccontextmanager
    async def serve(self) -> AsyncGenerator["Proxy"]:
        """At `address` until the block ends."""
        async with await asyncio.start_server(self._take, "127.0.0.1", 0) as server:
            self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            yield self

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            self.heads.append(head.decode().splitlines()[0])
            if self.to:
                await self._pass_on(head, reader, writer)
            else:
                writer.write(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n")
        writer.close()

    async def _pass_on(self, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self.to)
        # As every proxy does, it names the path alone; the server is one that answers to names of this machine.
        head = re.sub(rb" http://[^/ ]*", b" ", head, count=1)
        back.write(re.sub(rb"\r\nhost: [^\r]*", b"\r\nhost: localhost", head, flags=re.IGNORECASE))
        await asyncio.gather(_pump(reader, back), _pump(there, writer))


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
    writer.close()


async def test_plain_http_goes_through_http_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    async with (
        mock_server() as server,
        Proxy(to=int(server.url.rsplit(":")[-1].split("/")[0])).serve() as proxy,
    ):
        monkeypatch.setenv("HTTP_PROXY", proxy.address)
        async with Connections() as connections:
            url = "http://model.invalid:9999/v1"
            assert (await model_at(url, connections).complete(ask())).tool_calls
    assert proxy.heads == ["POST http://model.invalid:9999/v1/chat/completions HTTP/1.1"]
    assert len(server.requests) == 1


@pytest.mark.parametrize("variable", ["HTTPS_PROXY", "ALL_PROXY"])
async def test_https_goes_through_a_tunnel_of_the_proxy(
    variable: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with Proxy().serve() as proxy, Connections(HandClock()) as connections:
        monkeypatch.setenv(variable, proxy.address)
        with pytest.raises(ProviderUnavailable):
            await model_at("https://model.invalid:9999/v1", connections, max_attempts=1).complete(ask())
    assert proxy.heads == ["CONNECT model.invalid:9999 HTTP/1.1"]
    assert caplog.records == []  # langchain-openai warns where it would pass a proxy by


async def test_a_host_in_no_proxy_is_called_directly(monkeypatch: pytest.MonkeyPatch) -> None:
    async with mock_server() as server, Proxy().serve() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.address)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        async with Connections() as connections:
            await model_at(server.url, connections).complete(ask())
    assert (proxy.heads, len(server.requests)) == ([], 1)


async def test_a_proxy_for_openai_alone_is_none_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_PROXY", "http://127.0.0.1:1")
    async with mock_server() as server, Connections() as connections:
        await model_at(server.url, connections).complete(ask())
    assert len(server.requests) == 1
