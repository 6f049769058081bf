"""How long one attempt may take: to its first token, as a whole, and without a sign of life from its server."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from entente.errors import ModelTimeout
from entente.models.clock import Clock, Timer

_STALL_SECONDS = 1.0
"""What is noticed so late was not the provider's fault: this process was stopped, or had no processor."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long an attempt may take, in seconds."""

    whole: float
    first_token: float | None
    """None for a reply that is not streamed."""
    silent: float
    """Without a sign that the server lives."""


class Deadline:
    """When an attempt that is under way ends, and why; made by `deadline`."""

    def __init__(
        self,
        clock: Clock,
        timeout: asyncio.Timeout,
        patience: Patience,
        is_alive: Callable[[], Awaitable[bool]],
    ) -> None:
        self._clock = clock
        self._timeout = timeout
        self._patience = patience
        self._is_alive = is_alive
        self._began_at = clock.now()
        self._awaits_first_token = patience.first_token is not None
        self._looking: asyncio.Task[None] | None = None
        self.first_token_seconds: float | None = None
        """How long the first token took; None for a reply that is not streamed."""
        self.ended_by = ""
        """Why the attempt was ended; empty while it was not."""
        self._heard_at = self._began_at
        self._limit = self._set_limit(patience.first_token or patience.whole)
        self._silence = self._set_silence()
        self._next_look = self._set_look(patience.silent / 2)

    def heard(self) -> None:
        """A part of the reply has come; from the first one on only the whole and the server's silence count."""
        self._heard_at = self._clock.now()
        if self._awaits_first_token:
            self._awaits_first_token = False
            self.first_token_seconds = self._heard_at - self._began_at
            self._limit.cancel()
            self._limit = self._set_limit(self._patience.whole)

    async def close(self) -> None:
        """End nothing any more."""
        for each in (self._limit, self._silence, self._next_look):
            each.cancel()
        if self._looking:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)

    def _set_limit(self, seconds: float) -> Timer:
        seconds = min(seconds, self._patience.whole)
        if self._awaits_first_token and seconds < self._patience.whole:
            why = f"no word of a reply came within {seconds:g} seconds (first_token_seconds)"
        else:
            why = f"no whole reply came within {seconds:g} seconds (attempt_seconds)"
        return _Alarm(self._clock, self._began_at + seconds, partial(self._end, why))

    def _set_silence(self) -> Timer:
        return _Alarm(self._clock, self._heard_at + self._patience.silent, self._end_if_silent)

    def _end_if_silent(self) -> None:
        if self._clock.now() < self._heard_at + self._patience.silent:
            self._silence = self._set_silence()
        else:
            self._end(
                f"the server gave no sign of life for {self._patience.silent:g} seconds (silent_seconds)"
            )

    def _set_look(self, seconds: float) -> Timer:
        return self._clock.call_at(self._clock.now() + seconds, self._look)

    def _look(self) -> None:
        self._looking = asyncio.create_task(self._listen())

    async def _listen(self) -> None:
        """Ask a server that says nothing whether it lives, and soon again when it does not say so."""
        pause = self._patience.silent / 2
        if self._clock.now() - self._heard_at >= pause:
            if await self._is_alive():
                self._heard_at = self._clock.now()
            else:
                pause = self._patience.silent / 10
        self._next_look = self._set_look(pause)

    def _end(self, why: str) -> None:
        self.ended_by = why
        self._timeout.reschedule(asyncio.get_running_loop().time())


class _Alarm:
    """Something that is done at a moment, by a process that was running then."""

    def __init__(self, clock: Clock, moment: float, act: Callable[[], None]) -> None:
        self._clock = clock
        self._act = act
        self._set(moment)

    def cancel(self) -> None:
        """Do it not."""
        self._timer.cancel()

    def _set(self, moment: float) -> None:
        self._timer = self._clock.call_at(moment, partial(self._ring, moment))

    def _ring(self, moment: float) -> None:
        now = self._clock.now()
        if now - moment < _STALL_SECONDS:
            self._act()
        else:
            # A reply may have come while this process did not run: it is paid for, and is read first.
            self._set(now + _STALL_SECONDS)


@asynccontextmanager
async def deadline(
    clock: Clock, patience: Patience, is_alive: Callable[[], Awaitable[bool]]
) -> AsyncGenerator[Deadline]:
    """End the block with ModelTimeout when the first token or the whole reply is late, or the server is dead.

    `is_alive` asks the server, and is cancelled with the block; it raises nothing.
    """
    why = ""
    try:
        async with asyncio.timeout(None) as timeout:
            ends = Deadline(clock, timeout, patience, is_alive)
            try:
                yield ends
            finally:
                why = ends.ended_by
                await ends.close()
    except TimeoutError:
        if why:
            raise ModelTimeout(why) from None
        raise
