"""The only module that knows LangChain: one chat model a provider, asked through its public methods.

Calls run in the context that LangGraph sets around a node, so that its streams, callbacks and traces see them.
Imported when the first model is opened, because LangChain takes most of a second to load.
"""

import json
import logging
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from importlib import import_module
from math import isfinite
from typing import Any, cast

import httpx2
from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    InvalidToolCall,
    SystemMessage,
    ToolCallChunk,
    ToolMessage,
)
from langchain_core.messages import ToolCall as GoodToolCall
from langchain_core.messages.ai import InputTokenDetails, OutputTokenDetails, UsageMetadata
from langchain_core.outputs import ChatGeneration, LLMResult
from langchain_core.runnables import RunnableConfig
from langchain_openai import ChatOpenAI
from pydantic import JsonValue, ValidationError

from entente.errors import SettingsError, UnreadableReply
from entente.models.answer_size import UNPACKED, bound
from entente.models.certificates import trusted
from entente.models.deadline import Deadline
from entente.models.redirections import Redirections
from entente.models.reply_facts import short_text, token_count
from entente.models.settings import ModelSettings
from entente.models.spec import PROVIDERS, ModelSpec, origin_of
from entente.models.wire import ChatMessage, Completion, Hear, ModelRequest, ReplyTokens, Tool, ToolCall
from entente.plain import is_plain, map_texts, storable

_LIMITS = {
    "openai": "max_completion_tokens",
    "anthropic": "max_tokens",
    "google_genai": "max_output_tokens",
    "deepseek": "max_tokens",
}
"""What each provider's client calls the most that a reply may hold."""
_PASSED_ON = ("temperature", "reasoning_effort", "verbosity")
"""Settings that the clients know under the same names."""
_HEADERS = {
    "openai": "default_headers",
    "anthropic": "default_headers",
    "google_genai": "additional_headers",
    "deepseek": "default_headers",
}
_NOT_OF = {"anthropic": ("verbosity",), "google_genai": ("verbosity", "extra_body")}
"""Settings that a provider's client does not know."""
_CONNECTIONS: dict[str, dict[str, Any]] = {
    "google_genai": {
        "client_args": {
            "follow_redirects": False,  # as httpx calls it
            "allow_redirects": False,  # as aiohttp does
            "event_hooks": {"response": [bound]},
        }
    },
}
"""A redirection would take a prompt to another host, and an answer may have no end. Anthropic's client cannot be told
so by its public interface: see `Redirections`."""
_UNPACKED = {"google_genai": UNPACKED}
"""Headers of each request, where no client of ours sends them."""
_CACHE = {"anthropic": {"type": "ephemeral"}}
"""How a provider is told to cache prompts that does so only when told: to the end of the system message, which a seat's
calls of all phases have in common, and to the end of the conversation, from which the phase's next call goes on."""
_WRITTEN = ("cache_creation", "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens")
"""Under which names LangChain counts what was put into a cache; never twice."""


_TOKEN_ID = "token_id:"  # noqa: S105 - a token of a model's
"""What vLLM writes in place of a token's text when it is asked to (`return_tokens_as_token_ids`)."""
_MOST_BEGUN = 200
"""Calls of a stream that LangChain is left to put together: it holds each of their pieces against all others."""
_MAX_DEPTH = 32
_MAX_RAW = 10_000
"""Characters that are kept of arguments which cannot be read."""


