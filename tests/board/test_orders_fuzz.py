"""The order reader on anything at all: it never raises, never keeps silent, and never takes long."""

import random
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entente.board.engine import Board
from entente.board.normalise import MAX_SPLIT, split_line, split_lines
from entente.board.order_lines import MAX_READ
from entente.board.orders import Reading, read_orders
from entente.board.types import Power, Waive
from entente.board.verdicts import Verdict
from entente.errors import AmbiguousOrderError, IllegalOrderError, OrderSyntaxError

from .order_cases import board_of
from .order_positions import everything_legal, random_boards

_FRAGMENTS = r"""
A F H S C R D B VIA - -> → – — to moves hold supports convoys build remove waive retreat WAIVE via convoy by army fleet
PAR BUR MAR SPA SPA/NC spa(sc) STPSC NTH NWY Paris Burgandy Liverpool LIV the of in FRANCE: GER German's MTO SUP AMY FLT
VIA ( ) (( )) [ ] " ' ` ! ? # // / ; , . : 1. 2) * • north south coast Mid-Atlantic Ocean not 3 0 _ ← | & ~ ➡️ Ａ É ß
İ ŉ ﷺ 🚢 ٣ orders { } ``` \
"""
FRAGMENTS = [*_FRAGMENTS.split(), "\x00", "\x1b", "\u200b", "\x85", "\u2028"]

ANYTHING = st.text(st.characters(exclude_categories=["Cs"]), max_size=120)
NEARLY = st.lists(st.sampled_from(FRAGMENTS), max_size=14).map(" ".join)
GLUED = st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join)
TEXTS = st.lists(ANYTHING | NEARLY | GLUED, max_size=4).map("\n".join)
BOARDS = st.deferred(lambda: st.sampled_from(random_boards()))

SECONDS_A_LINE = 0.05

_HEADING_END = re.compile(r":[\W_]*$")
"""`My orders:` stands over orders and gets no verdict."""


@pytest.fixture(scope="module", autouse=True)
def _games_are_played_before_examples_are_drawn() -> None:  # pyright: ignore[reportUnusedFunction] - pytest finds it
    everything_legal()


def _check(board: Board, power: Power, reading: Reading) -> None:
    """What holds of every reading whatever the text."""
    legal = {order for some in board.legal_orders[power].values() for order in some}
    for verdict in reading.verdicts:
        assert len(verdict.line) <= 200
        rejected = verdict.verdict is Verdict.REJECTED
        assert rejected == (verdict.order is None)
        assert rejected == (verdict.error is not None or "replaced by a later order" in verdict.note)
        assert bool(verdict.note) == (verdict.verdict is not Verdict.OK)
        assert verdict.nearest is None or verdict.nearest in set(map(str, legal))
        assert rejected or verdict.is_void or verdict.order in legal
        if verdict.error is not None:
            assert type(verdict.error) in (OrderSyntaxError, IllegalOrderError, AmbiguousOrderError)
    units = [order.unit.province for order in reading.orders if not isinstance(order, Waive)]
    assert len(set(units)) == len(units)
    if board.builds[power]:
        assert len(reading.orders) <= abs(board.builds[power])


@settings(max_examples=500)
@given(BOARDS, TEXTS, st.integers(0, 2**32))
def test_any_text_gets_a_verdict_for_each_part_and_never_an_exception(
    board: Board, text: str, seed: int
) -> None:
    power = random.Random(seed).choice(board.powers)
    reading = read_orders(board, power, text)
    lines = [line for line in split_lines(text) if split_line(line) and not _HEADING_END.search(line)]
    assert len(lines) <= len(reading.verdicts) <= MAX_READ + 1 or len(reading.verdicts) == MAX_READ + 1
    _check(board, power, reading)


@settings(max_examples=200)
@given(TEXTS)
def test_no_letter_is_lost_where_a_text_is_parted(text: str) -> None:
    parts = "".join(part for line in split_lines(text) for part in split_line(line))
    kept = [c for c in parts if c.isalnum()]
    fences = text.replace("`", " ").split()
    assert kept == [c for c in text if c.isalnum()] or "```" in text or not fences


def _cost(board: Board, power: Power, text: str) -> float:
    """CPU seconds of a reading, the least of up to three."""
    best = SECONDS_A_LINE
    for _ in range(3):
        before = time.thread_time()
        read_orders(board, power, text)
        best = min(best, time.thread_time() - before)
        if best < SECONDS_A_LINE:
            break
    return best


# The bound itself is the requirement, so here and only here a time is compared: CPU time, the best of three.
@settings(max_examples=150)
@given(BOARDS, st.lists(st.sampled_from(FRAGMENTS), min_size=20, max_size=60).map(" ".join) | ANYTHING)
def test_no_line_takes_50_ms(board: Board, text: str) -> None:
    read_orders(board, board.powers[0], "")  # the tables of the position are built once
    line = " ".join(text.splitlines()).replace(";", " ").replace(",", " ")
    assert _cost(board, board.powers[0], line) < SECONDS_A_LINE


_MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    "line",
    [
        "A PAR - BUR " * (_MEGABYTE // 12),
        "A PAR - BUR; " * (_MEGABYTE // 13),
        *(sign * _MEGABYTE for sign in ("-", "(", " ", "A", ";", "1", "!", "É", "\x00", "→", "'", "/")),
        "Burgandi " * 55,
        "Brugndyy Mariselles " * 24,
        "A PAR " + "- " * 240,
        "1. " * 160,
        "- " * 240 + "x",
        "A PAR S " * 60,
        ", via " * 600,
        "a" * 499,
        "ab " * 160,
        " " * 3_900 + "orders x",
        "_" * 3_900 + " orders:",
        "* " * 1_900 + "orders:",
        "orders " * 500 + ":",
        ":" * 3_900 + " orders",
    ],
    ids=lambda line: f"{line[:9]!r}x{len(line)}",
)
def test_a_hostile_line_takes_no_longer(line: str) -> None:
    board = board_of("start")
    read_orders(board, "FRANCE", "")
    assert _cost(board, "FRANCE", line) < SECONDS_A_LINE
    reading = read_orders(board, "FRANCE", line)
    assert len(reading.verdicts) <= 2 or len(line) <= MAX_SPLIT
    assert reading.orders == ()


def _nonsense(lines: int) -> str:
    rng = random.Random(1)
    words = (
        "Burgandi",
        "Mariselles",
        "army",
        "moves",
        "Parris",
        "fleet",
        "supports",
        "Brestt",
        "whatever",
        "PAR",
    )
    return "\n".join(" ".join(rng.choices(words, k=8)) for _ in range(lines))


# An event loop waits for a reading. These took 0.6 to 8 seconds when each line was read.
@pytest.mark.parametrize(
    "text",
    [
        _nonsense(3_000),
        "A PAR - BUR\n" * 80_000,
        "\n" * 5_000_000,
        "**A PAR -> BUR** (attack)\n" * 3_000,
        ["A PAR - BUR (attack)"] * 10_000,
        "&lt;b&gt;" * 100_000,
    ],
    ids=["nonsense", "one order", "blank lines", "remarks", "a list", "html"],
)
def test_a_long_reply_is_read_in_a_moment_and_says_that_the_rest_was_not(text: str | list[str]) -> None:
    board = board_of("start")
    read_orders(board, "FRANCE", "")
    before = time.thread_time()
    reading = read_orders(board, "FRANCE", text)
    assert time.thread_time() - before < 0.25
    assert len(reading.verdicts) <= MAX_READ + 1
    assert "the rest was not read" in reading.verdicts[-1].note
    assert reading.verdicts[-1].verdict is Verdict.REJECTED
