"""What orders do to a stance, by the action-based formula."""

import pytest

from entente.board.types import OrderResult, Outcome, parse_order
from entente.players.scripted.diplomat.deals import Deal
from entente.players.scripted.diplomat.stance import Judgement, judge
from entente.press.keeping import Grounds
from entente.press.messages import CommitmentKind

PEACE = Deal(CommitmentKind.PEACE, "GERMANY", "FRANCE", "S1902M")


def judged(
    theirs: list[str],
    mine: tuple[str, ...] = ("A PAR - BUR", "A MAR H"),
    *,
    before: float = 0.0,
    deals: tuple[Deal, ...] = (),
    is_neighbour: bool = False,
    keeps: float = 0.5,
) -> Judgement:
    """France judges Germany by one phase's orders; it owns Paris, Brest and Marseilles."""
    orders = [("FRANCE", text) for text in mine] + [("GERMANY", text) for text in theirs]
    results = [OrderResult(p, parse_order(text), (Outcome.SUCCEEDED,), "") for p, text in orders]
    grounds = Grounds.of("FRANCE", ["PAR", "BRE", "MAR"], results)
    neighbours = ["GERMANY"] if is_neighbour else []
    return judge({"GERMANY": before}, grounds, results, neighbours, deals, keeps)


@pytest.mark.parametrize(
    ("theirs", "change"),
    [
        ("A BUR - PAR", -1.0),
        ("A RUH - BUR", -0.5),
        ("A PIE S A VEN - MAR", -1.0),
        ("F ENG C A LON - BRE", -1.0),
        ("A MUN S A RUH - BUR", -0.5),
        ("A MUN S A BUR", -0.5),
        ("A MUN S A PAR - BUR", 1.0),
        ("A GAS S A MAR", 1.0),
        ("F LYO C A MAR - TUS", 1.0),
        ("A BER - KIE", 0.0),
        ("A BER H", 0.0),
    ],
    ids=str,
)
def test_each_order_changes_the_stance_by_its_weight(theirs: str, change: float) -> None:
    assert judged([theirs]).stances["GERMANY"] == change


def test_half_of_the_old_stance_remains_and_a_peaceful_neighbour_earns_two() -> None:
    assert judged(["A BER - KIE"], before=3.0, is_neighbour=True).stances["GERMANY"] == 0.5 * 3.0 + 2
    assert judged(["A BUR - PAR"], before=3.0, is_neighbour=True).stances["GERMANY"] == 0.5 * 3.0 - 1


def test_one_who_forgets_at_once_judges_by_the_last_phase_alone() -> None:
    assert judged(["A BUR - PAR"], before=9.0, keeps=0.0).stances["GERMANY"] == -1.0


def test_a_deal_counts_once_it_is_seen_whether_it_was_kept() -> None:
    kept, broken = judged(["A BER - KIE"], deals=(PEACE,)), judged(["A BUR - PAR"], deals=(PEACE,))
    assert (kept.stances["GERMANY"], dict(kept.broken)) == (0.5, {})
    assert (broken.stances["GERMANY"], broken.broken["GERMANY"]) == (-3.0, PEACE)


@pytest.mark.parametrize(("order", "is_kept"), [("A MUN S A PAR - BUR", True), ("A MUN H", False)])
def test_a_promised_support_is_kept_by_the_very_order(order: str, is_kept: bool) -> None:
    deal = Deal(CommitmentKind.SUPPORT, "GERMANY", "GERMANY", "S1902M", order="A MUN S A PAR - BUR")
    assert ("GERMANY" in judged([order], deals=(deal,)).broken) is not is_kept


def test_entering_a_demilitarized_zone_breaks_it() -> None:
    deal = Deal(CommitmentKind.DMZ, "GERMANY", "FRANCE", "S1902M", ("BUR",))
    assert "GERMANY" in judged(["A MUN - BUR"], deals=(deal,)).broken
    assert "GERMANY" not in judged(["A MUN - RUH"], deals=(deal,)).broken


def test_help_is_remembered_with_the_order_that_gave_it() -> None:
    assert str(judged(["A MUN S A PAR - BUR"]).helped["GERMANY"]) == "A MUN S A PAR - BUR"


def test_a_support_that_i_promised_says_nothing_about_them() -> None:
    mine = Deal(CommitmentKind.SUPPORT, "GERMANY", "FRANCE", "S1902M", order="A PAR S A MUN - BUR")
    assert judged(["A BER - KIE"], deals=(mine,)).stances["GERMANY"] == 0.0
