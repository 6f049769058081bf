"""What the nodes need of the world, handed in: where games are kept and who plays a seat."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from checkpoints.store import Store
from entente.players import roster
from entente.players.protocol import Player

PlayerFactory: TypeAlias = Callable[[str], Player]

make_player: PlayerFactory = lru_cache(maxsize=64)(roster.make_player)


@dataclass(frozen=True)
class Services:
    """The open store and the players' factory."""

    store: Callable[[], Awaitable[Store]]
    make_player: PlayerFactory = make_player


def services_over(store: Store, make_player: PlayerFactory = make_player) -> Services:
    """Services over a store that the caller has opened and will close."""

    async def opened() -> Store:
        return store

    return Services(opened, make_player)