class LangChainChat:
    """A provider's model, whole replies or streamed ones."""

    def __init__(
        self,
        chat: BaseChatModel,
        spec: ModelSpec,
        extra_body: Mapping[str, JsonValue] | None = None,
        redirections: Redirections | None = None,
    ) -> None:
        self._chat = chat
        self._spec = spec
        self._extra_body = dict(extra_body or {})
        self._cache = _CACHE.get(spec.provider)
        self._redirections = redirections

    async def ask(
        self, request: ModelRequest, deadline: Deadline, caller: str, hear: Hear | None = None
    ) -> Completion:
        """One attempt; raises what LangChain and the provider's client raise."""
        if self._redirections:
            await self._redirections.check()
        messages = [_message(message, self._cache) for message in request.messages]
        chat = self._chat.bind_tools([_tool(tool) for tool in request.tools]) if request.tools else self._chat
        parts = chat.astream(messages, _traced_as(request, caller), **self._options(request))
        try:
            return _completion([part async for part in _noticed(parts, deadline, hear)])
        except ValidationError as error:
            if not _is_the_models(error):
                raise
            # There is no form for some replies, such as tool arguments that are a list; they are paid for.
            return Completion(text="", calls=(), finish_reason="malformed")

    async def aclose(self) -> None:
        """End its connections; Anthropic's client shares them in the whole process and never does."""
        if close := getattr(self._chat, "aclose", None):
            await close()

    def _options(self, request: ModelRequest) -> dict[str, Any]:
        options: dict[str, Any] = {"cache_control": self._cache} if self._cache else {}
        body = dict(self._extra_body)
        if request.max_output_tokens is not None:
            if self._spec.base_url is None:
                options[_LIMITS[self._spec.provider]] = request.max_output_tokens
            else:  # servers of one's own know the older name only, which ChatOpenAI would change
                body["max_tokens"] = request.max_output_tokens
        if request.reply_schema is not None:
            # In the body: as an argument it makes OpenAI's client raise for a reply that is cut off.
            body["response_format"] = {"type": "json_schema", "json_schema": _named(request.reply_schema)}
        return options | ({"extra_body": body} if body else {})


def open_chat(
    spec: ModelSpec, settings: ModelSettings, key: str, http: httpx2.AsyncClient | None
) -> LangChainChat:
    """The model; `http` is for OpenAI's wire alone. Raises SettingsError when its package is not installed."""
    _hush_clients()
    # A callback that streams tokens must not change how the provider is asked.
    options: dict[str, Any] = {"max_retries": 0, "disable_streaming": settings.first_token_seconds is None}
    options |= {name: value for name in _PASSED_ON if (value := getattr(settings, name)) is not None}
    if headers := {**_UNPACKED.get(spec.provider, {}), **settings.extra_headers}:
        options[_HEADERS[spec.provider]] = headers
    if not spec.speaks_openai:
        _check_is_known(spec, settings)
        chat = _open_other(spec, settings, key, options)
        return LangChainChat(chat, spec, settings.extra_body, _redirections_of(spec, chat))
    options |= {
        "model": spec.model,
        "base_url": spec.address,
        "timeout": httpx2.Timeout(None, connect=settings.connect_seconds),
        "stream_chunk_timeout": None,  # the attempt's own deadline ends it
        "stream_usage": True,
        "http_async_client": http,
        # Both exclude a client of one's own, which reads HTTPS_PROXY by itself.
        "http_socket_options": (),
        "openai_proxy": None,
        "cache": False,
    }
    if spec.provider == "deepseek":
        chat = _open_deepseek(spec, api_key=key, **options)
    else:
        is_own = spec.base_url is not None
        chat = ChatOpenAI(api_key=_handed_over(key), use_responses_api=False if is_own else None, **options)
    return LangChainChat(chat, spec, settings.extra_body)


class _Feedback(AsyncCallbackHandler):
    """Puts beside a reply what Google says of its prompt, which its client does by itself in a stream alone."""

    async def on_llm_end(self, response: LLMResult, **_: Any) -> None:
        generation = response.generations[0][0]
        feedback = (response.llm_output or {}).get("prompt_feedback")
        if feedback and isinstance(generation, ChatGeneration):
            generation.message.response_metadata["prompt_feedback"] = feedback


