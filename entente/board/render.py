"""The board for eyes: an SVG drawing, and a table for terminals."""

import re
from collections.abc import Sequence

from entente.board.engine import Board
from entente.board.marks import STYLE, marks, names, parted, side_steps, with_room_below
from entente.board.types import Order, OrderResult, Power
from entente.display import displayable

_PROLOGUE = re.compile(r"^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!DOCTYPE[^>]*>\s*)?")


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


def board_text(board: Board) -> str:
    """A table for monospace: phase and map, then a line a power with its centers, its units and who was dislodged.

    Ends without a newline. A dislodged unit stands behind an asterisk, with where it may retreat to in brackets.
    """
    at = board.position
    rows = [("power", "centers", "units")]
    rows += [(power, _centers(at.centers[power]), _units(board, power)) for power in board.powers]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    lines = [f"{a:<{widths[0]}}  {b:<{widths[1]}}  {c}".rstrip() for a, b, c in rows]
    return "\n".join([f"{at.phase} on {at.map_name}", "", *lines])


def _centers(centers: Sequence[str]) -> str:
    return f"{len(centers):>2} {' '.join(sorted(centers))}".rstrip()


def _units(board: Board, power: Power) -> str:
    at = board.position
    standing = [str(unit) for unit in sorted(at.units[power], key=lambda unit: unit.location)]
    pushed = [f"*{unit} ({', '.join(to)})" for unit, to in sorted(at.dislodged[power].items())]
    return ", ".join(standing + pushed) or "-"
