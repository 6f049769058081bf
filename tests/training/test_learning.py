"""The example that learns: one step of it on real games, the laws of what it does with them, and the whole of it."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples.learn_knobs import GROUP, KNOBS, POWERS, START, Policy, Trial, sign_flip_p, step, worth

EXAMPLE = Path(__file__).parents[2] / "examples" / "learn_knobs.py"

WEIGHTS = st.fixed_dictionaries(dict.fromkeys(KNOBS, st.floats(-4, 4)))


def test_a_step_plays_a_group_for_each_power_and_moves_the_policy() -> None:
    asked: list[Trial] = []

    def play(trials: Sequence[Trial]) -> list[float]:
        """The first group's games are real, and stand for those of the others."""
        asked.extend(trials)
        return [worth(trial) for trial in trials[:GROUP]] * len(POWERS)

    moved, mean = step(START, 0, Random(2), play, years=2)
    groups = [asked[at : at + GROUP] for at in range(0, len(asked), GROUP)]
    assert [{trial.power for trial in group} for group in groups] == [{power} for power in POWERS]
    assert all(len({trial.seed for trial in group}) == 1 for group in groups)
    assert len({group[0].seed for group in groups}) == len(POWERS)
    assert 0 < mean < 1
    assert moved != START
    assert worth(asked[0]) == worth(asked[0]), "the same game is worth the same"


@given(WEIGHTS, st.integers(0, 2**32))
def test_what_did_better_is_likelier_and_what_all_did_alike_is_not(
    weights: dict[str, float], seed: int
) -> None:
    policy, rng = Policy(weights), Random(seed)
    better, worse = policy.draw(rng), policy.draw(rng)
    learned = policy.learn([better, worse], [1, -1])
    for knob, (low, _) in KNOBS.items():
        change = learned.weights[knob] - policy.weights[knob]
        if better[knob] == worse[knob]:
            assert change == pytest.approx(0, abs=1e-9)
        else:
            assert (change > 0) == (better[knob] != low)
    assert policy.learn([better, worse], [0, 0]) == policy


@pytest.mark.parametrize(
    ("differences", "least", "most"),
    [([0.1] * 14, 0, 0.001), ([-0.1] * 14, 0, 0.001), ([0.1, -0.1] * 7, 0.9, 1), ([0.0] * 14, 1, 1)],
)
def test_the_test_knows_a_difference_from_none(differences: list[float], least: float, most: float) -> None:
    assert least <= sign_flip_p(differences, Random(1)) <= most


@pytest.mark.slow
def test_what_was_learned_beats_the_start_on_games_that_it_has_never_seen() -> None:
    told = subprocess.run([sys.executable, EXAMPLE], capture_output=True, text=True, check=True).stdout
    found = told.partition("held-out pairs: ")[2].split()
    assert float(found[0]) > 0, told
    assert float(told.partition("p = ")[2].split()[0]) < 0.01, told
