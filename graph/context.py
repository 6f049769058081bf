"""The settings of a game: what a form in Studio, or the options of `entente play`, fill in."""

from collections.abc import Mapping, Set
from types import MappingProxyType
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, field_validator

from entente.board.maps import SAFE_MAPS
from entente.board.types import Power
from entente.commentary.leader import Leader, parse_leader
from entente.errors import SettingsError
from entente.models.settings import MOST, ModelSettings
from entente.models.spec import ModelSpec
from entente.players.model.settings import SeatSettings
from entente.validation import first_misfit, listed, shown

SCRIPTED_CREW = "scripted"

SCHEMA_VERSION = 1
"""The version of the state that a game keeps in its checkpoints."""


class FloorEntry(NamedTuple):
    """A floor that a game can be played on."""

    place: str
    """The class that plays it, as `module:Class`."""
    settings: Set[str]
    """Settings of games and of models that have an effect on this floor and not on every other."""


FLOORS = {
    "rounds": FloorEntry("entente.floors.rounds:RoundsFloor", {"rounds", "until_silent", "drafts"}),
    "conductor": FloorEntry(
        "entente.floors.conductor:ConductorFloor",
        {"wake", "debounce_ms", "max_wakes", "deadline_seconds", "send_at_deadline", "history_tokens"},
    ),
    "gunboat": FloorEntry("entente.floors.gunboat:GunboatFloor", set[str]()),
}
"""Every floor by its name; a new floor is a line here and a file there."""

_LAST_YEAR = 9999
"""The names of phases have four digits for it."""
_LONGEST_SECONDS = 10**9
"""30 years: who has time until then is told the date."""
_LARGEST_SEED = 2**63 - 1
"""What a checkpoint takes."""

_LONGEST_PLAYER = 500
"""Characters: a model's name and an address."""
_DEFAULTS = SeatSettings()
"""Made once: every step of a game asks for seven of them."""
_CREWS_DEFAULTS = ModelSettings()
_CALLING = ("models", "seat_models", "on_failure", "away", "crew", "crew_model")
"""Settings that say how a game is played out, not what it is."""


