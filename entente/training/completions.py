"""A seat whose words come from a policy server: each call is a `POST {url}/v1/completions`.

The context of a client, which game and whose seat, never changes: seven seats on one model are seven clients. Limits,
budgets, retries and signs of life are those of every other model (`entente/models/client.py`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, cast

import httpx2
from pydantic import JsonValue

from entente.board.types import Power
from entente.errors import UnreadableReply
from entente.models.client import Chat, ChatModel, Connections
from entente.models.deadline import Deadline
from entente.models.pools import Pools
from entente.models.reply_facts import short_text, token_count
from entente.models.spec import ModelSpec
from entente.models.wire import ChatMessage, Completion, Hear, ModelRequest, Purpose, ReplyTokens
from entente.plain import storable
from entente.players.model.player import ModelPlayer
from entente.players.model.seat import Seat
from entente.players.model.settings import SeatSettings
from entente.players.protocol import Player
from entente.players.seating import Chair, PlayerFactory

_TASKS: Mapping[Purpose, str] = {"orders": "orders", "talk": "negotiation", "diary": "planning"}
"""What the wire calls a stage of play; all others are `general`."""


POLICY = "policy"
"""The provider of a policy server's models; of a call it is `policy@HOST:PORT`."""


class Place(NamedTuple):
    """Where a client belongs."""

    episode_id: str
    power: Power


class PolicyServer(NamedTuple):
    """Where a policy is asked, and how."""

    url: str
    """Without `/v1`."""
    timeout_seconds: float = 30.0
    """For one attempt."""
    temperature: float = 0.0
    concurrency: int = 16
    """Calls at once, of all games of the process."""
    extra_body: Mapping[str, JsonValue] = MappingProxyType({})
    """More fields of each request, such as those by which vLLM is asked for tokens."""

    def spec(self, model: str) -> ModelSpec:
        """A model of the server's, as calls and errors name it."""
        return ModelSpec(POLICY, model, f"{self.url.rstrip('/')}/v1")

    def over(self, settings: SeatSettings) -> SeatSettings:
        """A seat's settings as the server wants them: it is asked for JSON, since it knows no tools."""
        return settings.model_copy(
            update={
                "actions": "json",
                "temperature": self.temperature,
                "attempt_seconds": self.timeout_seconds,
                "concurrency": self.concurrency,
                "extra_body": dict(self.extra_body),
            }
        )


@dataclass(frozen=True, slots=True)
class AtroposClient:
    """A policy server's model, asked once for one seat: `entente.models.client.Chat`."""

    spec: ModelSpec
    place: Place
    settings: SeatSettings
    pools: Pools
    version: str = ""
    """Of the policy, where its server says none."""

    async def ask(
        self, request: ModelRequest, _deadline: Deadline, _caller: str, _hear: Hear | None = None, /
    ) -> Completion:
        """The reply; raises UnreadableReply, and what httpx2 raises. The deadline ends it from outside."""
        url, body = f"{self.spec.address}/completions", self._asked(request)
        with self.pools.one() as http:
            said = await completion_at(http, url, body, self.settings.connect_seconds)
        return said if said.version else replace(said, version=self.version)

    def _asked(self, request: ModelRequest) -> dict[str, JsonValue]:
        return {
            **self.settings.extra_body,
            "prompt": prompt_text(request.messages),
            "model": self.spec.model,
            "temperature": self.settings.temperature,
            "episode_id": self.place.episode_id,
            "power": self.place.power,
            "metadata": {
                "task_type": _TASKS.get(request.purpose, "general"),
                "inject_random_seed": True,
            },
        }


OpenChat: TypeAlias = Callable[[ModelSpec, Place, SeatSettings, Pools], Chat]
"""How the policy is asked for one seat."""


@dataclass(frozen=True, slots=True)
class PolicySeats:
    """Fills seats: those of a policy's model with a client of their own, all others as they can be seated anywhere."""

    server: PolicyServer
    models: frozenset[str]
    """What the policy server has, as seats name it."""
    connections: Connections
    others: PlayerFactory
    open_chat: OpenChat = AtroposClient
    _rng: Random = field(default_factory=Random)
    """Jitter between retries: it decides nothing in a game."""

    def __call__(self, chair: Chair) -> Player:
        """The player; raises SettingsError."""
        if chair.player not in self.models:
            return self.others(chair)
        settings, spec = self.server.over(chair.settings), self.server.spec(chair.player)
        client = self.open_chat(
            spec, Place(chair.game, chair.power), settings, self.connections.pools(spec.address)
        )
        model = ChatModel(
            spec,
            client,
            settings,
            self.connections,
            rng=self._rng,
            budgets=chair.budgets,
            caller=chair.power,
        )
        return ModelPlayer(model, Seat.of(settings, chair.prompts, chair.player), chair.replies)


async def completion_at(
    http: httpx2.AsyncClient,
    url: str,
    body: Mapping[str, JsonValue],
    connect_seconds: float,
    headers: Mapping[str, str] = MappingProxyType({}),
) -> Completion:
    """What a server answers to the request; raises UnreadableReply, and what httpx2 raises."""
    timeout = httpx2.Timeout(None, connect=connect_seconds)
    answer = await http.post(url, json=dict(body), headers=dict(headers), timeout=timeout)
    told = answer.raise_for_status().json()
    if not isinstance(told, dict):
        raise UnreadableReply("an object of JSON was wanted and something else came")
    return _completion(cast("Mapping[str, Any]", told))


def prompt_text(messages: Sequence[ChatMessage]) -> str:
    """A conversation as one text, in ChatML, open for the reply; nothing in a message can end it."""
    said = (f"<|im_start|>{each.role}\n{_harmless(each.content)}<|im_end|>\n" for each in messages)
    return "".join((*said, "<|im_start|>assistant\n"))


def _harmless(text: str) -> str:
    return text.replace("<|", "< |")


def _completion(body: Mapping[str, Any]) -> Completion:
    """An answer in any shape: `text`, or OpenAI's `choices` of either wire."""
    choice = _first(body)
    message = _object(choice.get("message"))
    text = body.get("text", choice.get("text", message.get("content")))
    if not isinstance(text, str):
        raise UnreadableReply("`text`, or that of `choices[0]`, was wanted and none came")
    usage = _object(body.get("usage"))
    return Completion(
        text=storable(text),
        calls=(),
        finish_reason=short_text(choice.get("finish_reason")),
        prompt_tokens=token_count(usage.get("prompt_tokens")),
        completion_tokens=token_count(usage.get("completion_tokens")),
        tokens=_tokens(choice),
        version=short_text(body.get("policy_version") or body.get("system_fingerprint")),
    )


def _first(body: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = body.get("choices")
    return _object(cast("list[Any]", choices)[0]) if isinstance(choices, list) and choices else {}


def _object(told: object) -> Mapping[str, Any]:
    """An object of JSON; an empty one for what is none."""
    return cast("Mapping[str, Any]", told) if isinstance(told, dict) else {}


def _tokens(choice: Mapping[str, Any]) -> ReplyTokens | None:
    """The tokens as vLLM gives them (`return_token_ids`, `logprobs`); None where they are none."""
    logprobs = choice.get("logprobs")
    try:
        tokens = ReplyTokens(
            ids=choice.get("token_ids") or (),
            logprobs=cast("Mapping[str, Any]", logprobs or {}).get("token_logprobs") or (),
            prompt_ids=choice.get("prompt_token_ids") or (),
        )
    except (ValueError, AttributeError, OverflowError):
        return None
    return tokens if (tokens.ids or tokens.logprobs) and all(map(isfinite, tokens.logprobs)) else None