def _hush_clients() -> None:
    """Clients repeat a server's odd words in warnings, which reach a terminal as they came; the reply is told of."""
    warnings.filterwarnings("ignore", "Pydantic serializer warnings", UserWarning)
    warnings.filterwarnings("ignore", category=UserWarning, module=r"google\.genai|langchain_google_genai")
    logging.getLogger("langchain_google_genai").setLevel(logging.ERROR)


def open_http() -> httpx2.AsyncClient:
    """A pool of connections to one address, through a proxy where the environment names one."""
    # How many calls are made at once is decided by the address's limits.
    limits = httpx2.Limits(max_connections=None, max_keepalive_connections=None)
    return httpx2.AsyncClient(
        verify=trusted(), limits=limits, headers=UNPACKED, event_hooks={"response": [bound]}
    )


def _open_deepseek(spec: ModelSpec, **options: Any) -> BaseChatModel:
    try:
        return cast("Callable[..., BaseChatModel]", import_module("langchain_deepseek").ChatDeepSeek)(
            **options
        )
    except ImportError:
        raise _not_installed(spec) from None


def _not_installed(spec: ModelSpec) -> SettingsError:
    return SettingsError(
        f"The model {spec} was wanted and its client is not installed; "
        f"install entente[{PROVIDERS[spec.provider].extra}]. No model was opened."
    )


def _open_other(
    spec: ModelSpec, settings: ModelSettings, key: str, options: Mapping[str, Any]
) -> BaseChatModel:
    try:
        init_chat_model = cast(
            "Callable[..., BaseChatModel]", import_module("langchain.chat_models").init_chat_model
        )
        return init_chat_model(
            spec.model,
            model_provider=spec.provider,
            api_key=key,
            timeout=settings.attempt_seconds,
            callbacks=[_Feedback()],
            **_CONNECTIONS.get(spec.provider, {}),
            **options,
        )
    except ImportError:
        raise _not_installed(spec) from None


def _redirections_of(spec: ModelSpec, chat: Any) -> Redirections | None:
    """What is asked before the first prompt, where `ANTHROPIC_BASE_URL` names another address than Anthropic's own."""
    if spec.provider != "anthropic" or origin_of(chat.anthropic_api_url) == origin_of(spec.address):
        return None
    return Redirections(f"{chat.anthropic_api_url.rstrip('/')}/v1/messages")


def _check_is_known(spec: ModelSpec, settings: ModelSettings) -> None:
    """Raise SettingsError for a setting that the provider's client would drop."""
    wanted = {"verbosity": settings.verbosity is not None, "extra_body": bool(settings.extra_body)}
    unknown = [name for name, is_set in wanted.items() if is_set and name in _NOT_OF[spec.provider]]
    if unknown:
        raise SettingsError(
            f"Settings that {spec.provider} knows were wanted for {spec} and {', '.join(unknown)} came; "
            "no model was opened.",
            setting=(unknown[0],),
        )


def _traced_as(request: ModelRequest, caller: str) -> RunnableConfig:
    """What callbacks and traces are told of a call beside its messages."""
    metadata = {"purpose": request.purpose, **({"power": caller} if caller else {})}
    return RunnableConfig(run_name=f"{caller} {request.purpose}".strip(), metadata=metadata)


async def _noticed(
    parts: AsyncIterator[AIMessage], deadline: Deadline, hear: Hear | None
) -> AsyncIterator[AIMessage]:
    begun = set[tuple[int | None, str]]()
    async for part in parts:
        deadline.heard()
        text = str(part.text)
        if hear and text:
            hear(storable(text))
        if isinstance(part, AIMessageChunk):
            begun |= {(piece["index"], piece["id"] or "") for piece in part.tool_call_chunks}
        if len(begun) <= _MOST_BEGUN:
            yield part
        else:  # taken out of LangChain's own
            yield part.model_copy(update={"content": text})
            _empty(part)


def _empty(part: AIMessage) -> None:
    part.content = ""
    part.tool_calls, part.invalid_tool_calls = [], []
    if isinstance(part, AIMessageChunk):
        part.tool_call_chunks = []


