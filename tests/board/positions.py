"""Positions for tests, written as orders are: by power, in the engine's notation."""

from collections.abc import Mapping, Sequence
from typing import Any

from entente.board.engine import Board, load_geography
from entente.board.types import Adjudication, Order, OrderResult, Phase, Position, Power, Unit, parse_order


def position_of(phase: str, state: Mapping[str, Any], map_name: str = "standard") -> Position:
    """A position from `{units, centers, dislodged}` by power; powers without an entry have nothing."""
    powers = load_geography(map_name).powers
    dislodged = state.get("dislodged", {})
    return Position(
        map_name=map_name,
        phase=Phase.parse(phase),
        units={p: tuple(Unit.parse(u) for u in state["units"].get(p, [])) for p in powers},
        dislodged={
            p: {Unit.parse(u): tuple(options) for u, options in dislodged.get(p, {}).items()} for p in powers
        },
        centers={p: tuple(state.get("centers", {}).get(p, [])) for p in powers},
    )


def orders_of(orders: Mapping[Power, Sequence[str]]) -> dict[Power, list[Order]]:
    """Orders from their canonical text."""
    return {power: [parse_order(text) for text in given] for power, given in orders.items()}


def judge(position: Position, orders: Mapping[Power, Sequence[str]]) -> Adjudication:
    """The position judged under orders given as text."""
    return Board(position).adjudicate(orders_of(orders))


def battle(orders: Mapping[Power, Sequence[str]], **state: Any) -> Adjudication:
    """A movement phase with just the units that are ordered; `state` adds units that are not."""
    units = {power: [" ".join(text.split()[:2]) for text in given] for power, given in orders.items()}
    for power, idle in state.get("idle", {}).items():
        units[power] = units.get(power, []) + list(idle)
    return judge(position_of("S1905M", {"units": units}), orders)


def result_for(adjudication: Adjudication, unit: str) -> OrderResult:
    """The result of the order that begins with the unit."""
    return next(r for r in adjudication.results if str(r.order).startswith(f"{unit} "))
