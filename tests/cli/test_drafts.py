"""Answers that are being written, line by line."""

import pytest

from entente.board.engine import Board
from entente.cli.drafts import Messages, MessagesAndOrders, Orders
from entente.errors import PressError

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


def test_who_cannot_be_written_to_is_told_with_the_words_of_the_dialog() -> None:
    draft = Messages(BOARD, "FRANCE")
    with pytest.raises(PressError, match="RUSSIA, TURKEY or ALL was wanted and 'NARNIA' came"):
        draft.take("NARNIA: hello")
    draft.take("all: hello")
    assert draft.as_typed() == ["ALL: hello"]
