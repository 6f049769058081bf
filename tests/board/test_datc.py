"""DATC's cases as data of ours: `data/datc.jsonl`, each by its number, read by the order reader and adjudicated.

The cases are those of the Diplomacy Adjudicator Test Cases by Lucas B. Kruijswijk, sections 6.A to 6.J, with what his
preferences make of them. A phase without units goes on from the one before it. `stands` is who owns the unit that
stands somewhere afterwards, `empty` what does not stand there, `driven_out` who was dislodged.
"""

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from entente.board.engine import Board
from entente.board.orders import read_orders
from entente.board.types import Adjudication, Outcome, Power, Unit
from tests.board.positions import position_of
from tests.board.test_cases import DATA

HOUSE_RULES = {
    "6.B.3": "4.B.3",
    "6.B.9": "4.B.4",
    "6.D.29": "4.B.3",
}
"""Cases that come out otherwise here than DATC prefers, and the choice of DATC that they turn on: the reader mends a
coast where only one can be meant, and no coast in a support means anything. docs/engine.md says so too."""


@cache
def cases() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / "datc.jsonl").read_text(encoding="utf-8").splitlines()]


def differences(case: Mapping[str, Any]) -> list[str]:
    """What does not come out as DATC says."""
    found: list[str] = []
    board = Board.start()
    for phase in case["phases"]:
        if "units" in phase:
            board = Board(position_of(phase["phase"], phase))
        orders = {
            power: [order for text in given for order in read_orders(board, power, text).orders]
            for power, given in phase["orders"].items()
        }
        judged = board.adjudicate(orders)
        board = Board(judged.after)
        found += [f"{u}: {p}" for u, p in phase["stands"].items() if owner(board, u) != p]
        found += [f"{u}: not empty" for u in phase["empty"] if owner(board, u)]
        found += [f"{u}: not dislodged" for u in phase.get("driven_out", ()) if not is_dislodged(u, judged)]
    return found


def is_dislodged(unit: str, judged: Adjudication) -> bool:
    return any(Outcome.DISLODGED in r.outcomes and str(r.order).startswith(unit) for r in judged.results)


def owner(board: Board, text: str) -> Power | None:
    """Whose unit of this kind stands there; on any coast where none is named."""
    unit = Unit.parse(text)
    there = board.position.occupant(unit.province)
    is_meant = there and there.kind == unit.kind and unit.location in (there.location, there.province)
    return board.position.owner(there) if there and is_meant else None


def test_every_case_comes_out_as_datc_prefers_but_for_the_house_rules() -> None:
    found = {case["case"]: different for case in cases() if (different := differences(case))}
    assert found.keys() == HOUSE_RULES.keys(), found


def test_the_cases_are_datcs_by_number() -> None:
    sections = Counter(case["case"][:3] for case in cases())
    assert sections == {
        "6.A": 12,
        "6.B": 14,
        "6.C": 7,
        "6.D": 34,
        "6.E": 15,
        "6.F": 24,
        "6.G": 18,
        "6.H": 16,
        "6.I": 7,
        "6.J": 11,
    }
    assert len({case["case"] for case in cases()}) == 158


@pytest.mark.parametrize(("case", "choice"), HOUSE_RULES.items())
def test_the_page_names_each_house_rule_beside_datcs_preference(case: str, choice: str) -> None:
    rules = (DATA.parents[2] / "docs" / "engine.md").read_text(encoding="utf-8").split("## House rules")[1]
    assert case in rules
    assert choice in rules
