"""Learn how a diplomat should play from games alone: five chances, trained by group-relative advantages.

    python examples/learn_knobs.py

The policy says for each knob of the scripted `diplomat` how likely it is turned up rather than down. It begins with
equal chances. Each step plays a group of games for each power: the same power, the same seed, plain diplomats in the
six other seats, and only the knobs, which the policy draws, differ. What a game was worth, measured against its group,
moves the chances of what was drawn (REINFORCE). At the end the start and what was learned play new seeds, once each,
and a sign-flip test says how likely such a difference would come about by chance.
"""

import argparse
import asyncio
import math
import multiprocessing
import random
import resource
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

from entente.board.engine import load_geography
from entente.board.types import Power
from entente.training.config import parse_config
from entente.training.environment import DiplomacyEnvironment
from entente.training.rewards import SQUARES, relative

KNOBS = {
    "honesty": (0, 1),
    "loyalty": (0, 1),
    "forgiveness": (0, 1),
    "chattiness": (0, 3),
    "appetite": (0, 1),
}
"""What each knob is turned down and up to."""
POWERS = load_geography("standard").powers
GROUP = 4
"""Games that are compared with one another."""
RATE = 4.0
"""How far one step moves the weights."""
HELD_OUT = 2_000_000
"""The first seed that nothing is learned from; training counts from 0."""
FLIPS = 20_000
"""Of the test: random ones of all 2^n."""


class Trial(NamedTuple):
    """One game: who learns, and with which knobs."""

    power: Power
    seed: int
    knobs: Mapping[str, float]
    years: int

    @property
    def player(self) -> str:
        """The seat's text: `diplomat(honesty=1, appetite=0.5)`."""
        return f"diplomat({', '.join(f'{name}={value:g}' for name, value in self.knobs.items())})"


@dataclass(frozen=True)
class Policy:
    """A weight for each knob: the more, the likelier it is turned up; at 0 up and down are as likely."""

    weights: Mapping[str, float]

    def chance(self, knob: str) -> float:
        """How likely the knob is turned up."""
        return 1 / (1 + math.exp(-self.weights[knob]))

    def draw(self, rng: random.Random) -> dict[str, float]:
        """A setting for each knob."""
        return {knob: ends[rng.random() < self.chance(knob)] for knob, ends in KNOBS.items()}

    def learn(self, drawn: Sequence[Mapping[str, float]], advantages: Sequence[float]) -> "Policy":
        """The policy after one step: what did better than its group is likelier."""

        def gradient(knob: str) -> float:
            low, chance = KNOBS[knob][0], self.chance(knob)
            return statistics.fmean(
                advantage * ((knobs[knob] != low) - chance)
                for knobs, advantage in zip(drawn, advantages, strict=True)
            )

        return Policy({knob: weight + RATE * gradient(knob) for knob, weight in self.weights.items()})


START = Policy(dict.fromkeys(KNOBS, 0.0))


def worth(trial: Trial) -> float:
    """Play the game: the power's centers squared over the sum of everybody's when it ends."""
    return asyncio.run(_worth(trial))


async def _worth(trial: Trial) -> float:
    seats = [{"name": power, "model": "diplomat"} for power in POWERS if power != trial.power]
    config = parse_config(
        {
            "game_settings": {
                "max_turns": trial.years,
                "rounds": 2,
                "powers": [*seats, {"name": trial.power, "model": trial.player}],
            },
            "training": {"save_replays": False},
        }
    )
    async with DiplomacyEnvironment(config) as environment:
        episode = await environment.run_episode("trial", trial.seed)
    return episode["scores"][SQUARES][trial.power]


Play = Callable[[Sequence[Trial]], Iterable[float]]
"""What each of these games is worth."""


def step(policy: Policy, number: int, rng: random.Random, play: Play, years: int) -> tuple[Policy, float]:
    """One group of games for each power, what is learned from them, and their mean worth."""
    trials = [
        Trial(power, number * len(POWERS) + at, policy.draw(rng), years)
        for at, power in enumerate(POWERS)
        for _ in range(GROUP)
    ]
    rewards = [*play(trials)]
    groups = [rewards[at : at + GROUP] for at in range(0, len(rewards), GROUP)]
    advantages = [advantage for group in groups for advantage in relative(group)]
    return policy.learn([trial.knobs for trial in trials], advantages), statistics.fmean(rewards)


def held_out(
    start: Policy, learned: Policy, pairs: int, rng: random.Random, play: Play, years: int
) -> list[float]:
    """How much more what was learned is worth than the start, in a pair of games for each new seed."""
    seats = [(POWERS[at % len(POWERS)], HELD_OUT + at) for at in range(pairs)]
    worths = [
        [*play([Trial(power, seed, policy.draw(rng), years) for power, seed in seats])]
        for policy in (start, learned)
    ]
    return [after - before for before, after in zip(*worths, strict=True)]


def sign_flip_p(differences: Sequence[float], rng: random.Random) -> float:
    """Fisher's paired randomisation test, two-sided: if neither is better, each difference could have either sign."""
    seen = abs(sum(differences))
    as_far = sum(
        abs(sum(rng.choice((-each, each)) for each in differences)) >= seen - 1e-12 for _ in range(FLIPS)
    )
    return (as_far + 1) / (FLIPS + 1)


def main() -> None:
    """Learn, then measure on seeds of their own."""
    parser = argparse.ArgumentParser(description="Learn the knobs of a diplomat from games.")
    parser.add_argument("--seed", type=int, default=1, help="of everything that is drawn")
    parser.add_argument("--steps", type=int, default=10, help=f"of {GROUP * len(POWERS)} games each")
    parser.add_argument("--pairs", type=int, default=98, help="of held-out games")
    parser.add_argument("--years", type=int, default=4, help="game years of each game")
    parser.add_argument("--cores", type=int, default=2)
    given = parser.parse_args()
    rng, began = random.Random(given.seed), time.monotonic()
    with ProcessPoolExecutor(given.cores, multiprocessing.get_context("spawn")) as pool:

        def play(trials: Sequence[Trial]) -> Iterable[float]:
            return pool.map(worth, trials, chunksize=2)

        policy = START
        for number in range(given.steps):
            policy, mean = step(policy, number, rng, play, given.years)
            print(f"step {number + 1:2}: mean worth {mean:.3f}, {time.monotonic() - began:.0f} s", flush=True)
        print("turned up:", ", ".join(f"{knob} {policy.chance(knob):.0%}" for knob in KNOBS))
        gained = held_out(START, policy, given.pairs, rng, play, given.years)
    error = statistics.stdev(gained) / math.sqrt(len(gained))
    print(
        f"{len(gained)} held-out pairs: {statistics.fmean(gained):+.4f} a game (standard error {error:.4f}),",
        end=" ",
    )
    print(f"p = {sign_flip_p(gained, rng):.5f}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{time.monotonic() - began:.0f} s, {used.ru_utime + used.ru_stime:.0f} s of CPU")


if __name__ == "__main__":
    main()