class GameSettings(BaseModel):
    """All that a game is set up with. It is resolved once, when the game is opened, and kept in its state."""

    model_config = ConfigDict(extra="forbid", title="Game")

    seats: Annotated[
        dict[Power, str],
        Field(
            title="Who plays which power",
            json_schema_extra={"default": {}},
            description="Who plays which power: human for FRANCE, dumbbot for TURKEY.",
        ),
    ] = Field(default_factory=dict[Power, str])
    everyone: Annotated[
        str,
        Field(
            title="Who plays all other powers",
            description="Who plays the powers whose seat is given to nobody: human, hold, random, dumbbot, tactician, "
            "pushover, diplomat, transparent, honest-joe, mac-the-knife, tit-for-tat, a language model such as "
            "openai:gpt-5-mini or openai:MODEL@URL, or a program as MODULE:CLASS or exec:COMMAND.",
        ),
    ] = "diplomat"
    floor: Annotated[
        str,
        Field(
            title="Floor",
            json_schema_extra={"enum": list(FLOORS)},
            description="Who may speak when: rounds of press before orders; conductor, where each power is woken as "
            "soon as it has mail, and orders when it likes; or gunboat, no press at all.",
        ),
    ] = "rounds"
    rounds: Annotated[
        int,
        Field(
            title="Rounds of press",
            ge=0,
            le=20,
            description="Rounds of press before the orders of each movement phase.",
        ),
    ] = 3
    timing: Annotated[
        Literal["simultaneous", "sequential"],
        Field(
            title="Timing within a round",
            description="Whether powers that are asked together think at once or one after the other; "
            "what they read is the same.",
        ),
    ] = "simultaneous"
    until_silent: Annotated[
        bool,
        Field(
            title="End talk when nobody writes",
            description="End a phase's talk with the first round in which nobody writes.",
        ),
    ] = False
    drafts: Annotated[
        bool,
        Field(
            title="Drafts of orders",
            description="Have language models say in each round what they would order now; nobody else reads it.",
        ),
    ] = False
    wake: Annotated[
        Literal["content", "every-event"],
        Field(
            title="What wakes a power (conductor)",
            description="What wakes a power on the conductor's floor: what can change a decision, or every event, "
            "its own and acknowledgements included.",
        ),
    ] = "content"
    debounce_ms: Annotated[
        int | None,
        Field(
            title="Milliseconds to gather mail (conductor)",
            ge=0,
            le=MOST,
            description="How many milliseconds the conductor lets mail gather before it wakes a power. "
            "If not given: 250 for language models, 0 for all others.",
        ),
    ] = None
    max_wakes: Annotated[
        int | None,
        Field(
            title="Wakings of a power in a phase (conductor)",
            ge=1,
            le=MOST,
            description="How often the conductor wakes a power in one phase at most. If not given: 12 times for "
            "language models, 40 for all others.",
        ),
    ] = None
    deadline_seconds: Annotated[
        float | None,
        Field(
            title="Seconds until a phase is closed (conductor)",
            gt=0,
            le=_LONGEST_SECONDS,
            description="How long the conductor keeps a movement phase open, pauses left out; who has given no orders "
            "by then, person or not, is late. If not given: for ever.",
        ),
    ] = None
    send_at_deadline: Annotated[
        bool,
        Field(
            title="Send typed orders at the deadline (conductor)",
            description="When a phase's time is over, give the orders that a person has typed and not sent; "
            "its messages stay unsent.",
        ),
    ] = False
    models: Annotated[
        dict[str, JsonValue],
        Field(
            title="Settings of all language models",
            json_schema_extra={"default": {}},
            description="Settings of all language models, such as temperature=0.7, and the budget of the whole game; "
            "docs/settings.md lists them.",
        ),
    ] = Field(default_factory=dict[str, JsonValue])
    seat_models: Annotated[
        dict[Power, dict[str, JsonValue]],
        Field(
            title="Settings of one power's language model",
            json_schema_extra={"default": {}},
            description="Settings of one power's language model, such as FRANCE.temperature=0, which go over those "
            "of all, and its own budget.",
        ),
    ] = Field(default_factory=dict[Power, dict[str, JsonValue]])
    on_failure: Annotated[
        Literal["pause", "hold", "dumbbot"],
        Field(
            title="When a model or program fails",
            description="What happens when a language model's provider or a program fails: the game is paused, "
            "or this scripted player stands in until it answers again, at the earliest in the next phase.",
        ),
    ] = "pause"
    away: Annotated[
        dict[Power, str],
        Field(
            title="Who stands in for people who are away",
            json_schema_extra={"default": {}},
            description="Which scripted player answers for a person who is away: dumbbot for FRANCE.",
        ),
    ] = Field(default_factory=dict[Power, str])
    leaders: Annotated[
        dict[Power, dict[str, JsonValue]],
        Field(
            title="Leaders of the powers",
            json_schema_extra={"default": {}},
            description="A power's leader, in a file that entente create-leader writes: the persona of its language "
            "model, the knobs of its diplomat, the card of its person.",
        ),
    ] = Field(default_factory=dict[Power, dict[str, JsonValue]])
    crew: Annotated[
        str | None,
        Field(
            title="Who tells the game",
            description="Who speaks for narrator and jester of the crew, which tells all of each phase that is over: "
            "scripted, which --crew alone means, or a language model such as openai:gpt-5-mini or openai:MODEL@URL. If "
            "not given, nobody tells.",
        ),
    ] = None
    crew_model: Annotated[
        dict[str, JsonValue],
        Field(
            title="Settings of the crew's language model",
            json_schema_extra={"default": {}},
            description="Settings of the crew's language model, such as temperature=0.7, and the crew's own budget; "
            "those that say how a model is called, and none of the seats'.",
        ),
    ] = Field(default_factory=dict[str, JsonValue])
    prompts: Annotated[
        str | None,
        Field(
            title="Folder of prompts",
            description="A folder of prompts and personas/POWER.md that replace those of entente.",
        ),
    ] = None
    map_name: Annotated[
        str,
        Field(
            title="Map",
            description=f"The map to play on: {listed(SAFE_MAPS)}.",
            json_schema_extra={"enum": list(SAFE_MAPS)},
        ),
    ] = "standard"
    max_year: Annotated[
        int | None,
        Field(
            title="Last game year",
            ge=1,
            le=_LAST_YEAR,
            description="The last game year; survivors then share. If not given: the tenth.",
        ),
    ] = None
    stalemate_years: Annotated[
        int,
        Field(
            title="Years without change until a draw",
            ge=0,
            le=_LAST_YEAR,
            description="End the game after so many years in which no center changes hands; 0: never.",
        ),
    ] = 5
    seed: Annotated[
        int,
        Field(
            title="Seed of chance",
            ge=0,
            le=_LARGEST_SEED,
            description="All randomness of scripted players comes from this number.",
        ),
    ] = 42

    @field_validator("map_name")
    @classmethod
    def _as_maps_are_named(cls, name: str) -> str:
        return name.strip().lower()

    @field_validator("floor")
    @classmethod
    def _is_a_floor(cls, name: str) -> str:
        if name not in FLOORS:
            raise ValueError(name)
        return name

    @field_validator("everyone")
    @classmethod
    def _names_a_player(cls, player: str) -> str:
        return _player(player, "everyone")

    @field_validator("seats")
    @classmethod
    def _name_players(cls, seats: dict[Power, str]) -> dict[Power, str]:
        return {power: _player(player, "seats", power.strip().upper()) for power, player in seats.items()}

    @field_validator("away")
    @classmethod
    def _stand_in(cls, away: dict[Power, str]) -> dict[Power, str]:
        # Late, since a command that only lists its options must not load all players.
        from entente.players.seating import spelled

        return {power.strip().upper(): spelled(_player(player, "away")) for power, player in away.items()}

    @field_validator("crew")
    @classmethod
    def _is_a_crew(cls, crew: str | None) -> str | None:
        return None if crew is None else _crew(crew)

    @field_validator("crew_model")
    @classmethod
    def _are_crews_settings(cls, values: dict[str, JsonValue]) -> dict[str, JsonValue]:
        return _checked(values, "crew_model", defaults=_CREWS_DEFAULTS)

    @field_validator("models")
    @classmethod
    def _are_models_settings(cls, values: dict[str, JsonValue]) -> dict[str, JsonValue]:
        return _checked(values, "models")

    @field_validator("seat_models")
    @classmethod
    def _are_seats_settings(
        cls, seats: dict[Power, dict[str, JsonValue]]
    ) -> dict[Power, dict[str, JsonValue]]:
        return {
            power.strip().upper(): _checked(values, "seat_models", power) for power, values in seats.items()
        }

    @field_validator("leaders")
    @classmethod
    def _lead_powers(cls, leaders: dict[Power, dict[str, JsonValue]]) -> dict[Power, dict[str, JsonValue]]:
        return {
            power.strip().upper(): _led(values, power.strip().upper()) for power, values in leaders.items()
        }

    def leader(self, power: Power) -> Leader | None:
        """Who leads the power; None for one without a leader of its own."""
        values = self.leaders.get(power)
        return None if values is None else Leader.model_validate(values)

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
        crew: str | None = None,
        crew_model: Mapping[str, JsonValue] = MappingProxyType({}),
    ) -> "GameSettings":
        """The settings with some of how its models are called put over them; raises SettingsError."""
        seats = {power: dict(values) for power, values in self.seat_models.items()}
        for power, values in seat_models.items():
            seats[power] = {**seats.get(power, {}), **values}
        changes = {
            "models": {**self.models, **models},
            "seat_models": seats,
            "on_failure": on_failure or self.on_failure,
            "crew": crew or self.crew,
            "crew_model": {**self.crew_model, **crew_model},
        }
        return parse_settings(self.model_dump() | changes)


