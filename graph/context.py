"""The settings of a game: what a form in Studio, or the options of `entente play`, fill in."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, field_validator

from entente.board.engine import SAFE_MAPS, load_geography
from entente.board.types import Power
from entente.errors import SettingsError
from entente.models.budget import Budget, Spent
from entente.models.settings import MOST
from entente.models.wire import KeptReplies
from entente.players import roster
from entente.players.model.settings import SeatSettings
from entente.players.protocol import Player
from entente.players.roster import HUMAN
from entente.players.seating import Chair, is_model
from prompts import read_ahead

SCHEMA_VERSION = 1
"""The version of the state that a game keeps in its checkpoints."""

DEFAULT_YEARS = 10

_LAST_YEAR = 9999
"""The names of phases have four digits for it."""
_LONGEST_SECONDS = 10**9
"""30 years: who has time until then is told the date."""
_LARGEST_SEED = 2**63 - 1
"""What a checkpoint takes."""

_DEFAULTS = SeatSettings()
"""Made once: every step of a game asks for seven of them."""
_SHOWN_BITS = 256
_MODEL_DEBOUNCE_SECONDS = 0.25
"""Mail often comes in twos and threes, and a call is worth waiting a little for."""
_CALLING = ("models", "seat_models", "on_failure")
"""Settings that say how a game is played out, not what it is."""
_BUDGETS = ("budget_usd", "budget_tokens")
"""Model settings that are not handed down: the game's is the whole game's, a seat's its own."""


def _scripted(chair: Chair) -> Player:
    return roster.make_player(chair.player)


class GameSettings(BaseModel):
    """All that a game is set up with. It is resolved once, when the game is opened, and kept in its state."""

    model_config = ConfigDict(extra="forbid", title="Game")

    map_name: Annotated[
        str, Field(description="The map to play on.", json_schema_extra={"enum": list(SAFE_MAPS)})
    ] = "standard"
    everyone: Annotated[
        str,
        Field(
            description="Who plays every power that `seats` does not name: diplomat, dumbbot, openai:gpt-5-mini."
        ),
    ] = "diplomat"
    seats: Annotated[
        dict[Power, str],
        Field(description="Who plays which power: FRANCE: human, TURKEY: dumbbot."),
    ] = Field(default_factory=dict[Power, str])
    floor: Annotated[
        Literal["rounds", "conductor", "gunboat"],
        Field(
            description="Who may speak when: rounds of press before orders; conductor, where each power is woken as "
            "soon as it has mail, and orders when it likes; or gunboat, no press at all."
        ),
    ] = "rounds"
    wake: Annotated[
        Literal["content", "every-event"],
        Field(
            description="What wakes a power on the conductor's floor: what can change a decision, or every event, "
            "its own and acknowledgements included."
        ),
    ] = "content"
    debounce_ms: Annotated[
        int | None,
        Field(
            ge=0,
            le=MOST,
            description="How long the conductor lets mail gather before it wakes a power. "
            "Empty: 250 for language models, 0 for all others.",
        ),
    ] = None
    max_wakes: Annotated[
        int, Field(ge=1, le=MOST, description="How often the conductor wakes a power in one phase at most.")
    ] = 40
    deadline_seconds: Annotated[
        float | None,
        Field(
            gt=0,
            le=_LONGEST_SECONDS,
            description="How long the conductor keeps a movement phase open, pauses left out; who has given no orders "
            "by then, person or not, is late. Empty: for ever.",
        ),
    ] = None
    until_silent: Annotated[
        bool, Field(description="Whether a round in which nobody writes is the phase's last.")
    ] = False
    drafts: Annotated[
        bool,
        Field(
            description="Whether language models state, in each round, what they would order now; private."
        ),
    ] = False
    timing: Annotated[
        Literal["simultaneous", "sequential"],
        Field(
            description="Whether the powers of a round think at once or one after the other; both read alike."
        ),
    ] = "simultaneous"
    rounds: Annotated[
        int, Field(ge=0, le=20, description="Rounds of press before the orders of each movement phase.")
    ] = 3
    on_failure: Annotated[
        Literal["pause", "hold", "dumbbot"],
        Field(
            description="What becomes of a game when a language model's provider fails: it is paused, "
            "or a scripted player stands in until the provider answers again."
        ),
    ] = "pause"
    models: Annotated[
        dict[str, JsonValue],
        Field(description="Settings of all language models by name, and the whole game's budget."),
    ] = Field(default_factory=dict[str, JsonValue])
    seat_models: Annotated[
        dict[Power, dict[str, JsonValue]],
        Field(description="Settings of one power's language model, over those of all, and its own budget."),
    ] = Field(default_factory=dict[Power, dict[str, JsonValue]])
    prompts: Annotated[
        str | None, Field(description="A folder of prompts and personas that replace those that come along.")
    ] = None
    seed: Annotated[
        int,
        Field(
            ge=0, le=_LARGEST_SEED, description="All randomness of scripted players comes from this number."
        ),
    ] = 42
    max_year: Annotated[
        int | None,
        Field(ge=1, le=_LAST_YEAR, description="The last game year; survivors then share. Empty: ten years."),
    ] = None
    stalemate_years: Annotated[
        int,
        Field(
            ge=0,
            le=_LAST_YEAR,
            description="End after so many years without a center changing hands; 0: never.",
        ),
    ] = 5

    @field_validator("models")
    @classmethod
    def _are_models_settings(cls, values: dict[str, JsonValue]) -> dict[str, JsonValue]:
        return _checked(values)

    @field_validator("seat_models")
    @classmethod
    def _are_seats_settings(
        cls, seats: dict[Power, dict[str, JsonValue]]
    ) -> dict[Power, dict[str, JsonValue]]:
        return {power.strip().upper(): _checked(values) for power, values in seats.items()}

    def seat(self, power: Power) -> str:
        """Who plays the power, as the seat was specified."""
        return self.seats.get(power, self.everyone)

    def called_as(self, other: "GameSettings | None") -> "GameSettings":
        """The game with its language models called as `other` says: that may change while it is played."""
        if other is None:
            return self
        return self.model_copy(update={name: getattr(other, name) for name in _CALLING})

    def with_changes(
        self,
        models: Mapping[str, JsonValue],
        seat_models: Mapping[Power, Mapping[str, JsonValue]],
        on_failure: str | None,
    ) -> "GameSettings":
        """The settings with some of how its models are called put over them; raises SettingsError."""
        seats = {power: dict(values) for power, values in self.seat_models.items()}
        for power, values in seat_models.items():
            seats[power] = {**seats.get(power, {}), **values}
        changes = {
            "models": {**self.models, **models},
            "seat_models": seats,
            "on_failure": on_failure or self.on_failure,
        }
        return parse_settings(self.model_dump() | changes)

    def chair(self, power: Power, budgets: tuple[Budget, ...], replies: KeptReplies | None = None) -> Chair:
        """The power's seat with all that belongs to it; the budgets are the game's and the seat's."""
        return Chair(
            power,
            self.seat(power),
            self.seat_settings(power),
            Path(self.prompts) if self.prompts else None,
            budgets,
            replies,
        )

    def budget(self, spent: Iterable[Spent] = ()) -> Budget:
        """What the whole game may spend, held against what its seats have spent already."""
        return _budget("the game", self.models, spent)

    def seat_budget(self, power: Power, spent: Iterable[Spent] = ()) -> Budget:
        """What one seat may spend, held against what it has spent already."""
        return _budget(power, self.seat_models.get(power, {}), spent)

    def seat_settings(self, power: Power) -> SeatSettings:
        """How the power's language model is called and what it is shown: its own settings over the game's."""
        shared = {name: value for name, value in self.models.items() if name not in _BUDGETS}
        changes = {**shared, **self.seat_models.get(power, {})}
        return _DEFAULTS.over(changes) if changes else _DEFAULTS

    @property
    def talk_rounds(self) -> int:
        """Rounds of press in a movement phase; 0 where there are none."""
        return self.rounds if self.floor == "rounds" else 0

    @property
    def is_conducted(self) -> bool:
        """True on the conductor's floor, where powers are woken and not asked in turn."""
        return self.floor == "conductor"

    @property
    def has_press(self) -> bool:
        """False where nobody can be written to."""
        return self.is_conducted or self.talk_rounds > 0

    def debounce_seconds(self, power: Power) -> float:
        """How long mail for the power gathers before it is woken."""
        if self.debounce_ms is not None:
            return self.debounce_ms / 1000
        return _MODEL_DEBOUNCE_SECONDS if is_model(self.seat(power)) else 0.0


