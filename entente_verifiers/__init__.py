"""entente as an environment of verifiers 0.4: an episode is a game, and each seat of the policy is a rollout in it.

verifiers samples and keeps what was sampled: a seat's calls go to the address of its own rollout, so that its trace has
nothing of another seat. It finds an environment by the name of a package at the top, `entente-verifiers`.
"""

# verifiers is no part of the development environment, whose packages it does not go with (docs/decisions/0042).
# pyright: basic, reportMissingImports=false

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import uuid4

import verifiers.v1 as vf
from pydantic import ConfigDict

from entente.board.types import Power
from entente.errors import PlayerError, SettingsError
from entente.training.config import read_config
from entente.training.record import Record
from entente.training.rollouts import Line, Table
from entente.training.texts import worth_of

__all__ = ["DiplomacyEnv", "DiplomacyGames", "SeatHarness"]


class Chair(vf.State):
    """What a rollout knows of its game; verifiers never writes it down."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    table: Table | None = None
    record: Record | None = None
    """The game's, once it is over."""


class SeatData(vf.TaskData):
    """Which seat a rollout has."""

    power: Power


class SeatTask(vf.Task[SeatData, Chair]):
    """One seat through one game."""

    @vf.reward
    async def game_score(self, trace: vf.Trace) -> float:
        """What the game was worth to the seat; raises PlayerError for one that it did not see the end of."""
        if (record := trace.state.record) is None:
            raise PlayerError(f"The rollout of {self.data.power} ended before its game; it has no reward.")
        return worth_of(record.episode, self.data.power)


class SeatHarness(vf.Harness[vf.HarnessConfig]):
    """Plays a seat: it hands the rollout's address to the table and waits until the game is over."""

    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,  # noqa: ARG002
        trace: vf.Trace,
        runtime: vf.Runtime,  # noqa: ARG002
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],  # noqa: ARG002
        data: SeatData,
    ) -> vf.ProgramResult:
        """The game; raises PlayerError for one that failed, of which nothing is learned."""
        table = trace.state.table
        table.lines[data.power].set_result(Line(endpoint, secret))
        trace.state.record = record = await asyncio.shield(table.game)
        leave_learned(trace, record, data.power)
        return vf.ProgramResult(0, "", "")


class GameData(vf.TaskData):
    """A game to be played; its rollouts begin alike."""

    seed: int


class GameTask(vf.Task[GameData]):
    """One game."""


class GamesConfig(vf.TasksetConfig):
    """`--env.taskset.file training.yaml`."""

    file: Path = Path("training.yaml")


class DiplomacyGames(vf.Taskset[GameTask, GamesConfig]):
    """As many games as `episodes_per_batch`, each with a seed of its own."""

    def __init__(self, config: GamesConfig) -> None:
        super().__init__(config)
        self.settings = read_config(config.file)
        if not self.settings.policy_models:
            raise SettingsError(
                f"{config.file}: a seat of the policy's was wanted and none came; nothing was played."
            )

    def load(self) -> Iterable[GameTask]:
        """The games."""
        for number in range(self.settings.training.episodes_per_batch):
            yield GameTask(GameData(id=f"episode-{number}", prompt="A game.", seed=number), self.config.task)


class DiplomacyEnvConfig(vf.EnvConfig):
    """The environment's settings."""

    policy: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())
    """Who plays all seats of the policy: one name, since trainers refuse a group of several."""
    max_concurrent_agents: int | None = None
    """All at once: seats that think at the same time would wait for one another for ever."""


class DiplomacyEnv(vf.Env[DiplomacyEnvConfig]):
    """Plays a game an episode."""

    async def run(self, task: GameTask, agents: vf.Agents) -> None:
        """Play; raises PlayerError for a game that failed."""
        # Rollouts of one task are games of their own: only the seed is the same.
        table = Table(self.taskset.settings, f"{task.data.id}-{uuid4().hex[:8]}", task.data.seed)
        try:
            await asyncio.gather(*(_sit(agents.policy, table, power) for power in table.lines))
        finally:
            table.game.cancel()
            await asyncio.wait([table.game])
        if table.game.cancelled():
            raise PlayerError("Each rollout ended before its game was over; nothing is learned from it.")
        table.game.result()


async def _sit(agent: vf.Agent, table: Table, power: Power) -> None:
    """Play one seat to the end of its rollout."""

    def seat(trace: vf.Trace) -> None:
        trace.state.table = table
        trace.agent.trainable = power in table.config.trainable

    await agent.run(SeatTask(SeatData(name=power, prompt=f"Play {power}.", power=power)), on_trace=seat)
    if not (line := table.lines[power]).done():
        line.set_exception(PlayerError(f"The rollout of {power} ended before the game began."))


def leave_learned(trace: vf.Trace, record: Record, power: Power) -> None:
    """Mask the replies that the record does not have as trainable: of a stand-in's turn, cut off, given up."""
    learned = {
        (*(message["content"] for message in record.messages(call)), call.response.content)
        for call in record.calls
        if call.trainable and call.seat == power
    }
    for branch in trace.branches:
        said: tuple[Any, ...] = ()
        for node in branch.nodes:
            said += (node.message.content,)
            if node.sampled and said not in learned:
                node.mask, node.logprobs = [False] * len(node.mask), []
