"""A connection to a server of ours, which ends when its other side is too slow."""

import asyncio
import json
import logging
from collections.abc import Callable

from uvicorn.protocols.http.h11_impl import H11Protocol

_log = logging.getLogger(__name__)

HEAD_SECONDS = 10.0
"""How long a request's head may take, from the connection's beginning or the head's first byte."""
TAKING_SECONDS = 30.0
"""How long what was written may wait until its reader takes it."""


class Connection(H11Protocol):
    """HTTP over one connection. A head that is late is answered 408; who does not read is cut off.

    uvicorn by itself ends a connection that is silent between two requests, and waits for ever for all else. Its other
    protocol would keep a head of any length besides; this one refuses more than 16 KB with 400.
    """

    _head: asyncio.TimerHandle | None = None
    _taking: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=0)  # whatever is not taken at once is waited for
        self._head = self._after(HEAD_SECONDS, self._refuse)

    def data_received(self, data: bytes) -> None:
        """Take what came. Each byte of a head is due when the first one is."""
        super().data_received(data)
        is_answering = bool(self.cycle) and not self.cycle.response_complete
        if is_answering or self not in self.connections:  # a WebSocket has it now
            self._head = _ended(self._head)
        elif self._head is None:
            self._head = self._after(HEAD_SECONDS, self._refuse)

    def pause_writing(self) -> None:
        """Nobody takes what was written."""
        super().pause_writing()
        self._taking = _ended(self._taking)
        self._taking = self._after(TAKING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """All was taken."""
        super().resume_writing()
        self._taking = _ended(self._taking)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing more."""
        super().connection_lost(exc)
        self._head, self._taking = _ended(self._head), _ended(self._taking)

    def _after(self, seconds: float, act: Callable[[], None]) -> asyncio.TimerHandle:
        return self.loop.call_later(seconds, act)

    def _refuse(self) -> None:
        if self.transport.is_closing():
            return
        why = f"All of a request's head was wanted within {HEAD_SECONDS:g} seconds and less came. Nothing was done."
        body = json.dumps({"error": why})
        _log.info("A request whose head was late was refused with 408")
        lines = ("HTTP/1.1 408 Request Timeout", "content-type: application/json", "connection: close")
        self.transport.write("\r\n".join([*lines, f"content-length: {len(body)}", "", body]).encode())
        self.transport.close()


def _ended(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