def parse_settings(values: dict[str, Any]) -> GameSettings:
    """The settings from plain values; raises SettingsError naming the first that cannot be used."""
    try:
        return GameSettings.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        raise SettingsError(
            f"The setting {name} cannot be {_shown(first['input'])}: {first['msg']}. No game was started."
        ) from error


def _shown(value: object) -> str:
    """As Python writes it, which refuses to write a number of thousands of digits."""
    if isinstance(value, int) and value.bit_length() > _SHOWN_BITS:
        return f"a number of {value.bit_length()} bits"
    return repr(value)


def _budget(name: str, settings: Mapping[str, JsonValue], spent: Iterable[Spent]) -> Budget:
    limits = {key: value for key, value in settings.items() if key in _BUDGETS}
    chosen = _DEFAULTS.over(limits) if limits else _DEFAULTS
    usd, tokens = 0.0, 0
    for each in spent:
        usd, tokens = usd + each["usd"], tokens + each["tokens"]
    return Budget(name, chosen.budget_usd, chosen.budget_tokens, usd, tokens)


def _checked(values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The model settings as JSON, those alone that were given; raises SettingsError."""
    return _DEFAULTS.over(values).model_dump(mode="json", include=set(values))


def resolve(settings: GameSettings, seat_player: Callable[[Chair], Player] = _scripted) -> GameSettings:
    """The settings with every power seated and every default named; raises SettingsError, UnknownMap.

    `seat_player` is asked for each program's player, so that one that cannot be had is told of at once.
    """
    geography = load_geography(settings.map_name)
    seats = {power.strip().upper(): player for power, player in settings.seats.items()}
    for power in (*seats, *settings.seat_models):
        if power not in geography.powers:
            raise SettingsError(
                f"A seat is wanted for {power!r}, and the map {settings.map_name} has "
                f"{', '.join(geography.powers)}. No game was started."
            )
    filled = {power: seats.get(power, settings.everyone).strip() for power in geography.powers}
    folder = Path(settings.prompts).resolve() if settings.prompts else None
    read_ahead(folder)  # looked at even if only scripted players are seated: somebody may take a seat later
    settings = settings.model_copy(update={"seats": filled, "prompts": folder and str(folder)})
    for power, player in filled.items():
        if player != HUMAN:
            seat_player(settings.chair(power, (settings.budget(), settings.seat_budget(power))))
    if settings.drafts and settings.floor != "rounds":
        raise SettingsError(
            f"Drafts are kept from round to round, and the floor {settings.floor} has no rounds; no game was started."
        )
    first_year = geography.first_phase.year
    max_year = settings.max_year if settings.max_year is not None else first_year + DEFAULT_YEARS - 1
    if max_year < first_year:
        raise SettingsError(
            f"The last year must be {first_year} or later on the map {settings.map_name}, "
            f"and {max_year} came. No game was started."
        )
    return settings.model_copy(update={"max_year": max_year})
