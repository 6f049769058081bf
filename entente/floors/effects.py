"""Which settings of a game have no effect in it: on its floor, and with those who play it.

A fork keeps the floor and can seat others. What never has an effect is refused; what a fork could give one is kept, and
told.
"""

from collections.abc import Iterator, Sequence, Set
from difflib import get_close_matches
from pathlib import Path

from entente.board.engine import load_geography
from entente.board.types import Power
from entente.errors import SettingsError
from entente.floors.reaches import BUDGETS
from entente.players.roster import has_knobs
from entente.players.seating import SeatKind, kind_of
from graph.context import SCRIPTED_CREW, GameSettings, without_effect_on
from prompts import prompts_in, unread_files

_FOR_MODELS = ("models", "drafts", "prompts")
"""Settings of a whole game that concern language models alone."""


def refuse_without_effect(settings: GameSettings, given: Set[str] = frozenset()) -> None:
    """Raise SettingsError for what a new game is given and can never have an effect in it.

    A setting is given when it differs from its default or is named in `given`.
    """
    elsewhere = without_effect_on(settings.floor)
    for place in _places(settings, given):
        if place[-1] in elsewhere:
            raise SettingsError(
                f"The setting {'.'.join(place)} has no effect on the floor {settings.floor}; no game was started.",
                setting=place,
            )
    for power in settings.leaders:
        if "persona" in settings.seat_models.get(power, {}):
            raise SettingsError(
                f"One of leaders.{power} and seat_models.{power}.persona was wanted and both came; "
                "no game was started.",
                setting=("leaders", power),
            )
    if settings.prompts and (folder := Path(settings.prompts)).is_dir():
        _refuse_unread(folder, load_geography(settings.map_name).powers)


def without_effect(settings: GameSettings) -> list[str]:
    """What has no effect in a game as it is seated, a sentence for each; the settings must be resolved."""
    kinds = {power: kind_of(player) for power, player in settings.seats.items()}
    has_crews_model = settings.crew not in (None, SCRIPTED_CREW)
    found = [
        f"The setting seat_models.{power} has no effect until a fork seats a language model there; "
        f"{settings.seats[power]} plays {power}."
        for power in settings.seat_models
        if kinds[power] is not SeatKind.MODEL
    ]
    found += [
        f"The setting leaders.{power} has no effect until a fork seats a person, a language model or a diplomat there; "
        f"{settings.seats[power]} plays {power}."
        for power in settings.leaders
        if kinds[power] not in (SeatKind.HUMAN, SeatKind.MODEL) and not has_knobs(settings.seats[power])
    ]
    if SeatKind.MODEL not in kinds.values():
        found += [
            f"The setting {'.'.join(place)} has no effect until a fork seats a language model; there is none."
            for place in _places(settings)
            if place[0] in _FOR_MODELS and not (has_crews_model and place[-1] in BUDGETS)
        ]
    if settings.crew_model and not has_crews_model:
        found.append("The setting crew_model has no effect until a language model speaks for the crew.")
    if settings.on_failure != "pause" and not {SeatKind.MODEL, SeatKind.PROGRAM} & set(kinds.values()):
        found.append(
            "The setting on_failure has no effect until a fork seats a player whose provider can fail."
        )
    if "everyone" in settings.model_dump(exclude_defaults=True) and not _is_seated(
        settings.everyone, settings
    ):
        found.append(
            f"The setting everyone has no effect; every seat is given, and none to {settings.everyone}."
        )
    unread = unread_files(Path(settings.prompts)) if settings.prompts else []
    return found + [f"Nobody reads {name} in the folder {settings.prompts}." for name in unread]


def _is_seated(player: str, settings: GameSettings) -> bool:
    return player.strip().lower() in {seated.strip().lower() for seated in settings.seats.values()}


def _places(settings: GameSettings, given: Set[str] = frozenset()) -> Iterator[tuple[str, ...]]:
    """Where something was given: `("rounds",)`, `("models", "temperature")`, `("seat_models", "FRANCE", …)`."""
    names = settings.model_dump(exclude_defaults=True, exclude={"models", "seat_models"}).keys() | given
    yield from ((name,) for name in type(settings).model_fields if name in names)
    yield from (("models", name) for name in settings.models)
    for power, values in settings.seat_models.items():
        yield from (("seat_models", power, name) for name in values)


def _refuse_unread(folder: Path, powers: Sequence[Power]) -> None:
    """Refuse a folder without a prompt, and a persona of nobody who plays on the map."""
    if not prompts_in(folder):
        raise SettingsError(
            f"A folder of prompts was wanted and {folder} has none; no game was started.",
            setting=("prompts",),
        )
    for place, _, name in (text.rpartition("/") for text in prompts_in(folder)):
        if place == "personas" and name not in (*powers, "NEUTRAL"):
            near = get_close_matches(name, powers, n=1)
            hint = f"; did you mean {near[0]}?" if near else "."
            raise SettingsError(
                f"{folder / 'personas' / name}.md is the persona of no power on the map{hint} No game was started.",
                setting=("prompts",),
            )
