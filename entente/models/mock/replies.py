"""The reply of a scripted model, derived from the request alone: the same request gives the same reply.

With tools it calls them as a modest player would: one or two short messages in talk, a legal order
for each unit that the prompt lists, the finish that the task names. Where it is woken by what is new it does both
at first, then answers whoever writes to it once, and changes its orders once at most. Without tools it gives the same
actions as JSON, `{"actions": [{"tool_name": NAME, "arguments": {...}}], "finish": NAME}`, if the prompt speaks of JSON,
and held to a schema where it has one; else a sentence.
Where the task itself speaks of JSON, it writes it beside the tools that it calls.
"""

import json
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, cast

from entente.models.mock import reading
from entente.models.mock.request import ChatRequest
from entente.models.mock.shapes import shaped
from entente.models.mock.wire import ScriptedCall, ScriptedReply

_Call = tuple[str, dict[str, Any]]

_KNOWN = (
    "send_message",
    "submit_orders",
    "submit_order",
    "update_memory",
    "finish_negotiation_round",
    "finish_orders",
    "vote_draw",
)
_FINISHES = ("finish_negotiation_round", "finish_orders")
_SENTENCES = (
    "I wish for peace between us this year.",
    "Shall we keep our border quiet?",
    "Who do you think grows too fast?",
    "I would help you against our common neighbor.",
    "What are your plans for the autumn?",
)
_REFLECTIONS = (
    "I hold my line and watch my neighbors.",
    "The quiet border is worth more than one center.",
    "Whoever leads will be stopped by the others.",
)


def scripted_reply(request: ChatRequest) -> ScriptedReply:
    """What the scripted model says to this."""
    rng = Random(request.digest)
    if "Answer in words" in request.task:
        return ScriptedReply(rng.choice(_REFLECTIONS))
    if request.tools:
        calls = list(_actions(request, request.tool_names, rng)) or [_any_call(request.tools[0])]
        scripted = tuple(ScriptedCall(name, _json(arguments)) for name, arguments in calls)
        return ScriptedReply(_as_json(calls) if "JSON" in request.task else None, scripted, "tool_calls")
    if request.schema:
        calls = _actions(request, _names_in(request.schema), rng)
        return ScriptedReply(_json(shaped(json.loads(_as_json(calls)), request.schema)))
    if _wants_json(request):
        mentioned = [name for name in _KNOWN if any(name in text for text in request.texts)]
        return ScriptedReply(_as_json(_actions(request, mentioned, rng)))
    return ScriptedReply(rng.choice(_REFLECTIONS))


def garbage(request: ChatRequest) -> str:
    """Words that mean nothing, the same for the same request."""
    rng = Random(request.digest)
    return " ".join("".join(rng.choices('abcdefghij{}[]":,', k=rng.randint(2, 9))) for _ in range(20))


def _actions(request: ChatRequest, tools: list[str], rng: Random) -> Iterator[_Call]:
    if reading.wants_diary(request.task) and "update_memory" in tools:
        yield from _fold(request, rng)
    elif waking := reading.waking(request.messages):
        yield from _waking(waking, request, tools, rng)
    elif _is_order_turn(request.task, tools):
        yield from _order_turn(request, tools, rng)
    else:
        yield from _talk_turn(request, tools, rng)


def _is_order_turn(task: str, tools: list[str]) -> bool:
    talk, orders = "finish_negotiation_round" in tools, "finish_orders" in tools
    if talk and orders:
        return task.rfind("finish_orders") >= task.rfind("finish_negotiation_round")
    return orders or (not talk and not {"submit_orders", "submit_order"}.isdisjoint(tools))


def _fold(request: ChatRequest, rng: Random) -> Iterator[_Call]:
    """A diary that grows by no more than a sentence a year, and whom the broken words make unfriendly."""
    own = reading.own_power(request.texts)
    broken = [power for power in reading.word_breakers(request.task) if power != own]
    words = f"Their word was broken by {', '.join(broken)}." if broken else "No word was broken."
    yield "update_memory", {"key": "diary", "value": f"{rng.choice(_REFLECTIONS)} {words}"}
    if broken:
        yield "update_memory", {"key": "relations", "value": dict.fromkeys(broken, "unfriendly")}


def _order_turn(request: ChatRequest, tools: list[str], rng: Random) -> Iterator[_Call]:
    yield from _order_calls(_orders(request, rng), request, tools)
    if "update_memory" in tools and rng.random() < 0.3:
        yield "update_memory", {"key": "plan", "value": rng.choice(_REFLECTIONS)}
    if "finish_orders" in tools:
        yield "finish_orders", {}


