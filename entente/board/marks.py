"""What the engine's drawing leaves out: whose each unit is, what became of its order, and what the signs mean.

Each outcome has a shape of its own beside its color. Arrows have a white edge, which shows on the land of any power.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from entente.board.engine import Board, Drawing
from entente.board.types import (
    Convoy,
    Location,
    Move,
    Order,
    OrderResult,
    Outcome,
    PhaseKind,
    Retreat,
    SupportHold,
    SupportMove,
    unit_of,
)

Point: TypeAlias = tuple[float, float]
Mark: TypeAlias = Callable[[float, float, float], str]
"""Draws itself around a point, half as wide as given."""

STYLE = (
    "<style>.varwidthshadow{stroke:white;stroke-width:15px}.varwidthorder{stroke-width:8px}"
    ".shadowdash{stroke:white;opacity:0.85}#arrow path{stroke:white;stroke-width:0.8}</style>"
)
_ASIDE = 13.0
"""How far moves that meet each other step aside, in the drawing's own units."""
_NAME_SIZE = 22
_LEGEND_HEIGHT = 80
_ARROW = re.compile(r'<line x1="([-\d.]+)" y1="([-\d.]+)" x2="([-\d.]+)" y2="([-\d.]+)" (?=class="varwidth)')
_SIZE = re.compile(
    r'<svg\b[^>]*?\bheight="([\d.]+)px"[^>]*?viewBox="([-\d.]+) ([-\d.]+) ([\d.]+) ([\d.]+)"', re.DOTALL
)


def names(board: Board, drawing: Drawing) -> str:
    """Three letters of its power beneath each unit."""
    at = board.position
    standing = [(power, drawing.units[unit.location]) for power in board.powers for unit in at.units[power]]
    pushed = [
        (power, drawing.dislodged[unit.location]) for power in board.powers for unit in at.dislodged[power]
    ]
    told = "".join(
        f'<text x="{x:.1f}" y="{y + 1.6 * _NAME_SIZE:.1f}">{power[:3]}</text>'
        for power, (x, y) in standing + pushed
    )
    style = f'font-family="sans-serif" font-weight="bold" font-size="{_NAME_SIZE}" text-anchor="middle"'
    edge = 'stroke="white" stroke-width="5" paint-order="stroke"'
    return f'<g id="PowerLayer" {style} {edge}>{told}</g>'


def side_steps(results: Sequence[OrderResult], drawing: Drawing) -> Mapping[Point, Point]:
    """By where they begin, how far arrows of moves that go against each other are moved."""
    moves = {
        _province(r.order.unit.location): (r.order.unit.location, r.order.to)
        for r in results
        if isinstance(r.order, Move)
    }
    steps: dict[Point, Point] = {}
    for province, (start, to) in moves.items():
        against = moves.get(_province(to))
        if against is not None and _province(against[1]) == province:
            (x, y), (to_x, to_y) = drawing.units[start], drawing.units[to]
            length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5 or 1.0
            steps[_key(x, y)] = (-(to_y - y) / length * _ASIDE, (to_x - x) / length * _ASIDE)
    return steps


def parted(svg: str, steps: Mapping[Point, Point]) -> str:
    """The drawing with those arrows moved."""

    def moved(match: re.Match[str]) -> str:
        x, y, to_x, to_y = map(float, match.groups())
        dx, dy = steps.get(_key(x, y), (0.0, 0.0))
        return f'<line x1="{x + dx:.1f}" y1="{y + dy:.1f}" x2="{to_x + dx:.1f}" y2="{to_y + dy:.1f}" '

    return _ARROW.sub(moved, svg) if steps else svg


def marks(
    board: Board, results: Sequence[OrderResult], drawing: Drawing, steps: Mapping[Point, Point]
) -> str:
    """A mark for each order that did not do what it said, on its way, and one beside each unit that was dislodged."""
    drawn = "".join(
        mark(x, y, drawing.unit_width / 4) for mark, (x, y) in _placed(board, results, drawing, steps)
    )
    return f'<g id="FailureLayer" fill="none" stroke-linecap="round">{drawn}</g>'


def _placed(
    board: Board, results: Sequence[OrderResult], drawing: Drawing, steps: Mapping[Point, Point]
) -> Iterator[tuple[Mark, Point]]:
    if board.phase.kind is PhaseKind.ADJUSTMENTS:
        return
    for result in results:
        order = result.order
        if result.succeeded or order not in board.all_orders(result.power):
            continue
        if Outcome.DISLODGED in result.outcomes and (unit := unit_of(order)):
            x, y = drawing.units[unit.location]
            yield _burst, (x + drawing.unit_width / 2, y - drawing.unit_width / 2)
        others = [outcome for outcome in result.outcomes if outcome is not Outcome.DISLODGED]
        if others and (line := _line(order, drawing)):
            (x, y), (to_x, to_y) = line
            dx, dy = steps.get(_key(x, y), (0.0, 0.0))
            yield _MARKS.get(others[0], _cross), ((x + to_x) / 2 + dx, (y + to_y) / 2 + dy)


