"""Batches: which games are to be played, who sits where in each, and what they may cost together."""

from collections.abc import Mapping
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from entente.board.engine import load_geography
from entente.board.types import Power
from entente.errors import SettingsError
from entente.floors.effects import refuse_without_effect
from entente.floors.setup import set_up
from entente.games.planned import PlannedGame, planned
from entente.models.settings import MOST
from entente.players.roster import HUMAN
from entente.players.seating import PlayerFactory, spelled
from entente.validation import first_error, first_misfit, shown
from graph.context import GameSettings, parse_settings

MOST_GAMES = 100_000
"""Of one batch: each is planned before the first is played."""


class Batch(BaseModel):
    """What is to be played."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    game: GameSettings = Field(
        default_factory=GameSettings,
        description="The settings of the games, as `entente play --config` takes them. The seats are those of the "
        "first game, and the seed is its seed.",
    )
    games: int = Field(ge=1, le=MOST_GAMES, description="How many games are played.")
    rotate: bool = Field(
        default=False,
        description="Play each seed once in each rotation of the seats: in each next game everybody sits one power "
        "further on, in the map's order. If not, every game has the next seed and the same seats.",
    )
    parallel: int = Field(default=8, ge=1, le=10_000, description="How many games are played at once.")
    budget_usd: float | None = Field(
        default=None,
        ge=0,
        description="What all games together may spend in dollars; the batch is paused when a call could cost more.",
    )
    budget_tokens: int | None = Field(
        default=None,
        ge=0,
        le=MOST,
        description="How many tokens all games together may spend, prompts and replies.",
    )
    store: str | None = Field(
        default=None,
        description="Where the games are kept, as `--store` takes it. If not given: where `entente play` keeps games.",
    )

    def plan(self) -> "list[BatchGame]":
        """The games, in the order in which they are begun."""
        powers = load_geography(self.game.map_name).powers
        return [self._game(number, powers) for number in range(self.games)]

    def check(self, make_player: PlayerFactory) -> None:
        """Raise SettingsError for what cannot be played; `setting` is where a batch's file has it."""
        try:
            refuse_without_effect(self.game, self.game.model_fields_set)
            resolved = set_up(self.game, make_player)
        except SettingsError as error:
            error.setting = ("game", *error.setting)
            raise
        people = [power for power, player in resolved.seats.items() if player == HUMAN]
        if people:
            place = ("seats", people[0]) if people[0] in _by_power(self.game) else ("everyone",)
            raise SettingsError(
                f"A program was wanted for each seat and a person came for {', '.join(people)}; nothing was played.",
                setting=("game", *place),
            )
        if self.rotate:
            self._check_rotation(resolved.seats)

    def _check_rotation(self, seats: Mapping[Power, str]) -> None:
        if self.game.leaders:
            raise SettingsError(
                "Seats that rotate have no leaders, each of whom leads one power, and leaders came; "
                "nothing was played.",
                setting=("rotate",),
            )
        if len({f"{player} {self.game.seat_models.get(power)}" for power, player in seats.items()}) == 1:
            raise SettingsError(
                "Different players were wanted for seats that rotate and all seats are the same, and so would be the "
                "games of a seed; nothing was played.",
                setting=("rotate",),
            )

    def _game(self, number: int, powers: tuple[Power, ...]) -> "BatchGame":
        round_, shift = divmod(number, len(powers)) if self.rotate else (number, 0)
        given = _by_power(self.game)
        sits_at = {power: powers[(place + shift) % len(powers)] for place, power in enumerate(powers)}
        settings = self.game.model_copy(
            update={
                "seed": self.game.seed + round_,
                "seats": {sits_at[power]: spelled(given.get(power, self.game.everyone)) for power in powers},
                "seat_models": {
                    sits_at.get(power, power): values for power, values in self.game.seat_models.items()
                },
            }
        )
        return BatchGame(planned("arena", settings), sits_at)


class BatchGame(NamedTuple):
    """One game of a batch."""

    game: PlannedGame
    sits_at: Mapping[Power, Power]
    """Where each seat of the batch, which has the name of its power in the first game, sits in this one."""


def _by_power(game: GameSettings) -> dict[Power, str]:
    return {power.strip().upper(): player for power, player in game.seats.items()}


def parse_batch(values: Mapping[str, JsonValue]) -> Batch:
    """The batch from plain values; raises SettingsError, whose `setting` is where the values have what is wrong."""
    game = values.get("game", {})
    if not isinstance(game, dict):
        raise SettingsError(
            f"The settings of a game were wanted as a table and {shown(game)} came; nothing was played.",
            setting=("game",),
        )
    try:
        settings = parse_settings(game)
    except SettingsError as error:
        error.setting = ("game", *error.setting)
        raise
    try:
        return Batch.model_validate({**values, "game": settings})
    except ValidationError as error:
        misfit = first_misfit(error, Batch)
        first = first_error(error)
        if misfit.is_unknown:
            told = f"A batch has no {misfit.name!r}"
        elif first["type"] == "missing":
            told = f"A batch needs {misfit.name!r}"
        else:
            told = f"A batch cannot have {shown(first['input'])} for {misfit.name!r}"
        raise SettingsError(f"{told}; {misfit.reason} Nothing was played.", setting=misfit.path) from error
