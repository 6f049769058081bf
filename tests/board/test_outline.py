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


@pytest.mark.parametrize("name", ["standard", "ancmed"])
def test_every_province_has_its_name_where_no_unit_and_no_center_covers_it(name: str) -> None:
    outline, geography = outline_of(name), load_geography(name)
    labels = {label.text: label for label in outline.labels}
    assert labels.keys() >= outline.names.keys()
    assert all(30 < each.x < outline.width and 30 < each.y < outline.height for each in labels.values())
    for place, label in labels.items():
        for province in geography.terrain:
            x, y = outline.units[province]
            covers = [(x, y, 22, 18), (x - 33, y + 18, 11, 11)][: 1 + (province in geography.centers)]
            for middle, height, across, down in covers:
                is_beside = abs(label.x - middle) >= across + 24 or abs(label.y - 7 - height) >= down + 7
                assert is_beside, (place, province)
