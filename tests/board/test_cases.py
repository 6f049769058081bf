"""The adjudication cases on which two independent judges agree, and those that the bare engine gets wrong.

`adjudication-random.jsonl` and `adjudication-engine-bugs.jsonl`: random coordinated orders on the standard map.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from entente.board.types import Position, parse_order
from tests.board.positions import judge, position_of

DATA = Path(__file__).parent / "data"

STILL_WRONG: dict[str, str] = {}
"""By source: cases that are still judged wrongly, and why. None is left; a case that joins it is told in
docs/engine.md, and one that leaves it by being judged rightly fails the test until it is taken out."""


def read_cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def outcome_of(position: Position) -> dict[str, Any]:
    """What a case may expect, of a position: empty powers left out, lists sorted."""
    return {
        "units": {p: sorted(map(str, units)) for p, units in position.units.items() if units},
        "centers": {p: sorted(centers) for p, centers in position.centers.items() if centers},
        "dislodged": {p: sorted(map(str, units)) for p, units in position.dislodged.items() if units},
        "retreats": {
            p: {str(u): sorted(to) for u, to in units.items()}
            for p, units in position.dislodged.items()
            if units
        },
        "next_phase": str(position.phase),
    }


def is_judged_rightly(case: dict[str, Any]) -> bool:
    adjudication = judge(position_of(case["phase"], case["state"]), case["orders"])
    got = outcome_of(adjudication.after)
    return all(got[key] == expected for key, expected in case["expected"].items())


@pytest.mark.parametrize(
    ("name", "count"), [("adjudication-random.jsonl", 550), ("adjudication-engine-bugs.jsonl", 21)]
)
def test_every_case_is_judged_as_two_independent_judges_do(name: str, count: int) -> None:
    cases = read_cases(name)
    wrong = {case["source"] for case in cases if not is_judged_rightly(case)}
    assert len(cases) == count
    assert wrong == {case["source"] for case in cases if case["source"] in STILL_WRONG}


@pytest.mark.parametrize("name", ["adjudication-random.jsonl", "adjudication-engine-bugs.jsonl"])
def test_every_order_of_every_case_has_one_result_with_a_reason(name: str) -> None:
    for case in read_cases(name):
        adjudication = judge(position_of(case["phase"], case["state"]), case["orders"])
        given = sorted(str(parse_order(text)) for orders in case["orders"].values() for text in orders)
        assert sorted(str(r.order) for r in adjudication.results if not r.is_default) == given, case["source"]
        assert all(r.succeeded or r.reason for r in adjudication.results), case["source"]
