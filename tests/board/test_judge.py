"""Movement phases judged twice: by our board, and by a judge of the rules that knows nothing of the engine."""

from collections import Counter
from collections.abc import Iterable, Mapping

import pytest

from entente.board.engine import load_geography
from entente.board.types import Outcome, unit_of
from tests.board.battles import Battle, battles
from tests.board.judge import judge_movement
from tests.board.positions import orders_of, position_of
from tests.board.test_cases import read_cases

DECOR = "went by land"
"""By this the board says void of a convoy order for an army without any way; the judge only says what came of it."""


def differences(battle: Battle) -> list[str]:
    """What the two do not agree on."""
    judged = battle.board.adjudicate(battle.orders)
    verdict = judge_movement(battle.board.position, battle.board.geography, battle.orders)
    found = [
        f"{result.order} ({result.reason or 'succeeded'}): not {sorted(outcomes)}"
        for result in judged.results
        if (unit := unit_of(result.order))
        and weighed(result.outcomes, result.reason)
        != weighed(outcomes := verdict.outcomes[unit], result.reason)
    ]
    if any(frozenset(units) != verdict.units[power] for power, units in judged.after.units.items()):
        found.append("other units")
    if judged.after.dislodged != verdict.retreats:
        found.append("other retreats")
    return found


def weighed(outcomes: Iterable[Outcome], reason: str) -> frozenset[Outcome]:
    """The outcomes without what does not matter: a support whose army lost its convoy is cut, void or both."""
    found = {Outcome.VOID if outcome is Outcome.CUT else outcome for outcome in outcomes} - {
        Outcome.SUCCEEDED
    }
    return frozenset(found - {Outcome.VOID} if DECOR in reason else found)


def disagreements(seed: int, counts: Mapping[str, int]) -> list[str]:
    return [
        f"{map_name}: {battle}\n{found}"
        for map_name, count in counts.items()
        for battle in battles(map_name, seed, count)
        if (found := differences(battle))
    ]


@pytest.mark.parametrize(
    ("name", "count"), [("adjudication-random.jsonl", 392), ("adjudication-engine-bugs.jsonl", 21)]
)
def test_the_judge_agrees_with_two_others_on_every_movement_case(name: str, count: int) -> None:
    cases = [case for case in read_cases(name) if case["phase"].endswith("M")]
    assert len(cases) == count
    for case in cases:
        position = position_of(case["phase"], case["state"])
        verdict = judge_movement(position, load_geography("standard"), orders_of(case["orders"]))
        got = {
            "units": {p: sorted(map(str, units)) for p, units in verdict.units.items() if units},
            "dislodged": {p: sorted(map(str, some)) for p, some in verdict.retreats.items() if some},
            "retreats": {
                p: {str(unit): sorted(to) for unit, to in some.items()}
                for p, some in verdict.retreats.items()
                if some
            },
        }
        for key in got.keys() & case["expected"].keys():
            assert got[key] == case["expected"][key], (case["source"], key)


def test_the_phases_are_hard() -> None:
    found: Counter[str] = Counter()
    for battle in battles("standard", 1, 500):
        verdict = judge_movement(battle.board.position, battle.board.geography, battle.orders)
        found += Counter({outcome for outcomes in verdict.outcomes.values() for outcome in outcomes})
        found["paradox"] += verdict.paradoxes > 0
    assert found[Outcome.DISLODGED] > 100
    assert found[Outcome.DISRUPTED] > 10
    assert found["paradox"] > 1


def test_the_board_and_the_judge_agree_on_random_phases() -> None:
    assert disagreements(1, {"standard": 300, "ancmed": 60, "modern": 60, "pure": 60}) == []


@pytest.mark.slow
def test_the_board_and_the_judge_agree_on_tens_of_thousands_of_random_phases() -> None:
    assert disagreements(2, {"standard": 20000, "ancmed": 4000, "modern": 4000, "pure": 2000}) == []
