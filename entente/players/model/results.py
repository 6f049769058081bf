"""Orders with what became of them, in words."""

from collections.abc import Sequence

from entente.board.reasons import CIVIL_DISORDER
from entente.board.types import OrderResult, Power
from entente.players.record import ResultRecord

_DEFAULT = "no legal order"
"""Civil disorder in fewer words: a phase may have many of them."""


def result_lines(results: Sequence[OrderResult] | Sequence[ResultRecord]) -> list[str]:
    """Each power's orders on a line; what did not simply succeed with its reason in brackets."""
    by_power: dict[Power, list[str]] = {}
    for result in results:
        by_power.setdefault(result.power, []).append(_result(result))
    return [f"{power}: {'; '.join(orders)}" for power, orders in by_power.items()]


def results_text(results: Sequence[OrderResult] | Sequence[ResultRecord]) -> str:
    """Those lines in one text; empty when there are none."""
    return "\n".join(result_lines(results))


def _result(result: OrderResult | ResultRecord) -> str:
    remark = result.reason.replace(CIVIL_DISORDER, _DEFAULT) or (
        "" if result.succeeded else ", ".join(result.outcomes)
    )
    return f"{result.order} ({remark})" if remark else str(result.order)
