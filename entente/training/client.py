"""A seat whose words come from a policy server: each call is a `POST {url}/v1/completions`.

The context of a client, which game and whose seat, never changes: seven seats on one model are seven clients.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from time import monotonic
from typing import Any, NamedTuple, cast

import httpx2
from pydantic import JsonValue

from entente.board.types import Power
from entente.errors import ModelError, ModelTimeout, ProviderRejected, ProviderUnavailable, UnreadableReply
from entente.models.client import Connections
from entente.models.wire import CallUsage, ChatMessage, ModelReply, ModelRequest, Purpose, ReplyTokens
from entente.plain import storable
from entente.players.model.player import ModelPlayer
from entente.players.model.seat import Seat
from entente.players.protocol import Player
from entente.players.seating import Chair, PlayerFactory

_TASKS: Mapping[Purpose, str] = {"orders": "orders", "talk": "negotiation", "diary": "planning"}
"""What the wire calls a stage of play; all others are `general`."""
_ATTEMPTS = 3
_PAUSE_SECONDS = 0.2
"""Before the second attempt; twice as long before the third."""


class Place(NamedTuple):
    """Where a client belongs."""

    episode_id: str
    power: Power


class PolicyServer(NamedTuple):
    """Where a policy is asked, and how."""

    url: str
    """Without `/v1`."""
    timeout_seconds: float = 30.0
    temperature: float = 0.0


@dataclass(frozen=True, slots=True)
class AtroposClient:
    """A language model behind a policy server: `entente.models.wire.Model`."""

    server: PolicyServer
    model: str
    place: Place
    http: httpx2.AsyncClient

    async def complete(self, request: ModelRequest, /) -> ModelReply:
        """One reply; raises ModelError when the server gives none in three attempts."""
        began = monotonic()
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                body = await self._post(request)
                return self._reply(request, body, monotonic() - began, attempt)
            except ModelError as error:
                if not error.is_retryable or attempt == _ATTEMPTS:
                    raise
                await asyncio.sleep(_PAUSE_SECONDS * attempt)
        raise AssertionError("the last attempt returns or raises")

    async def _post(self, request: ModelRequest) -> Mapping[str, Any]:
        wanted = (
            f"A reply of the policy {self.model} for {self.place.power} in {self.place.episode_id} was wanted"
        )
        try:
            answer = await self.http.post(
                f"{self.server.url.rstrip('/')}/v1/completions",
                json=self._asked(request),
                timeout=self.server.timeout_seconds,
            )
        except httpx2.TimeoutException as error:
            raise ModelTimeout(f"{wanted} and none came in {self.server.timeout_seconds:g} s.") from error
        except httpx2.HTTPError as error:
            raise ProviderUnavailable(f"{wanted} and its server cannot be reached ({error}).") from error
        if not answer.is_success:
            failed = f"{wanted} and its server answered {answer.status_code}."
            error = ProviderUnavailable if answer.is_server_error else ProviderRejected
            raise error(failed, status=answer.status_code)
        try:
            body = answer.json()
        except ValueError as error:
            raise UnreadableReply(f"{wanted} and what came is no JSON.") from error
        if not isinstance(body, dict):
            raise UnreadableReply(f"{wanted} and what came is no object of JSON.")
        return cast("Mapping[str, Any]", body)

    def _asked(self, request: ModelRequest) -> dict[str, JsonValue]:
        return {
            "prompt": prompt_text(request.messages),
            "model": self.model,
            "temperature": self.server.temperature,
            "episode_id": self.place.episode_id,
            "power": self.place.power,
            "metadata": {
                "task_type": _TASKS.get(request.purpose, "general"),
                "inject_random_seed": True,
            },
        }

    def _reply(
        self, request: ModelRequest, body: Mapping[str, Any], seconds: float, attempts: int
    ) -> ModelReply:
        choice = _first(body)
        text = body.get("text", choice.get("text"))
        if not isinstance(text, str):
            raise UnreadableReply(
                f"A reply with `text` or `choices[0].text` was wanted of the policy {self.model}."
            )
        usage = cast("Mapping[str, Any]", body.get("usage") or {})
        return ModelReply(
            text=storable(text),
            tool_calls=(),
            tokens=_tokens(choice),
            usage=CallUsage(
                purpose=request.purpose,
                model=self.model,
                provider="policy",
                latency_seconds=seconds,
                prompt_tokens=int(usage.get("prompt_tokens") or 0),
                cached_tokens=0,
                completion_tokens=int(usage.get("completion_tokens") or 0),
                cost_usd=None,
                attempts=attempts,
                finish_reason=str(choice.get("finish_reason") or ""),
            ),
        )


@dataclass(frozen=True, slots=True)
class PolicySeats:
    """Fills seats: those of a policy's model with a client of their own, all others as they can be seated anywhere."""

    server: PolicyServer
    models: frozenset[str]
    """What the policy server has, as seats name it."""
    connections: Connections
    others: PlayerFactory

    def __call__(self, chair: Chair) -> Player:
        """The player; raises SettingsError."""
        if chair.player not in self.models:
            return self.others(chair)
        http = self.connections.http(self.server.url)
        client = AtroposClient(self.server, chair.player, Place(chair.game, chair.power), http)
        settings = chair.settings.model_copy(
            update={"actions": "json", "temperature": self.server.temperature}
        )
        return ModelPlayer(client, Seat.of(settings, chair.prompts, chair.player), chair.replies)


def prompt_text(messages: Sequence[ChatMessage]) -> str:
    """A conversation as one text, in ChatML, open for the reply; nothing in a message can end it."""
    said = (f"<|im_start|>{each.role}\n{_harmless(each.content)}<|im_end|>\n" for each in messages)
    return "".join((*said, "<|im_start|>assistant\n"))


def _harmless(text: str) -> str:
    return text.replace("<|", "< |")


def _first(body: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = body.get("choices")
    first: object = cast("list[Any]", choices)[0] if isinstance(choices, list) and choices else None
    return cast("Mapping[str, Any]", first) if isinstance(first, dict) else {}


def _tokens(choice: Mapping[str, Any]) -> ReplyTokens | None:
    """The tokens as vLLM gives them (`return_token_ids`, `logprobs`); None where they are none."""
    logprobs = choice.get("logprobs")
    try:
        tokens = ReplyTokens(
            ids=choice.get("token_ids") or (),
            logprobs=cast("Mapping[str, Any]", logprobs or {}).get("token_logprobs") or (),
            prompt_ids=choice.get("prompt_token_ids") or (),
        )
    except (ValueError, AttributeError):
        return None
    return tokens if (tokens.ids or tokens.logprobs) and all(map(isfinite, tokens.logprobs)) else None
