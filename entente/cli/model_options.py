"""Options about language models: settings by name, for a whole game or for one seat."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, NamedTuple, TypeAlias

import typer
from pydantic import JsonValue
from pydantic.fields import FieldInfo

from entente.board.types import Power
from entente.cli.panels import MODELS
from entente.errors import SettingsError
from entente.players.model.settings import SeatSettings
from entente.validation import discreet
from graph.context import GameSettings


def repeatable(*fields: FieldInfo) -> str:
    """The help of an option that fills in these fields and can be given several times."""
    return " ".join([*(field.description or "" for field in fields), "Repeatable."])


_SEAT = SeatSettings.model_fields
_GAME = GameSettings.model_fields

ModelSettingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--model-setting",
        metavar="[POWER.]NAME=VALUE",
        rich_help_panel=MODELS,
        help=repeatable(_GAME["models"], _GAME["seat_models"]),
    ),
]
BudgetUsdOption = Annotated[
    list[str] | None,
    typer.Option(
        "--budget-usd",
        metavar="[POWER=]AMOUNT",
        rich_help_panel=MODELS,
        help=repeatable(_SEAT["budget_usd"]),
    ),
]
BudgetTokensOption = Annotated[
    list[str] | None,
    typer.Option(
        "--budget-tokens",
        metavar="[POWER=]COUNT",
        rich_help_panel=MODELS,
        help=repeatable(_SEAT["budget_tokens"]),
    ),
]
HistoryTokensOption = Annotated[
    list[str] | None,
    typer.Option(
        "--history-tokens",
        metavar="[POWER=]COUNT",
        rich_help_panel=MODELS,
        help=repeatable(_SEAT["history_tokens"]),
    ),
]

SHORT: Mapping[str, object] = {
    "budget_usd": BudgetUsdOption,
    "budget_tokens": BudgetTokensOption,
    "history_tokens": HistoryTokensOption,
}
"""Model settings that have an option of their own."""

Settings: TypeAlias = dict[str, JsonValue]


class _Given(NamedTuple):
    power: Power
    """Empty for the whole game."""
    name: str
    value: str


def parse_model_settings(
    settings: Iterable[str] | None, short: Mapping[str, Iterable[str] | None]
) -> tuple[Settings, dict[Power, Settings]]:
    """The game's model settings, and those of single seats; `short` has what came by options of their own.

    Whether a setting exists and takes its value is looked at where the game's settings are made. Raises SettingsError.
    """
    given = [*map(_setting, settings or ()), *(each for name in short for each in _short(name, short[name]))]
    game: Settings = {}
    seats: dict[Power, Settings] = {}
    for power, name, value in given:
        target = seats.setdefault(power, {}) if power else game
        if name in target:
            raise SettingsError(
                f"{name} was given twice{f' for {power}' if power else ''}; nothing was done."
            )
        target[name] = _plain(value)
    return game, seats


def parse_crew_settings(settings: Iterable[str] | None) -> Settings:
    """The settings of the crew's model; raises SettingsError."""
    own, seats = parse_model_settings(settings, {})
    for power in seats:
        raise SettingsError(
            "A setting of the crew's model such as temperature=0.7 was wanted and one of "
            f"{discreet(power)!r} came; nothing was done."
        )
    return own


def _setting(text: str) -> _Given:
    place, found, value = text.partition("=")
    power, dot, name = place.strip().rpartition(".")
    if not found or not name or (dot and not power):
        # Only the place is repeated: the value may be a key that was meant for somewhere else.
        raise SettingsError(
            "A model setting such as temperature=0.7 or FRANCE.temperature=0 was wanted "
            f"and {discreet(place.strip())!r} came; nothing was done."
        )
    return _Given(power.upper(), name, value.strip())


def _short(name: str, texts: Iterable[str] | None) -> Iterator[_Given]:
    for text in texts or ():
        power, found, amount = text.rpartition("=")
        if found and not power.strip():
            raise SettingsError(
                f"A {name} such as 5 or FRANCE=1 was wanted and {text!r} came; nothing was done."
            )
        yield _Given(power.strip().upper(), name, amount.strip())


def _plain(value: str) -> JsonValue:
    """A number, true, false, null or an object as such, and everything else as the text that it is."""
    try:
        plain: JsonValue = json.loads(value)
    except ValueError:
        return value
    return plain if plain is None or isinstance(plain, (bool, int, float, dict)) else value
