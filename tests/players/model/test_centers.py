"""Which centers can be lost or won, and when they change hands."""

import pytest

from entente.board.engine import Board
from entente.players.model.agent_context import public_state
from entente.players.model.centers import centers_text, threatened_centers
from entente.players.model.layout import board_text
from tests.support.table import board_at

UNITS = {
    "FRANCE": ["A MUN", "F BRE"],
    "ENGLAND": ["F ENG", "A WAL", "A LON"],
    "GERMANY": ["A BUR", "A PAR"],
}
CENTERS = {"FRANCE": ["BRE", "MAR", "PAR", "POR"], "GERMANY": ["MUN"], "ENGLAND": ["LON"]}
ENTERED = """\
Others can enter: BRE (F ENG ENGLAND, A PAR GERMANY, A LON ENGLAND by convoy, A WAL ENGLAND by convoy), \
MAR (A BUR GERMANY), PAR (A BUR GERMANY)."""
HELD = """\
Others stand in your PAR (A PAR GERMANY).
You stand in others' MUN (GERMANY's)."""


def told(board: Board, power: str) -> list[str]:
    return centers_text(threatened_centers(board, power), board, power).splitlines()


@pytest.mark.parametrize(
    ("phase", "when"),
    [
        ("S1902M", "Centers change hands after fall alone: "),
        ("F1902M", "After this phase and its retreats each center belongs to whose unit stands in it; "),
    ],
)
def test_in_a_movement_phase_it_is_told_who_can_enter_and_what_is_held(phase: str, when: str) -> None:
    first, *others = told(board_at(phase, UNITS, CENTERS), "FRANCE")
    assert first.startswith(when)
    assert others == [ENTERED, *HELD.splitlines()]


def test_after_falls_moves_it_is_told_what_is_held_and_in_other_phases_nothing() -> None:
    first, *others = told(board_at("F1902R", UNITS, CENTERS), "FRANCE")
    assert first.startswith("After these retreats each center belongs")
    assert others == HELD.splitlines()
    assert [told(board_at(phase, UNITS, CENTERS), "FRANCE") for phase in ("S1902R", "W1902A")] == [[], []]


def test_whoever_is_safe_is_told_so() -> None:
    assert told(board_at("F1902M", {"TURKEY": ["A SYR"]}, CENTERS), "ENGLAND")[1:] == [
        "Nobody else can enter one of your centers now."
    ]


def test_the_board_shows_everybodys_dislodged_units() -> None:
    board = board_at(
        "F1902R",
        {"GERMANY": ["A BUR", "F BEL"]},
        {"FRANCE": ["PAR"]},
        {"FRANCE": {"A BUR": ["GAS", "PAR"]}, "ENGLAND": {"F BEL": []}},
    )
    assert board_text(public_state(board), board.geography).splitlines()[-1] == (
        "Dislodged: ENGLAND F BEL, which can only disband; FRANCE A BUR, which can retreat to GAS PAR"
    )
