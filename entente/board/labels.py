"""Where the short names of provinces stand on a map, so that each can be read beside a unit and a center."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot
from typing import NamedTuple, TypeAlias
from xml.etree import ElementTree as ET

from pydantic import BaseModel

from entente.board.types import Province

Point: TypeAlias = tuple[float, float]

_SVG = "{http://www.w3.org/2000/svg}"
_MOVED = re.compile(r"translate\(([-0-9.]+)[ ,]+([-0-9.]+)\)")


class Label(BaseModel):
    """A province's short name, and where the middle of its foot stands."""

    text: str
    x: float
    y: float


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "_Box") -> bool:
        """True when the two have a place in common."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


class Spot(NamedTuple):
    """Where a province's unit stands, with the sign of a center beside it, as large as the page draws them."""

    x: float
    y: float
    has_center: bool
    outlines: Sequence[Sequence[Point]]
    """The province's."""

    def boxes(self) -> list[_Box]:
        """What the two cover, but for their rims."""
        x, y = self.x, self.y
        unit, center = _Box(x - 25, y - 15, x + 25, y + 15), _Box(x - 43, y + 8, x - 23, y + 28)
        return [unit, center] if self.has_center else [unit]

    def hides(self, label: Label) -> bool:
        """True when part of the label is beneath them."""
        return any(_box(label).meets(box) for box in self.boxes())

    def beside(self, name: str) -> list[Label]:
        """The name beneath, above, right and left of the unit, where that is in the same province."""
        x, y, left = self.x, self.y, 68 if self.has_center else 52
        places = [(x + 8, y + 36), (x, y - 22), (x + 52, y + 7), (x - left, y + 7)]
        return [Label(text=name, x=x, y=y) for x, y in places if self._is_here(x, y - 7)]

    def _is_here(self, x: float, y: float) -> bool:
        return any(_is_inside(x, y, outline) for outline in self.outlines)


def labels_of(drawing: ET.Element, spots: Mapping[Province, Spot]) -> list[Label]:
    """The labels of the engine's drawing, in its units; one that its province's unit would hide stands beside it.

    Where there is no free place beside it, it stays. A province that the drawing has no label for has none.
    """
    drawn = [*_drawn(drawing)]
    hidden = [label for label in drawn if label.text in spots and spots[label.text].hides(label)]
    labels = [label for label in drawn if label not in hidden]
    taken = [box for spot in spots.values() for box in spot.boxes()] + [*map(_box, labels)]
    for label in hidden:
        labels.append(_moved(label, spots[label.text], taken))
        taken.append(_box(labels[-1]))
    return labels


def moved_by(element: ET.Element) -> Point:
    """How far an element of a drawing is moved, to the right and down."""
    moved = _MOVED.search(element.get("transform", ""))
    return (float(moved[1]), float(moved[2])) if moved else (0.0, 0.0)


def _drawn(drawing: ET.Element) -> Iterator[Label]:
    for group in drawing.iter(f"{_SVG}g"):
        for text in group.iter(f"{_SVG}text") if group.get("id") == "BriefLabelLayer" else ():
            x, y = moved_by(text)  # and turned, which the page does not
            x, y = x + float(text.attrib["x"]), y + float(text.attrib["y"])
            yield Label(text=(text.text or "").upper(), x=x, y=y)


def _moved(drawn: Label, spot: Spot, taken: Sequence[_Box]) -> Label:
    free = [each for each in spot.beside(drawn.text) if not any(_box(each).meets(other) for other in taken)]
    return min(free, key=lambda each: hypot(each.x - drawn.x, each.y - drawn.y), default=drawn)


def _box(label: Label) -> _Box:
    half = 8 * len(label.text)
    return _Box(label.x - half, label.y - 14, label.x + half, label.y)


def _is_inside(x: float, y: float, outline: Sequence[Point]) -> bool:
    """By how often a line from there to the right meets the outline."""
    crossed = 0
    for (left, top), (right, bottom) in pairwise([*outline, outline[0]]):
        if (top > y) != (bottom > y):
            crossed += x < left + (right - left) * (y - top) / (bottom - top)
    return crossed % 2 == 1
