"""The only module that knows langchain: chat models of langchain-openai, and of init_chat_model for the rest.

Imported when the first model is opened, because langchain takes most of a second to load.
"""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, cast

import httpx2
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langchain_core.messages.ai import InputTokenDetails, UsageMetadata
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.prompt_values import ChatPromptValue
from langchain_core.runnables import RunnableConfig
from langchain_openai import ChatOpenAI
from openai import APIStatusError, AsyncOpenAI, AsyncStream, RequestOptions
from pydantic_core import to_json

from entente.errors import SettingsError
from entente.models.deadline import Deadline
from entente.models.said import Said, arguments_of, decoded, read_completion, read_stream, text_of
from entente.models.settings import ModelSettings
from entente.models.sockets import Transport
from entente.models.spec import PROVIDERS, ModelSpec
from entente.models.wire import ChatMessage, ModelRequest, Tool, ToolCall

_APART: RunnableConfig = {"callbacks": []}
"""Private words stay out of the event streams and traces of the graph around the call."""
_BODY = "entente_body"
"""Under which name a reply's body comes back through langchain."""
_PATH = "/chat/completions"
_JSON: RequestOptions = {"headers": {"Content-Type": "application/json"}}
_STREAMED = {"stream": True, "stream_options": {"include_usage": True}}
_LIMITS = {"anthropic": "max_tokens", "google_genai": "max_output_tokens"}
"""What the clients of other providers call the most that a reply may hold."""
_CACHE = {"anthropic": {"type": "ephemeral"}}
"""How a provider is told to cache prompts that does so only when told: to the end of the system message, which a seat's
calls of all phases have in common, and to the end of the conversation, from which the phase's next call goes on."""
_WRITTEN = ("cache_creation", "ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens")
"""Under which names langchain counts what was put into a cache; never twice."""
_STAND_IN = ChatPromptValue(messages=[HumanMessage("")])
"""What ChatOpenAI is given for a conversation; the real one is in the body."""


class OpenAIChat:
    """Calls over the OpenAI wire, at OpenAI or any address that speaks it."""

    def __init__(self, spec: ModelSpec, settings: ModelSettings, key: str, http: httpx2.AsyncClient) -> None:
        self._chat = _ChatOpenAI(
            model=spec.model,
            base_url=spec.address,
            api_key=_handed_over(key),
            temperature=settings.temperature,
            max_retries=0,
            http_async_client=http,
            timeout=httpx2.Timeout(None, connect=settings.connect_seconds),
            cache=False,
        )
        self._http = http
        self._url = httpx2.URL(f"{spec.address}{_PATH}")
        self._headers = httpx2.Headers(self._chat.headers | {"Authorization": f"Bearer {key}"})
        self._timeout = {
            "timeout": {**dict.fromkeys(("read", "write", "pool")), "connect": settings.connect_seconds}
        }
        # Servers of one's own know the older name only, OpenAI's newer models only the newer one.
        self._limit = "max_completion_tokens" if spec.base_url is None else "max_tokens"

    async def ask(self, request: ModelRequest, deadline: Deadline) -> Said:
        """One attempt; raises what langchain, openai and httpx raise."""
        body = self._body(request)
        if deadline.awaits_first_token:
            chunks = await _collect(self._chat.astream(_STAND_IN, _APART, extra_body=body), deadline)
            return read_stream(raw for chunk in chunks for raw in chunk.additional_kwargs.get(_BODY, ()))
        return read_completion(decoded(await self._completion(body)))

    async def _completion(self, body: Mapping[str, Any]) -> bytes:
        """The completion as the wire has it; raises openai's own error for a status that says no."""
        request = httpx2.Request(
            "POST",
            self._url,
            headers=self._headers,
            content=self._chat.written(body),
            extensions=self._timeout,
        )
        response = await self._http.send(request, follow_redirects=True)
        if not response.is_success:
            raise _refusal(response)
        return response.content

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        """The request as the wire has it."""
        body: dict[str, Any] = {"messages": [_on_the_wire(message) for message in request.messages]}
        if request.tools:
            body["tools"] = [_tool(tool) for tool in request.tools]
        if request.max_output_tokens is not None:
            body[self._limit] = request.max_output_tokens
        return body


