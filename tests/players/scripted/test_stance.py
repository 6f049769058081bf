"""What orders do to a stance, by the action-based formula."""

import pytest

from entente.board.types import OrderResult, Outcome, parse_order
from entente.players.scripted.diplomat.stance import Faith, Judgement, judge
from entente.press.keeping import Grounds
from entente.press.messages import CommitmentKind


def faith(kind: str, was_kept: bool) -> Faith:
    return Faith("GERMANY", CommitmentKind(kind), was_kept)


def judged(
    theirs: list[str],
    mine: tuple[str, ...] = ("A PAR - BUR", "A MAR H"),
    *,
    before: float = 0.0,
    faith: tuple[Faith, ...] = (),
    is_neighbour: bool = False,
    keeps: float = 0.5,
) -> Judgement:
    """France judges Germany by one phase's orders; it owns Paris, Brest and Marseilles."""
    orders = [("FRANCE", text) for text in mine] + [("GERMANY", text) for text in theirs]
    results = [OrderResult(p, parse_order(text), (Outcome.SUCCEEDED,), "") for p, text in orders]
    grounds = Grounds.of("FRANCE", ["PAR", "BRE", "MAR"], results)
    neighbours = ["GERMANY"] if is_neighbour else []
    return judge({"GERMANY": before}, grounds, results, neighbours, faith, keeps)


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


@pytest.mark.parametrize(
    ("kind", "was_kept", "change"),
    [
        ("peace", True, 0.5),
        ("dmz", True, 0.5),
        ("support", True, 1.0),
        ("alliance", True, 1.0),
        ("peace", False, -2.0),
    ],
)
def test_a_commitment_counts_once_it_is_seen_whether_it_was_kept(
    kind: str, was_kept: bool, change: float
) -> None:
    assert judged(["A BER - KIE"], faith=(faith(kind, was_kept),)).stances["GERMANY"] == change


def test_help_is_remembered_with_the_order_that_gave_it() -> None:
    assert str(judged(["A MUN S A PAR - BUR"]).helped["GERMANY"]) == "A MUN S A PAR - BUR"
