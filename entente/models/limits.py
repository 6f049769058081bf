"""How much may be asked of one provider address at once and in a minute, whoever asks.

One `Limits` is shared by all games of a process: a provider counts by key, not by game.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass

from entente.models.clock import Clock
from entente.models.settings import ModelSettings


class TokenBucket:
    """So much a minute, evenly; a minute's worth at once after a pause.

    Whoever takes more than there is waits until it has come in; those who ask later wait behind.
    """

    def __init__(self, per_minute: float, clock: Clock) -> None:
        self._capacity = per_minute
        self._per_second = per_minute / 60
        self._clock = clock
        self._level = per_minute
        self._filled_at = clock.now()

    async def take(self, amount: float) -> float:
        """Wait until so much may be used, and return what was taken: a minute's worth where more was wanted.

        A caller that is cancelled while it waits has taken nothing.
        """
        taken = min(amount, self._capacity)
        self.give(-taken)
        if self._level < 0:
            try:
                await self._clock.sleep(-self._level / self._per_second)
            except BaseException:
                self.give(taken)
                raise
        return taken

    def give(self, amount: float) -> None:
        """Put back what was not used; a negative amount takes without waiting."""
        now = self._clock.now()
        filled = self._level + (now - self._filled_at) * self._per_second
        self._level = min(self._capacity, min(self._capacity, filled) + amount)
        self._filled_at = now


class Permit:
    """A call that is under way; tell it what was really used."""

    def __init__(self, bucket: TokenBucket | None, reserved_tokens: float) -> None:
        self._bucket = bucket
        self._reserved_tokens = reserved_tokens

    def used(self, tokens: int) -> None:
        """Correct the guess with which the call was allowed."""
        if self._bucket is not None:
            self._bucket.give(self._reserved_tokens - tokens)


@dataclass(frozen=True, slots=True)
class Rates:
    """What is kept at one address."""

    concurrency: int
    requests_per_minute: float | None
    tokens_per_minute: float | None

    @classmethod
    def of(cls, settings: ModelSettings) -> "Rates":
        """The rates among the settings."""
        return cls(settings.concurrency, settings.requests_per_minute, settings.tokens_per_minute)

    def strictest(self, other: "Rates") -> "Rates":
        """Rates that keep both."""
        return Rates(
            min(self.concurrency, other.concurrency),
            _least(self.requests_per_minute, other.requests_per_minute),
            _least(self.tokens_per_minute, other.tokens_per_minute),
        )


class Limiter:
    """The limits at one provider address."""

    def __init__(self, rates: Rates, clock: Clock) -> None:
        self.rates = rates
        self._calls = asyncio.Semaphore(rates.concurrency)
        self._requests = _bucket(rates.requests_per_minute, clock)
        self._tokens = _bucket(rates.tokens_per_minute, clock)

    @asynccontextmanager
    async def permit(self, tokens: int) -> AsyncGenerator[Permit]:
        """Wait for the right to make one call of about so many tokens, and hold it for the block.

        A caller that is cancelled before it may call has used nothing.
        """
        reserved = 0.0
        with ExitStack() as given_back:
            if self._requests is not None:
                given_back.callback(self._requests.give, await self._requests.take(1))
            if self._tokens is not None:
                reserved = await self._tokens.take(tokens)
                given_back.callback(self._tokens.give, reserved)
            await self._calls.acquire()
            given_back.pop_all()
        try:
            yield Permit(self._tokens, reserved)
        finally:
            self._calls.release()


class Limits:
    """The limiters of all addresses, made when they are first asked for."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._limiters: dict[str, Limiter] = {}

    def at(self, address: str, rates: Rates) -> Limiter:
        """The limiter of an address, with the strictest rates that any seat of any game has asked for there.

        Calls that wait or are under way when stricter ones come end under those they began with.
        """
        known = self._limiters.get(address)
        strictest = rates if known is None else rates.strictest(known.rates)
        if known is None or known.rates != strictest:
            known = self._limiters[address] = Limiter(strictest, self._clock)
        return known


def _bucket(per_minute: float | None, clock: Clock) -> TokenBucket | None:
    return None if per_minute is None else TokenBucket(per_minute, clock)


def _least(one: float | None, other: float | None) -> float | None:
    """The smaller limit; None is no limit."""
    return min((rate for rate in (one, other) if rate is not None), default=None)
