"""A scripted model, and its words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count

from pydantic import JsonValue

from entente.errors import EntenteError
from entente.models.wire import CallUsage, ModelReply, ModelRequest, Purpose, ToolCall
from entente.players.bundle import Bundle
from entente.players.model.player import ModelPlayer
from entente.players.protocol import Reply

Call = tuple[str, JsonValue]
DONE: Call = ("finish_negotiation_round", {})
ORDERED: Call = ("finish_orders", {})


def usage(purpose: Purpose = "talk", finish_reason: str = "stop") -> CallUsage:
    return CallUsage(
        purpose=purpose,
        model="scripted",
        provider="test",
        latency_seconds=0.0,
        prompt_tokens=1,
        cached_tokens=0,
        completion_tokens=1,
        cost_usd=None,
        attempts=1,
        finish_reason=finish_reason,
    )


def calls(*said: Call, text: str = "") -> ModelReply:
    """A reply that calls these tools."""
    found = tuple(ToolCall(id=f"call_{n}", name=name, arguments=a) for n, (name, a) in enumerate(said))
    return ModelReply(text=text, tool_calls=found, usage=usage())


def text_reply(text: str, finish_reason: str = "stop") -> ModelReply:
    return ModelReply(text=text, tool_calls=(), usage=usage(finish_reason=finish_reason))


def send(to: JsonValue, content: JsonValue, **more: JsonValue) -> Call:
    arguments: dict[str, JsonValue] = {"recipient": to, "message_type": "CHAT", "content": content, **more}
    return ("send_message", arguments)


def remember(key: str, value: JsonValue) -> Call:
    return ("update_memory", {"key": key, "value": value})


def order(*lines: str) -> Call:
    return ("submit_orders", {"orders": list(lines)})


Answer = Callable[[ModelRequest], ModelReply]


@dataclass
class FakeModel:
    """Answers by a function of the request, or from a list, and keeps what it was asked."""

    answer: Answer | Sequence[ModelReply | EntenteError]
    requests: list[ModelRequest] = field(default_factory=list[ModelRequest])
    number: "count[int]" = field(default_factory=count)

    async def complete(self, request: ModelRequest, /) -> ModelReply:
        self.requests.append(request)
        if callable(self.answer):
            return self.answer(request)
        said = self.answer[next(self.number)]
        if isinstance(said, EntenteError):
            raise said
        return said


@dataclass
class Seated:
    """A model's player at a test table; keeps the bundles that it was given."""

    player: ModelPlayer
    bundles: list[Bundle] = field(default_factory=list[Bundle])

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        self.bundles.append(bundle)
        return await self.player.take_turn(bundle)


def shown(request: ModelRequest) -> str:
    """All that a request shows, as one text: what a provider counts and caches."""
    tools = "".join(tool.model_dump_json() for tool in request.tools)
    return tools + "".join(message.model_dump_json() for message in request.messages)
