"""What the routes work with: one store, its doors, feeds and runs."""

from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Request

from checkpoints.store import Store
from entente.games.crew_answers import Answers
from entente.games.feeds import Feeds
from entente.players.seating import PlayerFactory
from entente.web.access import Access
from entente.web.guests import Guests
from entente.web.host import Host
from entente.web.places import Places
from entente.web.written import Written

MOST_STREAMS = 250
"""Of events, that one link may have open at once: an onlookers' link is many people's."""


@dataclass(frozen=True, slots=True)
class House:
    """All that there is of one store in this server."""

    store: Store
    access: Access
    feeds: Feeds
    written: Written
    host: Host
    guests: Guests
    crew: Answers
    streams: Places = field(default_factory=lambda: Places("streams of events", MOST_STREAMS))

    @classmethod
    def over(cls, store: Store, players: PlayerFactory, crew: Answers | None = None) -> "House":
        """The house over an open store, whose games are played by these players.

        Actions are answered by this crew, by one without a model where it is left out.
        """
        feeds, access = Feeds(store), Access(store.links)
        host = Host(store, players, feeds.refresh)
        return cls(
            store,
            access,
            feeds,
            Written(),
            host,
            Guests(store, host, access),
            crew or Answers(store),
        )

    async def close(self) -> None:
        """End all streams, and pause the games that are being played."""
        await self.guests.close()
        await self.feeds.close()
        await self.crew.turns.close()
        await self.host.close()


def house(request: Request) -> House:
    """The house of the application that was asked."""
    return request.app.state.house


Here = Annotated[House, Depends(house)]
