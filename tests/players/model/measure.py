"""What a phase's prompts weigh, as a provider would count and cache them."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from entente.models.tokens import letters_a_token
from entente.models.wire import ChatMessage, ModelRequest

CHARS_PER_TOKEN = letters_a_token("openai:gpt-4.1")
CACHE_FROM_TOKENS = 1024
CACHE_STEP_TOKENS = 128
"""Prefix caches of the large providers reuse a prompt's beginning from so many tokens up, in such steps."""


@dataclass(frozen=True)
class Weight:
    """Tokens of some calls, estimated as of the model that has them."""

    all: float
    reused: float

    @property
    def fresh(self) -> float:
        return self.all - self.reused


def weigh(requests: Sequence[ModelRequest]) -> Weight:
    """All prompts together; each reuses the longest beginning that it shares with an earlier one of the list."""
    texts = [written(request) for request in requests]
    total = sum(map(len, texts)) / CHARS_PER_TOKEN
    return Weight(total, sum(_reused(texts[:i], text) for i, text in enumerate(texts)))


def written(request: ModelRequest) -> str:
    """The prompt as a provider writes it out: tools first, then the messages."""
    tools = [tool.model_dump() for tool in request.tools]
    return json.dumps(tools) + "".join(map(_message, request.messages))


def _message(message: ChatMessage) -> str:
    calls = "".join(f"{call.name}{json.dumps(call.arguments)}" for call in message.tool_calls)
    return f"\n{message.role}: {message.content}{calls}"


def _reused(earlier: Sequence[str], text: str) -> int:
    shared = int(max((_shared(other, text) for other in earlier), default=0) / CHARS_PER_TOKEN)
    return 0 if shared < CACHE_FROM_TOKENS else shared // CACHE_STEP_TOKENS * CACHE_STEP_TOKENS


def _shared(one: str, other: str) -> int:
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
