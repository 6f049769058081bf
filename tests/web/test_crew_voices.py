"""Voices with a model, over the page's own server: words as they come, and no longer than somebody listens."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx

from checkpoints.store import Store
from entente.commentary.model_voices import open_voices
from entente.commentary.voices import Voices
from entente.models.client import Connections
from tests.support.gated import Gated, gated
from tests.support.patience import PATIENCE
from tests.web.served import Page, Visit, served
from tests.web.test_crew import a_game_in_fall

ACTION = "What does Germany want?"


@asynccontextmanager
async def told_by(store: Store, model: Gated) -> AsyncGenerator[Page]:
    """The page's server, whose crew speaks with the model."""
    async with Connections() as connections, served(store, voices=voices(model, connections)) as page:
        yield page


def voices(model: Gated, connections: Connections) -> Voices:
    return open_voices(model.spec, connections, {})


@asynccontextmanager
async def asked(visit: Visit, method: str) -> AsyncGenerator["Words"]:
    """The stream of an action."""
    address = f"{visit.at}/action/stream"
    if method == "GET":
        asking = visit.client.stream("GET", address, params={"action": ACTION})
    else:
        headers = {"x-csrf-token": visit.csrf}
        asking = visit.client.stream("POST", address, json={"action": ACTION}, headers=headers)
    async with asking as response:
        assert response.status_code == 200
        yield Words(response)


class Words:
    """A stream's events, read one by one."""

    def __init__(self, response: httpx.Response) -> None:
        self.told: list[tuple[str, Any]] = []
        self._lines = response.aiter_lines()

    async def until(self, name: str) -> None:
        """Read until an event of this name has come."""
        async with asyncio.timeout(PATIENCE):
            while not self.told or self.told[-1][0] != name:
                await self._next()

    async def _next(self) -> None:
        fields: dict[str, str] = {}
        async for line in self._lines:
            if not line and "data" in fields:
                self.told.append((fields["event"], json.loads(fields["data"])))
                return
            field, _, value = line.partition(": ")
            fields[field] = value
        raise AssertionError(f"the stream has ended after {self.told}")

    @property
    def words(self) -> str:
        return "".join(data["chunk"] for name, data in self.told if name == "agent_chunk")


async def test_a_listener_has_the_first_letter_before_the_model_has_sent_its_second_word_and_stops_it_by_leaving(
    memory_store: Store,
) -> None:
    game = await a_game_in_fall(memory_store)
    async with gated() as model, told_by(memory_store, model) as page, page.visit(game, "FRANCE") as france:
        for method in ("GET", "POST"):
            model.begin_anew()
            async with asked(france, method) as stream:
                await stream.until("agent_chunk")
                assert (stream.words, model.sent) == ("O", ["One"])
            async with asyncio.timeout(PATIENCE):
                await model.gone.wait()
            assert model.sent == ["One"]
        model.go.set()  # the talk goes on all the same
        async with asked(france, "POST") as stream:
            await stream.until("done")
        assert stream.words.startswith("One two three.")
        assert "error" not in [name for name, _ in stream.told]
