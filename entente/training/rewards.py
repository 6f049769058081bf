"""What a game is worth to each seat when it is over, and what may be added for a single decision.

No score pays for turns, messages or betrayals. What is added for a decision is kept apart from the score of the game.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from entente.board.types import Position, Power
from entente.board.victory import score

SQUARES = "squares"


class Ended(NamedTuple):
    """A game as its scores see it."""

    positions: Sequence[Position]
    """At each phase of the game, from the first; the last one is how it stands now."""
    winners: Sequence[Power]
    """One for a solo, those who share a draw, nobody while the game is not over."""
    is_solo: bool
    year: int
    """The last game year that was played."""
    last_year: int | None
    """The last game year that the settings let it be played to; None for no limit."""

    @property
    def position(self) -> Position:
        """How it stands now."""
        return self.positions[-1]


def _squares(ended: Ended) -> dict[Power, float]:
    """The sum of squares: 1 for a solo and 0 for its losers; otherwise centers squared over everybody's."""
    return {power: score(ended.position, [power]) for power in ended.position.centers}


def _draw_size(ended: Ended) -> dict[Power, float]:
    """An equal share for those who win or draw."""
    return {power: float(power in ended.winners) / (len(ended.winners) or 1) for power in _powers(ended)}


def _share(ended: Ended) -> dict[Power, float]:
    """Centers of all that are owned."""
    owned = sum(map(len, ended.position.centers.values()))
    return {power: len(centers) / owned for power, centers in ended.position.centers.items()}


def _survival(ended: Ended) -> dict[Power, float]:
    """1 for who has a unit or a center."""
    return {power: float(power in ended.position.survivors) for power in _powers(ended)}


def _diplobench(ended: Ended) -> dict[Power, float]:
    """AI_Diplomacy's, in game years: all years and the centers for who survives, a solo more the earlier it comes."""
    first = ended.positions[0].phase.year
    most = (ended.last_year or ended.year) - first + 1
    return {power: _diplobench_of(ended, power, first, most) for power in _powers(ended)}


def _diplobench_of(ended: Ended, power: Power, first: int, most: int) -> float:
    if power not in ended.position.survivors:
        gone = next(each.phase.year for each in ended.positions if power not in each.survivors)
        return float(gone - first)
    if ended.is_solo and power in ended.winners:
        return float(most + 17 + most - (ended.year - first + 1))
    return float(most + len(ended.position.centers[power]))


def _powers(ended: Ended) -> Sequence[Power]:
    return tuple(ended.position.centers)


SCORERS: Mapping[str, Callable[[Ended], dict[Power, float]]] = {
    SQUARES: _squares,
    "draw_size": _draw_size,
    "share": _share,
    "survival": _survival,
    "diplobench": _diplobench,
}
"""Every score by its name; `squares` is what is trained on unless another is named."""

SUM_TO_ONE = (SQUARES, "draw_size", "share")
"""Scores of which there is 1 in each game that is over, however it ended."""


def scores_of(ended: Ended) -> dict[str, dict[Power, float]]:
    """Every score of every power."""
    return {name: scorer(ended) for name, scorer in SCORERS.items()}


class StepRewards(BaseModel):
    """What is added for single decisions; nothing of it is in a game's score."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    validity_penalty: float = Field(default=0.01, ge=0)
    """Taken off for each line or call of a decision that could not be taken as it was."""
    shaping: float = Field(default=0.0, ge=0)
    """How much of the change of the sum of squares is given where centers have changed hands; 0 for none."""
    discount: float = Field(default=1.0, ge=0, le=1)
    """Of the shaping: gamma in gamma * after - before (Ng, Harada and Russell 1999)."""

    def of_validity(self, faults: int) -> float:
        """What a decision is charged in which so many lines or calls could not be taken."""
        return -self.validity_penalty * faults if faults else 0.0

    def of_shaping(self, before: float, after: float, *, is_last: bool) -> float:
        """What a step from one worth to the next is given; the last position of a game is worth nothing to it.

        Summed over a game with a discount of 1 it is minus the first worth, whatever was played: it cannot pay for
        anything but the way.
        """
        return self.shaping * (self.discount * (0.0 if is_last else after) - before)


def worths(positions: Sequence[Position], power: Power) -> list[float]:
    """What the power has of each position, by the sum of squares: the potential of the shaping."""
    return [score(position, [power]) for position in positions]


def relative(rewards: Sequence[float]) -> list[float]:
    """Each reward over the mean of its group, in standard deviations; all 0 where all are the same."""
    mean = sum(rewards) / len(rewards)
    spread = (sum((reward - mean) ** 2 for reward in rewards) / len(rewards)) ** 0.5
    return [(reward - mean) / spread if spread > 1e-12 else 0.0 for reward in rewards]
