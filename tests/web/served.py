"""The page's server over a store, and who comes to it."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from checkpoints.links import NewLink
from checkpoints.store import Store
from entente.games.crew_answers import Answers
from entente.games.roles import role_of
from entente.loopback import embedded
from entente.players.seating import PlayerFactory, players_of_process
from entente.press.mailbox import Reader
from entente.web.app import page_app
from entente.web.house import House
from tests.support.patience import PATIENCE

HOUR = 3600.0


@dataclass(frozen=True)
class Page:
    """A server that runs."""

    store: Store
    address: str
    house: House

    async def link(self, game: str, reader: Reader, seconds: float = HOUR) -> NewLink:
        """A new link."""
        return await self.store.links.make(game, role_of(reader), seconds=seconds)

    @asynccontextmanager
    async def visit(self, game: str, reader: Reader) -> AsyncGenerator["Visit"]:
        """Somebody who has come in by a link of its own."""
        made = await self.link(game, reader)
        base = f"{self.address}/at/{made.link.id}"
        # Nothing is encrypted here, and certificates take a while to be loaded.
        async with httpx.AsyncClient(timeout=PATIENCE, verify=False) as client:
            entered = await client.post(f"{base}/enter", json={"token": made.token})
            assert entered.status_code == 204, entered.text
            csrf = (await client.get(f"{base}/me")).json()["csrf"]
            yield Visit(client, base, game, made, csrf)


@dataclass(frozen=True)
class Visit:
    """Somebody's browser."""

    client: httpx.AsyncClient
    base: str
    game: str
    made: NewLink
    csrf: str

    @property
    def at(self) -> str:
        """Where the game is."""
        return f"{self.base}/games/{self.game}"

    async def get(self, path: str = "", **params: str) -> httpx.Response:
        """What is answered there."""
        return await self.client.get(f"{self.at}{path}", params=params)

    async def post(self, path: str, body: Mapping[str, Any]) -> httpx.Response:
        """What is answered to this."""
        return await self.client.post(
            f"{self.at}{path}", json=dict(body), headers={"x-csrf-token": self.csrf}
        )

    @asynccontextmanager
    async def stream(self, cursor: str = "") -> AsyncGenerator["Stream"]:
        """The game's events, from the cursor on."""
        headers = {"last-event-id": cursor} if cursor else {}
        async with self.client.stream("GET", f"{self.at}/events", headers=headers) as response:
            assert response.status_code == 200
            yield Stream(response)


class Stream:
    """Server-sent events as they come."""

    def __init__(self, response: httpx.Response) -> None:
        self.cursor = ""
        self.text = ""
        """All that came."""
        self.told: list[dict[str, Any]] = []
        """The game's events."""
        self.view: dict[str, Any] = {}
        """How it stands."""
        self._parts = self._read(response)

    async def until(self, kind: str) -> None:
        """Read until an event of this kind comes, or the stream ends."""
        async with asyncio.timeout(PATIENCE):
            async for name in self._parts:
                if name == kind:
                    return

    async def until_view(self, **values: object) -> None:
        """Read until the game stands so."""
        while any(self.view.get(name) != value for name, value in values.items()):
            await self.until("view")

    async def _read(self, response: httpx.Response) -> AsyncGenerator[str]:
        part: dict[str, str] = {}
        async for line in response.aiter_lines():
            self.text += f"{line}\n"
            if line:
                name, _, value = line.partition(": ")
                part[name] = value
                continue
            if "data" not in part:
                part = {}
                continue
            self.cursor = part.get("id", self.cursor)
            name, data = part.get("event", "message"), json.loads(part["data"])
            part = {}
            if name == "message":
                self.told.append(data)
            if name == "view":
                self.view = data
            yield name


@asynccontextmanager
async def served(
    store: Store, players: PlayerFactory | None = None, crew: Answers | None = None
) -> AsyncGenerator[Page]:
    """The page's server over the store, on a free port."""
    house = House.over(store, players or players_of_process(), crew)
    stopping = asyncio.Event()
    async with embedded(page_app(house), stopping, is_public=True) as address:
        try:
            yield Page(store, address, house)
        finally:
            await house.close()
