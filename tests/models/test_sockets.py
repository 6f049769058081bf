"""Connections over the loopback: what is sent when, what is read, TLS, and what a server does to them."""

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx2
import pytest

from entente.models.sockets import Connection, Network, Transport
from tests.support.patience import PATIENCE

LIMITS = httpx2.Limits(max_connections=4, max_keepalive_connections=4)
OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Server:
    """Answers every request with OK, and remembers in how many connections."""

    def __init__(self) -> None:
        self.connections = 0

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while await reader.readline():
            await reader.readuntil(b"\r\n\r\n")
            writer.write(OK)


@asynccontextmanager
async def served(handler: Handler, tls: ssl.SSLContext | None = None) -> AsyncGenerator[str]:
    handled: list[asyncio.Task[None]] = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            await handler(reader, writer)
            writer.close()
            await writer.wait_closed()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        handled.append(asyncio.create_task(handle(reader, writer)))

    async with await asyncio.start_server(accept, "localhost", 0, ssl=tls) as server:
        port = server.sockets[0].getsockname()[1]
        yield f"{'https' if tls else 'http'}://localhost:{port}/"
    await asyncio.gather(*handled)


def client(certificates: ssl.SSLContext | None = None) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=Transport(LIMITS, certificates))


async def test_a_connection_is_used_again() -> None:
    server = Server()
    async with served(server) as url, client() as http:
        assert [(await http.get(url)).text for _ in range(3)] == ["ok"] * 3
    assert server.connections == 1


async def test_a_connection_on_which_something_comes_unasked_is_no_longer_idle() -> None:
    ending = asyncio.Event()

    async def speak_and_end(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"unasked")
        await ending.wait()

    async with served(speak_and_end) as url:
        connection = await Network().connect_tcp("localhost", httpx2.URL(url).port or 0)
        await until_readable(connection)
        assert await connection.read(3) + await connection.read(9) == b"unasked"
        assert not connection.get_extra_info("is_readable")
        ending.set()
        await until_readable(connection)
        assert await connection.read(9) == b""
        await connection.aclose()


async def until_readable(connection: Connection) -> None:
    async with asyncio.timeout(PATIENCE):
        while not connection.get_extra_info("is_readable"):  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0)


async def test_requests_made_at_once_do_not_wait_for_each_other() -> None:
    steps: list[str] = []

    async def one(name: str, http: httpx2.AsyncClient, url: str) -> None:
        async def trace(event: str, _info: object) -> None:
            if event == "http11.receive_response_headers.started":
                steps.append(f"{name} sent")

        steps.append(f"{name} made")
        await http.get(url, extensions={"trace": trace})

    async with served(Server()) as url, client() as http:
        await asyncio.gather(http.get(url), http.get(url))
        await asyncio.gather(one("first", http, url), one("second", http, url))
    assert steps == ["first made", "first sent", "second made", "second sent"]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for localhost and its key, in one file."""
    if not (openssl := shutil.which("openssl")):
        pytest.skip("openssl is not installed")
    file = tmp_path_factory.mktemp("tls") / "localhost.pem"
    made = f"req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout {file} -out {file}.crt"
    named = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    subprocess.run([openssl, *made.split(), *named], check=True, capture_output=True)
    file.write_text(file.read_text() + Path(f"{file}.crt").read_text())
    return file


def encrypted(certificate: Path) -> ssl.SSLContext:
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate)
    return server


async def test_an_encrypted_connection_is_used_again(certificate: Path) -> None:
    server = Server()
    trusted = ssl.create_default_context(cafile=f"{certificate}.crt")
    async with served(server, encrypted(certificate)) as url, client(trusted) as http:
        assert [(await http.get(url)).text for _ in range(3)] == ["ok"] * 3
    assert server.connections == 1


async def test_a_certificate_that_nobody_vouches_for_is_refused(certificate: Path) -> None:
    async with (
        served(Server(), encrypted(certificate)) as url,
        client(ssl.create_default_context()) as http,
    ):
        with pytest.raises(httpx2.ConnectError, match="certificate verify failed"):
            await http.get(url)


async def silent(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    await reader.read()


async def cut(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.transport.abort()


async def test_patience_with_a_server_ends() -> None:
    late = httpx2.Timeout(None, read=0.02)
    async with served(silent) as url, client() as http:
        with pytest.raises(httpx2.ReadTimeout):
            await http.get(url, timeout=late)


async def test_patience_with_a_handshake_ends(certificate: Path) -> None:
    late = httpx2.Timeout(None, connect=0.02)
    async with served(silent) as url, client(ssl.create_default_context()) as http:
        with pytest.raises(httpx2.ConnectTimeout):
            await http.get(url.replace("http:", "https:"), timeout=late)


async def test_a_connection_that_breaks_is_an_error_of_httpx() -> None:
    async with served(cut) as url, client() as http:
        with pytest.raises(httpx2.TransportError):
            await http.get(url)


async def test_a_server_that_does_not_listen_is_an_error_of_httpx() -> None:
    async with served(Server()) as url:
        pass
    async with client() as http:
        with pytest.raises(httpx2.ConnectError):
            await http.get(url)