class OtherChat:
    """Calls to a provider that init_chat_model knows."""

    def __init__(
        self, chat: BaseChatModel, limit: str = "max_tokens", cache: Mapping[str, str] | None = None
    ) -> None:
        self._chat = chat
        self._limit = limit
        self._cache = cache

    async def ask(self, request: ModelRequest, deadline: Deadline) -> Said:
        """One attempt; raises what langchain and the provider's client raise."""
        messages = [_message(message, self._cache) for message in request.messages]
        chat = self._chat.bind_tools([_tool(tool) for tool in request.tools]) if request.tools else self._chat
        options: dict[str, Any] = {"cache_control": self._cache} if self._cache else {}
        if request.max_output_tokens is not None:
            options[self._limit] = request.max_output_tokens
        if deadline.awaits_first_token:
            first, *rest = await _collect(chat.astream(messages, _APART, **options), deadline)
            return _read_message(first + rest if rest else first)
        return _read_message(await chat.ainvoke(messages, _APART, **options))

    async def aclose(self) -> None:
        """End its connections; Anthropic's client shares them in the whole process and never does."""
        if close := getattr(self._chat, "aclose", None):
            await close()


def open_other(spec: ModelSpec, settings: ModelSettings, key: str) -> OtherChat:
    """The model of another provider; raises SettingsError when its package is not installed."""
    options: dict[str, Any] = {"api_key": key, "max_retries": 0, "timeout": settings.attempt_seconds}
    if settings.temperature is not None:
        options["temperature"] = settings.temperature
    try:
        init_chat_model = cast(
            "Callable[..., BaseChatModel]", import_module("langchain.chat_models").init_chat_model
        )
        chat = init_chat_model(spec.model, model_provider=spec.provider, **options)
        return OtherChat(chat, _LIMITS[spec.provider], _CACHE.get(spec.provider))
    except ImportError:
        raise SettingsError(
            f"The model {spec} was wanted and its client is not installed; "
            f"install entente[{PROVIDERS[spec.provider].extra}]. No model was opened."
        ) from None


def open_http(address: str, settings: ModelSettings) -> httpx2.AsyncClient:
    """The connections to one address, to be shared by all who call it."""
    limits = httpx2.Limits(
        max_connections=settings.concurrency, max_keepalive_connections=settings.concurrency
    )
    # Certificates take tens of milliseconds to load, and an address without TLS needs none.
    certificates = httpx2.create_ssl_context() if address.startswith("https:") else None
    return httpx2.AsyncClient(transport=Transport(limits, certificates), verify=certificates or False)


class _ChatOpenAI(ChatOpenAI):
    """Sends a request's body as it is, and hands completions and chunks on as they came.

    langchain and openai go through each field of a conversation and of its completion at every call, raise on
    arguments that are no object, drop streamed refusals, and parse a call's arguments anew with each of their
    pieces. A whole completion goes straight over openai's connections, since seven calls begin at the same moment
    and the last waits for what all cost; a stream goes through openai's `post`, which is for what it has no types for.
    """

    def written(self, body: Mapping[str, Any]) -> bytes:
        """The body with the model's own parameters in it."""
        return to_json({**self._default_params, **body})

    @property
    def headers(self) -> dict[str, str]:
        """What openai sends along, but for the key."""
        return {name: value for name, value in self._client.default_headers.items() if isinstance(value, str)}

    async def _astream(
        self,
        messages: list[BaseMessage],  # noqa: ARG002 - the signature is langchain's
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: AsyncCallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **kwargs: Any,
    ) -> AsyncGenerator[ChatGenerationChunk]:
        body = self.written({**_STREAMED, **kwargs["extra_body"]})
        chunks = await self._client.post(
            _PATH, cast_to=object, content=body, options=_JSON, stream=True, stream_cls=AsyncStream[object]
        )
        async with chunks:
            async for chunk in chunks:
                yield ChatGenerationChunk(
                    message=AIMessageChunk(content="", additional_kwargs={_BODY: [chunk]})
                )

    @property
    def _client(self) -> AsyncOpenAI:
        return cast("AsyncOpenAI", self.root_async_client)


