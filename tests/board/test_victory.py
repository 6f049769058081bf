"""How games end."""

from typing import Any

import pytest

from entente.board.engine import Board, load_geography
from entente.board.types import GameOutcome, Phase
from entente.board.victory import decide, score
from tests.board.positions import position_of

CENTERS = load_geography("standard").centers
FALL = Phase.parse("F1907M")


def ask(share: dict[str, int], **changes: Any) -> GameOutcome | None:
    """The verdict when the powers own so many centers, each with a unit on every one, before S1908M."""
    left = iter(CENTERS)
    centers = {power: [next(left) for _ in range(count)] for power, count in share.items()}
    units = {power: [f"A {center}" for center in owned] for power, owned in centers.items()}
    settings: dict[str, Any] = {
        "votes": frozenset(),
        "max_year": None,
        "last_change_year": 1907,
        "stalemate_years": None,
    }
    position = position_of("S1908M", {"units": units, "centers": centers})
    return decide(position, decided_in=FALL, **(settings | changes))


CASES: list[tuple[dict[str, int], dict[str, Any], tuple[str, list[str]] | None]] = [
    ({"FRANCE": 18, "ITALY": 16}, {}, ("solo", ["FRANCE"])),
    ({"FRANCE": 17, "ITALY": 17}, {}, None),
    ({"FRANCE": 17, "ITALY": 10}, {}, None),
    ({"FRANCE": 20, "ITALY": 14}, {"max_year": 1907}, ("solo", ["FRANCE"])),
    ({"ITALY": 3}, {}, ("last_standing", ["ITALY"])),
    ({"ITALY": 3, "FRANCE": 3}, {"votes": {"FRANCE"}}, None),
    ({"ITALY": 3, "FRANCE": 3}, {"votes": {"FRANCE", "ITALY"}}, ("draw", ["FRANCE", "ITALY"])),
    (
        {"ITALY": 3, "FRANCE": 3},
        {"votes": {"FRANCE", "ITALY", "TURKEY"}},
        ("draw", ["FRANCE", "ITALY"]),
    ),
    ({"ITALY": 3, "FRANCE": 3}, {"max_year": 1908}, None),
    ({"ITALY": 3, "FRANCE": 3}, {"max_year": 1907}, ("max_year", ["FRANCE", "ITALY"])),
    ({"ITALY": 3, "FRANCE": 3}, {"stalemate_years": 3, "last_change_year": 1905}, None),
    (
        {"ITALY": 3, "FRANCE": 3},
        {"stalemate_years": 3, "last_change_year": 1904},
        ("stalemate", ["FRANCE", "ITALY"]),
    ),
    (
        {"ITALY": 3, "FRANCE": 3},
        {"stalemate_years": 3, "last_change_year": 1904, "votes": {"FRANCE", "ITALY"}},
        ("draw", ["FRANCE", "ITALY"]),
    ),
    ({}, {}, ("last_standing", [])),
]


@pytest.mark.parametrize(("share", "changes", "expected"), CASES)
def test_a_game_ends_as_the_rules_say(
    share: dict[str, int], changes: dict[str, Any], expected: tuple[str, list[str]] | None
) -> None:
    outcome = ask(share, **changes)
    assert (outcome and (outcome.kind, list(outcome.winners), outcome.phase)) == (
        expected and (*expected, "F1907M")
    )


def test_enough_centers_do_not_win_while_another_has_as_many() -> None:
    """On no map that we load can two have a majority; in a position that is set up by hand they may."""
    pure = load_geography("pure")
    position = position_of(
        "S1908M", {"units": {}, "centers": {"FRANCE": pure.centers[:4], "ITALY": pure.centers[3:7]}}, "pure"
    )
    verdict = decide(
        position, decided_in=FALL, votes=set(), max_year=None, last_change_year=1907, stalemate_years=None
    )
    assert verdict is None


def test_a_power_that_waits_to_retreat_survives() -> None:
    position = position_of(
        "F1907R", {"units": {"ITALY": ["A ROM"]}, "dislodged": {"FRANCE": {"A BUR": ["PAR"]}}}
    )
    assert position.survivors == ("FRANCE", "ITALY")


def test_a_game_just_begun_goes_on() -> None:
    verdict = decide(
        Board.start().position,
        decided_in=Phase.parse("S1901M"),
        votes=set(),
        max_year=1901,
        last_change_year=1900,
        stalemate_years=1,
    )
    assert verdict is None


@pytest.mark.parametrize(
    ("share", "powers", "expected"),
    [
        ({"FRANCE": 17, "ITALY": 17}, ["FRANCE"], 1 / 2),
        ({"FRANCE": 12, "ITALY": 4}, ["ITALY"], 1 / 10),
        ({"FRANCE": 12, "ITALY": 4}, ["FRANCE", "ITALY"], 1),
        ({"FRANCE": 18, "ITALY": 16}, ["FRANCE", "TURKEY"], 1),
        ({"FRANCE": 18, "ITALY": 16}, ["ITALY"], 0),
    ],
)
def test_a_score_is_a_share_of_all_squares_and_a_solo_takes_it_all(
    share: dict[str, int], powers: list[str], expected: float
) -> None:
    left = iter(CENTERS)
    centers = {power: [next(left) for _ in range(count)] for power, count in share.items()}
    assert score(position_of("S1908M", {"units": {}, "centers": centers}), powers) == pytest.approx(expected)
