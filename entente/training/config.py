"""How episodes are set up: the requirement's file, with what each seat may add to it."""

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from entente.board.engine import load_geography
from entente.errors import SettingsError
from entente.players.seating import SeatKind, kind_of, spelled
from graph.context import GameSettings

_POWERS = load_geography("standard").powers
_FIRST_YEAR = 1901


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class About(_Part):
    """What the environment is called."""

    name: str = "diplomacy"
    type: Literal["multi_agent"] = "multi_agent"


class PowerSeat(_Part):
    """One power."""

    name: str
    model: str = Field(min_length=1)
    """A model of the policy server; or who else can be seated: `dumbbot`, `openai:gpt-5-mini`."""
    trainable: bool | None = None
    """None: where the policy server plays it."""

    @field_validator("name")
    @classmethod
    def _is_a_power(cls, name: str) -> str:
        if (power := name.strip().upper()) not in _POWERS:
            raise ValueError(f"one of {', '.join(_POWERS)} was wanted")
        return power

    @property
    def is_of_policy(self) -> bool:
        """True where the policy server plays it."""
        name = spelled(self.model)
        return kind_of(name) is SeatKind.PROGRAM and ":" not in name

    @property
    def is_trained(self) -> bool:
        """True where its calls are to be learned from."""
        return self.is_of_policy if self.trainable is None else self.trainable


class GamePart(_Part):
    """The games."""

    max_turns: int = Field(default=20, ge=1, le=1000)
    """Game years."""
    deadline_seconds: float = Field(default=300, gt=0)
    """Of a phase on the conductor's floor; elsewhere each call has the server's timeout."""
    floor: Literal["rounds", "gunboat", "conductor"] = "rounds"
    rounds: int = Field(default=3, ge=0, le=20)
    """Of press in each movement phase, on the floor `rounds`."""
    powers: list[PowerSeat]

    @model_validator(mode="after")
    def _has_all_powers(self) -> Self:
        names = [seat.name for seat in self.powers]
        if sorted(names) != sorted(_POWERS):
            raise ValueError(f"each of {', '.join(_POWERS)} was wanted once")
        return self


class ServerPart(_Part):
    """The policy server."""

    url: str = Field(default="http://localhost:8000", pattern=r"^https?://")
    timeout: float = Field(default=30, gt=0)
    """Seconds for one attempt of a call."""
    temperature: float = Field(default=0.0, ge=0, le=2)


class TrainingPart(_Part):
    """How many games, and what is kept of them."""

    batch_size: int = Field(default=4, ge=1, le=10_000)
    """Games at once."""
    episodes_per_batch: int = Field(default=100, ge=1)
    save_replays: bool = True
    replay_dir: str = "./replays"


class DiplomacyConfig(_Part):
    """The whole file."""

    environment: About = About()
    game_settings: GamePart
    server_config: ServerPart = ServerPart()
    training: TrainingPart = TrainingPart()

    def settings(self, seed: int) -> GameSettings:
        """The settings of an episode's game."""
        game = self.game_settings
        of_floor: dict[str, Any] = {
            "rounds": {"rounds": game.rounds},
            "conductor": {"deadline_seconds": game.deadline_seconds},
            "gunboat": {},
        }[game.floor]
        return GameSettings(
            seats={seat.name: spelled(seat.model) for seat in game.powers},
            floor=game.floor,
            max_year=_FIRST_YEAR - 1 + game.max_turns,
            seed=seed,
            **of_floor,
        )

    @property
    def policy_models(self) -> frozenset[str]:
        """The models that the policy server plays, as seats name them."""
        return frozenset(spelled(seat.model) for seat in self.game_settings.powers if seat.is_of_policy)

    @property
    def trainable(self) -> list[str]:
        """The powers whose calls are to be learned from."""
        return [seat.name for seat in self.game_settings.powers if seat.is_trained]


def parse_config(values: Mapping[str, Any]) -> DiplomacyConfig:
    """The configuration; raises SettingsError, whose `setting` is where the first value stands that does not fit."""
    try:
        return DiplomacyConfig.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = tuple(str(part) for part in first["loc"])
        reason = first["msg"].removeprefix("Value error, ")
        named = ".".join(place) or "the file"
        raise SettingsError(f"{named}: {reason}; nothing was played.", setting=place) from error
