"""Time as it is handed in, so that waiting can be tested without waiting."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """Something that will be done at a moment."""

    def cancel(self) -> None:
        """Do it not."""
        ...


class Clock(Protocol):
    """Tells and passes time."""

    def now(self) -> float:
        """Seconds since some moment; never goes back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait so long."""
        ...

    def call_at(self, moment: float, act: Callable[[], None]) -> Timer:
        """Do something when it is so late by `now`, or as soon as this process runs again after that."""
        ...


class SystemClock:
    """The real one."""

    def now(self) -> float:
        """Seconds since some moment; never goes back."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait so long."""
        await asyncio.sleep(seconds)

    def call_at(self, moment: float, act: Callable[[], None]) -> Timer:
        """Do something when it is so late by `now`, or as soon as this process runs again after that."""
        return asyncio.get_running_loop().call_later(moment - self.now(), act)