def _is_the_models(error: ValidationError) -> bool:
    """True where it is the model's own words that LangChain, or Google's client before it, has no form for."""
    places = (fault["loc"] for fault in error.errors(include_input=False, include_url=False))
    return error.title.startswith("AIMessage") or all("parts" in place for place in places)


def _completion(parts: list[AIMessage]) -> Completion:
    """A whole reply, or the chunks of a streamed one in their order."""
    message = _put_together(parts)
    refusal = _refusal(message)
    usage = message.usage_metadata or UsageMetadata(input_tokens=0, output_tokens=0, total_tokens=0)
    details: Mapping[str, Any] = usage.get("input_token_details", InputTokenDetails())
    completion = Completion(
        text=storable(str(message.text) or refusal),
        calls=tuple(_calls(parts)),
        finish_reason="refusal" if refusal else short_text(_finish_reason(message)),
        prompt_tokens=token_count(usage["input_tokens"]),
        cached_tokens=token_count(details.get("cache_read")),
        written_tokens=sum(token_count(details.get(name)) for name in _WRITTEN),
        completion_tokens=token_count(usage["output_tokens"]),
        reasoning_tokens=token_count(
            usage.get("output_token_details", OutputTokenDetails()).get("reasoning")
        ),
        reasoning=storable(_reasoning(message)),
        tokens=_tokens(message),
        version=short_text(message.response_metadata.get("system_fingerprint")),
    )
    if not (_says_something(completion) or message.response_metadata.get("status")):
        raise UnreadableReply("the answer had neither words nor calls, and no reason for that")
    return completion


def _put_together(parts: list[AIMessage]) -> AIMessage:
    """The whole message; one in chunks has no calls, which are read from their pieces."""
    if len(parts) == 1:
        return parts[0]
    nothing: dict[str, list[object]] = {"tool_call_chunks": [], "tool_calls": [], "invalid_tool_calls": []}
    first, *rest = (
        part.model_copy(update=nothing)
        if isinstance(part, AIMessageChunk) and part.tool_call_chunks
        else part
        for part in parts
    )
    return cast("AIMessage", cast("AIMessageChunk", first) + rest)


def _says_something(completion: Completion) -> bool:
    """False for what Google's client makes of an error in an answer with 200, or of an answer without anything."""
    return bool(completion.text or completion.calls or completion.reasoning or completion.finish_reason)


def _tokens(message: AIMessage) -> ReplyTokens | None:
    """The logprobs as they came, and the tokens' ids where the server writes them in the tokens' place."""
    metadata: dict[str, Any] = message.response_metadata
    try:
        return _of_tokens(metadata["logprobs"]["content"])
    except (KeyError, TypeError, ValueError, OverflowError):
        return None  # none came, or not in this form


def _of_tokens(content: list[Any]) -> ReplyTokens:
    names = [str(token["token"]) for token in content]
    ids = tuple(int(name.removeprefix(_TOKEN_ID)) for name in names if name.startswith(_TOKEN_ID))
    logprobs = tuple(float(token["logprob"]) for token in content)
    if not logprobs or not all(map(isfinite, logprobs)):
        raise ValueError("a number was wanted for each token")
    return ReplyTokens(ids=ids if len(ids) == len(names) else (), logprobs=logprobs)


def _reasoning(message: AIMessage) -> str:
    """What the model thought, of all blocks that LangChain knows as that; empty where the provider tells nothing."""
    blocks = (block for block in message.content_blocks if block["type"] == "reasoning")
    return "\n".join(str(words) for block in blocks if (words := block.get("reasoning")))


def _refusal(message: AIMessage) -> str:
    """Beside the content, or among its blocks on OpenAI's newer wire; empty where there is none."""
    content = message.content if isinstance(message.content, list) else []
    blocks = [cast("dict[str, Any]", block) for block in content if isinstance(block, dict)]
    return message.additional_kwargs.get("refusal") or "".join(block.get("refusal") or "" for block in blocks)


def _finish_reason(message: AIMessage) -> object:
    """As the provider says it; OpenAI's newer wire says only why a reply is incomplete, Google why there is none."""
    metadata: dict[str, Any] = message.response_metadata
    incomplete: dict[str, Any] = metadata.get("incomplete_details") or {}
    feedback: dict[str, Any] = metadata.get("prompt_feedback") or {}
    reasons = (metadata.get("finish_reason"), metadata.get("stop_reason"), incomplete.get("reason"))
    return next(filter(None, reasons), None) or feedback.get("block_reason")


def _calls(parts: list[AIMessage]) -> Iterable[ToolCall]:
    """In a stream the arguments are text until they are whole; LangChain would complete those that were cut off."""
    pieces = [piece for part in parts if isinstance(part, AIMessageChunk) for piece in part.tool_call_chunks]
    whole = [*parts[0].tool_calls, *parts[0].invalid_tool_calls] if len(parts) == 1 else []
    for number, call in enumerate(_joined(pieces) or whole):
        yield ToolCall(
            id=short_text(call["id"] or f"call_{number}"),
            name=short_text(call["name"]),
            arguments=_arguments(call["args"]),
        )


def _joined(pieces: list[ToolCallChunk]) -> list[ToolCallChunk]:
    """A piece belongs to the call of its index; a new id begins a new call all the same: some servers count badly."""
    calls: list[ToolCallChunk] = []
    begun: dict[int | None, ToolCallChunk] = {}
    for piece in pieces:
        call = begun.get(piece["index"])
        if call is None or (piece["id"] and piece["id"] != call["id"]):
            begun[piece["index"]] = {**piece}
            calls.append(begun[piece["index"]])
        else:
            call["name"] = (call["name"] or "") + (piece["name"] or "")
            call["args"] = (call["args"] or "") + (piece["args"] or "")
    return calls


def _arguments(args: dict[str, Any] | str | None) -> JsonValue:
    """Decoded, as any store takes them; the text that came where it is no plain JSON."""
    try:
        value = args if isinstance(args, dict) else json.loads(args or "{}", strict=False)
        if is_plain(value, _MAX_DEPTH):
            return map_texts(value, storable)
    except (ValueError, RecursionError):
        pass
    return storable(args)[:_MAX_RAW] if isinstance(args, str) else "(no plain JSON)"


def _message(message: ChatMessage, cache: Mapping[str, str] | None) -> BaseMessage:
    match message.role:
        case "system" if cache:
            return SystemMessage([{"type": "text", "text": message.content, "cache_control": cache}])
        case "system":
            return SystemMessage(message.content)
        case "user":
            return HumanMessage(message.content)
        case "tool":
            return ToolMessage(message.content, tool_call_id=message.tool_call_id or "")
        case "assistant":
            return _spoken(message)


def _spoken(message: ChatMessage) -> AIMessage:
    """An earlier reply; arguments that are no object go back as the text they came as."""
    good: list[GoodToolCall] = []
    bad: list[InvalidToolCall] = []
    for call in message.tool_calls:
        if isinstance(call.arguments, dict):
            good.append({"id": call.id, "name": call.name, "args": call.arguments})
        else:
            bad.append(
                {
                    "type": "invalid_tool_call",
                    "id": call.id,
                    "name": call.name,
                    "args": _raw(call),
                    "error": None,
                }
            )
    return AIMessage(message.content, tool_calls=good, invalid_tool_calls=bad)


def _raw(call: ToolCall) -> str:
    return call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)


def _tool(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _named(schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": "turn", "strict": True, "schema": schema}


def _handed_over(key: str) -> Callable[[], Awaitable[str]]:
    """The key as a callback: a model that is printed does not show it, and no second, blocking client is made."""

    async def tell() -> str:
        return key

    return tell
