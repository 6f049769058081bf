"""Which orders break a commitment, and which could have."""

import pytest

from entente.board.engine import Board
from entente.board.types import OrderResult, Outcome, parse_order
from entente.press.commitments import Status
from tests.press.talk import Match
from tests.support.table import board_at

MINE = ("A PAR - BUR", "A MAR H")


def beside_france(*units: str) -> Board:
    """France owns Paris, Brest and Marseilles, with armies in two of them; these are Germany's."""
    return board_at(
        "S1902M",
        {"FRANCE": ["A PAR", "A MAR"], "GERMANY": list(units), "ENGLAND": ["A LON"], "ITALY": ["A VEN"]},
        {"FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["MUN"], "ENGLAND": ["LON"], "ITALY": ["VEN"]},
    )


def played(
    kind: str, orders: list[str], *places: str, order: str = "", mine: tuple[str, ...] = MINE
) -> Match:
    """What Germany and France agreed, when Germany gave these orders."""
    match = Match(beside_france(*dict.fromkeys(" ".join(text.split()[:2]) for text in orders)))
    match.agree("FRANCE", "GERMANY", kind, *places, order=order, by="GERMANY", term="S1902M" if order else "")
    given = [("FRANCE", text) for text in mine] + [("GERMANY", text) for text in orders]
    results = [OrderResult(power, parse_order(text), (Outcome.SUCCEEDED,), "") for power, text in given]
    match.ledger = match.ledger.after_phase(match.board, results)
    return match


@pytest.mark.parametrize(
    ("kind", "places", "orders", "broken_by"),
    [
        ("peace", (), ["A MUN - BUR", "A KIE - RUH"], None),
        ("peace", (), ["A KIE - RUH", "A BUR - PAR"], "A BUR - PAR"),
        ("peace", (), ["A GAS S A BUR - PAR", "A BUR - PAR"], "A BUR - PAR"),
        ("peace", (), ["A BUR S A VEN - MAR"], "A BUR S A VEN - MAR"),
        ("alliance", (), ["F ENG C A LON - BRE"], "F ENG C A LON - BRE"),
        ("alliance", (), ["A GAS S A MAR"], None),
        ("dmz", ("SPA/NC", "RUH"), ["A MUN - BUR", "F MAO - SPA/SC"], "F MAO - SPA/SC"),
        ("dmz", ("PIC",), ["A MUN - RUH"], None),
    ],
    ids=str,
)
def test_the_order_that_breaks_an_agreement_is_named(
    kind: str, places: tuple[str, ...], orders: list[str], broken_by: str | None
) -> None:
    commitment = played(kind, orders, *places).only
    assert [b.order for b in commitment.breaches if b.power == "GERMANY"] == [broken_by] * bool(broken_by)
    assert commitment.status is (Status.BROKEN if broken_by else Status.ACCEPTED)


@pytest.mark.parametrize(
    ("order", "given", "status"),
    [
        ("A MUN S A PAR - BUR", "A MUN S A PAR - BUR", Status.KEPT),
        ("A MUN S A PAR - BUR", "A MUN - RUH", Status.BROKEN),
        ("A MUN S A MAR", "A MUN H", Status.VOID),
        ("A BUR S A MAR", "A BUR H", Status.BROKEN),
        ("A BUR S A PAR", "A BUR H", Status.VOID),
        ("F MAO - SPA/NC", "F MAO - SPA/SC", Status.BROKEN),
        ("F MAO - SPA", "F MAO - SPA/SC", Status.KEPT),
        ("F SPA - MAO", "F SPA/SC - MAO", Status.KEPT),
        ("A BEL - LON VIA", "A BEL - LON", Status.KEPT),
        ("A KIE - RUH", "A MUN - RUH", Status.VOID),
    ],
)
def test_an_order_is_kept_by_giving_it_and_void_where_it_could_not_help(
    order: str, given: str, status: Status
) -> None:
    assert played("order", [given], order=order).only.status is status


@pytest.mark.parametrize(
    ("kind", "places", "unit", "was_at_stake"),
    [
        ("peace", (), "A MUN", False),
        ("peace", (), "A BUR", True),
        ("peace", (), "F ENG", True),
        ("dmz", ("BUR",), "A MUN", True),
        ("dmz", ("SWE",), "A MUN", False),
    ],
)
def test_an_agreement_is_at_stake_where_somebody_is_near_enough_to_break_it(
    kind: str, places: tuple[str, ...], unit: str, was_at_stake: bool
) -> None:
    quiet = ("A PAR H", "A MAR H")
    assert played(kind, [f"{unit} H"], *places, mine=quiet).only.was_at_stake is was_at_stake
