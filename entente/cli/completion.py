"""What the shell completes: games, powers, players and moments.

It is asked at each press of Tab, so that it loads neither what opens a store nor the graph.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence

import typer

from checkpoints import offered
from entente.cli.store_option import folder_of, server_of
from entente.errors import SettingsError

PLAYERS = (
    "human",
    "hold",
    "random",
    "dumbbot",
    "tactician",
    "pushover",
    "diplomat",
    "transparent",
    "honest-joe",
    "mac-the-knife",
    "tit-for-tat",
)
"""Players that have a name of their own."""
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
"""Of the standard map, where no game says which there are."""

STATUSES = ("playing", "waiting", "paused", "killed", "finished", "damaged")
"""How games stand, as lists say it."""


def complete_game(context: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """Ids, and names that a shell takes as they are, each with what some shells show beside it; newest first."""
    return [*_games(context, incomplete.lower())]


def complete_power(context: typer.Context, incomplete: str) -> list[str]:
    """The powers of the game that is named before, or of the newest."""
    return _beginning(incomplete, _powers(context))


def complete_reader(context: typer.Context, incomplete: str) -> list[str]:
    """The powers of the game, and PUBLIC."""
    return _beginning(incomplete, [*_powers(context), "PUBLIC"])


def complete_phase(context: typer.Context, incomplete: str) -> list[str]:
    """The phases that the game has played."""
    return _of_store(context, incomplete, offered.phases)


def complete_moment(context: typer.Context, incomplete: str) -> list[str]:
    """The same, with their rounds and orders."""
    return _of_store(context, incomplete, offered.moments)


def complete_player(incomplete: str) -> list[str]:
    """Players by name."""
    return [player for player in PLAYERS if player.startswith(incomplete)]


def complete_seat(context: typer.Context, incomplete: str) -> list[str]:
    """`FRANCE=`, and then players."""
    power, is_given, player = incomplete.partition("=")
    if not is_given:
        return [f"{each}=" for each in _beginning(power, _powers(context))]
    return [f"{power}={each}" for each in complete_player(player)]


def one_of(choices: Sequence[str]) -> Callable[[str], list[str]]:
    """A completion that knows these words."""

    def completed(incomplete: str) -> list[str]:
        return [each for each in choices if each.startswith(incomplete)]

    return completed


def _games(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    place = _place(context)
    for game in offered.games(place) if place else []:
        if game.id.startswith(incomplete):
            yield game.id, f"{game.name} {game.told}".strip()
        if game.name.lower().startswith(incomplete) and shlex.quote(game.name) == game.name:
            yield game.name, game.told


def _powers(context: typer.Context) -> list[str]:
    place = _place(context)
    found = offered.powers(place, _game(context)) if place else []
    return found or [*POWERS]


def _of_store(
    context: typer.Context, incomplete: str, read: Callable[[offered.Place, str | None], list[str]]
) -> list[str]:
    place = _place(context)
    return _beginning(incomplete, read(place, _game(context))) if place else []


def _game(context: typer.Context) -> str | None:
    """The game on the line; behind an option without its value yet, arguments are not told apart."""
    return context.params.get("game") or next(iter(context.args), None)


def _beginning(incomplete: str, words: Iterable[str]) -> list[str]:
    return [word for word in words if word.startswith(incomplete)]


def _place(context: typer.Context) -> offered.Place | None:
    """The store's; None for one in memory."""
    option = context.params.get("store")
    try:
        return folder_of(option) or server_of(option)
    except SettingsError:
        return None
