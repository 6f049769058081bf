"""A prompt as it was sent, as a chain of its parts, so that what calls have in common is kept once.

The first part is what was offered (tools, the schema of the reply), each other one a message. A part's digest is that
of its text and of the part before, so that the last one's stands for the whole prompt.
"""

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import NamedTuple

from pydantic import JsonValue

from entente.models.settings import ModelSettings
from entente.models.wire import ChatMessage, ModelRequest, PromptPart, Tool

_SAMPLING = {"temperature", "reasoning_effort", "verbosity"}


class SentPrompt(NamedTuple):
    """A prompt as it was sent."""

    messages: tuple[ChatMessage, ...]
    tools: tuple[Tool, ...]
    reply_schema: dict[str, JsonValue] | None
    """What the server was to hold the reply's text to."""
    parts: tuple[str, ...]
    """The digests of the parts, in order, the offered one first."""


def parts_of(request: ModelRequest) -> tuple[PromptPart, ...]:
    """The parts of the request's prompt, in order; there is at least one."""
    offered = {"tools": [tool.model_dump() for tool in request.tools], "reply_schema": request.reply_schema}
    bodies = [
        json.dumps(offered, ensure_ascii=False),
        *(message.model_dump_json(exclude_defaults=True) for message in request.messages),
    ]
    parts: list[PromptPart] = []
    before: str | None = None
    for body in bodies:
        parts.append(part := PromptPart(part_digest(before, body), before, body))
        before = part.digest
    return tuple(parts)


def chain_at(parts: Mapping[str, PromptPart], head: str) -> tuple[PromptPart, ...]:
    """The parts up to the one of this digest, in order; raises KeyError where a part is missing, or comes twice."""
    left, found = dict(parts), list[PromptPart]()
    at: str | None = head
    while at is not None:
        found.append(part := left.pop(at))
        at = part.parent
    return tuple(reversed(found))


def prompt_at(parts: Mapping[str, PromptPart], head: str) -> SentPrompt:
    """The prompt whose last part has this digest; raises KeyError as `chain_at` does."""
    first, *rest = chain_at(parts, head)
    offered = json.loads(first.body)
    return SentPrompt(
        tuple(ChatMessage.model_validate_json(part.body) for part in rest),
        tuple(map(Tool.model_validate, offered["tools"])),
        offered["reply_schema"],
        tuple(part.digest for part in (first, *rest)),
    )


def sampling_of(settings: ModelSettings, request: ModelRequest) -> dict[str, JsonValue]:
    """The settings that decide what the model says, of those that are sent."""
    named = settings.model_dump(include=_SAMPLING, exclude_none=True)
    limit = {"max_output_tokens": request.max_output_tokens} if request.max_output_tokens else {}
    return {**settings.extra_body, **named, **limit}


def part_digest(before: str | None, body: str) -> str:
    """The digest of a part with this text, behind the part with that digest."""
    return blake2b(f"{before or ''}\n{body}".encode(), digest_size=16).hexdigest()
