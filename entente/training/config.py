"""How episodes are set up: the requirement's file, with what each seat may add to it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_core import ErrorDetails

from entente.board.engine import load_geography
from entente.errors import SettingsError
from entente.models.secrecy import check_body
from entente.models.spec import check_address
from entente.players.seating import SeatKind, kind_of, spelled
from entente.training.rewards import SCORERS, SQUARES, StepRewards
from entente.validation import first_error, near
from entente.value_file import read_values
from graph.context import FLOORS, GameSettings, parse_settings, without_effect_on

_POWERS = load_geography("standard").powers
_FIRST_YEAR = 1901
_NAMED = {"max_year": ("max_turns",), "seats": ("powers",)}
"""What a setting of games is called in the file, where that is something else."""


def _without_password(url: str) -> str:
    try:
        check_address(url)
    except SettingsError as error:
        raise ValueError(str(error)) from None
    return url


_Address: TypeAlias = Annotated[
    str, StringConstraints(pattern=r"^https?://"), AfterValidator(_without_password)
]
"""Of a server; errors name it, so that it may hold no password."""


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
    tokenizer: str | None = None
    """A folder with the model's tokenizer, for tokens that the server does not tell."""
    scorer: str = SQUARES
    """Which score of a game is its reward."""

    @field_validator("name")
    @classmethod
    def _is_a_power(cls, name: str) -> str:
        if (power := name.strip().upper()) not in _POWERS:
            raise ValueError(f"one of {', '.join(_POWERS)} was wanted")
        return power

    @field_validator("scorer")
    @classmethod
    def _is_a_score(cls, name: str) -> str:
        if name not in SCORERS:
            raise ValueError(f"one of {', '.join(SCORERS)} was wanted")
        return name

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
    deadline_seconds: float = 300
    """Of a phase on the conductor's floor; elsewhere each call has the server's timeout."""
    floor: str = "rounds"
    rounds: int = 3
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

    url: _Address = "http://localhost:8000"
    timeout: float = Field(default=30, gt=0)
    """Seconds for one attempt of a call."""
    temperature: float = Field(default=0.0, ge=0, le=2)
    concurrency: int = Field(default=16, ge=1, le=10_000)
    """Calls at once, of all games together: what the server has slots for."""
    extra_body: dict[str, JsonValue] = Field(default_factory=dict)
    """More fields of each request, as the server wants them; never a secret."""
    policy_version: str = ""
    """What the policy's version is called where its server does not tell."""

    @field_validator("extra_body")
    @classmethod
    def _has_no_secret_field(cls, body: dict[str, JsonValue]) -> dict[str, JsonValue]:
        try:
            check_body(body)
        except SettingsError as error:
            raise ValueError(str(error)) from None
        return body


class TrainingPart(_Part):
    """How many games, and what is kept of them."""

    batch_size: int = Field(default=4, ge=1, le=10_000)
    """Games at once."""
    episodes_per_batch: int = Field(default=100, ge=1)
    group_size: int = Field(default=1, ge=1)
    """Games that begin alike, with one seed, so that they can be compared; 1 for none."""
    save_replays: bool = True
    replay_dir: str = "./replays"

    @model_validator(mode="after")
    def _has_whole_groups(self) -> Self:
        if self.episodes_per_batch % self.group_size:
            raise ValueError("a multiple of group_size was wanted for episodes_per_batch")
        return self


class QueuePart(_Part):
    """The queue of a trainer."""

    url: _Address
    name: str = "diplomacy"
    """What the trainer calls the groups' source."""
    patience: float = Field(default=600, gt=0)
    """Seconds for which a trainer is waited for that takes nothing."""
    pushes: str = "./pushed.sqlite"
    """The file in which it is kept what was pushed."""


