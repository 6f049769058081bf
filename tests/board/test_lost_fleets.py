"""Which fleets are lost, from what came of every assumption about them; the fleets here are single letters."""

from itertools import combinations

import pytest

from entente.board.guards import lost_fleets


def table(**rules: str) -> dict[frozenset[str], frozenset[str]]:
    """By every assumption what is dislodged: each fleet where its rule, over who is lost, comes true."""
    fleets = [*rules]
    assumptions = [frozenset(some) for size in range(len(fleets) + 1) for some in combinations(fleets, size)]
    return {
        lost: frozenset(f for f in fleets if eval(rules[f], {g: g in lost for g in fleets}))
        for lost in assumptions
    }


@pytest.mark.parametrize(
    ("rules", "lost"),
    [
        pytest.param({"a": "True"}, "a", id="dislodged whatever is assumed"),
        pytest.param({"a": "False"}, "", id="never dislodged"),
        pytest.param({"a": "a"}, "a", id="two answers: a paradox"),
        pytest.param({"a": "not a"}, "a", id="no answer: a paradox"),
        pytest.param({"a": "b", "b": "True"}, "ab", id="one hangs on another"),
        pytest.param({"a": "not b", "b": "True"}, "b", id="saved by the loss of another"),
        pytest.param({"a": "b", "b": "b"}, "ab", id="dislodged since another is in a paradox"),
        pytest.param({"a": "not b", "b": "not b"}, "b", id="saved since another is in a paradox"),
        pytest.param({"a": "b", "b": "a"}, "ab", id="two that fall together or stay together"),
        pytest.param({"a": "not b", "b": "a"}, "ab", id="two of whom no answer is true"),
        pytest.param(
            {"a": "a and b", "b": "not a and b"}, "b", id="a circle in which one stays in every answer"
        ),
        pytest.param({"a": "not b", "b": "a and b"}, "a", id="a circle with one answer"),
        pytest.param(
            {"a": "a", "b": "not b", "c": "a and b and c"}, "abc", id="three paradoxes, one on the others"
        ),
    ],
)
def test_the_fleets_are_lost(rules: dict[str, str], lost: str) -> None:
    assert lost_fleets([*rules], table(**rules)) == {*lost}
