"""Where the short names of provinces stand on a map, so that each can be read beside a unit and a center."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import hypot
from typing import NamedTuple, TypeAlias
from xml.etree import ElementTree as ET

from pydantic import BaseModel

from entente.board.types import Province

Point: TypeAlias = tuple[float, float]

_SVG = "{http://www.w3.org/2000/svg}"
_MOVED = re.compile(r"translate\(([-0-9.]+)[ ,]+([-0-9.]+)\)")


_AROUND = sorted(
    ((x, y) for x in range(-80, 81, 8) for y in range(-44, 65, 6)),
    key=lambda place: hypot(place[0], place[1] - 7),
)
"""How far to the right of a unit and below it the foot of a name may stand, the nearest first."""


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
        """What the two cover."""
        x, y = self.x, self.y
        unit, center = _Box(x - 26, y - 18, x + 26, y + 18), _Box(x - 45, y + 6, x - 21, y + 30)
        return [unit, center] if self.has_center else [unit]

    def hides(self, label: Label) -> bool:
        """True when part of the label is beneath them."""
        return any(_box(label).meets(box) for box in self.boxes())

    def beside(self, name: str) -> list[Label]:
        """The name beneath, above, right and left of the unit."""
        x, y, left = self.x, self.y, 68 if self.has_center else 52
        places = [(x + 8, y + 36), (x, y - 22), (x + 52, y + 7), (x - left, y + 7)]
        return [Label(text=name, x=x, y=y) for x, y in places]

    def around(self, name: str) -> Iterator[Label]:
        """The name at every place about the unit, the nearest first."""
        for x, y in _AROUND:
            yield Label(text=name, x=self.x + x, y=self.y + y)

    def is_near(self, box: _Box) -> bool:
        """True for what a name beside the unit may meet."""
        return box.meets(_Box(self.x - 110, self.y - 70, self.x + 110, self.y + 80))

    def has(self, label: Label) -> bool:
        """True when the label's middle is in the province."""
        return any(_is_inside(label.x, label.y - 7, outline) for outline in self.outlines)


def labels_of(drawing: ET.Element, spots: Mapping[Province, Spot]) -> list[Label]:
    """The labels of the engine's drawing, in its units; one that a unit would hide stands beside its own.

    One for which its province has no room stands as near as it can, outside of it. A province that the drawing has no
    label for has none.
    """
    drawn = [*_drawn(drawing)]
    hidden = [label for label in drawn if label.text in spots and _is_hidden(spots.values(), label)]
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


def _is_hidden(spots: Iterable[Spot], label: Label) -> bool:
    return any(spot.hides(label) for spot in spots)


def _moved(drawn: Label, spot: Spot, taken: Sequence[_Box]) -> Label:
    near = [*filter(spot.is_near, taken)]

    def is_free(label: Label) -> bool:
        return not any(map(_box(label).meets, near))

    beside = [each for each in spot.beside(drawn.text) if spot.has(each) and is_free(each)]
    if beside:
        return min(beside, key=lambda each: hypot(each.x - drawn.x, each.y - drawn.y))
    around = [*filter(is_free, spot.around(drawn.text))]
    return next(filter(spot.has, around), next(iter(around), drawn))


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
