"""The order reader on lines as they are written, one case a line, and on whole sheets of orders."""

import gc
import weakref

import pytest

from entente.board.engine import Board
from entente.board.orders import legal_order_texts, read_orders
from entente.board.types import Waive
from entente.board.verdicts import Verdict
from entente.errors import AmbiguousOrderError, IllegalOrderError, OrderSyntaxError, UnknownPower

from .order_cases import Case, board_of, cases

_ERRORS = {"syntax": OrderSyntaxError, "illegal": IllegalOrderError, "ambiguous": AmbiguousOrderError}


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_a_line_is_read_as_the_table_says(case: Case) -> None:
    reading = read_orders(board_of(case.position), case.power, case.line)
    (verdict,) = reading.verdicts
    assert case.note in verdict.note
    if case.kind in _ERRORS:
        assert (verdict.verdict, verdict.order, reading.orders) == (Verdict.REJECTED, None, ())
        assert type(verdict.error) is _ERRORS[case.kind], verdict.note
        assert (verdict.nearest or "") == case.expected, verdict.note
        assert (verdict.note, verdict.nearest) == (str(verdict.error), verdict.error.nearest)
    else:
        assert str(verdict.order) == case.expected, verdict.note
        assert verdict.is_void == (case.kind == "void")
        assert verdict.error is None
    if case.kind in ("ok", "repaired"):
        assert verdict.verdict == case.kind, verdict.note
        assert bool(verdict.note) == (case.kind == "repaired")


def test_the_table_has_no_id_twice() -> None:
    ids = [case.id for case in cases()]
    assert len(set(ids)) == len(ids) > 150


def _read(position: str, power: str, text: str | list[str]) -> tuple[list[str], list[str]]:
    reading = read_orders(board_of(position), power, text)
    return [v.verdict.value for v in reading.verdicts], [str(order) for order in reading.orders]


def test_good_lines_survive_bad_ones() -> None:
    verdicts, orders = _read("start", "FRANCE", "A PAR - BUR\nA MAR - LON\nF BRE - MAO")
    assert verdicts == ["ok", "rejected", "ok"]
    assert orders == ["A PAR - BUR", "F BRE - MAO"]


def test_blank_lines_and_code_fences_get_no_verdict() -> None:
    verdicts, orders = _read(
        "start", "FRANCE", '```json\n[\n  "A PAR - BUR",\n\n  "F BRE - MAO"\n]\n```\n---\n'
    )
    assert verdicts == ["repaired", "repaired"]
    assert orders == ["A PAR - BUR", "F BRE - MAO"]


@pytest.mark.parametrize(
    "heading", ["Here are my orders:", "**Orders:**", "## Spring 1901 orders for FRANCE:", "Spring 1901:"]
)
def test_a_heading_over_orders_gets_no_verdict(heading: str) -> None:
    assert _read("start", "FRANCE", f"{heading}\nA PAR - BUR") == (["ok"], ["A PAR - BUR"])


@pytest.mark.parametrize(
    "line", ["Orders of Italy:", "If these are my orders:", "My units hold:", "A PAR orders:"]
)
def test_a_line_that_may_mean_an_order_is_no_heading(line: str) -> None:
    assert _read("start", "FRANCE", line) == (["rejected"], [])


@pytest.mark.parametrize("separator", ["\n", "; ", ", ", ";", "\r\n", ";\n", ",\n\n", "；"])
def test_orders_are_parted_by_any_separator(separator: str) -> None:
    verdicts, orders = _read("start", "FRANCE", separator.join(["A PAR - BUR", "A MAR H", "F BRE - MAO"]))
    assert verdicts == ["ok", "ok", "ok"]
    assert orders == ["A PAR - BUR", "A MAR H", "F BRE - MAO"]


def test_daide_orders_in_a_row_are_parted() -> None:
    text = "SUB ((FRA AMY PAR) MTO BUR) ((FRA FLT BRE) MTO MAO)"
    assert _read("start", "FRANCE", text) == (["repaired"] * 2, ["A PAR - BUR", "F BRE - MAO"])


def test_a_list_of_lines_reads_like_the_lines_joined() -> None:
    lines = ["A PAR - BUR; A MAR H", "", "F BRE to MAO"]
    assert _read("start", "FRANCE", lines) == _read("start", "FRANCE", "\n".join(lines))


def test_the_last_order_for_a_unit_stands_and_the_earlier_one_says_so() -> None:
    reading = read_orders(board_of("start"), "FRANCE", ["A PAR - BUR", "F BRE H", "Paris hold"])
    first = reading.verdicts[0]
    assert [str(order) for order in reading.orders] == ["F BRE H", "A PAR H"]
    assert first.verdict is Verdict.REJECTED
    assert first.error is None
    assert first.note == "A PAR - BUR was replaced by a later order: A PAR H."
    assert first.nearest == "A PAR H"


def test_the_same_order_twice_stands_once() -> None:
    assert _read("start", "FRANCE", "A PAR H\nA PAR H") == (["rejected", "ok"], ["A PAR H"])


def test_a_rejected_line_replaces_nothing() -> None:
    assert _read("start", "FRANCE", "A PAR H\nA PAR - LON") == (["ok", "rejected"], ["A PAR H"])


def test_two_builds_in_one_home_leave_the_later() -> None:
    assert _read("winter", "FRANCE", "A BRE B\nF BRE B") == (["rejected", "ok"], ["F BRE B"])


def test_more_builds_than_allowed_leave_the_first() -> None:
    verdicts, orders = _read("winter", "FRANCE", "A PAR B\nWAIVE\nA MAR B")
    assert (verdicts, orders) == (["ok", "ok", "rejected"], ["A PAR B", "WAIVE"])
    surplus = read_orders(board_of("winter"), "FRANCE", "A PAR B\nWAIVE\nA MAR B").verdicts[2]
    assert surplus.note == "A MAR B is one too many: FRANCE may build or waive 2 in W1903A."
    assert isinstance(surplus.error, IllegalOrderError)


def test_more_disbands_than_due_leave_the_first() -> None:
    verdicts, orders = _read("winter", "GERMANY", "A MUN D\nF KIE D\nA RUH D")
    assert (verdicts, orders) == (["ok", "ok", "rejected"], ["A MUN D", "F KIE D"])


def test_waive_with_a_number_waives_so_many() -> None:
    assert read_orders(board_of("winter"), "FRANCE", "waive 2").orders == (Waive(), Waive())


def test_waive_with_too_high_a_number_says_how_many_were_left() -> None:
    reading = read_orders(board_of("winter"), "FRANCE", "A PAR B\nwaive 7")
    assert [str(order) for order in reading.orders] == ["A PAR B", "WAIVE"]
    assert reading.verdicts[1].note == "only 1 of these 7 were left: FRANCE may build or waive 2 in W1903A"


def test_a_long_line_is_given_back_shortened() -> None:
    (verdict,) = read_orders(board_of("start"), "FRANCE", "A PAR - BUR " * 50).verdicts
    assert (len(verdict.line), verdict.verdict) == (200, Verdict.REJECTED)
    assert isinstance(verdict.error, OrderSyntaxError)


def test_the_power_is_found_in_any_case_and_an_unknown_one_raises() -> None:
    assert read_orders(board_of("start"), " france ", "A PAR H").orders
    with pytest.raises(UnknownPower):
        read_orders(board_of("start"), "BURGUNDY", "A PAR H")


def test_the_legal_texts_are_by_unit_and_each_reads_ok() -> None:
    texts = legal_order_texts(board_of("winter"), "FRANCE")
    assert texts == ("A BRE B", "F BRE B", "WAIVE", "A MAR B", "F MAR B", "A PAR B")
    assert all(read_orders(board_of("winter"), "FRANCE", text).verdicts[0].verdict == "ok" for text in texts)


def test_reading_does_not_keep_a_board_alive() -> None:
    board = Board.start()
    read_orders(board, "FRANCE", "A PAR - BUR")
    watched = weakref.ref(board)
    del board
    gc.collect()
    assert watched() is None
