"""A chat completion request as a scripted model reads it."""

import json
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any

from pydantic import JsonValue, TypeAdapter, ValidationError

from entente.errors import NotARequest

_BODY = TypeAdapter(dict[str, JsonValue])


@dataclass(frozen=True)
class ChatRequest:
    """One request: what was asked of which model."""

    model: str
    messages: tuple[dict[str, Any], ...]
    tools: tuple[dict[str, Any], ...]
    """The functions that are offered, as the wire has them: name, description, parameters."""
    is_stream: bool
    wants_usage: bool
    schema: dict[str, Any] | None = None
    """What the reply's text is to be held to."""

    @cached_property
    def prompt(self) -> str:
        """All that the model is given to read, tools first, as a provider lays it out."""
        return "\n".join([*map(_dense, self.tools), *map(_dense, self.messages)])

    @cached_property
    def digest(self) -> bytes:
        """The same for the same prompt to the same model, streamed or not."""
        return blake2b(f"{self.model}\n{self.prompt}".encode(), digest_size=16).digest()

    @property
    def task(self) -> str:
        """The last words of the user."""
        said = [_text(message.get("content")) for message in self.messages if message.get("role") == "user"]
        return said[-1] if said else ""

    @cached_property
    def texts(self) -> list[str]:
        """The words of every message, in order."""
        return [_text(message.get("content")) for message in self.messages]

    @cached_property
    def given(self) -> list[str]:
        """The words that the model was given, without its own."""
        return [_text(each.get("content")) for each in self.messages if each.get("role") != "assistant"]

    @property
    def tool_names(self) -> list[str]:
        """The names of the tools that are offered."""
        return [str(tool.get("name")) for tool in self.tools]


def read_request(raw: bytes) -> ChatRequest:
    """The request in a body; raises NotARequest with the reason."""
    try:
        body: dict[str, Any] = _BODY.validate_json(raw)
        options: dict[str, Any] = body.get("stream_options") or {}
        return ChatRequest(
            model=str(body["model"]),
            messages=tuple(dict(message) for message in body["messages"]),
            tools=tuple(dict(tool["function"]) for tool in body.get("tools") or ()),
            is_stream=bool(body.get("stream")),
            wants_usage=bool(options.get("include_usage")),
            schema=_schema(body.get("response_format") or {}),
        )
    except (ValidationError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotARequest(f"This is no chat completion request: {error!r}") from error


def _schema(form: dict[str, Any]) -> dict[str, Any] | None:
    return dict(form["json_schema"]["schema"]) if form.get("type") == "json_schema" else None


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts: list[Any] = content or []
    return "\n".join(str(part.get("text", "")) for part in parts)


_dense = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode
