"""A language model behind its limits, budgets and retries.

Knows no provider: what is sent and read is `langchain.py`'s business, what an error means `failures.py`'s.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Protocol

from entente.errors import MissingKey, SettingsError
from entente.models.budget import Budget, hold_all
from entente.models.clock import Clock, SystemClock
from entente.models.deadline import Deadline, Patience, deadline
from entente.models.failures import Failure, failure_of, model_error
from entente.models.limits import Limits, Permit, Rates
from entente.models.pools import Pools
from entente.models.prices import Price, price_of
from entente.models.pulse import Pulse
from entente.models.retries import Retries
from entente.models.settings import ModelSettings
from entente.models.spec import PROVIDERS, ModelSpec, origin_of
from entente.models.tokens import Meter, letters_in
from entente.models.wire import AudibleModel, CallUsage, Completion, Hear, ModelReply, ModelRequest

if TYPE_CHECKING:
    import httpx2

    from entente.models.langchain import LangChainChat

_NO_KEY = "none"
"""Sent to an address of one's own that wants no key: the client insists on one."""


class Chat(Protocol):
    """A provider's model, asked once."""

    async def ask(
        self, request: ModelRequest, deadline: Deadline, caller: str, hear: Hear | None = None, /
    ) -> Completion:
        """What it said; raises whatever its client raises. `caller` names the call in traces."""
        ...


class Connections:
    """What the models of one process share: connections and limits for each provider address.

    An async context manager; its models end with it.
    """

    def __init__(self, clock: Clock | None = None) -> None:
        self.clock: Clock = clock or SystemClock()
        self.limits = Limits(self.clock)
        self._pools: dict[str, Pools] = {}
        self._chats: dict[tuple[ModelSpec, str, str], Chat] = {}
        self._pulses: dict[str, Pulse] = {}
        self._meters: dict[tuple[ModelSpec, bool], Meter] = {}
        self._open = AsyncExitStack()

    async def __aenter__(self) -> "Connections":
        return self

    async def __aexit__(self, *_: object) -> None:
        self._pools.clear()
        self._chats.clear()
        self._pulses.clear()
        await self._open.aclose()

    def chat(self, spec: ModelSpec, settings: ModelSettings, key: str) -> Chat:
        """The model behind its provider's client; one for all who ask it in the same way."""
        asked = (spec, settings.model_dump_json(), key)
        if asked not in self._chats:
            self._chats[asked] = self._open_chat(spec, settings, key)
        return self._chats[asked]

    def pulse(self, address: str) -> Pulse:
        """Whether the server at an address lives; one for all who call it."""
        if address not in self._pulses:
            self._pulses[address] = Pulse(address, self.pools(address), self.clock)
        return self._pulses[address]

    def meter(self, spec: ModelSpec, *, with_tools: bool) -> Meter:
        """What is known of a model's tokens; one for all who ask it."""
        return self._meters.setdefault((spec, with_tools), Meter(str(spec)))

    def pools(self, address: str) -> Pools:
        """The connections to an address, shared by all who call it."""
        if address not in self._pools:
            self._pools[address] = Pools(self._open_http)
        return self._pools[address]

    def _open_chat(self, spec: ModelSpec, settings: ModelSettings, key: str) -> Chat:
        def open_one(http: "httpx2.AsyncClient | None") -> "LangChainChat":
            # LangChain takes most of a second to load.
            from entente.models.langchain import open_chat

            chat = open_chat(spec, settings, key, http)
            self._open.push_async_callback(chat.aclose)
            return chat

        return _PooledChat(self.pools(spec.address), open_one) if spec.speaks_openai else open_one(None)

    def _open_http(self) -> "httpx2.AsyncClient":
        from entente.models.langchain import open_http

        client = open_http()
        self._open.push_async_callback(client.aclose)
        return client


class _PooledChat:
    """A model behind several pools of connections: its client takes one when it is made, so that each has its own."""

    def __init__(self, pools: Pools, open_one: "Callable[[httpx2.AsyncClient], Chat]") -> None:
        self._pools = pools
        self._open_one = open_one
        with pools.one() as http:  # now, so that settings which cannot be used are refused before a game
            self._chats = {http: open_one(http)}

    async def ask(
        self, request: ModelRequest, deadline: Deadline, caller: str, hear: Hear | None = None, /
    ) -> Completion:
        with self._pools.one() as http:
            if http not in self._chats:
                self._chats[http] = self._open_one(http)
            return await self._chats[http].ask(request, deadline, caller, hear)


