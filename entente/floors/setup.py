"""Setting a game up: every power seated, every default named, and nothing that would have no effect."""

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path

from entente.board.engine import load_geography
from entente.board.types import Power
from entente.errors import SettingsError
from entente.floors.effects import refuse_without_effect, without_effect
from entente.floors.keys import bound, unsent
from entente.floors.seats import chairs_of
from entente.players import roster
from entente.players.protocol import Player
from entente.players.roster import HUMAN
from entente.players.seating import Chair, PlayerFactory, spelled
from entente.validation import discreet
from graph.context import GameSettings
from prompts import read_ahead

DEFAULT_YEARS = 10

_log = logging.getLogger(__name__)


def _scripted(chair: Chair) -> Player:
    return roster.make_player(chair.player)


def set_up(settings: GameSettings, make_player: PlayerFactory = _scripted) -> GameSettings:
    """The settings of a game that begins, resolved; what has no effect in it is refused, or logged as a warning.

    Raises SettingsError, UnknownMap.
    """
    refuse_without_effect(settings)
    resolved = resolve(settings, make_player)
    for sentence in without_effect(resolved):
        _log.warning(sentence)
    return resolved


def resolve(
    settings: GameSettings, make_player: PlayerFactory = _scripted, *, is_trusted: bool = True
) -> GameSettings:
    """The settings with every power seated and every default named; raises SettingsError, UnknownMap, UntrustedGame.

    Every program's player is made once, so that a player that cannot be had is an error here and not in the game.
    """
    geography = load_geography(settings.map_name)
    seats = {power.strip().upper(): player for power, player in settings.seats.items()}
    named = (
        ("seats", seats),
        ("seat_models", settings.seat_models),
        ("away", settings.away),
        ("leaders", settings.leaders),
    )
    for name, power in (each for place, powers in named for each in _each(place, powers)):
        if power not in geography.powers:
            raise SettingsError(
                f"A seat is wanted for {power!r}, and the map {settings.map_name} has "
                f"{', '.join(geography.powers)}. No game was started.",
                setting=(name, power),
            )
    filled = {power: spelled(seats.get(power, settings.everyone)) for power in geography.powers}
    folder = Path(settings.prompts).resolve() if settings.prompts else None
    settings = bound(settings.model_copy(update={"seats": filled, "prompts": folder and str(folder)}))
    check_away(settings)
    chairs = chairs_of(settings, geography.powers, is_trusted=is_trusted)
    read_ahead(folder)  # also where only scripted players are seated: a fork may seat a model
    for sentence in unsent(settings):
        _log.warning(sentence)
    for chair in chairs.values():
        if chair.player != HUMAN:
            _check_player(
                chair, make_player, ("seats", chair.power) if chair.power in seats else ("everyone",)
            )
    return settings.model_copy(update={"max_year": _last_year(settings, geography.first_phase.year)})


def check_away(settings: GameSettings) -> None:
    """Raise SettingsError where somebody stands in who cannot, or for nobody who could be away."""
    people = [power for power, player in settings.seats.items() if player == HUMAN]
    for power, player in settings.away.items():
        if power not in people:
            raise SettingsError(
                f"A person's seat was wanted ({', '.join(people) or 'there is none'}) and {power[:40]!r} came; "
                "nobody stands in there.",
                setting=("away", power),
            )
        if not roster.is_scripted(player):
            raise SettingsError(
                f"A scripted player was wanted to stand in ({', '.join(roster.SCRIPTED)}) and "
                f"{discreet(player)!r} came; nobody stands in for {power}.",
                setting=("away", power),
            )
        roster.make_player(player)


def _each(name: str, powers: Iterable[Power]) -> Iterator[tuple[str, Power]]:
    return ((name, power) for power in powers)


def _check_player(chair: Chair, make_player: PlayerFactory, setting: tuple[str, ...]) -> None:
    try:
        make_player(chair)
    except SettingsError as error:
        error.setting = setting
        raise


def _last_year(settings: GameSettings, first_year: int) -> int:
    last = settings.max_year if settings.max_year is not None else first_year + DEFAULT_YEARS - 1
    if last < first_year:
        raise SettingsError(
            f"The last year must be {first_year} or later on the map {settings.map_name}, "
            f"and {last} came. No game was started.",
            setting=("max_year",),
        )
    return last
