"""Names that are nearly right are put right, and other words are left as they are."""

import pytest

from entente.players.scripted.diplomat.spelling import distance, mended


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("can you support me into Silessia", "can you support me into Silesia"),
        ("stay out of bohmia", "stay out of Bohemia"),
        ("attack germnay with me", "attack Germany with me"),
        ("support constantinpole", "support Constantinople"),
        ("Burgundy and St Petersburg", "Burgundy and St Petersburg"),
        ("the player who finished there", "the player who finished there"),
        ("Poland never was a province", "Poland never was a province"),
    ],
    ids=str,
)
def test_names_that_are_nearly_right_are_put_right(text: str, meant: str) -> None:
    assert mended(text, "standard") == meant


@pytest.mark.parametrize(
    ("one", "other", "wrong"),
    [("MUNICH", "MUNICH", 0), ("MUNCIH", "MUNICH", 1), ("MUNIC", "MUNICH", 1), ("MENECH", "MUNICH", 2)],
)
def test_letters_are_counted_that_are_wrong(one: str, other: str, wrong: int) -> None:
    assert distance(one, other) == wrong