def open_model(
    spec: ModelSpec,
    settings: ModelSettings,
    connections: Connections,
    *,
    environ: Mapping[str, str],
    rng: Random,
    budgets: Sequence[Budget] = (),
    caller: str = "",
) -> AudibleModel:
    """The model, ready to be asked; nothing is sent yet.

    `environ` is where the key is looked up by its variable's name. `budgets` are what each call is
    held against, usually the game's and the seat's, already charged with what was spent before.
    `caller` is whose calls they are, as traces name them: a power.
    Raises SettingsError, MissingKey among them.
    """
    placed = placed_at(spec, settings)
    key = key_for(placed, settings, environ)
    chat = connections.chat(placed, settings, key)
    return ChatModel(placed, chat, settings, connections, rng=rng, budgets=budgets, key=key, caller=caller)


class ChatModel:
    """A model that keeps its limits and budgets and tries again where that helps; `open_model` makes one.

    `chat` is asked as `settings` say, within the limits of the address in `spec`; nothing of `key` is ever repeated.
    Raises SettingsError for a budget in dollars where the model's price is not known.
    """

    def __init__(
        self,
        spec: ModelSpec,
        chat: Chat,
        settings: ModelSettings,
        connections: Connections,
        *,
        rng: Random,
        budgets: Sequence[Budget] = (),
        key: str = _NO_KEY,
        caller: str = "",
    ) -> None:
        self.spec = spec
        self._chat = chat
        self._settings = settings
        self._retries = Retries.of(settings)
        self._limiter = connections.limits.at(spec.address, Rates.of(settings))
        self._budgets = tuple(budgets)
        self._price = price_of(spec)
        self._clock = connections.clock
        self._pulse = connections.pulse(spec.address)
        self._meter = partial(connections.meter, spec)
        self._rng = rng
        self._key = key
        self._caller = caller
        for budget in self._budgets:
            _check_priced(spec, self._price, budget)

    def __repr__(self) -> str:
        return f"ChatModel({self.spec})"

    async def complete(self, request: ModelRequest, /, hear: Hear | None = None) -> ModelReply:
        """One reply; raises ModelError for a provider that fails, and BudgetExceeded before a call is made.

        Whoever hears is told the pieces of a streamed reply; nothing is tried again after the first one.
        """
        letters = letters_in(request)
        meter = self._meter(with_tools=bool(request.tools))
        prompt_tokens = meter.tokens(letters)
        tokens = prompt_tokens + (request.max_output_tokens or 0)
        # Held at the highest price that it may have: all of the prompt is new, and put into the cache.
        cost = self._cost_usd(prompt_tokens, 0, request.max_output_tokens or 0, prompt_tokens)
        with hold_all(self._budgets, tokens, cost):
            answered = await self._try_until_answered(request, tokens, hear and _Listener(hear))
            reply = self._reply(request, letters, answered)
            counted = reply.usage.prompt_tokens
            if meter.is_cut(letters, counted):
                reply = reply.model_copy(update={"cut": _cut(letters, counted)})
        for budget in self._budgets:
            budget.charge(reply.usage)
        return reply

    async def _try_until_answered(
        self, request: ModelRequest, tokens: int, listener: "_Listener | None"
    ) -> "_Answered":
        attempts, spent_seconds, failing_seconds = 0, 0.0, 0.0
        while True:
            attempts += 1
            async with self._limiter.permit(tokens) as permit:
                began = self._clock.now()
                outcome = await self._attempt(request, permit, listener)
                seconds = self._clock.now() - began
            if isinstance(outcome, Completion):
                return _Answered(outcome, attempts, spent_seconds + seconds)
            # A long attempt at a living server says no more against it than a short one.
            failing_seconds += min(seconds, self._settings.silent_seconds)
            pause = self._retries.pause_seconds(outcome, attempts, failing_seconds, self._rng)
            if pause is None or (listener and listener.has_heard):
                raise model_error(outcome, model=str(self.spec), attempts=attempts)
            spent_seconds += seconds + pause
            failing_seconds += pause
            await self._clock.sleep(pause)

    async def _attempt(
        self, request: ModelRequest, permit: Permit, hear: Hear | None
    ) -> Completion | Failure:
        """One try; a failure is a value, so that no error of ours carries the provider's, request and key in it."""
        settings = self._settings
        patience = Patience(settings.attempt_seconds, settings.first_token_seconds, settings.silent_seconds)
        is_alive = partial(self._pulse.is_felt, settings.silent_seconds / 4)
        try:
            async with deadline(self._clock, patience, is_alive) as ends:
                completion = await self._chat.ask(request, ends, self._caller, hear)
        except Exception as error:
            if failure := failure_of(error, None if self._key == _NO_KEY else self._key):
                return failure
            raise
        permit.used(completion.prompt_tokens + completion.completion_tokens)
        return replace(completion, first_token_seconds=ends.first_token_seconds)

    def _reply(self, request: ModelRequest, letters: int, answered: "_Answered") -> ModelReply:
        completion = answered.completion
        cost = self._cost_usd(
            completion.prompt_tokens,
            completion.cached_tokens,
            completion.completion_tokens,
            completion.written_tokens,
        )
        usage = CallUsage(
            purpose=request.purpose,
            model=self.spec.model,
            provider=self.spec.provider_name,
            latency_seconds=answered.seconds,
            prompt_tokens=completion.prompt_tokens,
            cached_tokens=completion.cached_tokens,
            written_tokens=completion.written_tokens,
            completion_tokens=completion.completion_tokens,
            cost_usd=cost or None,  # a provider that reports no tokens has not said what the call costs
            attempts=answered.attempts,
            reasoning_tokens=completion.reasoning_tokens,
            finish_reason=completion.finish_reason,
            version=completion.version,
            prompt_letters=letters,
        )
        return ModelReply(
            text=completion.text,
            tool_calls=completion.calls,
            usage=usage,
            reasoning=completion.reasoning,
            first_token_seconds=completion.first_token_seconds,
            tokens=completion.tokens,
        )

    def _cost_usd(self, prompt: int, cached: int, completion: int, written: int) -> float | None:
        return self._price and self._price.cost_usd(prompt, cached, completion, written)


