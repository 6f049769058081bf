import pytest

from entente.models.mock import reading

BLOCKS = """# Orders and results of F1901M
GERMANY: A MUN - BUR (bounced)

# Your units and what they can do
A BUR (inland, your center); can attack it: A MUN GERMANY
 A BUR H: support: A GAS
 A BUR - PAR: empty; can come: A GAS FRANCE
 A BUR - LON VIA: empty
 A BUR S A MAR - GAS
 A BUR S A NAP: for ITALY
 units beyond: A MUN GERMANY in 2 moves by BUR
F LYO was dislodged: F WES ITALY stands there now.
 F LYO R SPA/SC: empty
 F LYO D: disband it

# Your memory
A PAR - BUR
"""


def test_the_lines_of_a_unit_are_read_up_to_their_colons() -> None:
    assert reading.legal_orders([BLOCKS]) == {
        "A BUR": ["A BUR H", "A BUR - PAR", "A BUR - LON VIA", "A BUR S A MAR - GAS", "A BUR S A NAP"],
        "F LYO": ["F LYO R SPA/SC", "F LYO D"],
    }


WRITTEN_OUT: list[tuple[str, dict[str, list[str]]]] = [
    ("Legal orders: A PAR H, A PAR - BUR", {"A PAR": ["A PAR H", "A PAR - BUR"]}),
    ("Legal:\n- F STP/SC - BOT\n- F STP/SC H", {"F STP/SC": ["F STP/SC - BOT", "F STP/SC H"]}),
    ("You may build 1. Legal: A BRE B, F BRE B, or WAIVE.", {"A BRE": ["A BRE B"], "F BRE": ["F BRE B"]}),
    ("legal: A PAR S A MAR - BUR; A PAR - LON VIA", {"A PAR": ["A PAR S A MAR - BUR", "A PAR - LON VIA"]}),
    ("Last year: A PAR - BUR bounced.", {}),
]


@pytest.mark.parametrize(("text", "orders"), WRITTEN_OUT, ids=[case[0] for case in WRITTEN_OUT])
def test_orders_that_are_written_out_are_read_after_the_word_legal(
    text: str, orders: dict[str, list[str]]
) -> None:
    assert reading.legal_orders([text]) == orders


def test_the_last_text_that_has_orders_counts() -> None:
    texts = ["legal: A PAR H", "legal: A BUR H", "Order your units."]
    assert reading.legal_orders(texts) == {"A BUR": ["A BUR H"]}


@pytest.mark.parametrize(
    ("text", "count"),
    [("You may build 2. Legal: A PAR B", None), ("# Your units\nYou may build 2. Legal: A PAR B", 2),
     ("# Your units\nYou must disband 1 of these.\n A PAR D no center", 1)],
)  # fmt: skip
def test_the_number_of_builds_is_read_where_the_orders_stand(text: str, count: int | None) -> None:
    assert reading.adjustments_wanted([text]) == count


def test_whom_one_can_write_to_is_read_from_the_last_line_that_says_so() -> None:
    texts = ["You are FRANCE. AUSTRIA is strong.", "You can write to ENGLAND, ITALY.\nRUSSIA wrote to you."]
    assert reading.recipients(texts) == ["ENGLAND", "ITALY"]
    assert reading.own_power(texts) == "FRANCE"
    assert reading.recipients(texts[:1]) == ["AUSTRIA", "FRANCE"]
