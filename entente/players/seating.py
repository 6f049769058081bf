"""Who sits in a chair, by the seat's text.

`human`; a scripted player's name, with its knobs; `PROVIDER:MODEL` for a language model; anything else is a program:
`MODULE:CLASS`, the name under which one is installed, `exec:COMMAND` to start, or the name of a player of your own
(`Players`).
"""

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Protocol, Self, TypeAlias, runtime_checkable

from entente.board.types import Power
from entente.errors import SettingsError
from entente.models.budget import Budget
from entente.models.client import Connections, open_model, placed_at
from entente.models.spec import PROVIDERS, ModelSpec
from entente.models.wire import KeptReplies
from entente.players import roster
from entente.players.loading import OwnPlayer, load, seated
from entente.players.model.settings import SeatSettings
from entente.players.outside import OutsideAgent
from entente.players.program import AgentPlayer
from entente.players.protocol import Player


class SeatKind(StrEnum):
    """Who decides for a power."""

    HUMAN = "human"
    SCRIPTED = "scripted"
    """A scripted player of ours: it answers at once."""
    MODEL = "model"
    PROGRAM = "program"
    """A program that is not ours."""


def kind_of(player: str) -> SeatKind:
    """What kind of player a seat's text names, as `spelled` writes it; nothing is loaded to find out."""
    if player == roster.HUMAN:
        return SeatKind.HUMAN
    if roster.is_scripted(player):
        return SeatKind.SCRIPTED
    provider, colon, _ = player.partition(":")
    return SeatKind.MODEL if colon and provider in PROVIDERS else SeatKind.PROGRAM


def spelled(player: str) -> str:
    """The seat's text as it is kept: names of ours in small letters, all others as they came."""
    ours = player.strip().lower()
    return ours if kind_of(ours) in (SeatKind.HUMAN, SeatKind.SCRIPTED) else player.strip()


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat, and all that must be known to fill it."""

    power: Power
    player: str
    """Who plays it, as the seat was specified: `diplomat`, `openai:gpt-5-mini`, `bots:Scout`."""
    game: str = ""
    """The game's id; empty while its settings are checked."""
    settings: SeatSettings = field(default_factory=SeatSettings)
    """For a language model."""
    prompts: Path | None = None
    """A folder of texts that are put in place of ours."""
    budgets: tuple[Budget, ...] = ()
    """What its calls are held against."""
    replies: KeptReplies | None = None
    """Where it keeps a reply that it asks its model to mend; None where nothing can be resumed."""

    @property
    def kind(self) -> SeatKind:
        """Who plays it."""
        return kind_of(self.player)


PlayerFactory: TypeAlias = Callable[[Chair], Player]


@runtime_checkable
class HoldsPrograms(Protocol):
    """A players' factory that keeps a program for each seat of each game."""

    async def let_go(self, game: str) -> None:
        """Forget the game's programs, and end the processes that were started for them."""
        ...


@dataclass(frozen=True)
class Programs:
    """The programs in the seats of games: each seat of each game has one of its own, until its game stops.

    Processes that were started for them end then, or with the block: `async with Programs() as programs`.
    """

    _made: dict[tuple[str, Power, str], Player] = field(default_factory=dict[tuple[str, Power, str], Player])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_raised: object) -> None:
        await self._end([*self._made])

    async def let_go(self, game: str) -> None:
        """Forget the game's programs, and end their processes; who is asked for one later is given a new one."""
        await self._end([seat for seat in self._made if seat[0] == game])

    def at(self, chair: Chair, make: Callable[[], Player]) -> Player:
        """The chair's program; while settings are checked, one that is made for it and forgotten."""
        if not chair.game:
            return make()
        seat = (chair.game, chair.power, chair.player)
        if seat not in self._made:
            self._made[seat] = make()
        return self._made[seat]

    async def _end(self, seats: Sequence[tuple[str, Power, str]]) -> None:
        players = [self._made.pop(seat) for seat in seats]
        agents = [player.agent for player in players if isinstance(player, AgentPlayer)]
        await asyncio.gather(*(agent.close() for agent in agents if isinstance(agent, OutsideAgent)))


@dataclass(frozen=True)
class Players:
    """Players of your own by the names that seats have for them, over whoever else can be seated.

    >>> Players({"mine": MyPlayer})

    An object plays all seats of its name; a class or a function without arguments makes one for each seat of each game.
    """

    own: Mapping[str, OwnPlayer]
    others: PlayerFactory = field(default_factory=lambda: players_of_process())
    _programs: Programs = field(default_factory=Programs)

    def __post_init__(self) -> None:
        for name in self.own:
            if name != spelled(name) or kind_of(name) is not SeatKind.PROGRAM:
                raise SettingsError(
                    f"A name of your own was wanted for a player and {name!r} came, which names another kind of seat; "
                    "nobody was seated."
                )

    def __call__(self, chair: Chair) -> Player:
        """The player; raises SettingsError, and whatever the others' factory raises."""
        if chair.player not in self.own:
            return self.others(chair)
        return self._programs.at(chair, lambda: seated(chair.player, self.own[chair.player]))

    async def let_go(self, game: str) -> None:
        """Forget the game's programs, and end the processes that were started for them."""
        await self._programs.let_go(game)
        if isinstance(self.others, HoldsPrograms):
            await self.others.let_go(game)


@dataclass(frozen=True)
class Seating:
    """Makes players for as many games as one likes. None but programs hold anything between turns."""

    connections: Connections
    environ: Mapping[str, str]
    """Where the keys of providers are looked up, by the names of their variables."""
    programs: Programs = field(default_factory=Programs)
    """Where the programs of its seats are; who brings it ends their processes, or they end with this one."""
    _scripted: dict[str, Player] = field(default_factory=dict[str, Player])
    _rng: Random = field(default_factory=Random)
    """Jitter between retries: it decides nothing in a game."""

    def __call__(self, chair: Chair) -> Player:
        """The player; raises SettingsError, MissingKey among them."""
        match chair.kind:
            case SeatKind.MODEL:
                return self._model(chair)
            case SeatKind.PROGRAM:
                return self.programs.at(chair, lambda: load(chair.player))
            case _:
                return self._ours(chair.player)

    async def let_go(self, game: str) -> None:
        """Forget the game's programs, and end the processes that were started for them."""
        await self.programs.let_go(game)

    def _ours(self, name: str) -> Player:
        if name not in self._scripted:
            self._scripted[name] = roster.make_player(name)
        return self._scripted[name]

    def _model(self, chair: Chair) -> Player:
        # Seven scripted seats must not pay for loading what only models need.
        from entente.players.model.player import ModelPlayer
        from entente.players.model.seat import Seat

        spec = ModelSpec.parse(chair.player)
        _check_takes_schema(spec, chair.settings)
        model = open_model(
            spec,
            chair.settings,
            self.connections,
            environ=self.environ,
            rng=self._rng,
            budgets=chair.budgets,
            caller=chair.power,
        )
        return ModelPlayer(model, Seat.of(chair.settings, chair.prompts, chair.player), chair.replies)


def _check_takes_schema(spec: ModelSpec, settings: SeatSettings) -> None:
    if settings.actions == "schema" and placed_at(spec, settings).base_url is None:
        raise SettingsError(
            f"A server at an address of its own was wanted for actions=schema and {spec} came, which is asked at its "
            "provider's and calls tools. No model was opened.",
            setting=("actions",),
        )


def players_of_process() -> PlayerFactory:
    """Whoever a seat can name, for a process that brings no factory: connections to providers end with the process."""
    return Seating(Connections(), os.environ)
