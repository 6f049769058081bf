"""The board for eyes: an SVG drawing, and a table for terminals."""

import re
from collections.abc import Mapping, Sequence

from entente.board.engine import Board
from entente.board.types import Order, Power

_PROLOGUE = re.compile(r"^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!DOCTYPE[^>]*>\s*)?")


def board_svg(board: Board, orders: Mapping[Power, Sequence[Order]] | None = None) -> str:
    """The engine's drawing of the position, with the phase and the orders that are about to be played.

    A whole SVG document, 918 by 680 on the standard map and about 110 KB, the same each time. Its document type is
    left out: it names a file that is not there. Orders that cannot be played are not drawn.
    """
    return '<?xml version="1.0" encoding="utf-8"?>\n' + _PROLOGUE.sub("", board.draw(orders))


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
