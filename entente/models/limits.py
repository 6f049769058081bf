"""How much may be asked of one provider address at once and in a minute, whoever asks."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from entente.errors import SettingsError
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

    async def take(self, amount: float) -> None:
        """Wait until so much may be used; more than a minute's worth waits for a minute's worth."""
        self.give(-min(amount, self._capacity))
        if self._level < 0:
            await self._clock.sleep(-self._level / self._per_second)

    def give(self, amount: float) -> None:
        """Put back what was not used; a negative amount takes without waiting."""
        now = self._clock.now()
        filled = self._level + (now - self._filled_at) * self._per_second
        self._level = min(self._capacity, min(self._capacity, filled) + amount)
        self._filled_at = now


class Permit:
    """A call that is under way; tell it what was really used."""

    def __init__(self, bucket: TokenBucket | None, reserved_tokens: int) -> None:
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


class Limiter:
    """The limits at one provider address."""

    def __init__(self, rates: Rates, clock: Clock) -> None:
        self.rates = rates
        self._seats = asyncio.Semaphore(rates.concurrency)
        self._requests = _bucket(rates.requests_per_minute, clock)
        self._tokens = _bucket(rates.tokens_per_minute, clock)

    @asynccontextmanager
    async def permit(self, tokens: int) -> AsyncGenerator[Permit]:
        """Wait for the right to make one call of about so many tokens, and hold it for the block."""
        if self._requests is not None:
            await self._requests.take(1)
        if self._tokens is not None:
            await self._tokens.take(tokens)
        async with self._seats:
            yield Permit(self._tokens, tokens)


class Limits:
    """The limiters of all addresses, made when they are first asked for."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._limiters: dict[str, Limiter] = {}

    def at(self, address: str, rates: Rates) -> Limiter:
        """The limiter of an address; raises SettingsError when another seat gave it other rates."""
        limiter = self._limiters.setdefault(address, Limiter(rates, self._clock))
        if limiter.rates != rates:
            raise SettingsError(
                f"One concurrency and one rate a minute were wanted for {address}, which all seats share, "
                "and two seats give different ones; no model was opened."
            )
        return limiter


def _bucket(per_minute: float | None, clock: Clock) -> TokenBucket | None:
    return None if per_minute is None else TokenBucket(per_minute, clock)
