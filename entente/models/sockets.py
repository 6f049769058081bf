"""The network under httpx2's connections: asyncio's own, where a request leaves in one piece and at once.

httpcore2's goes through anyio, which lets all other tasks run before it writes: of seven requests made at the same
moment none left before the last was ready, and each left in two pieces, its head and its body.
"""

import asyncio
import ssl
from collections.abc import Generator, Iterable
from contextlib import contextmanager

import httpcore2
import httpx2


class Transport(httpx2.AsyncHTTPTransport):
    """httpx2's own over `Network`, which it has no argument for."""

    def __init__(self, limits: httpx2.Limits, certificates: ssl.SSLContext | None) -> None:
        super().__init__(verify=certificates or False, limits=limits)
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=certificates,
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            keepalive_expiry=limits.keepalive_expiry,
            network_backend=Network(),
        )


class Network(httpcore2.AsyncNetworkBackend):
    """Opens connections."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the signature is httpcore's
        local_address: str | None = None,  # noqa: ARG002
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,  # noqa: ARG002
    ) -> "Connection":
        """A connection; raises ConnectTimeout, ConnectError."""
        with _told_as(httpcore2.ConnectTimeout, httpcore2.ConnectError):
            async with asyncio.timeout(timeout):
                transport, received = await asyncio.get_running_loop().create_connection(
                    _Received, host, port
                )
        return Connection(transport, received)


class Connection(httpcore2.AsyncNetworkStream):
    """One connection, to one server."""

    def __init__(self, transport: asyncio.Transport, received: "_Received") -> None:
        self._transport = transport
        self._received = received
        self._unsent: list[bytes] = []

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002, ASYNC109
        """Sent when the next thing is read, which a request always ends with."""
        self._unsent.append(buffer)

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        """What came, empty when the server has ended; raises ReadTimeout, ReadError."""
        if self._unsent:
            self._transport.write(b"".join(self._unsent))
            self._unsent.clear()
        with _told_as(httpcore2.ReadTimeout, httpcore2.ReadError):
            async with asyncio.timeout(timeout):
                return await self._received.take(max_bytes)

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> "Connection":
        """The connection, encrypted from now on; raises ConnectTimeout, ConnectError."""
        try:
            with _told_as(httpcore2.ConnectTimeout, httpcore2.ConnectError):
                async with asyncio.timeout(timeout):
                    transport = await asyncio.get_running_loop().start_tls(
                        self._transport, self._received, ssl_context, server_hostname=server_hostname
                    )
                if transport is None:
                    raise ConnectionResetError("the server ended the connection while it was being encrypted")
        except BaseException:
            self._transport.abort()
            raise
        return Connection(transport, self._received)

    async def aclose(self) -> None:
        """Closed, whatever is still under way."""
        self._transport.abort()
        await asyncio.sleep(0)  # in which the socket is let go of

    def get_extra_info(self, info: str) -> object:
        """Only what the pool asks of an idle connection: whether anything came, which can but be its end."""
        return self._received.has_something if info == "is_readable" else None


class _Received(asyncio.Protocol):
    """What came over a connection and was not read yet."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._has_ended = False
        self._error: Exception | None = None
        self._news = asyncio.Event()

    @property
    def has_something(self) -> bool:
        return bool(self._bytes) or self._has_ended

    async def take(self, max_bytes: int) -> bytes:
        while not self.has_something:
            self._news.clear()
            await self._news.wait()
        if self._error and not self._bytes:
            raise self._error
        taken = bytes(self._bytes[:max_bytes])
        del self._bytes[:max_bytes]
        return taken

    def data_received(self, data: bytes) -> None:
        self._bytes += data
        self._news.set()

    def eof_received(self) -> None:
        self._has_ended = True
        self._news.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self._has_ended = True
        self._error = exc
        self._news.set()


@contextmanager
def _told_as(late: type[Exception], broken: type[Exception]) -> Generator[None]:
    try:
        yield
    except TimeoutError as error:
        raise late(str(error)) from error
    except OSError as error:
        raise broken(str(error)) from error
