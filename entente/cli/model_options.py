"""Options about language models: settings by name and budgets, for a whole game or for one seat."""

import json
from collections.abc import Iterable, Iterator
from typing import Annotated, NamedTuple, TypeAlias

import typer
from pydantic import JsonValue

from entente.board.types import Power
from entente.errors import SettingsError

ModelSettingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--model-setting",
        metavar="NAME=VALUE",
        help="A setting of all language models, temperature=0.7, or of one seat's, FRANCE.temperature=0; "
        "docs/settings.md has all; repeatable.",
    ),
]
BudgetUsdOption = Annotated[
    list[str] | None,
    typer.Option(
        "--budget-usd", metavar="[POWER=]AMOUNT", help="What the game, or a seat, may spend; repeatable."
    ),
]
BudgetTokensOption = Annotated[
    list[str] | None,
    typer.Option("--budget-tokens", metavar="[POWER=]COUNT", help="The same in tokens; repeatable."),
]

Settings: TypeAlias = dict[str, JsonValue]


class _Given(NamedTuple):
    power: Power
    """Empty for the whole game."""
    name: str
    value: str


def parse_model_settings(
    settings: Iterable[str] | None, budgets_usd: Iterable[str] | None, budgets_tokens: Iterable[str] | None
) -> tuple[Settings, dict[Power, Settings]]:
    """The game's model settings, and those of single seats; raises SettingsError.

    Whether a setting exists and takes its value is looked at where the game's settings are made.
    """
    given = [*map(_setting, settings or ()), *_budgets("budget_usd", budgets_usd)]
    given += _budgets("budget_tokens", budgets_tokens)
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


def _setting(text: str) -> _Given:
    place, found, value = text.partition("=")
    power, dot, name = place.strip().rpartition(".")
    if not found or not name or (dot and not power):
        # Only the place is repeated: the value may be a key that was meant for somewhere else.
        raise SettingsError(
            "A model setting such as temperature=0.7 or FRANCE.temperature=0 was wanted "
            f"and {place.strip()!r} came; nothing was done."
        )
    return _Given(power.upper(), name, value.strip())


def _budgets(name: str, texts: Iterable[str] | None) -> Iterator[_Given]:
    for text in texts or ():
        power, found, amount = text.rpartition("=")
        if found and not power.strip():
            raise SettingsError(
                f"A budget such as 5 or FRANCE=1.50 was wanted and {text!r} came; nothing was done."
            )
        yield _Given(power.strip().upper(), name, amount.strip())


def _plain(value: str) -> JsonValue:
    """A number, true, false or null as such, and everything else as the text that it is."""
    try:
        plain = json.loads(value)
    except ValueError:
        return value
    return plain if plain is None or isinstance(plain, (bool, int, float)) else value
