"""The board for eyes: an SVG drawing, and a table for terminals."""

import re
from collections.abc import Callable, Iterator, Sequence

from entente.board.engine import Board, Drawing
from entente.board.types import (
    Convoy,
    Move,
    Order,
    OrderResult,
    Outcome,
    PhaseKind,
    Power,
    Retreat,
    SupportHold,
    SupportMove,
    unit_of,
)
from entente.display import displayable

_Mark = Callable[[float, float, float], str]
"""Draws itself around a point, half as wide as given."""

_PROLOGUE = re.compile(r"^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!DOCTYPE[^>]*>\s*)?")


def board_svg(board: Board, results: Sequence[OrderResult] | None = None) -> str:
    """The engine's drawing of the position, with its phase, and with the orders that were played and how they went.

    A whole SVG document, 918 by 680 on the standard map and about 115 KB, the same each time. Its document type is
    left out: it names a file that is not there. Orders that cannot be played are not drawn. A red cross on an order
    says that it failed, one on a unit that it was dislodged, and an orange ring on a support that it counts against
    others alone: as the results have it, nothing is adjudicated here.
    """
    drawing = board.draw(None if results is None else _orders(results))
    svg = _PROLOGUE.sub("", drawing.svg)
    if marks := "".join(
        mark(x, y, drawing.unit_width / 4) for mark, (x, y) in _marks(board, results or (), drawing)
    ):
        end = svg.rindex("</svg>")
        svg = f'{svg[:end]}<g id="FailureLayer" fill="none" stroke-linecap="round">{marks}</g>{svg[end:]}'
    return '<?xml version="1.0" encoding="utf-8"?>\n' + displayable(svg)


def _orders(results: Sequence[OrderResult]) -> dict[Power, list[Order]]:
    orders: dict[Power, list[Order]] = {}
    for result in results:
        orders.setdefault(result.power, []).append(result.order)
    return orders


def _marks(
    board: Board, results: Sequence[OrderResult], drawing: Drawing
) -> Iterator[tuple[_Mark, tuple[float, float]]]:
    """The crosses and rings, and where they stand."""
    if board.phase.kind is PhaseKind.ADJUSTMENTS:
        return
    for result in results:
        order = result.order
        if result.succeeded or order not in board.all_orders(result.power):
            continue
        if Outcome.DISLODGED in result.outcomes and (unit := unit_of(order)):
            yield _cross, drawing.units[unit.location]
        if result.outcomes != (Outcome.DISLODGED,) and (line := _line(order, drawing)):
            (x, y), (to_x, to_y) = line
            is_limited = Outcome.LIMITED in result.outcomes
            yield _ring if is_limited else _cross, ((x + to_x) / 2, (y + to_y) / 2)


def _line(order: Order, drawing: Drawing) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Where an order is drawn: from its unit to where it goes, or to the unit that it helps."""
    match order:
        case Move(unit, to):
            return drawing.units[unit.location], drawing.units[to]
        case SupportHold(unit, helped) | SupportMove(unit, helped) | Convoy(unit, helped):
            return drawing.units[unit.location], drawing.units[helped.location]
        case Retreat(unit, to):
            return drawing.dislodged[unit.location], drawing.dislodged[to]
        case _:
            return None


def _cross(x: float, y: float, half: float) -> str:
    """Red, with a white edge, or it would be lost on red units."""
    d = f"M {x - half:.1f},{y - half:.1f} l {2 * half:g},{2 * half:g} m 0,{-2 * half:g} l {-2 * half:g},{2 * half:g}"
    return "".join(f'<path {stroke} d="{d}"/>' for stroke in _strokes("#d00000", half))


def _ring(x: float, y: float, half: float) -> str:
    """Orange, with a white edge."""
    at = f'cx="{x:.1f}" cy="{y:.1f}" r="{half:g}"'
    return "".join(f"<circle {stroke} {at}/>" for stroke in _strokes("#f08000", half))


def _strokes(color: str, half: float) -> tuple[str, str]:
    edge, line = (
        f'stroke="white" stroke-width="{0.9 * half:g}"',
        f'stroke="{color}" stroke-width="{0.5 * half:g}"',
    )
    return edge, line


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
