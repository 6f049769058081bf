"""Whether the server at an address lives while it thinks about a reply."""

import asyncio

from entente.models.clock import Clock
from entente.models.pools import Pools


class Pulse:
    """Asks an address for its list of models; one question for all who wait for replies from there.

    No key is sent: a server that wants one answers that it does, and lives.
    """

    def __init__(self, address: str, pools: Pools, clock: Clock) -> None:
        self._url = f"{address}/models"
        self._pools = pools
        self._clock = clock
        self._felt_at = float("-inf")
        self._feeling = asyncio.Lock()

    async def is_felt(self, seconds: float) -> bool:
        """True when the server has answered within so many seconds, with anything but a failure of its own."""
        async with self._feeling:
            if self._clock.now() - self._felt_at < seconds:
                return True
            try:
                async with asyncio.timeout(seconds):
                    is_alive = await self._ask()
            except Exception:  # noqa: BLE001 - whatever a client raises, the server was not heard
                return False
            if is_alive:
                self._felt_at = self._clock.now()
            return is_alive

    async def _ask(self) -> bool:
        """Reads as little of a list, which may be long, as shows that it is none of mere blanks."""
        with self._pools.one() as http:
            async with http.stream("GET", self._url) as response:
                if response.status_code >= 500:
                    return False
                async for part in response.aiter_bytes():
                    if part.strip():
                        break
        return True
