"""What the nodes need of the world, handed in: where games are kept and who plays a seat."""

import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from langgraph.runtime import Runtime

from checkpoints.store import Store
from entente.floors.meeting import Meetings, Place
from entente.players.seating import PlayerFactory, players_of_process


@dataclass(frozen=True)
class Services:
    """The open store and the players' factory."""

    store: Callable[[], Awaitable[Store]]
    make_player: PlayerFactory = field(default_factory=players_of_process)
    clock: Callable[[], float] = time.time
    """Seconds since 1970, UTC: when a turn was kept, and when a deadline is over; nothing else is decided by it."""
    meetings: Meetings = field(default_factory=Meetings)
    """Where people who are asked together learn that one of them has answered."""
    is_streamed: bool = True
    """False where nobody streams the graph's runs, so that nothing has to be put into words for it."""
    is_kept_here: bool = False
    """True where a game whose checkpoints do not come into this store is kept nowhere."""

    def join_meeting(self, runtime: Runtime[Any]) -> AbstractContextManager[Place]:
        """A place among the people who are asked from the same checkpoint as the running task."""
        info = runtime.execution_info
        return self.meetings.join((str(info and info.thread_id), info.checkpoint_id if info else ""))


def services_over(
    store: Store,
    make_player: PlayerFactory,
    clock: Callable[[], float] = time.time,
    *,
    is_streamed: bool = True,
) -> Services:
    """Services over a store that the caller has opened and will close."""

    async def opened() -> Store:
        return store

    return Services(opened, make_player, clock, is_streamed=is_streamed)
