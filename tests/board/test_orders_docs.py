"""The examples of docs/orders.md do what the page says."""

import re
from pathlib import Path

import pytest

from entente.board.orders import read_orders
from entente.board.verdicts import Verdict

from .order_cases import board_of

_PAGE = Path(__file__).parents[2] / "docs" / "orders.md"
_ROW = re.compile(r"^\| `(.+?)` \| `(.+?)` \|", re.MULTILINE)


def _examples() -> list[tuple[str, str]]:
    page = _PAGE.read_text(encoding="utf-8")
    table = page.split("<!-- examples: start -->")[1].split("<!-- examples: end -->")[0]
    return _ROW.findall(table)


@pytest.mark.parametrize(("written", "read_as"), _examples())
def test_an_example_of_the_page_is_read_as_it_says(written: str, read_as: str) -> None:
    reading = read_orders(board_of("start"), "FRANCE", written)
    assert [str(order) for order in reading.orders] == [read_as]
    assert reading.verdicts[0].is_void == written.startswith("!")
    assert (reading.verdicts[0].verdict is Verdict.OK) == (written.removeprefix("! ") == read_as)


def test_the_page_has_examples() -> None:
    assert len(_examples()) > 15
