"""How long one attempt may take: to its first token, and as a whole."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class Deadline:
    """When an attempt that is under way ends."""

    timeout: asyncio.Timeout
    began_at: float
    """By the loop's clock, as the next."""
    whole_at: float
    awaits_first_token: bool
    """True when the first token has its own deadline, and somebody has to tell when it came."""
    first_token_seconds: float | None = None
    """How long the first token took; None until somebody has told."""

    def first_token_came(self) -> None:
        """From now on only the whole counts."""
        if self.awaits_first_token and self.first_token_seconds is None:
            self.first_token_seconds = asyncio.get_running_loop().time() - self.began_at
            self.timeout.reschedule(self.whole_at)


@asynccontextmanager
async def deadline(whole_seconds: float, first_token_seconds: float | None) -> AsyncGenerator[Deadline]:
    """End the block with TimeoutError when the first token or the whole reply is late."""
    now = asyncio.get_running_loop().time()
    whole_at = now + whole_seconds
    ends_at = whole_at if first_token_seconds is None else min(whole_at, now + first_token_seconds)
    async with asyncio.timeout_at(ends_at) as timeout:
        yield Deadline(timeout, now, whole_at, first_token_seconds is not None)
