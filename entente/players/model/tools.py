"""The tools that a model acts with, as JSON schemas, and when each of them may be used.

The same list is offered at every call of a game: providers' prefix caches begin with the tools, so that leaving out
those that are not wanted now would make every prompt behind them new. What is used at the wrong time is refused.
"""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from entente.models.wire import Tool
from entente.players.bundle import Talk
from entente.players.record import Stage
from entente.press.messages import BROADCAST, Act, CommitmentKind, MessageType

SEND = "send_message"
ORDER = "submit_order"
ORDERS = "submit_orders"
MEMORY = "update_memory"
VOTE = "vote_draw"
FINISH_TALK = "finish_negotiation_round"
FINISH_ORDERS = "finish_orders"

Wanted: TypeAlias = Stage | Literal["open"]
"""What a model is asked for; `open` where it may talk and order in one turn."""

FINISH: Mapping[Wanted, str] = {
    "talk": FINISH_TALK,
    "orders": FINISH_ORDERS,
    "open": FINISH_TALK,
    "diary": MEMORY,
}
"""The call that ends a turn; a diary is folded with its update itself."""

ALLOWED: Mapping[Wanted, tuple[str, ...]] = {
    "talk": (SEND, MEMORY, VOTE, FINISH_TALK),
    "orders": (ORDERS, ORDER, MEMORY, VOTE, FINISH_ORDERS),
    "open": (SEND, ORDERS, ORDER, MEMORY, VOTE, FINISH_TALK, FINISH_ORDERS),
    # The finishes out of habit: they say nothing there, and are not worth a second call.
    "diary": (MEMORY, FINISH_TALK, FINISH_ORDERS),
}


def _text(description: str = "") -> dict[str, Any]:
    return {"type": "string", "description": description} if description else {"type": "string"}


def _one_of(values: type[MessageType] | type[CommitmentKind] | type[Act]) -> dict[str, Any]:
    return {"type": "string", "enum": [value.value for value in values]}


def _tool(name: str, description: str, required: tuple[str, ...] = (), **properties: dict[str, Any]) -> Tool:
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(name=name, description=description, parameters=parameters)


_COMMITMENTS: dict[str, Any] = {
    "type": "array",
    "description": "Answers need kind, act and reply_to only.",
    "items": {
        "type": "object",
        "properties": {
            "kind": _one_of(CommitmentKind),
            "act": _one_of(Act),
            "by": _text("Who does it."),
            "locations": {"type": "array", "items": _text()},
            "order": _text(),
            "term": _text("F1901M: the order's phase, or the last one."),
        },
        "required": ["kind", "act"],
    },
}

_ORDER_LINES: dict[str, Any] = {"type": "array", "items": _text()}


def _send(when: str) -> Tool:
    return _tool(
        SEND,
        f"A short message; {when}.",
        ("recipient", "message_type", "content"),
        recipient=_text(f"A power, or {BROADCAST}."),
        message_type=_one_of(MessageType),
        content=_text(),
        commitments=_COMMITMENTS,
        reply_to=_text("Its id."),
    )


def _orders(more: str, **properties: dict[str, Any]) -> Tool:
    return _tool(
        ORDERS,
        f"Your orders, a line each; the last for a unit counts.{more}",
        ("orders",),
        orders=_ORDER_LINES,
        **properties,
    )


_MEMORY = _tool(
    MEMORY,
    "Keep a value in your private memory; null forgets the key.",
    ("key", "value"),
    key=_text(),
    # Named one by one: langchain-google-genai takes a value of any type for a string that cannot be null.
    value={"anyOf": [{"type": "string"}, {"type": "object"}, {"type": "null"}]},
)
_VOTE = _tool(
    VOTE,
    "Vote, in secret, on ending the game in this phase, shared by all survivors.",
    ("yes",),
    yes={"type": "boolean"},
)

_TOOLS: Mapping[Talk, tuple[Tool, ...]] = {
    "rounds": (
        _send("in talk only, read from the next round on"),
        _orders(" In talk only when a draft is asked for."),
        _tool(ORDER, "One order.", ("order_string",), order_string=_text()),
        _MEMORY,
        _VOTE,
        _tool(FINISH_TALK, "The last call in talk."),
        _tool(FINISH_ORDERS, "The last call for orders."),
    ),
    "at once": (
        _send("read at once"),
        _orders("", phase=_text("Their phase.")),
        _MEMORY,
        _VOTE,
        _tool(FINISH_TALK, "The last call, but where orders alone are asked for."),
        _tool(FINISH_ORDERS, "The last call where orders alone are asked for."),
    ),
    "none": (_orders(""), _MEMORY, _VOTE, _tool(FINISH_ORDERS, "The last call.")),
}

PARAMETERS: Mapping[str, tuple[str, ...]] = {
    **{tool.name: tuple(tool.parameters["properties"]) for tools in _TOOLS.values() for tool in tools},
    ORDERS: ("orders", "phase"),
    ORDER: ("order_string", "phase"),
}
"""The arguments that each tool knows, offered or not: whoever names the phase of its orders is heard on every floor."""


def tools_of(talk: Talk) -> tuple[Tool, ...]:
    """What a model is offered in a game in which press is read so: the same at every call of it."""
    return _TOOLS[talk]


def tools_in_words(talk: Talk) -> str:
    """The tools for a model that cannot be given any: name, arguments (`?` for what may be left out) and use."""
    return "\n".join(
        f"- {tool.name}({_arguments(tool.parameters)}): {tool.description}" for tool in tools_of(talk)
    )


def _arguments(schema: Mapping[str, Any]) -> str:
    parts: dict[str, dict[str, Any]] = schema["properties"]
    return ", ".join(
        f"{name}{'' if name in schema['required'] else '?'}{_choice(part)}" for name, part in parts.items()
    )


def _choice(schema: Mapping[str, Any]) -> str:
    """` = PROPOSAL|INFO` for what has few values, ` = [{…}]` for a list of objects; empty for the rest."""
    if "enum" in schema:
        return f" = {'|'.join(schema['enum'])}"
    item = schema.get("items", {})
    return f" = [{{{_arguments(item)}}}]" if "properties" in item else ""
