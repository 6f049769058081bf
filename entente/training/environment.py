"""Episodes: whole games of a policy, and what is learned from each."""

import asyncio
import os
from collections.abc import Sequence
from contextlib import AsyncExitStack
from hashlib import blake2b
from pathlib import Path
from typing import Self

from pydantic import JsonValue
from typing_extensions import TypedDict

from checkpoints.archive import export_game
from checkpoints.private import make_folder
from checkpoints.store import Store, open_store
from entente.arena.playing import GameEnd, play_batch
from entente.board.types import Power
from entente.errors import PlayerError
from entente.games.line import records_on_line
from entente.games.planned import PlannedGame
from entente.games.reading import begun_state
from entente.games.runner import RunEnd
from entente.models.client import Connections
from entente.players.record import PhaseRecord, TurnRecord
from entente.players.seating import PlayerFactory, Programs, Seating
from entente.training.client import PolicySeats, PolicyServer
from entente.training.config import DiplomacyConfig
from entente.training.record import Record
from entente.training.recorder import Recording, record_of
from graph.state import board_of


class EpisodeResult(TypedDict):
    """What came of an episode: the requirement's six, and what trainers want beside them."""

    episode_id: str
    winner: Power | None
    """Who has won alone."""
    supply_centers: dict[Power, list[str]]
    turns: int
    """Phases that were adjudicated."""
    conversations: list[dict[str, JsonValue]]
    """All press, in order: `phase`, `sender`, `recipient`, `content`."""
    orders: dict[str, dict[Power, list[str]]]
    """By phase, as they were adjudicated."""
    scores: dict[str, dict[Power, float]]
    seed: int
    config_hash: str
    end_reason: str
    trajectories: dict[Power, list[dict[str, JsonValue]]]
    """The calls of each trained seat, in order, as the neutral record has them."""


class DiplomacyEnvironment:
    """Plays episodes: `async with DiplomacyEnvironment(config) as environment`.

    An episode is a game of its id in the store: one that was interrupted goes on, one that is over is not played again.
    """

    def __init__(
        self, config: DiplomacyConfig, store: Store | None = None, others: PlayerFactory | None = None
    ) -> None:
        self.config = config
        self._given = store
        self._others = others
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        connections = await self._open.enter_async_context(Connections())
        programs = await self._open.enter_async_context(Programs())
        server = self.config.server_config
        self._store = self._given or await self._open.enter_async_context(open_store("memory"))
        self._players = PolicySeats(
            PolicyServer(server.url, server.timeout, server.temperature),
            self.config.policy_models,
            connections,
            self._others or Seating(connections, os.environ, programs),
        )
        return self

    async def __aexit__(self, *_raised: object) -> None:
        await self._open.aclose()

    async def run_episode(self, episode_id: str, seed: int | None = None) -> EpisodeResult:
        """Play one game to its end; the seed is made of its id unless it is given.

        Raises PlayerError for one that failed: it can be run again, and goes on where it stopped.
        """
        (ended,) = await self.play([self._planned(episode_id, seed)])
        if ended.end is not RunEnd.FINISHED:
            raise PlayerError(
                f"Episode {episode_id} has failed and nothing is learned from it: {ended.reason}"
            )
        return await self.result(episode_id)

    async def run(self, episode_ids: Sequence[str]) -> list[GameEnd]:
        """Play the episodes, `batch_size` of them at once; one that fails does not stop the others."""
        return await self.play([self._planned(episode_id, None) for episode_id in episode_ids])

    async def play(self, games: Sequence[PlannedGame]) -> list[GameEnd]:
        """Play the games, and keep their replays where that is wanted."""
        return await play_batch(
            self._store,
            games,
            parallel=self.config.training.batch_size,
            make_player=self._players,
            on_end=self._keep_replay,
        )

    async def record(self, episode_id: str) -> Record:
        """The neutral record of an episode."""
        return await record_of(self._store, episode_id, Recording(trainable=self.config.trainable))

    async def result(self, episode_id: str) -> EpisodeResult:
        """What came of an episode that is over."""
        state = await begun_state(self._store, episode_id)
        line = await records_on_line(self._store.journal, episode_id, state)
        record = await self.record(episode_id)
        episode = record.episode
        trained = [call for call in record.calls if call.seat in self.config.trainable]
        return EpisodeResult(
            episode_id=episode_id,
            winner=episode.winners[0] if episode.end_reason == "solo" else None,
            supply_centers={power: [*held] for power, held in board_of(state).position.centers.items()},
            turns=episode.phases,
            conversations=[
                message.model_dump(mode="json", include={"phase", "sender", "recipient", "content"})
                for turn in line
                if isinstance(turn, TurnRecord)
                for message in turn.messages
            ],
            orders={phase.phase: _orders(phase) for phase in line if isinstance(phase, PhaseRecord)},
            scores=episode.scores,
            seed=episode.seed,
            config_hash=episode.config_hash,
            end_reason=episode.end_reason or "",
            trajectories={
                power: [call.model_dump(mode="json") for call in trained if call.seat == power]
                for power in self.config.trainable
            },
        )

    def _planned(self, episode_id: str, seed: int | None) -> PlannedGame:
        return PlannedGame(episode_id, self.config.settings(_seed_of(episode_id) if seed is None else seed))

    async def _keep_replay(self, ended: GameEnd) -> None:
        training = self.config.training
        if training.save_replays and ended.end is RunEnd.FINISHED:
            folder = Path(training.replay_dir)
            await asyncio.to_thread(make_folder, folder)
            await export_game(self._store.library, ended.game.id, folder / f"{ended.game.id}.entente")


def _seed_of(episode_id: str) -> int:
    return int.from_bytes(blake2b(episode_id.encode(), digest_size=4).digest())


def _orders(phase: PhaseRecord) -> dict[Power, list[str]]:
    given: dict[Power, list[str]] = {}
    for result in phase.results:
        given.setdefault(result.power, []).append(result.order)
    return given
