"""A map's outlines as values: what a page needs to draw positions by itself."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias
from xml.etree import ElementTree as ET

from pydantic import BaseModel

from entente.board.engine import Board, load_geography
from entente.board.geography import Geography, Terrain
from entente.board.labels import Label, Point, Spot, labels_of, moved_by
from entente.board.types import Location, Power, Province

_Kind: TypeAlias = Literal["path", "polygon"]

_KINDS: tuple[tuple[_Kind, str], ...] = (("path", "d"), ("polygon", "points"))
"""Elements that a map is drawn with, and the attribute that has their outline."""
_SVG = "{http://www.w3.org/2000/svg}"


class Shape(BaseModel):
    """A part of the map."""

    province: Province | None
    """None for what is no province: a lake, the frame."""
    kind: _Kind
    points: str
    """What `d` says of a path, or `points` of a polygon."""
    is_sea: bool


class Outline(BaseModel):
    """A map in the units of its drawing."""

    width: float
    height: float
    transform: str
    """Of all shapes; empty for none."""
    shapes: list[Shape]
    labels: list[Label]
    units: dict[Location, tuple[float, float]]
    """Where a unit stands."""
    dislodged: dict[Location, tuple[float, float]]
    centers: list[Province]
    names: dict[Province, str]
    powers: list[Power]
    """Those that play on it."""


@lru_cache
def outline_of(map_name: str) -> Outline:
    """The outlines of a map, as the engine draws it; raises UnknownMap."""
    geography = load_geography(map_name)
    drawing = Board.start(map_name).draw()
    root = ET.fromstring(drawing.svg)  # noqa: S314 - the engine's own file
    layer = next(each for each in root.iter(f"{_SVG}g") if each.get("id") == "MapLayer")
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    shapes = _shapes(layer, None, geography)
    return Outline(
        width=width,
        height=height,
        transform=layer.get("transform", ""),
        shapes=shapes,
        labels=labels_of(root, _spots(shapes, moved_by(layer), geography, drawing.units)),
        units=dict(drawing.units),
        dislodged=dict(drawing.dislodged),
        centers=list(geography.centers),
        names=dict(geography.names),
        powers=list(geography.powers),
    )


def _spots(
    shapes: Sequence[Shape], moved: Point, geography: Geography, units: Mapping[Location, Point]
) -> dict[Province, Spot]:
    outlines: dict[Province, list[list[Point]]] = {name: [] for name in geography.terrain}
    for shape in shapes:
        if shape.province:
            outlines[shape.province].append(_points(shape.points, moved))
    return {
        name: Spot(*units[name], has_center=name in geography.centers, outlines=each)
        for name, each in outlines.items()
    }


def _points(outline: str, moved: Point) -> list[Point]:
    """Its corners, and between them what pulls its curves: near enough to ask what is inside."""
    numbers = [float(each) for each in re.findall(r"-?[0-9.]+", outline)]
    return [(x + moved[0], y + moved[1]) for x, y in zip(numbers[::2], numbers[1::2], strict=False)]


def _shapes(element: ET.Element, province: Province | None, geography: Geography) -> list[Shape]:
    # The drawing names some seas by older abbreviations.
    name = element.get("id", "").lstrip("_").upper()
    name = geography.aliases.get(name, name)[:3]
    here = name if name in geography.terrain else province
    found: list[Shape] = []
    for kind, points in _KINDS:
        if element.tag == f"{_SVG}{kind}":
            is_sea = here is not None and geography.terrain[here] is Terrain.SEA
            found.append(Shape(province=here, kind=kind, points=element.attrib[points], is_sea=is_sea))
    return found + [shape for child in element for shape in _shapes(child, here, geography)]