def _talk_turn(request: ChatRequest, tools: list[str], rng: Random) -> Iterator[_Call]:
    if "send_message" in tools:
        yield from _messages(request, rng)
    if "update_memory" in tools and rng.random() < 0.3:
        yield "update_memory", {"key": "mood", "value": rng.choice(_REFLECTIONS)}
    if "vote_draw" in tools and rng.random() < 0.1:
        yield "vote_draw", {"yes": False}
    if "draft" in request.task.lower():
        yield from _order_calls(_orders(request, rng), request, tools)
    if "finish_negotiation_round" in tools:
        yield "finish_negotiation_round", {}


def _waking(waking: reading.Waking, request: ChatRequest, tools: list[str], rng: Random) -> Iterator[_Call]:
    """Few words and orders at first, then an answer to who has had none, and nearly always nothing more."""
    if waking.number == 1:
        yield from _messages(request, rng)
    elif letter := waking.unanswered(reading.own_power(request.texts)):
        answer = {"recipient": letter.sender, "message_type": "INFO", "content": rng.choice(_SENTENCES)}
        yield "send_message", {**answer, "reply_to": letter.id}
    if waking.wants_orders(changes_mind=rng.random() < 0.3):
        yield from _order_calls(_orders(request, rng), request, tools)
    yield "finish_negotiation_round", {}


def _messages(request: ChatRequest, rng: Random) -> Iterator[_Call]:
    recipients = _recipients(request)
    types = _property(request, "send_message", "message_type").get("enum") or ["CHAT"]
    for recipient in rng.sample(recipients, min(len(recipients), rng.randint(1, 2))):
        words = rng.choice(_SENTENCES)
        yield "send_message", {"recipient": recipient, "message_type": rng.choice(types), "content": words}


def _recipients(request: ChatRequest) -> list[str]:
    offered: list[str] = _property(request, "send_message", "recipient").get("enum") or []
    not_these = {"BROADCAST", reading.own_power(request.texts)}
    return sorted(power for power in offered or reading.recipients(request.texts) if power not in not_these)


def _orders(request: ChatRequest, rng: Random) -> list[str]:
    """A legal order for each unit; of builds and disbands as many as are wanted, one for each province."""
    legal = reading.legal_orders(request.given)
    chosen = [rng.choice(orders) for _, orders in sorted(legal.items())]
    if not all(order.endswith((" B", " D")) for orders in legal.values() for order in orders):
        return chosen
    by_province = {order[2:5]: order for order in chosen}
    wanted = reading.adjustments_wanted(request.given)
    provinces = rng.sample(sorted(by_province), len(by_province))
    return [by_province[province] for province in provinces[:wanted]]


def _order_calls(orders: list[str], request: ChatRequest, tools: list[str]) -> Iterator[_Call]:
    if "submit_orders" in tools:
        yield "submit_orders", {_sole_parameter(request, "submit_orders", "orders"): orders}
    elif "submit_order" in tools:
        name = _sole_parameter(request, "submit_order", "order")
        yield from (("submit_order", {name: order}) for order in orders)


def _sole_parameter(request: ChatRequest, tool: str, default: str) -> str:
    properties = _properties(request, tool)
    return default if default in properties or not properties else next(iter(properties))


def _property(request: ChatRequest, tool: str, name: str) -> dict[str, Any]:
    return _properties(request, tool).get(name) or {}


def _properties(request: ChatRequest, tool: str) -> dict[str, Any]:
    offered = [each for each in request.tools if each.get("name") == tool]
    return _schema_properties(offered[0]) if offered else {}


def _schema_properties(tool: dict[str, Any]) -> dict[str, Any]:
    parameters: dict[str, Any] = tool.get("parameters") or {}
    return parameters.get("properties") or {}


def _any_call(tool: dict[str, Any]) -> _Call:
    """A call of a tool that this module does not know, with the simplest arguments its schema allows."""
    properties = _schema_properties(tool)
    return str(tool["name"]), {name: _simplest(schema) for name, schema in properties.items()}


def _simplest(schema: dict[str, Any]) -> Any:
    if choices := cast("list[Any]", schema.get("enum") or []):
        return choices[0]
    simplest: dict[str, Any] = {"string": "ok", "integer": 1, "number": 1, "boolean": True, "array": []}
    return simplest.get(str(schema.get("type")))


def _wants_json(request: ChatRequest) -> bool:
    return any("JSON" in text for text in request.texts)


def _as_json(calls: Iterable[_Call]) -> str:
    given = [*calls]
    over = given.pop()[0] if given and given[-1][0] in _FINISHES else None
    actions = [{"tool_name": name, "arguments": arguments} for name, arguments in given]
    return _json({"actions": actions, **({"finish": over} if over else {})})


def _names_in(schema: dict[str, Any]) -> list[str]:
    """The tools that a schema of a reply knows."""
    parts: dict[str, Any] = schema["properties"]
    calls: list[dict[str, Any]] = parts["actions"]["items"]["anyOf"]
    names = [name for call in calls for name in call["properties"]["tool_name"]["enum"]]
    return [*names, *parts.get("finish", {}).get("enum", ())]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
