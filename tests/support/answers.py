"""Answers of people that any seat can give."""

from pydantic import JsonValue

from entente.games.pending import PendingSeat
from entente.games.runner import Standing


def an_order(seat: PendingSeat) -> JsonValue:
    """One legal order of the seat; the rest is left to civil disorder."""
    return {"orders": [*seat.view.legal_orders[:1]]}


def orders_of(standing: Standing) -> dict[PendingSeat, JsonValue]:
    """An order of everybody who is waited for."""
    return {seat: an_order(seat) for seat in standing.pending}
