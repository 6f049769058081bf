"""The board for eyes: an SVG drawing, and a table for terminals."""

import re
from collections.abc import Sequence
from itertools import zip_longest
from textwrap import wrap

from entente.board.engine import Board
from entente.board.marks import STYLE, marks, names, parted, side_steps, with_room_below
from entente.board.types import Order, OrderResult, Power
from entente.display import displayable

_PROLOGUE = re.compile(r"^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!DOCTYPE[^>]*>\s*)?")

_GAP = "  "
_IN_A_UNIT = re.compile("(?<=[AF]) ")
_CENTERS_WIDTH = len(" 6 BRE MAR PAR POR SPA BEL")
_LEAST_UNITS_WIDTH = len("F STP/SC, F SPA/NC,")
"""Of a table that has to be broken."""


def board_svg(board: Board, results: Sequence[OrderResult] | None = None) -> str:
    """The engine's drawing of the position, with its phase, and with the orders that were played and how they went.

    A whole SVG document, 918 by 720 on the standard map and about 120 KB, the same each time. Its document type is
    left out: it names a file that is not there. Orders that cannot be played are not drawn. Each unit has three
    letters of its power, and what became of orders is drawn as `entente.board.marks` says, with a legend: as the
    results have it, nothing is adjudicated here.
    """
    drawing = board.draw(None if results is None else _orders(results))
    svg = _PROLOGUE.sub("", drawing.svg)
    aside = side_steps(results or (), drawing)
    svg = parted(svg, aside)
    layer = [names(board, drawing)]
    if results is not None:
        layer += [STYLE, marks(board, results, drawing, aside)]
    svg, legend = with_room_below(svg)
    end = svg.rindex("</svg>")
    drawn = "".join(layer) + (legend if results is not None else "")
    return '<?xml version="1.0" encoding="utf-8"?>\n' + displayable(svg[:end] + drawn + svg[end:])


def _orders(results: Sequence[OrderResult]) -> dict[Power, list[Order]]:
    orders: dict[Power, list[Order]] = {}
    for result in results:
        orders.setdefault(result.power, []).append(result.order)
    return orders


def board_text(board: Board, columns: int | None = None) -> str:
    """A table for monospace: phase and map, then a line a power with its centers, its units and who was dislodged.

    Ends without a newline. A dislodged unit stands behind an asterisk, with where it may retreat to in brackets.
    Within `columns`, if there are so many, what has no room goes on in a further row of its own column.
    """
    at = board.position
    rows = [("power", "centers", "units")]
    rows += [(power, _centers(at.centers[power]), _units(board, power)) for power in board.powers]
    first, second, third = (max(len(row[column]) for row in rows) for column in range(3))
    if columns is not None and first + second + third + 2 * len(_GAP) > columns:
        second = min(second, _CENTERS_WIDTH)
        third = max(_LEAST_UNITS_WIDTH, columns - first - second - 2 * len(_GAP))
    lines = [
        f"{a:<{first}}{_GAP}{b:<{second}}{_GAP}{c}".rstrip()
        for power, owned, units in rows
        for a, b, c in zip_longest(
            (power,), wrap(owned, second, subsequent_indent="   "), _rows(units, third), fillvalue=""
        )
    ]
    return "\n".join([f"{at.phase} on {at.map_name}", "", *lines])


def _rows(units: str, width: int) -> list[str]:
    """In rows of so many characters; a unit stays whole."""
    whole = _IN_A_UNIT.sub("\N{NO-BREAK SPACE}", units)
    return [row.replace("\N{NO-BREAK SPACE}", " ") for row in wrap(whole, width)]


def _centers(centers: Sequence[str]) -> str:
    return f"{len(centers):>2} {' '.join(sorted(centers))}".rstrip()


def _units(board: Board, power: Power) -> str:
    at = board.position
    standing = [str(unit) for unit in sorted(at.units[power], key=lambda unit: unit.location)]
    pushed = [f"*{unit} ({', '.join(to)})" for unit, to in sorted(at.dislodged[power].items())]
    return ", ".join(standing + pushed) or "-"
