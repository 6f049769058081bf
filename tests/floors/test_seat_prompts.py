"""What a person is asked fits its phase and its seat."""

from typing import Any

import pytest

from checkpoints.store import Store
from entente.board.engine import Board
from entente.floors.asking import Ask, SeatTask
from entente.floors.seat_view import view_of_seat
from graph.context import GameSettings
from tests.board.positions import position_of

BUILDS = {"units": {"FRANCE": ["A BUR", "F BRE"]}, "centers": {"FRANCE": ["BRE", "MAR", "PAR", "BEL"]}}
DISBANDS = {"units": {"FRANCE": ["A BUR", "F BRE"]}, "centers": {"FRANCE": ["BRE"]}}
CASES: dict[str, tuple[str, dict[str, Any] | None, str, Ask, list[str], list[str]]] = {
    "movement": (
        "S1901M",
        None,
        "FRANCE",
        "orders",
        ["`F BRE - ENG`", "without an order holds"],
        ["disband"],
    ),
    "builds": (
        "W1901A",
        BUILDS,
        "FRANCE",
        "orders",
        ["2 builds in MAR PAR", "`A MAR B`", "is waived"],
        [" - ", "holds"],
    ),
    "disbands": ("W1901A", DISBANDS, "FRANCE", "orders", ["1 disband.", " D`"], [" - ", "holds"]),
    "to-germany": ("S1901M", None, "GERMANY", "talk", ["`AUSTRIA: "], ["`GERMANY: "]),
    "to-austria": ("S1901M", None, "AUSTRIA", "open", ["`ENGLAND: "], ["`AUSTRIA: "]),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
async def test_a_question_fits_its_phase_and_its_seat(
    memory_store: Store, case: tuple[str, dict[str, Any] | None, str, Ask, list[str], list[str]]
) -> None:
    phase, state, power, ask, wanted, unwanted = case
    board = Board.start() if state is None else Board(position_of(phase, state))
    kept = board.snapshot()
    kept["influence"] = {power: [] for power in board.powers}
    task = SeatTask(power=power, ask=ask, phase=phase, round=1, rounds=2, board=kept)
    text = (await view_of_seat(memory_store.journal, "g", task, GameSettings())).text
    assert [part for part in wanted if part not in text] == [], text
    assert [part for part in unwanted if part in text] == [], text
