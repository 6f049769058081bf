"""Connections to a server of ours: who is too slow loses his, and who sends too much is read slowly."""

import asyncio
import json
import logging
import math
import resource
import sys
from time import thread_time

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

_log = logging.getLogger(__name__)

HEAD_SECONDS = 10.0
"""How long a request's head may take, from the connection's beginning or the head's first byte."""
TAKING_SECONDS = 30.0
"""How long what was written may wait until its reader takes it."""

PART_BYTES = 4096
"""How much is read at once of what came: a part of tiny frames or chunks takes some milliseconds."""
REST = 50.0
"""A connection rests so many times longer than its parts took to be read."""
BACKLOG = 64
"""Connections that are accepted at a time."""
FILES_KEPT = 400
"""Of the files that this process may open: for all else, and for connections on their way in and out."""
CREDIT_SECONDS = 1.0
"""Of rest that a connection may owe: what is sent now and then is read at once."""


def most_connections() -> int:
    """How many there may be at once: where no file can be opened any more, nobody comes in and no game goes on."""
    most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if most == resource.RLIM_INFINITY else max(most // 2, most - FILES_KEPT)


class _Unhurried(asyncio.Protocol, asyncio.BufferedProtocol):
    """Reads a part at a time, so that all others have their turn in between, whoever sends how much of what."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    _part: bytearray | None = None
    _rested_at = 0.0
    """When its rests are over."""

    @property
    def must_wait(self) -> bool:
        """True while something else than its rest keeps it from being read."""
        raise NotImplementedError

    def get_buffer(self, sizehint: int) -> bytearray:
        """Where the next part goes."""
        del sizehint
        self._part = self._part or bytearray(PART_BYTES)
        return self._part

    def buffer_updated(self, nbytes: int) -> None:
        """Take a part, and rest when much time went into that."""
        assert self._part is not None  # noqa: S101 - it was asked for before
        began = thread_time()  # what other threads and processes take meanwhile is not this connection's
        self.data_received(bytes(self._part[:nbytes]))
        now = self.loop.time()
        self._rested_at = max(self._rested_at, now) + REST * (thread_time() - began)
        if self.transport.get_protocol() is not self:  # a WebSocket has it now
            return
        rest = self._rested_at - now - CREDIT_SECONDS
        if rest > 0:
            self.loop.call_later(rest, self.read_on)
        if rest > 0 or self.must_wait:
            self.transport.pause_reading()

    def read_on(self) -> None:
        """Read the next part, unless it has to wait."""
        if not self.must_wait:
            self.transport.resume_reading()


class _Impatient(asyncio.Protocol):
    """Cuts off who does not read what was written."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    _taking: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        """Nobody takes what was written."""
        super().pause_writing()
        self._taking = _ended(self._taking)
        self._taking = self.loop.call_later(TAKING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """All was taken."""
        super().resume_writing()
        self._taking = _ended(self._taking)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        super().connection_lost(exc)
        self._taking = _ended(self._taking)


class Connection(_Impatient, H11Protocol):
    """HTTP over one connection. A head that is late is answered 408; who does not read is cut off.

    uvicorn by itself ends a connection that is silent between two requests, and waits for ever for all else. Its other
    protocol would keep a head of any length besides; this one refuses more than 16 KB with 400.
    """

    _head: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # whatever is not taken at once is waited for
        self._head = self.loop.call_later(HEAD_SECONDS, self._refuse)
        if len(self.connections) > most_connections():
            self._make_room()

    def _make_room(self) -> None:
        """End the connection that has been silent for the longest time; a stranger's, where a stranger has them all."""
        ours = (each for each in self.connections if isinstance(each, Connection))
        longest = min(ours, key=lambda each: each.due)
        longest.give_up()

    def give_up(self) -> None:
        """End the connection, and be none that can be ended for another."""
        self._head = _ended(self._head)
        self.transport.abort()

    @property
    def due(self) -> float:
        """When the rest of its next request's head is due; never while one is answered."""
        return math.inf if self._head is None else self._head.when()

    def data_received(self, data: bytes) -> None:
        """Take what came. Each byte of a head is due when the first one is."""
        super().data_received(data)
        is_answering = bool(self.cycle) and not self.cycle.response_complete
        if is_answering or self not in self.connections:  # a WebSocket has it now
            self._head = _ended(self._head)
        elif self._head is None:
            self._head = self.loop.call_later(HEAD_SECONDS, self._refuse)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        super().connection_lost(exc)
        self._head = _ended(self._head)

    def _refuse(self) -> None:
        if self.transport.is_closing():
            return
        why = f"All of a request's head was wanted within {HEAD_SECONDS:g} seconds and less came. Nothing was done."
        body = json.dumps({"error": why})
        _log.info("A request whose head was late was refused with 408")
        lines = ("HTTP/1.1 408 Request Timeout", "content-type: application/json", "connection: close")
        self.transport.write("\r\n".join([*lines, f"content-length: {len(body)}", "", body]).encode())
        self.transport.close()


class UnhurriedConnection(Connection, _Unhurried):  # type: ignore[override]  # uvicorn narrows the transport
    """The same where strangers come in: who sends much takes little of the time that all others share.

    A trainer or a model's seat may send as much as it can.
    """

    @property
    def must_wait(self) -> bool:
        """True while as much of a body is here as its reader takes, or a request waits for the one before."""
        return self.flow.read_paused


class Socket(_Impatient, WebSocketsSansIOProtocol, _Unhurried):
    """A WebSocket over one connection. Who does not read, be it pongs alone, is read no further, and then cut off."""

    @property
    def must_wait(self) -> bool:
        """True while a message waits for its reader, or an answer for its own."""
        return self.read_paused or not self.writable.is_set()

    def resume_writing(self) -> None:
        """All was taken."""
        super().resume_writing()
        self.read_on()


def _ended(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
