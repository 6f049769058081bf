"""What the nodes need of the world, handed in: where games are kept and who plays a seat."""

import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from checkpoints.store import Store
from entente.models.client import Connections
from entente.players.seating import PlayerFactory, Seating


def players_of_process() -> PlayerFactory:
    """Whoever a seat can name, for a process that brings no factory: connections to providers end with the process."""
    return Seating(Connections(), os.environ)


@dataclass(frozen=True)
class Services:
    """The open store and the players' factory."""

    store: Callable[[], Awaitable[Store]]
    make_player: PlayerFactory = field(default_factory=players_of_process)
    clock: Callable[[], float] = time.time
    """Seconds since 1970, UTC: when a turn was kept, and when a deadline is over; nothing else is decided by it."""
    is_streamed: bool = True
    """False where nobody streams the graph's runs, so that nothing has to be put into words for it."""


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

    return Services(opened, make_player, clock, is_streamed)
