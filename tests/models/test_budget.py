import pytest

from entente.errors import BudgetExceeded
from entente.models.budget import Budget, hold_all
from entente.models.wire import CallUsage


def usage(prompt_tokens: int, completion_tokens: int, cost_usd: float | None) -> CallUsage:
    return CallUsage(
        purpose="talk",
        model="mock",
        provider="openai",
        latency_seconds=0.1,
        prompt_tokens=prompt_tokens,
        cached_tokens=0,
        completion_tokens=completion_tokens,
        cost_usd=cost_usd,
        attempts=1,
        finish_reason="stop",
    )


def test_a_budget_counts_prompt_and_completion() -> None:
    budget = Budget("the game", limit_tokens=1000)
    budget.charge(usage(800, 150, None))
    assert (budget.spent_tokens, budget.spent_usd) == (950, 0)
    with budget.hold(50, None):
        pass
    with pytest.raises(BudgetExceeded, match="the game has used 950 of 1,000 tokens"), budget.hold(51, None):
        pass


def test_a_budget_in_dollars_is_kept_too() -> None:
    budget = Budget("FRANCE", limit_usd=0.01)
    budget.charge(usage(800, 150, 0.008))
    with pytest.raises(BudgetExceeded, match=r"FRANCE has used \$0.0080 of \$0.0100"), budget.hold(1, 0.003):
        pass


def test_calls_under_way_cannot_overdraw_a_budget_together() -> None:
    budget = Budget("the game", limit_tokens=100)
    with budget.hold(60, None):
        with pytest.raises(BudgetExceeded), budget.hold(60, None):
            pass
        with budget.hold(40, None):
            pass
    with budget.hold(100, None):
        pass


def test_nothing_stays_set_aside_when_another_budget_refuses() -> None:
    game, seat = Budget("the game", limit_tokens=100), Budget("FRANCE", limit_tokens=10)
    with pytest.raises(BudgetExceeded, match="FRANCE"), hold_all([game, seat], 50, None):
        pass
    with game.hold(100, None):
        pass
