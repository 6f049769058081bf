"""Time as it is handed in, so that waiting can be tested without waiting."""

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Tells and passes time."""

    def now(self) -> float:
        """Seconds since some moment; never goes back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait so long."""
        ...


class SystemClock:
    """The real one."""

    def now(self) -> float:
        """Seconds since some moment; never goes back."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait so long."""
        await asyncio.sleep(seconds)
