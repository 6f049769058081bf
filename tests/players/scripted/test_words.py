"""A text is read as its writer left it, with the owners of what it names."""

import pytest

from entente.board.engine import Board
from entente.players.scripted.diplomat.cues import Topic
from entente.players.scripted.diplomat.words import Words

BOARD = Board.start()


def words(text: str) -> Words:
    """From Germany to France at the start."""
    return Words.of(text, BOARD, "FRANCE", "GERMANY")


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Move Paris to Burgundy... I mean Picardy, please", "Move PARis to Picardy, please"),
        ("Support me. Just kidding, how about peace?", "how about peace?"),
        ("Stay out of Burgundy, don't worry", "Stay out of Burgundy, "),
    ],
    ids=str,
)
def test_what_a_writer_corrects_counts_as_corrected(text: str, last: str) -> None:
    assert words(text).written.lower() == last.lower()


def test_provinces_stand_for_who_is_in_them() -> None:
    said = words("Could your army in Paris go to Burgundy while Munich and Russia wait?")
    assert said.marked == "could your army in yourland go to openland while myland and thirdpower wait?"
    assert said.named == ("PAR", "BUR", "MUN")
    assert said.third_power == "RUSSIA"


def test_a_people_is_its_power() -> None:
    assert words("What do the Turks want?").third_power == "TURKEY"
    assert words("Stay out of the English Channel").third_power == ""


def test_more_cues_speak_louder() -> None:
    assert words("Peace?").score(Topic.PEACE) < words("Peace? Let us not attack each other.").score(
        Topic.PEACE
    )
    assert words("Wibble.").score(Topic.PEACE) == 0
