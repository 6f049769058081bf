"""Comparisons: the same games played with one set of texts or one model and then with another (docs/comparing.md).

A game's id is made from all that its play depends on, so that the same comparison finds the games that it has played
already, and one with more games, or with another opponent, plays only those that are new.
"""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, JsonValue

from entente import __version__
from entente.board.engine import load_geography
from entente.board.types import Power
from entente.errors import SettingsError
from entente.floors.setup import set_up
from entente.games.contest import half_width, pairing
from entente.games.measures import Measures
from entente.games.planned import PlannedGame, planned
from entente.players.seating import PlayerFactory, SeatKind, kind_of, spelled
from graph.context import GameSettings


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the two that are compared: who is seated, and with which texts and settings."""

    player: str
    """As a seat names it; no person."""
    settings: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """Of its language model, over those that both have."""
    prompts: str | None = None
    """A folder of texts in place of ours."""

    def __post_init__(self) -> None:
        kind = kind_of(spelled(self.player))
        if kind is SeatKind.HUMAN:
            raise SettingsError("A program was wanted for each seat and a person came; nothing was played.")
        if (self.settings or self.prompts) and kind is not SeatKind.MODEL:
            raise SettingsError(
                f"Texts and model settings are for language models, and {self.player} is none; nothing was played."
            )


class Pair(NamedTuple):
    """Two games that differ in the variant alone."""

    seed: int
    power: Power | None
    """Where the variant sits; None where it has all seats."""
    against: str | None
    """Who has the other seats; None where the variant has all."""
    powers: tuple[Power, ...]
    """Where the variant sits."""
    a: PlannedGame
    b: PlannedGame


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played."""

    a: Variant
    b: Variant
    base: GameSettings
    """Of all games: the floor, the years, the first seed, what both variants' models have in common."""
    opponents: Sequence[str] = ()
    """Who has the other seats, each in turn: scripted players or programs. Empty: the variant has all seats."""
    version: str = __version__
    """Of entente: a later one's players and prompts may be others under the same names."""

    def pairs(self, games: int, make_player: PlayerFactory) -> list[Pair]:
        """So many pairs, each in the next power and with the next seed, and all checked before one is played.

        Raises SettingsError, also when the two variants are the same.
        """
        for opponent in self.opponents:
            if kind_of(spelled(opponent)) in (SeatKind.HUMAN, SeatKind.MODEL):
                raise SettingsError(
                    "A scripted player or a program was wanted against the two that are compared, and "
                    f"{opponent} came; nothing was played."
                )
        pairs = [self._pair(number) for number in range(games)]
        if pairs[0].a.id == pairs[0].b.id:
            raise SettingsError(
                "Two different sets of texts, models or settings were wanted and both are the same; nothing was played."
            )
        for game in (pairs[0].a, pairs[0].b):
            set_up(game.settings, make_player)
        return pairs

    def _pair(self, number: int) -> Pair:
        map_name, seed = self.base.map_name, self.base.seed + number
        if not self.opponents:
            powers = load_geography(map_name).powers
            games = (self._game(each, seed, powers, each.player) for each in self._both)
            return Pair(seed, None, None, powers, *games)
        power, against = pairing(number, self.opponents, map_name)
        games = (self._game(each, seed, (power,), against) for each in self._both)
        return Pair(seed, power, against, (power,), *games)

    @property
    def _both(self) -> tuple[Variant, Variant]:
        return self.a, self.b

    def _game(self, variant: Variant, seed: int, powers: tuple[Power, ...], everyone: str) -> PlannedGame:
        settings = self.base.model_copy(
            update={
                "seed": seed,
                "seats": dict.fromkeys(powers, spelled(variant.player)) if self.opponents else {},
                "everyone": spelled(everyone),
                "models": {**self.base.models, **variant.settings},
                "prompts": variant.prompts and str(Path(variant.prompts).resolve()),
            }
        )
        return planned("compare", settings, self.version)


class Difference(BaseModel):
    """What a measure came to with the two variants, over the pairs in which both games say something of it."""

    measure: str
    a: float | None
    """The mean over these pairs; null where there is none."""
    b: float | None
    difference: float | None
    """The mean of b - a."""
    low: float | None
    """Where the 95 % interval of that mean begins, by Student's t; null for fewer than three pairs."""
    high: float | None
    pairs: int


def differences(measured: Sequence[tuple[Measures, Measures]]) -> list[Difference]:
    """The difference in each measure, of pairs whose two games are over."""
    return [
        difference(name, [(getattr(a, name), getattr(b, name)) for a, b in measured])
        for name in Measures.model_fields
    ]


def difference(measure: str, pairs: Sequence[tuple[float | None, float | None]]) -> Difference:
    """The paired difference; pairs of which one side is None are left out."""
    whole = [(a, b) for a, b in pairs if a is not None and b is not None]
    if not whole:
        return Difference(measure=measure, a=None, b=None, difference=None, low=None, high=None, pairs=0)
    changes = [b - a for a, b in whole]
    mean, half = statistics.mean(changes), half_width(changes)
    return Difference(
        measure=measure,
        a=statistics.mean(a for a, _ in whole),
        b=statistics.mean(b for _, b in whole),
        difference=mean,
        low=None if half is None else mean - half,
        high=None if half is None else mean + half,
        pairs=len(whole),
    )
