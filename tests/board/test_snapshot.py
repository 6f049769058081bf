"""A stored position goes on as the game would have."""

import itertools
import json
import random

import pytest

from entente.board import engine
from entente.board.engine import Board
from entente.board.types import Unit
from entente.errors import BadSnapshot
from tests.board.games import random_orders


def prove(seed: int, last_year: int) -> int:
    """How many phases one game was compared in.

    The engine plays on one and the same game object; before a random phase its position is stored as text,
    restored, and from there on played in parallel by boards, of which each restores its own position.
    """
    rng = random.Random(seed)
    live = engine._new_game("standard")
    split, board = rng.randrange(10), Board.start()
    for played in itertools.count():
        lived = Board(engine._position(live, "standard"))
        if played == split:
            board = Board.restore(json.loads(json.dumps(lived.snapshot())))
        if played >= split:
            assert board.position == lived.position
            assert board.legal_orders == engine._legal_orders(live, board.powers), board.snapshot()
        if lived.phase.year > last_year:
            return played - split
        orders = random_orders(board if played >= split else lived, rng)
        for power, given in orders.items():
            engine._submit(live, power, given)
        live.process()
        board = Board(board.adjudicate(orders).after) if played >= split else board
    raise AssertionError


def test_games_go_on_alike_after_a_restore() -> None:
    phases = sum(prove(seed, 1903) for seed in range(60))
    assert phases > 180


@pytest.mark.slow
def test_two_hundred_long_games_go_on_alike_after_a_restore() -> None:
    phases = sum(prove(seed, 1916) for seed in range(1000, 1200))
    assert phases > 6000


def test_a_snapshot_is_small_plain_data() -> None:
    snapshot = Board.start().snapshot()
    assert len(json.dumps(snapshot)) < 2000
    assert json.loads(json.dumps(snapshot)) == snapshot


@pytest.mark.parametrize(
    "damage",
    [
        {"phase": "X1901M"},
        {"units": {}},
        {"units": {"FRANCE": ["PAR"]}},
        {"map": "nowhere"},
        {"centers": None},
        {"centers": Board.start().snapshot()["centers"] | {"FRANCE": ["XYZ"]}},
        {"centers": Board.start().snapshot()["centers"] | {"ATLANTIS": []}},
        {"units": Board.start().snapshot()["units"] | {"FRANCE": ["A XYZ"]}},
        {"units": Board.start().snapshot()["units"] | {"FRANCE": ["A MAO"]}},
        {"units": Board.start().snapshot()["units"] | {"FRANCE": ["A PAR", "F PAR"]}},
        {"units": Board.start().snapshot()["units"] | {"FRANCE": ["A PAR", "A VIE"]}},
        {"influence": Board.start().snapshot()["influence"] | {"FRANCE": ["XYZ"]}},
        {"dislodged": {"FRANCE": {"A PAR": ["XYZ"]}}},
    ],
    ids=str,
)
def test_a_damaged_snapshot_is_refused(damage: dict[str, object]) -> None:
    with pytest.raises(BadSnapshot, match="stored position"):
        Board.restore(Board.start().snapshot() | damage)


def test_an_empty_object_is_no_snapshot() -> None:
    with pytest.raises(BadSnapshot):
        Board.restore({})


def test_units_stand_where_they_were_stored() -> None:
    assert Unit.parse("F STP/SC") in Board.restore(Board.start().snapshot()).position.units["RUSSIA"]
