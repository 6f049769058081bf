"""Whether orders kept a word, and which of them broke it."""

import pytest

from entente.board.types import OrderResult, Outcome, parse_order
from entente.press.keeping import Grounds, breach
from entente.press.messages import Act, Commitment, CommitmentKind

MINE = ("A PAR - BUR", "A MAR H")


def pledge(kind: str, *places: str, order: str = "") -> Commitment:
    return Commitment(kind=CommitmentKind(kind), act=Act.ACCEPT, by="GERMANY", locations=places, order=order)


def grounds() -> Grounds:
    """France's, which owns Paris, Brest and Marseilles and moves to Burgundy."""
    results = [OrderResult("FRANCE", parse_order(text), (Outcome.SUCCEEDED,), "") for text in MINE]
    return Grounds.of("FRANCE", ["PAR", "BRE", "MAR"], results)


@pytest.mark.parametrize(
    ("word", "orders", "broken_by"),
    [
        (pledge("peace"), ["A MUN - BUR", "A KIE - RUH"], None),
        (pledge("peace"), ["A KIE - RUH", "A BUR - PAR"], "A BUR - PAR"),
        (pledge("peace"), ["A GAS S A BUR - PAR", "A BUR - PAR"], "A BUR - PAR"),
        (pledge("alliance"), ["F ENG C A LON - BRE"], "F ENG C A LON - BRE"),
        (pledge("alliance"), ["A GAS S A MAR"], None),
        (pledge("dmz", "BUR", "SPA/NC"), ["A MUN - BUR"], "A MUN - BUR"),
        (pledge("dmz", "SPA/NC"), ["F MAO - SPA/SC"], "F MAO - SPA/SC"),
        (pledge("dmz", "BUR"), ["A MUN - RUH"], None),
        (pledge("support", order="A MUN S A PAR - BUR"), ["A MUN S A PAR - BUR"], None),
        (pledge("support", order="A MUN S A PAR - BUR"), ["A MUN - BUR"], "A MUN - BUR"),
        (pledge("order", order="A MUN - BUR"), ["F KIE H"], "no such order"),
    ],
    ids=str,
)
def test_the_order_that_breaks_a_word_is_named(
    word: Commitment, orders: list[str], broken_by: str | None
) -> None:
    assert breach(word, [parse_order(text) for text in orders], grounds()) == broken_by
