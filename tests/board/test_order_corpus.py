"""The order reader on a corpus of lines by notation: how many are read right, and none is read wrongly.

The corpus is `data/order_corpus.toml`; the figures stand in docs/orders.md, and here they are counted.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from entente.board.orders import read_orders
from tests.board.order_cases import board_of

_CORPUS = Path(__file__).parent / "data" / "order_corpus.toml"
_PAGE = Path(__file__).parents[2] / "docs" / "orders.md"
_ROW = re.compile(r"^\| (.+?) \| (\d+) \| (\d+) \|$", re.MULTILINE)


class Line(NamedTuple):
    """What is written, and what is read of it."""

    text: str
    meant: list[str]
    read: list[str]


@cache
def _notations() -> list[dict[str, Any]]:
    return tomllib.loads(_CORPUS.read_text(encoding="utf-8"))["notation"]


def _lines(notation: dict[str, Any]) -> Iterator[Line]:
    for sheet in notation["sheet"]:
        for text, meant in sheet["lines"]:
            orders = read_orders(board_of(sheet["position"]), sheet["power"], text).orders
            yield Line(text, meant.split("; ") if meant else [], [str(order) for order in orders])


def _figures(notation: dict[str, Any]) -> tuple[int, int]:
    lines = list(_lines(notation))
    return len(lines), sum(line.read == line.meant for line in lines)


@pytest.mark.parametrize("notation", _notations(), ids=lambda notation: notation["id"])
def test_no_order_stands_that_was_not_meant(notation: dict[str, Any]) -> None:
    assert [line for line in _lines(notation) if not set(line.read) <= set(line.meant)] == []


def test_the_page_tells_of_every_notation_how_much_of_it_is_read() -> None:
    page = (
        _PAGE.read_text(encoding="utf-8")
        .split("<!-- figures: start -->")[1]
        .split("<!-- figures: end -->")[0]
    )
    told = {title: (int(lines), int(right)) for title, lines, right in _ROW.findall(page)}
    found = {notation["title"]: _figures(notation) for notation in _notations()}
    total = tuple(map(sum, zip(*found.values(), strict=True)))
    assert told == {**found, "all": total}
    assert total[0] >= 600


def test_every_notation_has_a_source_and_none_of_its_lines_twice() -> None:
    for notation in _notations():
        lines = [
            (sheet["position"], sheet["power"], text)
            for sheet in notation["sheet"]
            for text, _ in sheet["lines"]
        ]
        assert notation["source"]
        assert len(set(lines)) == len(lines), notation["id"]
