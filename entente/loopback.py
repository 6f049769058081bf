"""How an application of ours is served over HTTP: beside other work of a process, or until a signal comes."""

import asyncio
import logging
import signal
import socket
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.types import ASGIApp

from entente.connection import BACKLOG, Connection, Socket, UnhurriedConnection
from entente.errors import SettingsError

LOOPBACK = "127.0.0.1"
MOST_SOCKET_BYTES = 65_536
"""Of one message that comes by a WebSocket."""
HEARTBEAT_SECONDS = 20.0
"""How often who is at a WebSocket is asked whether it lives, and how long it has to say so."""
_ASKERS_FAULTS = frozenset(
    {
        "ASGI callable returned without completing handshake.",  # a WebSocket was refused with an answer
        "Invalid UTF-8 sequence received from client.",
        "Invalid HTTP request received.",
        "Unsupported upgrade request.",
    }
)
"""What uvicorn logs of whoever asks wrongly, who could fill a disk with it; he is told by the answer."""


@asynccontextmanager
async def embedded(
    application: ASGIApp, stopping: asyncio.Event, *, port: int = 0, is_public: bool = False
) -> AsyncGenerator[str]:
    """The application served in this process, on this port of the loopback, 0 for a free one; its address.

    Where it `is_public`, strangers may come in: it has WebSockets, and reads who sends too much slowly.
    `stopping` is set when the block ends, so that the application can give up what it has under way.
    """
    server = _Server(_config(application, is_public=is_public), stopping)
    with _listener(LOOPBACK, port) as listener:
        # No TaskGroup: it would wrap what is raised in the caller's block into a group.
        serving = asyncio.create_task(server.serve([listener]))
        try:
            yield _address(listener)
        finally:
            stopping.set()
            await serving


async def serve_until_signal(
    application: ASGIApp,
    stopping: asyncio.Event,
    host: str,
    port: int,
    *,
    on_ready: Callable[[str], None],
    is_public: bool = False,
) -> None:
    """Serve until SIGINT or SIGTERM, which sets `stopping`; `on_ready` is told the address, port 0 being a free one.

    Raises SettingsError when it cannot listen there.
    """
    server = _Server(_config(application, is_public=is_public), stopping)
    loop = asyncio.get_running_loop()
    signals = (signal.SIGINT, signal.SIGTERM)
    with _listener(host, port) as listener:
        for each in signals:
            loop.add_signal_handler(each, stopping.set)
        try:
            on_ready(_address(listener))  # only now: who reads it may stop the server at once
            await server.serve([listener])
        finally:
            for each in signals:
                loop.remove_signal_handler(each)


def _listener(host: str, port: int) -> socket.socket:
    try:
        listener = socket.create_server((host, port), backlog=256)
    except (OSError, OverflowError) as error:
        raise SettingsError(
            f"A place to listen was wanted and {host}:{port} cannot be had ({error}); no server was started."
        ) from error
    # asyncio does so for sockets of its own making only; without it some replies' second half comes 40 ms late.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{host}:{port}"


def _is_ours(record: logging.LogRecord) -> bool:
    """False for what is wrong with those who ask alone."""
    return record.getMessage() not in _ASKERS_FAULTS


def _config(application: ASGIApp, *, is_public: bool) -> uvicorn.Config:
    logging.getLogger("uvicorn.error").addFilter(_is_ours)
    return uvicorn.Config(
        application,
        http=UnhurriedConnection if is_public else Connection,
        backlog=BACKLOG,
        log_config=None,
        date_header=False,
        server_header=False,
        access_log=False,
        lifespan="off",
        ws=Socket if is_public else "none",
        ws_max_size=MOST_SOCKET_BYTES,
        ws_ping_interval=HEARTBEAT_SECONDS,
        ws_ping_timeout=HEARTBEAT_SECONDS,
        ws_per_message_deflate=False,  # a small message may not become a large one
        timeout_graceful_shutdown=1,
    )


class _Server(uvicorn.Server):
    """A server that leaves the signals to the program it runs in, and stops when it is told, not at the next tick."""

    def __init__(self, config: uvicorn.Config, stopping: asyncio.Event) -> None:
        super().__init__(config)
        self._stopping = stopping

    async def main_loop(self) -> None:
        await self._stopping.wait()

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        yield
