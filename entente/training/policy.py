"""A policy server: a language model, a scripted player or the scripted model, behind our wire and OpenAI's.

`/v1/completions` answers with `text` and with `choices[0].text` at once, so that clients of either shape read it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from time import time
from typing import Any, Literal, NamedTuple, Protocol
from uuid import uuid4

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field, JsonValue, ValidationError
from starlette.middleware import Middleware

from entente.errors import BadRequest, EntenteError, ModelError
from entente.local_only import LocalOnly
from entente.models.client import Connections, open_model
from entente.models.mock.replies import scripted_reply
from entente.models.mock.request import read_request
from entente.models.settings import ModelSettings
from entente.models.spec import ModelSpec
from entente.models.wire import ChatMessage, ModelRequest
from entente.players.model.seat import Said, call_of, exchange
from entente.players.model.tools import FINISH
from entente.players.protocol import Player
from entente.training.told import conversation, read_turn, wants_diary

MOST_BYTES = 8 * 2**20
"""Of a request's body: many times the longest prompt."""
SCRIPTED = "scripted"
"""The name of the policy that is no language model and answers at once."""


class CompletionRequest(BaseModel):
    """The requirement's request; fields that it does not name are passed over."""

    prompt: str
    model: str
    temperature: float = Field(default=0.0, ge=0, le=2)
    episode_id: str | None = None
    power: str | None = None
    metadata: dict[str, JsonValue] = Field(default_factory=dict)
    max_tokens: int | None = Field(default=None, ge=1)


class _Said(BaseModel):
    role: Literal["system", "user", "assistant"]
    content: str


class ChatRequest(BaseModel):
    """OpenAI's request, as far as it is read."""

    messages: list[_Said] = Field(min_length=1)
    model: str
    temperature: float = Field(default=0.0, ge=0, le=2)
    max_tokens: int | None = Field(default=None, ge=1)


class Reply(NamedTuple):
    """What a policy said."""

    text: str
    finish_reason: str = "stop"
    """As its provider says it: a reply that was cut off must not be learned from."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    version: str = ""
    """Which version of the policy said it; empty where nobody knows."""

    @property
    def usage(self) -> dict[str, JsonValue]:
        """The tokens, as OpenAI counts them; 0 where nobody did."""
        counts = {"prompt_tokens": self.prompt_tokens, "completion_tokens": self.completion_tokens}
        return {**counts, "total_tokens": sum(counts.values())}


class Policy(Protocol):
    """Whoever speaks behind the server."""

    async def say(
        self, messages: tuple[ChatMessage, ...], temperature: float, max_tokens: int | None, /
    ) -> Reply:
        """The reply; raises ModelError."""
        ...


class ScriptedPolicy:
    """The scripted model: the same prompt gives the same legal reply."""

    async def say(
        self, messages: tuple[ChatMessage, ...], _temperature: float, _max_tokens: int | None, /
    ) -> Reply:
        """The reply."""
        body = {
            "model": SCRIPTED,
            "messages": [each.model_dump(include={"role", "content"}) for each in conversation(messages)],
        }
        return Reply(scripted_reply(read_request(json.dumps(body).encode())).content or "")


@dataclass(frozen=True, slots=True)
class PlayerPolicy:
    """A scripted player, which knows what a prompt tells of its turn; what is no turn the scripted model answers."""

    player: Player

    async def say(
        self, messages: tuple[ChatMessage, ...], temperature: float, max_tokens: int | None, /
    ) -> Reply:
        """The reply: its actions as JSON. Raises NotAPrompt."""
        if wants_diary(messages):
            return await ScriptedPolicy().say(messages, temperature, max_tokens)
        bundle, is_open = read_turn(messages)
        turns = [bundle, replace(bundle, round=0)] if is_open else [bundle]
        actions = [action for turn in turns for action in (await self.player.take_turn(turn)).actions]
        finish = Said(FINISH["orders" if bundle.wants_orders else "talk"], {})
        (said,) = exchange([*map(call_of, actions), finish], tag="", calls_tools=False)
        return Reply(said.content)


@dataclass(frozen=True, slots=True)
class ModelPolicy:
    """A language model, reached as seats reach it."""

    spec: ModelSpec
    connections: Connections
    environ: Mapping[str, str]

    async def say(
        self, messages: tuple[ChatMessage, ...], temperature: float, max_tokens: int | None, /
    ) -> Reply:
        """The reply; raises ModelError."""
        settings = ModelSettings(temperature=temperature)
        model = open_model(self.spec, settings, self.connections, environ=self.environ, rng=Random())
        request = ModelRequest(messages=messages, purpose="check", max_output_tokens=max_tokens)
        reply = await model.complete(request)
        usage = reply.usage
        return Reply(
            reply.text, usage.finish_reason, usage.prompt_tokens, usage.completion_tokens, usage.version
        )


class DiplomacyPolicyHandler:
    """Answers the requests of policy clients."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def application(self) -> FastAPI:
        """The server's application, for programs of this machine alone."""
        app = FastAPI(middleware=[Middleware(LocalOnly)], docs_url=None, redoc_url=None, openapi_url=None)
        app.add_api_route("/v1/completions", self._completions, methods=["POST"])
        app.add_api_route("/v1/chat/completions", self._chat, methods=["POST"])
        return app

    async def handle_completion(self, request: CompletionRequest) -> dict[str, Any]:
        """The answer to one request, in both shapes; raises ModelError."""
        asked = (ChatMessage(role="user", content=request.prompt),)
        reply = await self._policy.say(asked, request.temperature, request.max_tokens)
        choice = {"index": 0, "text": reply.text, "finish_reason": reply.finish_reason}
        return {
            "object": "text_completion",
            "model": request.model,
            "text": reply.text,
            "choices": [choice],
            "usage": reply.usage,
            "system_fingerprint": reply.version or None,
        }

    async def handle_chat(self, request: ChatRequest) -> dict[str, Any]:
        """The answer to one request of OpenAI's wire; raises ModelError."""
        asked = tuple(ChatMessage(role=each.role, content=each.content) for each in request.messages)
        reply = await self._policy.say(asked, request.temperature, request.max_tokens)
        message = {"role": "assistant", "content": reply.text}
        choice = {"index": 0, "message": message, "finish_reason": reply.finish_reason}
        return {
            "id": f"chatcmpl-{uuid4().hex}",
            "object": "chat.completion",
            "created": int(time()),
            "model": request.model,
            "choices": [choice],
            "usage": reply.usage,
            "system_fingerprint": reply.version or None,
        }

    async def _completions(self, request: Request) -> JSONResponse:
        return await _answered(request, CompletionRequest, self.handle_completion)

    async def _chat(self, request: Request) -> JSONResponse:
        return await _answered(request, ChatRequest, self.handle_chat)


async def _answered(request: Request, form: Any, handle: Any) -> JSONResponse:
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_BYTES:
            return _refused(413, f"A body of {MOST_BYTES:,} bytes at most was wanted and a longer one came.")
    try:
        return JSONResponse(await handle(form.model_validate_json(bytes(body))))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the body"
        return _refused(400, f"{where}: {first['msg']}.")
    except BadRequest as error:
        return _refused(400, str(error))
    except ModelError as error:
        return _refused(503 if error.is_retryable else 502, str(error))
    except EntenteError as error:
        return _refused(500, str(error))


def _refused(status: int, why: str) -> JSONResponse:
    return JSONResponse({"error": {"message": f"{why} Nothing was said."}}, status)
