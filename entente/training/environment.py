"""Episodes: whole games of a policy, and what is learned from each."""

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Self

from pydantic import JsonValue
from typing_extensions import TypedDict

from checkpoints.archive import export_game
from checkpoints.private import make_folder
from checkpoints.store import Store, open_store
from entente.arena.playing import GameEnd, play_batch
from entente.board.types import Phase, Power
from entente.errors import PlayerError, SettingsError, UnknownGame
from entente.games.forks import fork_game
from entente.games.line import records_on_line
from entente.games.planned import PlannedGame
from entente.games.reading import begun_state
from entente.games.runner import RunEnd
from entente.models.client import Connections
from entente.players.moments import Moment
from entente.players.record import PhaseRecord, TurnRecord
from entente.players.seating import PlayerFactory, Programs, Seating
from entente.training.completions import AtroposClient, OpenChat, PolicySeats, PolicyServer
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
        self,
        config: DiplomacyConfig,
        store: Store | None = None,
        others: PlayerFactory | None = None,
        open_chat: OpenChat | None = None,
        on_end: Callable[[GameEnd], None] | None = None,
    ) -> None:
        """`on_end` is told of each episode that is left, also of one that was over before."""
        self.config = config
        self._given = store
        self._others = others
        self._open_chat = open_chat
        self._on_end = on_end
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        connections = await self._open.enter_async_context(Connections())
        programs = await self._open.enter_async_context(Programs())
        server = self.config.server_config
        self.store = self._given or await self._open.enter_async_context(open_store("memory"))
        self._players = PolicySeats(
            PolicyServer(
                server.url, server.timeout, server.temperature, server.concurrency, server.extra_body
            ),
            self.config.policy_models,
            connections,
            self._others or Seating(connections, os.environ, programs),
            self._open_chat or partial(AtroposClient, version=server.policy_version),
        )
        return self

    async def __aexit__(self, *_raised: object) -> None:
        await self._open.aclose()

    async def run_episode(self, episode_id: str, seed: int | None = None) -> EpisodeResult:
        """Play one game to its end; the seed is made of its group's id unless it is given.

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

    async def branch(self, episode_id: str, at: str, years: int | None = None) -> list[GameEnd]:
        """Play continuations of a moment of an episode, a group of them, to their end or through so many game years.

        They begin with the same position, press and memories, and each goes on by itself; a turn that is named stands,
        with those before it. Those that the store has are not begun anew.
        Raises SettingsError, UnknownMoment and what `fork_game` raises, and then nothing was played.
        """
        moment = Moment.parse(at)
        if self.config.training.group_size < 2:
            raise SettingsError(
                f"A group_size of 2 or more was wanted for continuations of {moment}, and "
                f"{self.config.training.group_size} came; nothing was played.",
            )
        last = Phase.parse(moment.phase).year + years - 1 if years else None
        forks = self.config.branches(episode_id, str(moment))
        for fork in forks:
            await self._fork(episode_id, at, fork, last)
        return await self.play([PlannedGame(fork, await self.store.library.settings(fork)) for fork in forks])

    async def play(self, games: Sequence[PlannedGame]) -> list[GameEnd]:
        """Play the games, and keep their replays where that is wanted."""
        return await play_batch(
            self.store,
            games,
            parallel=self.config.training.batch_size,
            make_player=self._players,
            on_end=self._left,
        )

    async def record(self, episode_id: str) -> Record:
        """The neutral record of an episode."""
        recording = Recording(
            trainable=self.config.trainable,
            group_id=self.config.group_of(episode_id),
            scorers=self.config.scorers,
            steps=self.config.rewards,
        )
        return await record_of(self.store, episode_id, recording)

    async def result(self, episode_id: str) -> EpisodeResult:
        """What came of an episode that is over."""
        state = await begun_state(self.store, episode_id)
        line = await records_on_line(self.store.journal, episode_id, state)
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

    async def _fork(self, episode_id: str, at: str, fork: str, max_year: int | None) -> None:
        """Make the fork, unless there is one."""
        try:
            await self.store.library.summary(fork)
        except UnknownGame:
            await fork_game(self.store, episode_id, at, {}, self._players, fork=fork, max_year=max_year)

    def _planned(self, episode_id: str, seed: int | None) -> PlannedGame:
        group = self.config.group_of(episode_id)
        return PlannedGame(episode_id, self.config.settings(_seed_of(group) if seed is None else seed))

    async def _left(self, ended: GameEnd) -> None:
        await self._keep_replay(ended)
        if self._on_end is not None:
            self._on_end(ended)

    async def _keep_replay(self, ended: GameEnd) -> None:
        training = self.config.training
        if training.save_replays and ended.end is RunEnd.FINISHED:
            folder = Path(training.replay_dir)
            await asyncio.to_thread(make_folder, folder)
            await export_game(self.store.library, ended.game.id, folder / f"{ended.game.id}.entente")


def _seed_of(episode_id: str) -> int:
    return int.from_bytes(blake2b(episode_id.encode(), digest_size=4).digest())


def _orders(phase: PhaseRecord) -> dict[Power, list[str]]:
    given: dict[Power, list[str]] = {}
    for result in phase.results:
        given.setdefault(result.power, []).append(result.order)
    return given
