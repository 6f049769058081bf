"""Characters as readers see them, however the text comes in pieces."""

import regex
from hypothesis import example, given
from hypothesis import strategies as st

from entente.commentary.graphemes import Graphemes

FLAG, FAMILY, ACCENT = "🇫🇷", "👨‍👩‍👧", "e\u0301"


@given(st.lists(st.text(max_size=5)))
@example(["🇫", "🇷 war", "e", "\u0301", "👨", "\u200d", "👩"])
def test_pieces_give_the_characters_of_the_whole_text(pieces: list[str]) -> None:
    characters = Graphemes()
    told = [each for piece in pieces for each in characters.feed(piece)] + characters.end()
    assert told == regex.findall(r"\X", "".join(pieces))
    assert characters.end() == []


def test_what_belongs_together_is_one_character() -> None:
    characters = Graphemes()
    assert characters.feed(FLAG + FAMILY + ACCENT) + characters.end() == [FLAG, FAMILY, ACCENT]