def _line(order: Order, drawing: Drawing) -> tuple[Point, Point] | None:
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


def with_room_below(svg: str) -> tuple[str, str]:
    """The drawing with room for a legend beneath it, and the legend; as it is, and none, where its size is not told."""
    found = _SIZE.search(svg)
    if found is None:
        return svg, ""
    pixels, left, top, width, height = map(float, found.groups())
    taller = found[0].replace(
        f'height="{found[1]}px"', f'height="{pixels * (1 + _LEGEND_HEIGHT / height):.0f}px"'
    )
    old = f'viewBox="{found[2]} {found[3]} {found[4]} {found[5]}"'
    taller = taller.replace(old, f'viewBox="{left:g} {top:g} {width:g} {height + _LEGEND_HEIGHT:g}"')
    return svg.replace(found[0], taller, 1), _legend(left, top + height, width)


def _legend(left: float, top: float, width: float) -> str:
    step, y = width / len(_LEGEND), top + _LEGEND_HEIGHT / 2
    told = "".join(
        f'<g fill="none" stroke-linecap="round">{mark(left + step * place + 40, y, 14)}</g>'
        f'<text x="{left + step * place + 70:.1f}" y="{y + 10:.1f}">{word}</text>'
        for place, (word, mark) in enumerate(_LEGEND)
    )
    ground = f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{_LEGEND_HEIGHT}" fill="white"/>'
    return f'<g id="Legend" font-family="sans-serif" font-size="30">{ground}{told}</g>'


def _cross(x: float, y: float, half: float) -> str:
    """Red: what was tried did not happen."""
    return _drawn(
        "#d00000",
        half,
        f"M {x - half:.1f},{y - half:.1f} l {2 * half:g},{2 * half:g} "
        f"m 0,{-2 * half:g} l {-2 * half:g},{2 * half:g}",
    )


def _bars(x: float, y: float, half: float) -> str:
    """Two strokes through a support, orange: it was cut."""
    return _drawn(
        "#f08000",
        half,
        f"M {x - half:.1f},{y + half:.1f} l {half:g},{-2 * half:g} m {half:g},0 l {-half:g},{2 * half:g}",
    )


def _ring(x: float, y: float, half: float) -> str:
    """Orange: the support counts against others alone."""
    return _drawn("#f08000", half, _circle(x, y, half))


def _void(x: float, y: float, half: float) -> str:
    """A grey ring with a stroke through it: without effect."""
    stroke = f"M {x - half:.1f},{y + half:.1f} l {2 * half:g},{-2 * half:g}"
    return _drawn("#505050", half, f"{_circle(x, y, half)} {stroke}")


def _burst(x: float, y: float, half: float) -> str:
    """A star of four strokes, purple: the unit was driven out."""
    far, near = half, 0.7 * half
    return _drawn(
        "#a000a0",
        half,
        f"M {x - far:.1f},{y:.1f} h {2 * far:g} M {x:.1f},{y - far:.1f} v {2 * far:g} "
        f"M {x - near:.1f},{y - near:.1f} l {2 * near:g},{2 * near:g} "
        f"M {x - near:.1f},{y + near:.1f} l {2 * near:g},{-2 * near:g}",
    )


def _circle(x: float, y: float, half: float) -> str:
    arc = f"a {half:g},{half:g} 0 1 0"
    return f"M {x - half:.1f},{y:.1f} {arc} {2 * half:g},0 {arc} {-2 * half:g},0"


def _drawn(color: str, half: float, d: str) -> str:
    """With a white edge, or it would be lost on units of its color."""
    edge = f'<path stroke="white" stroke-width="{0.9 * half:g}" d="{d}"/>'
    return f'{edge}<path stroke="{color}" stroke-width="{0.4 * half:g}" d="{d}"/>'


_MARKS: Mapping[Outcome, Mark] = {
    Outcome.CUT: _bars,
    Outcome.LIMITED: _ring,
    Outcome.VOID: _void,
    Outcome.NO_CONVOY: _void,
    Outcome.DISRUPTED: _void,
}
"""All others are crosses."""
_LEGEND: Sequence[tuple[str, Mark]] = (
    ("failed", _cross),
    ("cut", _bars),
    ("against others alone", _ring),
    ("without effect", _void),
    ("dislodged", _burst),
)


def _province(location: Location) -> str:
    return location.partition("/")[0]


def _key(x: float, y: float) -> Point:
    return round(x), round(y)
