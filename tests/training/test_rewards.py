"""What games are worth: laws of the scores, over any position."""

from dataclasses import replace
from itertools import pairwise
from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from entente.board.engine import Board, load_geography
from entente.board.types import Position, Power
from entente.training.rewards import SUM_TO_ONE, Ended, StepRewards, relative, scores_of, worths

GEOGRAPHY = load_geography("standard")
START = Board.start("standard").position


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Any division of the centers among the powers, and nobody's; units only where somebody has centers."""
    owners = draw(st.lists(st.sampled_from([*GEOGRAPHY.powers, ""]), min_size=34, max_size=34))
    centers: dict[Power, tuple[str, ...]] = {
        power: tuple(c for c, owner in zip(GEOGRAPHY.centers, owners, strict=True) if owner == power)
        for power in GEOGRAPHY.powers
    }
    if not any(centers.values()):
        centers = dict(START.centers)
    units = {power: START.units[power] if held else () for power, held in centers.items()}
    return replace(START, centers=centers, units=units)


def ended(position: Position) -> Ended:
    """As the game's rules would end it now."""
    soloists = [power for power, held in position.centers.items() if len(held) >= 18]
    return Ended([START, position], soloists or position.survivors, bool(soloists), 1901, 1910)


@given(positions())
def test_there_is_one_of_a_score_in_each_game_and_nobody_has_less_than_nothing(position: Position) -> None:
    scores = scores_of(ended(position))
    for name in SUM_TO_ONE:
        assert isclose(sum(scores[name].values()), 1)
    assert all(value >= 0 for by_power in scores.values() for value in by_power.values())
    assert all(by_power.keys() == position.centers.keys() for by_power in scores.values())


@given(positions())
def test_a_solo_takes_all_and_more_centers_are_never_worth_less(position: Position) -> None:
    squares = scores_of(ended(position))["squares"]
    counts = {power: len(held) for power, held in position.centers.items()}
    for power, count in counts.items():
        if count >= 18:
            assert squares[power] == 1
        assert all(squares[power] >= squares[other] for other, fewer in counts.items() if fewer <= count)


def test_an_equal_board_is_worth_a_seventh_to_each() -> None:
    equal = {power: GEOGRAPHY.centers[at * 3 : at * 3 + 3] for at, power in enumerate(GEOGRAPHY.powers)}
    scores = scores_of(ended(replace(START, centers=equal)))
    assert all(value == pytest.approx(1 / 7) for name in SUM_TO_ONE for value in scores[name].values())


@given(st.lists(positions(), min_size=2, max_size=6), st.sampled_from(GEOGRAPHY.powers))
def test_shaping_pays_for_nothing_but_the_way(way: list[Position], power: Power) -> None:
    steps = StepRewards(shaping=1.0)
    potential = worths(way, power)
    given_ = [
        steps.of_shaping(before, after, is_last=at == len(way) - 2)
        for at, (before, after) in enumerate(pairwise(potential))
    ]
    assert sum(given_) == pytest.approx(-potential[0])
    assert StepRewards().of_shaping(0.2, 0.7, is_last=False) == 0


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=8))
def test_advantages_sum_to_nothing_and_are_all_nothing_where_all_rewards_are_the_same(
    rewards: list[float],
) -> None:
    assert sum(relative(rewards)) == pytest.approx(0, abs=1e-6)
    assert relative([rewards[0]] * 4) == [0, 0, 0, 0]
