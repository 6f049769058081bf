"""How much of one kind each link may have open at once."""

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from entente.web.errors import NotAllowed


class Places:
    """The places of one kind, as many for each link."""

    def __init__(self, what: str, most: int) -> None:
        self._what = what
        self._most = most
        self._taken = Counter[str]()

    @asynccontextmanager
    async def taken(self, link: str) -> AsyncGenerator[None]:
        """One more is the link's for as long as the block lasts; raises NotAllowed where it has as many as it may."""
        if self._taken[link] >= self._most:
            raise NotAllowed(
                f"At most {self._most} {self._what} of a link were wanted and one more came; it was refused.",
                status=429,
            )
        self._taken[link] += 1
        try:
            yield
        finally:
            self._taken[link] -= 1
