"""The JSON form as a schema, for servers that hold a reply to one: what can be said in this turn, and nothing else.

It keeps to what OpenAI's strict form takes, since other servers take that too: an object at the root, every property
required, null for what may be left out, and at most 1,000 values in all enumerations together.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from entente.board.engine import Board
from entente.board.types import PhaseKind, Power
from entente.players.caps import MAX_ORDER_LINES
from entente.players.model.extract import ACTIONS, FINISH, THINKING
from entente.players.model.replies import MAX_KEY_CHARS, Desk
from entente.players.model.tools import FINISH_ORDERS, FINISH_TALK, MEMORY, ORDER, ORDERS, SEND, tools_of
from entente.press.messages import BROADCAST

_FINISHES = (FINISH_TALK, FINISH_ORDERS)
_LEFT_OUT = (*_FINISHES, ORDER)
"""Tools that are no calls here: a finish has its own property, and orders come all at once."""
_MOST_ORDERS = 900
"""Legal orders that are listed; the others of 1,000 values are powers and kinds."""
_BESIDE_MESSAGES = 4
"""Calls in one reply that are no messages: orders, a vote, two of memory."""

_MOST_ITEMS, _MOST_SIGNS = 6, 64
"""In lists and texts that have no measure of their own: a small model that begins to repeat itself ends nothing."""

Schema = dict[str, Any]
_LINES: Schema = {"type": "array", "items": {"type": "string"}, "maxItems": MAX_ORDER_LINES}


def reply_schema(desk: Desk, orders: Schema = _LINES, *, thinks: bool = False) -> Schema:
    """The schema of a whole reply at this desk; `orders` is that of its orders (`orders_schema`).

    `thinks` is true for a model that is asked to write its thoughts first.
    """
    tools = [t for t in tools_of(desk.talk) if t.name in desk.allowed and t.name not in _LEFT_OUT]
    calls = [
        _closed(
            tool_name=_one_of([t.name]), arguments=_strict(_with_values(t.name, t.parameters, desk, orders))
        )
        for t in tools
    ]
    most = desk.limits.max_messages + _BESIDE_MESSAGES
    actions: Schema = {"type": "array", "items": {"anyOf": calls}, "maxItems": most}
    parts = {ACTIONS: actions}
    if thinks:
        parts = {THINKING: _text(desk.limits.max_thinking_chars), **parts}
    if desk.stage != "diary":
        parts[FINISH] = _one_of(name for name in _FINISHES if name in desk.allowed)
    return _closed(**parts)


def orders_schema(board: Board, power: Power) -> Schema:
    """One legal order for each unit, under its name; in adjustments, up to as many legal orders as are wanted.

    Lines of any kind where the power has nothing to order, or too much to list.
    """
    legal = [str(order) for order in board.all_orders(power)]
    if not 0 < len(legal) <= _MOST_ORDERS:
        return _LINES
    if board.phase.kind is PhaseKind.ADJUSTMENTS:
        return {"type": "array", "items": _one_of(legal), "maxItems": abs(board.builds[power])}
    return one_each(legal)


def one_each(legal: Iterable[str]) -> Schema:
    """One of these orders for each unit that they name, under its name."""
    by_unit: dict[str, list[str]] = {}
    for order in legal:
        by_unit.setdefault(" ".join(order.split()[:2]), []).append(order)
    return _closed(**{unit: _one_of(orders) for unit, orders in by_unit.items()})


def _with_values(name: str, parameters: Schema, desk: Desk, orders: Schema) -> Schema:
    """A tool's parameters, with the values that are known at this desk."""
    limits = desk.limits
    known: Mapping[str, Schema] = {
        ORDERS: {"orders": orders},
        SEND: {
            "recipient": _one_of([*desk.reachable, BROADCAST]),
            "content": _text(limits.max_message_chars),
        },
        MEMORY: {"key": _text(MAX_KEY_CHARS), "value": _or_null(_text(limits.max_value_chars))},
    }.get(name, {})
    return {**parameters, "properties": {**parameters["properties"], **known}}


def _strict(schema: Schema) -> Schema:
    """The schema without descriptions, which the prompt has; objects closed, and null for what may be left out."""
    if "properties" in schema:
        required = schema["required"]
        parts = {name: _strict(part) for name, part in schema["properties"].items()}
        return _closed(**{name: part if name in required else _or_null(part) for name, part in parts.items()})
    if "anyOf" in schema:  # an object of any form cannot be closed; its JSON is read out of a text too
        return {"anyOf": [_strict(part) for part in schema["anyOf"] if part != {"type": "object"}]}
    plain = {key: value for key, value in schema.items() if key != "description"}
    if "items" in schema:
        return {"maxItems": _MOST_ITEMS, **plain, "items": _strict(schema["items"])}
    return _text(_MOST_SIGNS) if plain == {"type": "string"} else plain


def _text(most: int) -> Schema:
    return {"type": "string", "maxLength": most}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _one_of(values: Iterable[str]) -> Schema:
    return {"type": "string", "enum": [*values]}


def _closed(**properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }
