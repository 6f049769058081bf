"""Anthropic's and Google's own clients over real HTTP, where the extras that bring them are installed."""

import gzip
from collections.abc import AsyncGenerator, Callable
from functools import partial
from importlib import import_module
from inspect import getmembers, isclass
from random import Random
from typing import Any

import pytest
from starlette.responses import JSONResponse, Response, StreamingResponse

from entente.errors import (
    AuthenticationFailed,
    ModelError,
    ModelTimeout,
    ProviderRejected,
    ProviderUnavailable,
    RateLimited,
    UnreadableReply,
)
from entente.models.client import Connections, open_model
from entente.models.failures import _by_name
from entente.models.settings import ModelSettings
from entente.models.spec import PROVIDERS, ModelSpec
from entente.models.wire import ChatMessage, Model, ModelReply, ModelRequest, ToolCall
from entente.players.model.tools import tools_of
from tests.models.other_wires import (
    CACHED_TOKENS,
    CALLS,
    KEY,
    PROMPT_TOKENS,
    REPLY_TOKENS,
    RETRY_AFTER_SECONDS,
    TEXT,
    THOUGHT,
    WRITTEN_TOKENS,
    Provider,
)
from tests.models.support import HandClock, ask, without_end

ADDRESS_VARIABLES = {"anthropic": "ANTHROPIC_BASE_URL", "google_genai": "GOOGLE_GEMINI_BASE_URL"}
"""By which the clients themselves are told another address."""
SPECS = {"anthropic": "anthropic:claude-haiku-4-5", "google_genai": "google_genai:gemini-3-flash"}
HOW: list[dict[str, Any]] = [{}, {"first_token_seconds": 30}]
STREAMED_OR_NOT = pytest.mark.parametrize("how", HOW, ids=["plain", "streamed"])
EXCHANGE = (
    *ask().messages,
    ChatMessage(
        role="assistant",
        content="",
        tool_calls=(
            ToolCall(id="r01c00000", name="submit_orders", arguments={"orders": ["A PAR H"]}),
            ToolCall(id="r01c00001", name="finish_orders", arguments={}),
        ),
    ),
    ChatMessage(role="tool", content="done", tool_call_id="r01c00000"),
    ChatMessage(role="tool", content="done", tool_call_id="r01c00001"),
    ChatMessage(role="user", content="Once more."),
)


@pytest.fixture(params=list(SPECS))
def name(request: pytest.FixtureRequest) -> str:
    """Each provider whose client is installed."""
    provider: str = request.param
    pytest.importorskip(f"langchain_{provider}", reason=f"entente[{PROVIDERS[provider].extra}] is not there")
    return provider


@pytest.fixture
async def connections() -> AsyncGenerator[Connections]:
    async with Connections(HandClock()) as opened:
        yield opened
        for chat in opened._chats.values():
            await _close_shared(chat)


async def _close_shared(chat: Any) -> None:
    """Anthropic's connections are the whole process's, and each test has an event loop of its own."""
    client: Any = chat._chat.__dict__.get("_async_client")
    if client is not None:
        await client.close()
        client_utils: Any = import_module("langchain_anthropic._client_utils")
        client_utils._get_default_async_httpx_client.cache_clear()


def model_of(
    name: str, provider: Provider, connections: Connections, patch: pytest.MonkeyPatch, **settings: Any
) -> Model:
    patch.setenv(ADDRESS_VARIABLES[name], provider.address)
    return open_model(
        ModelSpec.parse(SPECS[name]),
        ModelSettings().over(settings),
        connections,
        environ={PROVIDERS[name].key_variable: KEY},
        rng=Random(1),
    )


