"""The outlines of a map have a shape and a place for a unit in every province."""

import pytest

from entente.board.engine import load_geography
from entente.board.outline import outline_of


@pytest.mark.parametrize("name", ["standard", "ancmed", "modern", "pure"])
def test_every_province_has_a_shape_a_name_and_a_place_for_units(name: str) -> None:
    outline, geography = outline_of(name), load_geography(name)
    assert {shape.province for shape in outline.shapes} - {None} == set(geography.terrain)
    places = {*geography.terrain, *(coast for coasts in geography.coasts.values() for coast in coasts)}
    assert places <= outline.units.keys()
    assert places <= outline.dislodged.keys()
    assert outline.names == geography.names
    assert outline.powers == list(geography.powers)
    assert all(shape.points for shape in outline.shapes)


@pytest.mark.parametrize(
    ("name", "hidden"), [("standard", {"BEL", "HEL", "NAP", "TUS", "YOR"}), ("ancmed", None)]
)
def test_every_province_has_its_name_beside_its_unit_where_there_is_room(
    name: str, hidden: set[str] | None
) -> None:
    outline = outline_of(name)
    labels = {label.text: label for label in outline.labels}
    assert labels.keys() >= outline.names.keys()
    assert all(30 < each.x < outline.width and 30 < each.y < outline.height for each in labels.values())
    if hidden is not None:
        beneath = {
            place
            for place in outline.names
            if abs(labels[place].x - outline.units[place][0]) < 40
            and -15 < labels[place].y - outline.units[place][1] < 25
        }
        assert beneath == hidden