def without_effect_on(floor: str) -> frozenset[str]:
    """The settings of games and models that have an effect on other floors alone."""
    return frozenset[str]().union(*(entry.settings for entry in FLOORS.values())) - FLOORS[floor].settings


def parse_settings(values: Mapping[str, object]) -> GameSettings:
    """The settings from plain values, or from texts of them; raises SettingsError for the first that cannot be used."""
    try:
        return GameSettings.model_validate(values)
    except ValidationError as error:
        raise settings_error(error) from error


def settings_error(error: ValidationError) -> SettingsError:
    """What is wrong with the first setting that cannot be used, in a sentence."""
    misfit = first_misfit(error, GameSettings)
    came = shown(error.errors(include_url=False)[0]["input"])
    told = (
        f"There is no setting {misfit.name}"
        if misfit.is_unknown
        else f"The setting {misfit.name} cannot be {came}"
    )
    return SettingsError(f"{told}; {misfit.reason} No game was started.", setting=misfit.path)


def _player(text: str, *place: str) -> str:
    """Who plays, as it came; raises SettingsError for what may hold a password, seated or not, and is then kept."""
    if len(text) > _LONGEST_PLAYER or not text.isprintable():
        raise SettingsError(
            f"A player of at most {_LONGEST_PLAYER} printable characters was wanted and other text came; "
            "nothing was done.",
            setting=place,
        )
    if "@" in text or "://" in text:
        try:
            ModelSpec.parse(text)
        except SettingsError as error:
            raise SettingsError(str(error), setting=place) from None
    return text


def _crew(text: str) -> str:
    """Who speaks for the crew, as it is kept; raises SettingsError."""
    if text.strip().lower() == SCRIPTED_CREW:
        return SCRIPTED_CREW
    try:
        return str(ModelSpec.parse(_player(text.strip(), "crew")))
    except SettingsError as error:
        raise SettingsError(str(error), setting=("crew",)) from None


def _led(values: Mapping[str, JsonValue], power: Power) -> dict[str, JsonValue]:
    """The leader as JSON; raises SettingsError for one who leads another power, or none that can be used."""
    try:
        leader = parse_leader(values)
    except SettingsError as error:
        raise SettingsError(str(error), setting=("leaders", power, *error.setting)) from None
    if leader.power != power:
        raise SettingsError(
            f"A leader of {power} was wanted and {leader.name}, who leads {leader.power}, came; no game was started.",
            setting=("leaders", power),
        )
    return leader.model_dump(mode="json")


def _checked(
    values: Mapping[str, JsonValue], *place: str, defaults: ModelSettings = _DEFAULTS
) -> dict[str, JsonValue]:
    """The model settings as JSON, those alone that were given; raises SettingsError, whose setting is in `place`."""
    try:
        return defaults.over(values).model_dump(mode="json", include=set(values))
    except SettingsError as error:
        raise SettingsError(str(error), setting=(*place, *error.setting)) from None