class DiplomacyConfig(_Part):
    """The whole file."""

    environment: About = About()
    game_settings: GamePart
    server_config: ServerPart = ServerPart()
    training: TrainingPart = TrainingPart()
    rewards: StepRewards = StepRewards()
    queue: QueuePart | None = None

    def settings(self, seed: int) -> GameSettings:
        """The settings of an episode's game; raises SettingsError, whose `setting` is the game's."""
        game = self.game_settings
        values = {
            "seats": {seat.name: spelled(seat.model) for seat in game.powers},
            "floor": game.floor,
            "max_year": _FIRST_YEAR - 1 + game.max_turns,
            "seed": seed,
        }
        every_floors = {"rounds": game.rounds, "deadline_seconds": game.deadline_seconds}
        idle = without_effect_on(game.floor) if game.floor in FLOORS else ()
        return parse_settings(
            values | {name: value for name, value in every_floors.items() if name not in idle}
        )

    def episodes(self, name: str) -> list[str]:
        """The ids of a batch: `NAME-0` and so on; in groups `NAME-0-0`, `NAME-0-1` and so on."""
        size = self.training.group_size
        groups = [f"{name}-{number}" for number in range(self.training.episodes_per_batch // size)]
        return groups if size == 1 else [f"{group}-{number}" for group in groups for number in range(size)]

    def branches(self, episode_id: str, at: str) -> list[str]:
        """The ids of the continuations of a moment, which are a group: `NAME-0-s1902m-0` and so on."""
        moment = at.lower().replace(".", "-")
        return [f"{episode_id}-{moment}-{number}" for number in range(self.training.group_size)]

    def group_of(self, episode_id: str) -> str:
        """The group of an episode: itself, or what stands before the last dash of its id."""
        return episode_id if self.training.group_size == 1 else episode_id.rpartition("-")[0] or episode_id

    @property
    def policy_models(self) -> frozenset[str]:
        """The models that the policy server plays, as seats name them."""
        return frozenset(spelled(seat.model) for seat in self.game_settings.powers if seat.is_of_policy)

    @property
    def trainable(self) -> list[str]:
        """The powers whose calls are to be learned from."""
        return [seat.name for seat in self.game_settings.powers if seat.is_trained]

    @property
    def scorers(self) -> dict[str, str]:
        """Which score is the reward of each power."""
        return {seat.name: seat.scorer for seat in self.game_settings.powers}

    @property
    def tokenizers(self) -> dict[str, str]:
        """The folder of each power's tokenizer, of those that have one."""
        return {seat.name: seat.tokenizer for seat in self.game_settings.powers if seat.tokenizer}


def read_config(path: Path) -> DiplomacyConfig:
    """The configuration in a file; raises SettingsError with the line of the first value that does not fit."""
    file = read_values(path, "The settings of training")
    try:
        return parse_config(file.values)
    except SettingsError as error:
        raise file.placed(error) from error


def parse_config(values: Mapping[str, Any]) -> DiplomacyConfig:
    """The configuration; raises SettingsError, whose `setting` is where the first value stands that does not fit."""
    try:
        config = DiplomacyConfig.model_validate(values)
    except ValidationError as error:
        first = first_error(error)
        raise _refused(tuple(map(str, first["loc"])), _reason(first)) from error
    try:
        config.settings(seed=0)
    except SettingsError as error:
        raise _refused(("game_settings", *_NAMED.get(error.setting[0], error.setting)), str(error)) from error
    return config


def _reason(error: ErrorDetails) -> str:
    if error["type"] != "extra_forbidden":
        return f"{error['msg'].removeprefix('Value error, ')}; nothing was played."
    *place, name = error["loc"]
    return f"there is no such setting; {near(str(name), _known_at(place))} Nothing was played."


def _known_at(place: Sequence[int | str]) -> list[str]:
    """The names that the table at this place may have, from the schema."""
    schema: dict[str, Any] = DiplomacyConfig.model_json_schema()
    table = schema
    for name in place:
        here: dict[str, Any] = table["items"] if isinstance(name, int) else table["properties"][name]
        named = next((each["$ref"] for each in (here, *here.get("anyOf", ())) if "$ref" in each), None)
        table = schema["$defs"][named.rpartition("/")[2]] if named else here
    return [*table["properties"]]


def _refused(place: tuple[str, ...], reason: str) -> SettingsError:
    return SettingsError(f"{'.'.join(place) or 'the file'}: {reason}", setting=place)
