"""The settings of a game: what a form in Studio, or the options of `entente play`, fill in."""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from entente.board.engine import SAFE_MAPS, load_geography
from entente.board.types import Power
from entente.errors import SettingsError
from entente.players.protocol import Player
from entente.players.roster import HUMAN, make_player

SCHEMA_VERSION = 1
"""The version of the state that a game keeps in its checkpoints."""

DEFAULT_YEARS = 10


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
        Literal["rounds", "gunboat"],
        Field(description="Who may speak when: rounds of press before orders, or gunboat, no press at all."),
    ] = "rounds"
    timing: Annotated[
        Literal["simultaneous", "sequential"],
        Field(
            description="Whether the powers of a round think at once or one after the other; both read alike."
        ),
    ] = "simultaneous"
    rounds: Annotated[
        int, Field(ge=0, le=20, description="Rounds of press before the orders of each movement phase.")
    ] = 3
    seed: Annotated[
        int, Field(ge=0, description="All randomness of scripted players comes from this number.")
    ] = 42
    max_year: Annotated[
        int | None,
        Field(description="The last game year; survivors then share. Empty: ten years."),
    ] = None
    stalemate_years: Annotated[
        int, Field(ge=0, description="End after so many years without a center changing hands; 0: never.")
    ] = 5

    def seat(self, power: Power) -> str:
        """Who plays the power, as the seat was specified."""
        return self.seats.get(power, self.everyone)

    @property
    def talk_rounds(self) -> int:
        """Rounds of press in a movement phase; 0 in gunboat."""
        return 0 if self.floor == "gunboat" else self.rounds


def parse_settings(values: dict[str, Any]) -> GameSettings:
    """The settings from plain values; raises SettingsError naming the first that cannot be used."""
    try:
        return GameSettings.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        raise SettingsError(
            f"The setting {name} cannot be {first['input']!r}: {first['msg']}. No game was started."
        ) from error


def resolve(settings: GameSettings, seat_player: Callable[[str], Player] = make_player) -> GameSettings:
    """The settings with every power seated and every default named; raises SettingsError, UnknownMap.

    `seat_player` is asked for each program's player, so that one that cannot be had is told of at once.
    """
    geography = load_geography(settings.map_name)
    seats = {power.strip().upper(): player for power, player in settings.seats.items()}
    for power in seats:
        if power not in geography.powers:
            raise SettingsError(
                f"A seat is wanted for {power!r}, and the map {settings.map_name} has "
                f"{', '.join(geography.powers)}. No game was started."
            )
    filled = {power: seats.get(power, settings.everyone).strip() for power in geography.powers}
    for player in filled.values():
        if player != HUMAN:
            seat_player(player)
    first_year = geography.first_phase.year
    max_year = settings.max_year if settings.max_year is not None else first_year + DEFAULT_YEARS - 1
    if max_year < first_year:
        raise SettingsError(
            f"The last year must be {first_year} or later on the map {settings.map_name}, "
            f"and {max_year} came. No game was started."
        )
    return settings.model_copy(update={"seats": filled, "max_year": max_year})
