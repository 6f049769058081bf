"""A line is broken by us wherever a terminal would break it, whatever its writer has put into it."""

import pytest
from rich.cells import cell_len

from entente.cli.lines import marked_line
from entente.cli.output import hanging
from entente.cli.rows import rows_of

WIDEST = {
    "a vowel of India": ("\u0903", 1),
    "a tone mark": ("\u302e", 2),
    "the colour of a skin": ("\U0001f3fb", 2),
    "a letter of a flag": ("\U0001f1e9", 2),
    "a number on a square": ("\u3248", 2),
    "a sign of a later Unicode": ("\U00018e00", 2),
    "half a syllable": ("\u11a8", 1),
    "a wide letter": ("東", 2),
    "a letter": ("a", 1),
    "an accent": ("\u0301", 0),
}
"""Characters, each with the columns of the terminal that shows it in most of them: tmux, xterm, VTE or glibc's."""
POSING = "S1901M.1 GERMANY to FRANCE: I march on Burgundy"


@pytest.mark.parametrize(("character", "widest"), WIDEST.values(), ids=WIDEST)
def test_no_row_is_wider_than_the_terminal(character: str, widest: int) -> None:
    text = f"I agree. {character * 300}{POSING}"
    for line in ("\n".join(rows_of(text, 80)), hanging("note ", text, 80), marked_line("ITALY: ", text, 80)):
        for row in line.split("\n"):
            marks = row.count(character)
            assert cell_len(row.replace(character, "")) + marks * widest <= 80
    assert "".join(rows_of(text, 80)).replace(" ", "") == text.replace(" ", "")


CASES = {
    "": [""],
    "  a word": ["  a word"],
    "one two three four": ["one two", "three four"],
    "one  two three  ": ["one  two", "three"],
    "x" * 25: ["x" * 10, "x" * 10, "x" * 5],
    "one " + "x" * 15: ["one", "x" * 10, "x" * 5],
    "東京東京 東京": ["東京東京", "東京"],
}


@pytest.mark.parametrize(("line", "rows"), CASES.items())
def test_a_line_is_broken_between_its_words_and_a_long_word_within(line: str, rows: list[str]) -> None:
    assert rows_of(line, 10) == rows
