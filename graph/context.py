"""The settings of a game: what a form in Studio, or the options of `entente play`, fill in."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, field_validator

from entente.board.engine import SAFE_MAPS
from entente.board.types import Power
from entente.errors import SettingsError
from entente.models.settings import MOST
from entente.players.model.settings import SeatSettings

SCHEMA_VERSION = 1
"""The version of the state that a game keeps in its checkpoints."""

FLOORS = {
    "rounds": "entente.floors.rounds:RoundsFloor",
    "conductor": "entente.floors.conductor:ConductorFloor",
    "gunboat": "entente.floors.gunboat:GunboatFloor",
}
"""Every floor by its name, and the class that plays it; a new floor is a line here and a file there."""

_LAST_YEAR = 9999
"""The names of phases have four digits for it."""
_LONGEST_SECONDS = 10**9
"""30 years: who has time until then is told the date."""
_LARGEST_SEED = 2**63 - 1
"""What a checkpoint takes."""

_DEFAULTS = SeatSettings()
"""Made once: every step of a game asks for seven of them."""
_SHOWN_BITS = 256
_CALLING = ("models", "seat_models", "on_failure")
"""Settings that say how a game is played out, not what it is."""


class GameSettings(BaseModel):
    """All that a game is set up with. It is resolved once, when the game is opened, and kept in its state."""

    model_config = ConfigDict(extra="forbid", title="Game")

    map_name: Annotated[
        str, Field(description="The map to play on.", json_schema_extra={"enum": list(SAFE_MAPS)})
    ] = "standard"
    everyone: Annotated[
        str,
        Field(
            description="Who plays every power that `seats` does not name: diplomat, dumbbot, openai:gpt-5-mini, "
            "a program as bots:Scout."
        ),
    ] = "diplomat"
    seats: Annotated[
        dict[Power, str],
        Field(description="Who plays which power: FRANCE: human, TURKEY: dumbbot."),
    ] = Field(default_factory=dict[Power, str])
    floor: Annotated[
        str,
        Field(
            json_schema_extra={"enum": list(FLOORS)},
            description="Who may speak when: rounds of press before orders; conductor, where each power is woken as "
            "soon as it has mail, and orders when it likes; or gunboat, no press at all.",
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
            description="What becomes of a game when a language model's provider or a program fails: it is paused, "
            "or a scripted player stands in until it answers again, at the earliest in the next phase."
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

    @field_validator("floor")
    @classmethod
    def _is_a_floor(cls, name: str) -> str:
        if name not in FLOORS:
            raise ValueError(f"Input should be {', '.join(map(repr, FLOORS))}")
        return name

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


def parse_settings(values: dict[str, Any]) -> GameSettings:
    """The settings from plain values; raises SettingsError naming the first that cannot be used."""
    try:
        return GameSettings.model_validate(values)
    except ValidationError as error:
        raise settings_error(error) from error


def settings_error(error: ValidationError) -> SettingsError:
    """What is wrong with the first setting that cannot be used, in a sentence."""
    first = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in first["loc"])
    return SettingsError(
        f"The setting {name} cannot be {_shown(first['input'])}: {first['msg']}. No game was started."
    )


def _shown(value: object) -> str:
    """As Python writes it, which refuses to write a number of thousands of digits."""
    if isinstance(value, int) and value.bit_length() > _SHOWN_BITS:
        return f"a number of {value.bit_length()} bits"
    return repr(value)


def _checked(values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """The model settings as JSON, those alone that were given; raises SettingsError."""
    return _DEFAULTS.over(values).model_dump(mode="json", include=set(values))
