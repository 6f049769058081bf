"""How long one attempt may take: to its first token, and as a whole."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

from entente.models.clock import Clock

_STALL_SECONDS = 1.0
"""What is noticed so late was not the provider's fault: this process was stopped, or had no processor."""


class Deadline:
    """When an attempt that is under way ends; made by `deadline`."""

    def __init__(
        self, clock: Clock, timeout: asyncio.Timeout, whole_seconds: float, first_token_seconds: float | None
    ) -> None:
        self._clock = clock
        self._timeout = timeout
        self._began_at = clock.now()
        self._whole_at = self._began_at + whole_seconds
        self._awaits_first_token = first_token_seconds is not None
        self.first_token_seconds: float | None = None
        """How long the first token took; None for a reply that is not streamed."""
        self._end_at(min(self._whole_at, self._began_at + (first_token_seconds or whole_seconds)))

    def first_token_came(self) -> None:
        """From now on only the whole counts."""
        if self._awaits_first_token:
            self._awaits_first_token = False
            self.first_token_seconds = self._clock.now() - self._began_at
            self.cancel()
            self._end_at(self._whole_at)

    def cancel(self) -> None:
        """End nothing any more."""
        self._timer.cancel()

    def _end_at(self, moment: float) -> None:
        self._timer = self._clock.call_at(moment, partial(self._end, moment))

    def _end(self, moment: float) -> None:
        now = self._clock.now()
        if now - moment < _STALL_SECONDS:
            self._timeout.reschedule(asyncio.get_running_loop().time())
        else:
            # A reply may have come while this process did not run: it is paid for, and is read first.
            self._end_at(now + _STALL_SECONDS)


@asynccontextmanager
async def deadline(
    clock: Clock, whole_seconds: float, first_token_seconds: float | None
) -> AsyncGenerator[Deadline]:
    """End the block with TimeoutError when the first token or the whole reply is late."""
    async with asyncio.timeout(None) as timeout:
        ends = Deadline(clock, timeout, whole_seconds, first_token_seconds)
        try:
            yield ends
        finally:
            ends.cancel()