@STREAMED_OR_NOT
async def test_a_turn_over_the_providers_own_wire(
    name: str, how: dict[str, Any], connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = ModelRequest(
        messages=EXCHANGE, tools=tools_of("rounds"), purpose="orders", max_output_tokens=77
    )
    async with Provider().serve() as provider:
        reply = await model_of(name, provider, connections, monkeypatch, **how).complete(request)
    assert reply.text == TEXT
    assert reply.reasoning == THOUGHT
    assert [(call.name, call.arguments) for call in reply.tool_calls] == list(CALLS)
    assert len({call.id for call in reply.tool_calls}) == 2
    assert _counted(reply) == (PROMPT_TOKENS, CACHED_TOKENS, REPLY_TOKENS)
    (asked,) = provider.asked
    assert KEY in asked.headers
    assert KEY not in str(asked.body)
    assert "77" in str(asked.body)
    assert all(tool.name in str(asked.body["tools"]) for tool in tools_of("rounds"))


@STREAMED_OR_NOT
async def test_a_prompt_is_cached_where_that_must_be_asked_for(
    how: dict[str, Any], connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("langchain_anthropic", reason="entente[anthropic] is not there")
    async with Provider().serve() as provider:
        model = model_of("anthropic", provider, connections, monkeypatch, **how)
        reply = await model.complete(
            ModelRequest(messages=EXCHANGE, tools=tools_of("rounds"), purpose="orders")
        )
    (asked,) = provider.asked
    here = {"type": "ephemeral"}
    assert asked.body["system"] == [{"type": "text", "text": "You are FRANCE.", "cache_control": here}]
    assert asked.body["cache_control"] == here
    assert reply.usage.written_tokens == WRITTEN_TOKENS
    new = PROMPT_TOKENS - CACHED_TOKENS - WRITTEN_TOKENS
    cost = new * 1.00 + CACHED_TOKENS * 0.10 + WRITTEN_TOKENS * 1.25 + REPLY_TOKENS * 5.00
    assert reply.usage.cost_usd == pytest.approx(cost / 1_000_000)


async def test_google_is_told_what_a_memory_may_hold(
    connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("langchain_google_genai", reason="entente[google] is not there")
    async with Provider().serve() as provider:
        model = model_of("google_genai", provider, connections, monkeypatch)
        await model.complete(ModelRequest(messages=EXCHANGE, tools=tools_of("rounds"), purpose="talk"))
    (asked,) = provider.asked
    declared = asked.body["tools"][0]["functionDeclarations"]
    memory = next(one for one in declared if one["name"] == "update_memory")
    # Its client knows no choice of types; an object comes as JSON text, which is read.
    assert memory["parameters"]["properties"]["value"] == {"type": "STRING", "nullable": True}


REFUSALS = [
    (400, ProviderRejected),
    (401, AuthenticationFailed),
    (403, AuthenticationFailed),
    (404, ProviderRejected),
    (418, ProviderRejected),
    (429, RateLimited),
    (500, ProviderUnavailable),
    (503, ProviderUnavailable),
]


@STREAMED_OR_NOT
@pytest.mark.parametrize(("status", "kind"), REFUSALS, ids=[str(case[0]) for case in REFUSALS])
async def test_a_refusal_is_ours_says_why_and_holds_no_key(
    name: str,
    status: int,
    kind: type[ModelError],
    how: dict[str, Any],
    connections: Connections,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with Provider(status=status).serve() as provider:
        model = model_of(name, provider, connections, monkeypatch, max_attempts=1, **how)
        with pytest.raises(kind) as failed:
            await model.complete(ask())
    assert failed.value.status == status
    assert "Not with [key]." in failed.value.reason
    assert KEY not in f"{failed.value} {vars(failed.value)}"
    assert len(provider.asked) == 1


async def test_googles_wrong_key_is_told_from_other_bad_requests(
    connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("langchain_google_genai")
    async with Provider(status=400, reason="API_KEY_INVALID").serve() as provider:
        model = model_of("google_genai", provider, connections, monkeypatch)
        with pytest.raises(AuthenticationFailed):
            await model.complete(ask())


@STREAMED_OR_NOT
async def test_googles_redirection_takes_no_prompt_to_another_address(
    how: dict[str, Any], connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("langchain_google_genai")
    async with Provider().serve() as elsewhere, Provider(moved_to=elsewhere.address).serve() as provider:
        model = model_of("google_genai", provider, connections, monkeypatch, max_attempts=1, **how)
        with pytest.raises(ProviderRejected) as failed:
            await model.complete(ask())
    assert (failed.value.status, len(provider.asked)) == (307, 1)
    assert elsewhere.asked == []


@STREAMED_OR_NOT
async def test_an_address_that_redirects_is_sent_no_prompt_of_anthropics_wire(
    how: dict[str, Any], connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anthropic's client follows one, and has no public door by which it could be told not to."""
    pytest.importorskip("langchain_anthropic")
    async with Provider().serve() as elsewhere, Provider(moved_to=elsewhere.address).serve() as provider:
        model = model_of("anthropic", provider, connections, monkeypatch, max_attempts=1, **how)
        with pytest.raises(ProviderRejected, match="redirects to another address, and no prompt was sent"):
            await model.complete(ask())
        assert len(provider.checked) == 1
        assert KEY not in provider.checked[0]
        assert provider.asked == elsewhere.asked == elsewhere.checked == []


@STREAMED_OR_NOT
async def test_a_provider_that_never_answers_is_left(
    name: str, how: dict[str, Any], connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Provider(is_deaf=True).serve() as provider:
        model = model_of(name, provider, connections, monkeypatch, attempt_seconds=0.2, max_attempts=1, **how)
        with pytest.raises(ModelTimeout):
            await model.complete(ask())


async def test_a_provider_that_is_not_there_cannot_be_reached(
    name: str, connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = Provider(address="http://127.0.0.1:1")
    model = model_of(name, nowhere, connections, monkeypatch, max_attempts=1)
    with pytest.raises(ProviderUnavailable):
        await model.complete(ask())


async def test_the_patience_that_a_provider_asks_for_is_kept_by_us_alone(
    name: str, connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Provider(status=429).serve() as provider:
        model = model_of(name, provider, connections, monkeypatch, max_attempts=2)
        with pytest.raises(RateLimited):
            await model.complete(ask())
    assert isinstance(connections.clock, HandClock)
    assert connections.clock.slept == [RETRY_AFTER_SECONDS]
    assert len(provider.asked) == 2


async def test_a_stream_that_breaks_off_with_an_error_may_be_tried_again(
    connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("langchain_anthropic")
    async with Provider(breaks_off=True).serve() as provider:
        model = model_of(
            "anthropic", provider, connections, monkeypatch, first_token_seconds=30, max_attempts=2
        )
        with pytest.raises(ProviderUnavailable):
            await model.complete(ask())
    assert len(provider.asked) == 2


async def google_answering(answer: Callable[[], Response], how: dict[str, Any]) -> tuple[ModelReply, int]:
    """What its reply says, which is read alike whole and in a stream, and how often it was asked."""
    pytest.importorskip("langchain_google_genai", reason="entente[google] is not there")
    with pytest.MonkeyPatch.context() as patch:
        async with Provider(answer=answer).serve() as provider, Connections(HandClock()) as connections:
            model = model_of("google_genai", provider, connections, patch, max_attempts=2, **how)
            return await model.complete(ask()), len(provider.asked)


async def google_saying(body: Any, how: dict[str, Any]) -> tuple[ModelReply, int]:
    return await google_answering(partial(JSONResponse, body), how)


def candidate(**told: Any) -> dict[str, Any]:
    content = {"role": "model", "parts": [{"text": TEXT}]}
    return {"candidates": [{"content": content, "finishReason": "STOP", "index": 0, **told}]}


@STREAMED_OR_NOT
@pytest.mark.parametrize("status", [200, 500])
async def test_googles_answer_without_end_is_read_no_further_than_any_reply_is_long(
    status: int, how: dict[str, Any]
) -> None:
    with pytest.raises(UnreadableReply, match="33,554,432 bytes"):
        await google_answering(lambda: StreamingResponse(without_end(), status), how)


@STREAMED_OR_NOT
@pytest.mark.parametrize("status", [200, 500])
async def test_googles_answer_that_is_packed_is_not_unpacked(status: int, how: dict[str, Any]) -> None:
    packed = gzip.compress(b" " * 50_000_000)
    with pytest.raises(UnreadableReply, match="packed its answer"):
        await google_answering(partial(Response, packed, status, headers={"content-encoding": "gzip"}), how)


async def test_google_is_asked_to_pack_nothing_whatever_else_is_in_its_headers(
    connections: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("langchain_google_genai", reason="entente[google] is not there")
    async with Provider().serve() as provider:
        model = model_of("google_genai", provider, connections, monkeypatch, extra_headers={"x-title": "us"})
        await model.complete(ask())
    (asked,) = provider.asked
    assert "('accept-encoding', 'identity')" in asked.headers
    assert "('x-title', 'us')" in asked.headers


NO_REPLIES: list[Any] = [
    {},
    [],
    {"candidates": None},
    {"candidates": [], "usageMetadata": {"promptTokenCount": 5}},
    {"error": {"code": 500, "message": "no", "status": "INTERNAL"}},
    {"error": {"code": 10**4000, "message": "no"}},
    {"error": "no"},
]


@STREAMED_OR_NOT
@pytest.mark.parametrize("body", NO_REPLIES, ids=lambda body: ascii(body)[:40])
async def test_an_answer_of_googles_without_a_reply_is_an_error(body: Any, how: dict[str, Any]) -> None:
    with pytest.raises((UnreadableReply, ProviderUnavailable)) as failed:
        await google_saying(body, how)
    assert failed.value.attempts == 2
    assert len(str(failed.value)) < 300


async def test_an_empty_answer_of_googles_is_an_error() -> None:
    with pytest.raises(UnreadableReply):
        await google_answering(Response, {})


@STREAMED_OR_NOT
@pytest.mark.parametrize("reason", ["SAFETY", "QUITE_NEW"])
async def test_a_prompt_that_google_blocks_is_answered_and_the_reason_is_told(
    reason: str, how: dict[str, Any]
) -> None:
    reply, asked = await google_saying({"promptFeedback": {"blockReason": reason}}, how)
    assert (reply.text, reply.tool_calls, asked) == ("", (), 1)
    assert reply.usage.finish_reason == f"BlockedReason.{reason}"


SILENT = [candidate(content=None, finishReason="SAFETY"), candidate(content={"parts": []})]


@STREAMED_OR_NOT
@pytest.mark.parametrize("body", SILENT, ids=["safety", "nothing"])
async def test_a_reply_of_googles_that_says_why_it_has_no_words_is_one(
    body: dict[str, Any], how: dict[str, Any]
) -> None:
    reply, asked = await google_saying(body, how)
    assert (reply.text, reply.tool_calls, asked) == ("", (), 1)
    assert reply.usage.finish_reason == body["candidates"][0]["finishReason"]


PARTS: list[Any] = [
    {"functionCall": {"name": "submit_orders", "args": ["A PAR H"]}},
    {"functionCall": {"name": "submit_orders", "args": 7}},
    {"functionCall": "submit_orders"},
    {"text": 7},
    None,
]


@STREAMED_OR_NOT
@pytest.mark.parametrize("part", PARTS, ids=str)
async def test_words_that_googles_client_has_no_form_for_say_nothing_and_are_not_asked_for_again(
    part: Any, how: dict[str, Any]
) -> None:
    reply, asked = await google_saying(candidate(content={"parts": [part]}), how)
    assert (reply.text, reply.tool_calls, asked) == ("", (), 1)
    assert reply.usage.finish_reason == "malformed"


@STREAMED_OR_NOT
async def test_odd_words_of_googles_server_are_in_no_warning(
    how: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    reply, _ = await google_saying(candidate(finishReason="\x1b[31mNEW"), how)  # a warning would raise here
    assert reply.text == TEXT
    await google_saying({"promptFeedback": {"blockReason": "\x1b[31mNEW"}}, how)
    assert caplog.records == []


async def test_an_error_repeats_nothing_of_googles_reply() -> None:
    said = Response(
        'data: {"candidates": [{"content": {"parts": [{"text": "Burgundy', media_type="text/event-stream"
    )
    with pytest.raises(UnreadableReply) as failed:
        await google_answering(lambda: said, HOW[1])
    assert "Burgundy" not in f"{failed.value} {vars(failed.value)}"


ERRORS = [
    ("anthropic", "anthropic._exceptions"),
    ("langchain_anthropic", "langchain_anthropic.chat_models"),
    ("google", "google.genai.errors"),
    ("google", "google.auth.exceptions"),
    ("langchain_google_genai", "langchain_google_genai.chat_models"),
]


@pytest.mark.parametrize(("package", "module"), ERRORS, ids=[case[1] for case in ERRORS])
def test_every_error_of_their_packages_is_mapped(package: str, module: str) -> None:
    pytest.importorskip("langchain_google_genai" if "google" in package else "langchain_anthropic")
    found = [
        error
        for _, error in getmembers(import_module(module), isclass)
        if issubclass(error, Exception)
        and not issubclass(error, Warning)
        and error.__module__.startswith(package)
    ]
    assert found
    assert [error for error in found if _by_name(error.__new__(error)) is None] == []


def _counted(reply: ModelReply) -> tuple[int, int, int]:
    usage = reply.usage
    return usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens
