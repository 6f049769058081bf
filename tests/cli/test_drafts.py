"""Answers that are being written, line by line."""

import pytest

from entente.board.engine import Board
from entente.cli.drafts import Messages, MessagesAndOrders, Orders
from entente.errors import OrderSyntaxError, PressError
from tests.board.order_cases import board_of

BOARD = Board.start()


def both(given: list[str] | None) -> MessagesAndOrders:
    return MessagesAndOrders(Messages(BOARD, "FRANCE"), Orders(BOARD, "FRANCE"), given)


@pytest.mark.parametrize("line", [";", "--", "```"])
def test_a_line_of_signs_alone_is_no_order_and_leaves_the_orders_that_were_given(line: str) -> None:
    draft = both(["A PAR - BUR"])
    draft.take("GERMANY: hello")
    assert "it was not added" in draft.take(line)
    assert draft.answer() == {"messages": [{"to": "GERMANY", "text": "hello"}], "orders": []}
    assert "your orders stay as they are" in draft.review()
    assert draft.undo() == "  taken back: hello"
    assert draft.undo() == "  nothing is written"


@pytest.mark.parametrize(
    ("line", "echo"),
    [
        ("A PAR - PIC", "  A PAR - PIC: ok"),
        ("A par-pic", "  A par-pic was read as A PAR - PIC"),
        ("A PAR - Picrady", "  A PAR - Picrady was read as A PAR - PIC: PICRADY was taken for PIC"),
    ],
)
def test_an_order_that_was_only_written_otherwise_is_told_once(line: str, echo: str) -> None:
    assert Orders(BOARD, "FRANCE").take(line) == echo


@pytest.mark.parametrize("line", ["GERMANY: hello", "ger: hi", "all: hello"])
def test_a_message_where_orders_are_wanted_is_told_that_press_is_closed(line: str) -> None:
    draft = Orders(BOARD, "FRANCE")
    with pytest.raises(OrderSyntaxError, match="press is closed; the message was not added"):
        draft.take(line)
    assert draft.answer() == Orders(BOARD, "FRANCE").answer()


def test_an_order_that_replaces_another_says_so() -> None:
    draft = Orders(BOARD, "FRANCE")
    draft.take("A PAR - BUR")
    assert draft.take("A PAR - PIC").splitlines() == [
        "  A PAR - PIC: ok",
        "  A PAR - BUR was replaced by a later order: A PAR - PIC.",
    ]
    assert draft.take("A MAR - BUR") == "  A MAR - BUR: ok"
    assert draft.take("A MAR - BUR; F BRE H").splitlines() == ["  A MAR - BUR: ok", "  F BRE H: ok"]


def test_a_build_too_many_is_refused_at_once() -> None:
    draft = Orders(board_of("winter"), "FRANCE")
    draft.take("A PAR B")
    draft.take("F MAR B")
    for line in ("F BRE B", "waive"):
        with pytest.raises(OrderSyntaxError, match="is one too many: FRANCE may build or waive 2 in W1903A"):
            draft.take(line)
    assert draft.answer() == {"orders": ["A PAR B", "F MAR B"]}


def test_who_cannot_be_written_to_is_told_with_the_words_of_the_dialog() -> None:
    draft = Messages(BOARD, "FRANCE")
    with pytest.raises(PressError, match="RUSSIA, TURKEY or ALL was wanted and 'NARNIA' came"):
        draft.take("NARNIA: hello")
    draft.take("all: hello")
    assert draft.as_typed() == ["ALL: hello"]


@pytest.mark.parametrize(
    ("names", "meant"),
    [
        ("GER", "GERMANY"),
        ("aust", "AUSTRIA"),
        ("eng, ger", "ENGLAND, GERMANY"),
        ("Italy and Turkey & rus", "ITALY, TURKEY, RUSSIA"),
        ("GER, germany", "GERMANY"),
        ("GER, all", "ALL"),
    ],
)
def test_powers_may_be_cut_short_and_several_written_to_at_once(names: str, meant: str) -> None:
    draft = Messages(BOARD, "FRANCE")
    draft.take(f"{names}: hello")
    assert draft.answer() == {"messages": [{"to": meant, "text": "hello"}]}
    typed = Messages(BOARD, "FRANCE")
    typed.take(*draft.as_typed())
    assert typed.written == draft.written
    assert draft.undo() == "  taken back: hello"
    assert not draft.written


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ("Germny", "'Germny' came; .* The nearest name is GERMANY."),
        ("GER, Italia", "'Italia' came; .* The nearest name is ITALY."),
        ("GE", "'GE' came"),
        ("FRA", "'FRA' came"),
        ("GER,", "'' came"),
    ],
)
def test_a_name_that_is_not_sure_is_refused_with_the_nearest(names: str, why: str) -> None:
    draft = Messages(BOARD, "FRANCE")
    with pytest.raises(PressError, match=why):
        draft.take(f"{names}: hello")
    assert not draft.written