def _cut(letters: int, counted: int) -> str:
    return (
        f"The server counted {counted:,} tokens in a prompt of {letters:,} letters: it has read a part of it at the "
        "most. Give it more context (docs/models.md)."
    )


class _Listener:
    """Whoever hears a reply, and whether anything was heard of it."""

    def __init__(self, hear: Hear) -> None:
        self._hear = hear
        self.has_heard = False

    def __call__(self, piece: str) -> None:
        self.has_heard = True
        self._hear(piece)


@dataclass(frozen=True, slots=True)
class _Answered:
    completion: Completion
    attempts: int
    seconds: float
    """From the first attempt, pauses and all, without the time spent waiting for a limit."""


def placed_at(spec: ModelSpec, settings: ModelSettings) -> ModelSpec:
    """The spec at the settings' address, unless it has its own."""
    if spec.base_url is not None or settings.base_url is None:
        return spec
    return ModelSpec.parse(f"{spec}@{settings.base_url}")


def _check_priced(spec: ModelSpec, price: Price | None, budget: Budget) -> None:
    if budget.limit_usd is not None and price is None:
        raise SettingsError(
            f"A budget in dollars was wanted for {budget.name} and the price of {spec} is not known; "
            "give a budget in tokens. No model was opened."
        )


def key_for(spec: ModelSpec, settings: ModelSettings, environ: Mapping[str, str]) -> str:
    """The key in the named variable; an address is not sent a key that was not given for it."""
    customary = PROVIDERS[spec.provider].key_variable
    name, _, address = (settings.key_variable or "").partition("@")
    is_for_it = not address or origin_of(address) == origin_of(spec.address)
    variable = (name if is_for_it else "") or (customary if spec.base_url is None else None)
    if variable is None:
        return _NO_KEY
    if key := environ.get(variable, "").strip():
        return key
    raise MissingKey(
        f"A key for {spec} was wanted in the environment variable {variable}, which is not set; nothing was sent. "
        "Set it, or name another variable with --model-setting key_variable=NAME."
    )
