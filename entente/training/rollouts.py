"""Games for a trainer that samples by itself: each seat of the policy has a rollout, at an address of its own."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from pydantic import JsonValue

from entente.board.types import Power
from entente.models.deadline import Deadline
from entente.models.pools import Pools
from entente.models.spec import ModelSpec
from entente.models.wire import Completion, Hear, ModelRequest
from entente.players.model.settings import SeatSettings
from entente.training.completions import Place, completion_at
from entente.training.config import DiplomacyConfig
from entente.training.environment import DiplomacyEnvironment
from entente.training.record import Record


class Line(NamedTuple):
    """Where a seat's rollout is asked for words."""

    endpoint: str
    """With `/v1`."""
    secret: str


@dataclass(frozen=True, slots=True)
class RolloutChat:
    """The rollout's model, asked once for one seat: `entente.models.client.Chat`."""

    lines: Mapping[Power, Line]
    spec: ModelSpec
    place: Place
    settings: SeatSettings
    pools: Pools

    async def ask(
        self, request: ModelRequest, _deadline: Deadline, _caller: str, _hear: Hear | None = None, /
    ) -> Completion:
        """The reply; raises UnreadableReply, and what httpx2 raises. How the model samples is the trainer's."""
        line = self.lines[self.place.power]
        said: list[JsonValue] = [{"role": each.role, "content": each.content} for each in request.messages]
        with self.pools.one() as http:
            return await completion_at(
                http,
                f"{line.endpoint}/chat/completions",
                {"model": self.spec.model, "messages": said},
                self.settings.connect_seconds,
                {"Authorization": f"Bearer {line.secret}"},
            )


class Table:
    """One game, which begins when the rollout of each seat of the policy has come."""

    def __init__(self, config: DiplomacyConfig, episode_id: str, seed: int) -> None:
        loop = asyncio.get_running_loop()
        self.config = config
        self.lines: dict[Power, asyncio.Future[Line]] = {
            seat.name: loop.create_future() for seat in config.game_settings.powers if seat.is_of_policy
        }
        self.game = loop.create_task(self._play(episode_id, seed))

    async def _play(self, episode_id: str, seed: int) -> Record:
        lines = dict(zip(self.lines, await asyncio.gather(*self.lines.values()), strict=True))
        url = next(iter(lines.values())).endpoint.removesuffix("/v1")
        server = self.config.server_config.model_copy(update={"url": url})
        config = self.config.model_copy(update={"server_config": server})
        async with DiplomacyEnvironment(config, open_chat=partial(RolloutChat, lines)) as environment:
            await environment.run_episode(episode_id, seed)
            return await environment.record(episode_id)
