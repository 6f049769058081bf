"""Games that whoever runs the server begins over the page: the form, what it may say, and the links for those who play.

A page's link is no shell: what a seat would import or start by its text alone is seated at the command line.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, Field, JsonValue

from checkpoints.store import Store
from entente.board.types import Power
from entente.commentary.leader_text import by_power, leader_in
from entente.display import displayable
from entente.errors import SettingsError
from entente.floors.effects import without_effect
from entente.players.roster import HUMAN, SCRIPTED
from entente.players.seating import SeatKind, kind_of, spelled
from entente.web.addresses import link_address
from entente.web.bodies import Given
from graph.context import FLOORS, GameSettings, parse_settings, without_effect_on

OFFERED = (
    "map_name",
    "floor",
    "everyone",
    "seats",
    "rounds",
    "deadline_seconds",
    "send_at_deadline",
    "max_year",
    "seed",
    "on_failure",
)
"""The settings of the form, in its order."""
_LINK_SECONDS = 30 * 24 * 3600.0


class Form(BaseModel):
    """What a new game can be set up with."""

    settings: dict[str, dict[str, JsonValue]]
    """The JSON schema of each setting, in the form's order."""
    without_effect: dict[str, list[str]]
    """By floor: settings that have no effect on it."""
    players: list[str]
    """Those that a seat can name in a word; `PROVIDER:MODEL` names a language model."""


class LeaderFile(Given):
    """A file that `entente create-leader` has written."""

    name: Annotated[str, Field(max_length=200)]
    text: Annotated[str, Field(max_length=10_000)]


class NewGame(Given):
    """A game to be begun."""

    settings: Annotated[dict[str, JsonValue], Field(max_length=len(OFFERED))]
    """By their names, as the form has them; those that are left out are as the form says."""
    leaders: Annotated[list[LeaderFile], Field(max_length=40, default_factory=list)]
    """Each leads the power that its file names."""


class Fork(Given):
    """A game to be forked."""

    at: Annotated[str, Field(max_length=60)]
    """A phase, or any other moment as the log names it."""
    seats: dict[Power, str] = Field(default_factory=dict[Power, str])
    """Who plays in the fork instead, by power."""


class Invitation(BaseModel):
    """A link that was made for a person's seat."""

    power: Power
    address: str
    """What stands behind the server's address. It opens the seat, and is told this once."""


class Begun(BaseModel):
    """A game that was made; it is not played before somebody says so."""

    game: str
    links: list[Invitation]
    """One for each seat that a person plays, good for 30 days."""
    leaders: dict[Power, str]
    """What the leaders of powers are called."""
    notes: list[str]
    """Settings without effect with those who play, a sentence each."""


def form() -> Form:
    """The form of a new game."""
    known: Mapping[str, Any] = GameSettings.model_json_schema()["properties"]
    return Form(
        settings={name: known[name] for name in OFFERED},
        without_effect={floor: sorted(without_effect_on(floor) & {*OFFERED}) for floor in FLOORS},
        players=[HUMAN, *SCRIPTED],
    )


def settings_of(new: NewGame) -> GameSettings:
    """The settings that the form was filled in with; raises SettingsError."""
    for name in new.settings:
        if name not in OFFERED:
            raise SettingsError(
                f"A setting of the page's form was wanted ({', '.join(OFFERED)}) and {name[:40]!r} came. "
                "No game was started.",
                setting=(name,),
            )
    settings = parse_settings({**new.settings, "leaders": _led(new.leaders)})
    check_players(settings.seats)
    _check_player(settings.everyone, "everyone")
    return settings


def _led(files: Iterable[LeaderFile]) -> dict[str, dict[str, JsonValue]]:
    try:
        return by_power(
            (name, leader_in(file.text, name)) for file in files if (name := displayable(file.name))
        )
    except SettingsError as error:
        raise SettingsError(str(error), setting=("leaders",)) from error


def check_players(seats: Mapping[Power, str]) -> None:
    """Raise SettingsError for a player that would be imported or started by its text."""
    for power, player in seats.items():
        _check_player(player, "seats", power.strip().upper())


def _check_player(player: str, *place: str) -> None:
    if kind_of(spelled(player)) is SeatKind.PROGRAM and ":" in player:
        raise SettingsError(
            "A player of ours, a person or a model was wanted and a program came; programs are seated at the "
            "command line alone. No game was started.",
            setting=place,
        )


async def begun(store: Store, game: str) -> Begun:
    """The game with new links for its people."""
    settings = await store.library.settings(game)
    people = [power for power, player in settings.seats.items() if player == HUMAN]
    leaders = {power: leader.name for power in settings.leaders if (leader := settings.leader(power))}
    links = await _invite(store, game, people)
    return Begun(game=game, links=links, leaders=leaders, notes=without_effect(settings))


async def _invite(store: Store, game: str, powers: Iterable[Power]) -> list[Invitation]:
    return [
        Invitation(
            power=power,
            address=link_address("", await store.links.make(game, power, seconds=_LINK_SECONDS)),
        )
        for power in powers
    ]
