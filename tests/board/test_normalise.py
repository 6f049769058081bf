"""Where text is parted, and what is taken off around an order."""

import pytest

from entente.board.normalise import MAX_TEXT, is_cut, read_line, split_line, split_lines, split_words


def split_parts(text: str | list[str]) -> list[str]:
    return [part for line in split_lines(text) for part in split_line(line)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("A PAR H\nA MAR H", ["A PAR H", "A MAR H"]),
        ("A PAR H; A MAR H,", ["A PAR H", " A MAR H"]),
        ("A YOR - NWY, via convoy", ["A YOR - NWY, via convoy"]),
        ("A YOR - NWY;; by convoy", ["A YOR - NWY;; by convoy"]),
        ("A PAR H # first, then\nA MAR H // a; b", ["A PAR H # first, then", "A MAR H // a; b"]),
        ("A PAR H, A MAR H # why", ["A PAR H", " A MAR H # why"]),
        ("((FRA AMY PAR) HLD) ((FRA AMY MAR) HLD)", ["((FRA AMY PAR) HLD)", "((FRA AMY MAR) HLD)"]),
        ("```json\n[\n]\n```", []),
        ("# a comment, alone", ["# a comment", " alone"]),
        ("\n \t\n--\n", []),
        ("7", ["7"]),
        ("F MAO - Spain, south coast", ["F MAO - Spain, south coast"]),
        ("| A PAR | - | BUR | why, then |", ["| A PAR | - | BUR | why, then |"]),
        ("SUB ( SPR #1901 ) ( ( FRA AMY PAR ) HLD ) ( ( FRA", ["( ( FRA AMY PAR ) HLD )", "( ( FRA"]),
        ("<ul><li>A PAR -&gt; BUR</li><li><b>A MAR H</b></li></ul>", ["A PAR -> BUR", "A MAR H"]),
        ("Finally, A PAR H", [" A PAR H"]),
    ],
)
def test_a_text_is_parted_into_lines_and_orders(text: str, parts: list[str]) -> None:
    assert split_parts(text) == parts


def test_a_list_is_parted_item_by_item() -> None:
    assert split_parts(["A PAR H; A MAR H", "", "F BRE H\n"]) == ["A PAR H", " A MAR H", "F BRE H"]


def test_of_a_text_without_end_only_the_beginning_is_split() -> None:
    text = "A PAR H\n" * MAX_TEXT
    assert is_cut(text)
    assert is_cut([text, "A MAR H"])
    assert sum(map(len, split_parts([text, text]))) < MAX_TEXT


def test_a_line_too_long_to_split_is_one_part() -> None:
    assert len(split_parts("A PAR H; " * 1000)) == 1
    assert len(split_parts("-" * 5000)) == 1
    assert split_parts(" " * 5000) == []


@pytest.mark.parametrize(
    "line",
    [
        "A PAR - BUR",
        "1. a par - bur",
        "* 'A PAR → BUR'",
        '["A PAR–BUR"',
        "(A PAR => BUR)",
        "A PAR - BUR // to win",
        "> A PAR - BUR.",
    ],
)
def test_only_the_order_is_left_of_a_line(line: str) -> None:
    assert read_line(line).words == ("A", "PAR", "-", "BUR")


def test_a_mark_in_front_makes_a_line_void_and_is_taken_off() -> None:
    line = read_line(" !  a par -  lon")
    assert (line.words, line.text, line.is_marked_void) == (("A", "PAR", "-", "LON"), "A PAR - LON", True)
    assert read_line("- ! A PAR H").is_marked_void
    assert not read_line("A PAR H!").is_marked_void


def test_accents_and_apostrophes_are_folded_and_unknown_signs_stay() -> None:
    assert split_words("Île d’Oléron’s ✓ x←y") == ["ILE", "DOLERON", "✓", "X", "←", "Y"]