def _refusal(response: httpx2.Response) -> APIStatusError:
    """Openai's own error for a status that says no, with what the provider said beside it."""
    try:
        body: object = response.json()
    except ValueError:
        body = response.text
    error = cast("dict[str, object]", body).get("error") if isinstance(body, dict) else body
    return APIStatusError(f"Error code: {response.status_code} - {body}", response=response, body=error)


async def _collect(
    stream: AsyncIterator[AIMessageChunk] | AsyncIterator[AIMessage], deadline: Deadline
) -> list[AIMessageChunk]:
    chunks: list[AIMessageChunk] = []
    async for chunk in stream:
        deadline.first_token_came()
        chunks.append(cast("AIMessageChunk", chunk))
    return chunks


def _read_message(message: AIMessage) -> Said:
    refusal = text_of(message.additional_kwargs.get("refusal"))
    usage = message.usage_metadata or UsageMetadata(input_tokens=0, output_tokens=0, total_tokens=0)
    details: Mapping[str, Any] = usage.get("input_token_details", InputTokenDetails())
    return Said(
        text=text_of(message.content) or refusal,
        calls=tuple(_calls(message)),
        finish_reason="refusal" if refusal else _finish_reason(message),
        prompt_tokens=usage["input_tokens"],
        cached_tokens=details.get("cache_read") or 0,
        written_tokens=sum(details.get(name) or 0 for name in _WRITTEN),
        completion_tokens=usage["output_tokens"],
    )


def _finish_reason(message: AIMessage) -> str:
    metadata: dict[str, Any] = message.response_metadata
    return str(metadata.get("finish_reason") or metadata.get("stop_reason") or "")


def _calls(message: AIMessage) -> Sequence[ToolCall]:
    """A streamed message keeps its calls in order, as text; another has sorted out those it could not read."""
    pieces = message.tool_call_chunks if isinstance(message, AIMessageChunk) else []
    raw = pieces or [*message.tool_calls, *message.invalid_tool_calls]
    return [
        ToolCall(
            id=str(call.get("id") or f"call_{number}"),
            name=str(call.get("name") or ""),
            arguments=arguments_of(call.get("args")),
        )
        for number, call in enumerate(raw)
    ]


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


def _on_the_wire(message: ChatMessage) -> dict[str, Any]:
    wired: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_call_id is not None:
        wired["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        functions = [(call.id, {"name": call.name, "arguments": _raw(call)}) for call in message.tool_calls]
        wired["tool_calls"] = [{"id": name, "type": "function", "function": each} for name, each in functions]
    return wired


def _spoken(message: ChatMessage) -> AIMessage:
    """An earlier reply; arguments that are no object go back as the text they came as."""
    good = [call for call in message.tool_calls if isinstance(call.arguments, dict)]
    bad = [call for call in message.tool_calls if not isinstance(call.arguments, dict)]
    return AIMessage(
        message.content,
        tool_calls=[
            {"id": call.id, "name": call.name, "args": cast("dict[str, Any]", call.arguments)}
            for call in good
        ],
        invalid_tool_calls=[
            {"type": "invalid_tool_call", "id": call.id, "name": call.name, "args": _raw(call), "error": None}
            for call in bad
        ],
    )


def _raw(call: ToolCall) -> str:
    return call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)


def _tool(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": function}


def _handed_over(key: str) -> Callable[[], Awaitable[str]]:
    """The key as a question: a model that is printed does not hold it, and no second, blocking client is made."""

    async def tell() -> str:
        return key

    return tell
