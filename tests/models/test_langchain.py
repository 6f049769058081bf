"""Whatever a server of the OpenAI wire says is a value, over real HTTP, whole and streamed."""

import asyncio
import gzip
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from entente.errors import ModelError, ProviderRejected, ProviderUnavailable, UnreadableReply
from entente.models.client import Connections
from entente.models.mock.server import embedded, mock_server
from entente.models.wire import ModelReply, ReplyTokens
from tests.models.support import HandClock, ask, model_at, without_end

WAYS: list[dict[str, Any]] = [{}, {"first_token_seconds": 30}]
PLAIN_AND_STREAMED = pytest.mark.parametrize("way", WAYS, ids=["plain", "streamed"])


@asynccontextmanager
async def server_saying(body: Any, chunks: list[Any]) -> AsyncGenerator[str]:
    """A server with one reply, as JSON or as a stream of chunks."""

    async def answer(request: Request) -> Response:
        if (await request.json()).get("stream"):
            events = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
            return Response(f"{events}data: [DONE]\n\n", media_type="text/event-stream")
        return Response(json.dumps(body), media_type="application/json")

    routes = [Route("/v1/chat/completions", answer, methods=["POST"])]
    async with embedded(Starlette(routes=routes), asyncio.Event()) as address:
        yield f"{address}/v1"


async def told(body: Any, chunks: list[Any], way: dict[str, Any]) -> ModelReply:
    async with server_saying(body, chunks) as url, Connections(HandClock()) as connections:
        return await model_at(url, connections, max_attempts=1, **way).complete(ask())


async def said(message: dict[str, Any], way: dict[str, Any], **more: Any) -> ModelReply:
    """The reply of a server that says this message, in a stream in two chunks."""
    whole = {"role": "assistant", **message}
    calls = [{**call, "index": number} for number, call in enumerate(message.get("tool_calls") or [])]
    chunks: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": {**whole, "tool_calls": calls}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], **more},
    ]
    body = {"choices": [{"index": 0, "message": whole, "finish_reason": "stop"}], **more}
    return await told(body, chunks, way)


def called(arguments: Any, name: Any = "send_message") -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"content": None, "tool_calls": [{"id": "c", "type": "function", "function": function}]}


CONTENTS: list[tuple[Any, str]] = [
    (None, ""),
    ("", ""),
    ("Hello.", "Hello."),
    (
        [{"type": "text", "text": "A"}, {"type": "thinking", "thinking": "?"}, {"type": "text", "text": "B"}],
        "AB",
    ),
]


# langchain-openai dumps each chunk of a stream by openai's types, and a content in parts is not in them.
@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@PLAIN_AND_STREAMED
@pytest.mark.parametrize(("content", "text"), CONTENTS, ids=str)
async def test_any_content_is_text(content: Any, text: str, way: dict[str, Any]) -> None:
    assert (await said({"content": content}, way)).text == text


ARGUMENTS: list[tuple[Any, Any]] = [
    ('{"recipient": "ITALY"}', {"recipient": "ITALY"}),
    ('{"content": "two\nlines"}', {"content": "two\nlines"}),
    ('{"recipient": "ITA', '{"recipient": "ITA'),
    ("ITALY", "ITALY"),
    ("", {}),
    (None, {}),
]


@PLAIN_AND_STREAMED
@pytest.mark.parametrize(("raw", "arguments"), ARGUMENTS, ids=str)
async def test_any_arguments_are_a_value(raw: Any, arguments: Any, way: dict[str, Any]) -> None:
    (call,) = (await said(called(raw), way)).tool_calls
    assert (call.id, call.name, call.arguments) == ("c", "send_message", arguments)


@PLAIN_AND_STREAMED
async def test_a_call_of_nothing_is_a_call_without_a_name(way: dict[str, Any]) -> None:
    (call,) = (await said(called("{}", None), way)).tool_calls
    assert call.name == ""


TOKENS: list[tuple[Any, Any]] = [
    (None, None),
    ([("token_id:7", -0.5), ("token_id:11", -0.25)], ReplyTokens(ids=(7, 11), logprobs=(-0.5, -0.25))),
    ([("Hel", -0.5), ("lo", 0.0)], ReplyTokens(logprobs=(-0.5, 0.0))),
    ([("token_id:7", -0.5), ("lo", 0.0)], ReplyTokens(logprobs=(-0.5, 0.0))),
    ([("token_id:x", -0.5)], None),
    ([("Hel", float("-inf"))], None),
]


@pytest.mark.parametrize(("said_of_them", "tokens"), TOKENS, ids=str)
async def test_what_a_server_says_of_a_replys_tokens_is_kept_as_it_said_it(
    said_of_them: list[tuple[str, float]] | None, tokens: ReplyTokens | None
) -> None:
    content = [{"token": token, "logprob": logprob} for token, logprob in said_of_them or ()]
    message = {"role": "assistant", "content": "Hello"}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": {"content": content}}
    assert (await told({"choices": [choice]}, [], {})).tokens == tokens


@PLAIN_AND_STREAMED
async def test_the_version_that_a_server_tells_is_kept(way: dict[str, Any]) -> None:
    assert (await said({"content": "Hi"}, way, system_fingerprint="fp_7")).usage.version == "fp_7"
    silent = (await said({"content": "Hi"}, way)).usage
    assert silent.version == ""
    assert "version" not in silent.model_dump()


MALFORMED: list[dict[str, Any]] = [called("[7]"), called('"BUR"'), {"content": {"odd": 1}}, {"content": 7}]


@pytest.mark.parametrize("message", MALFORMED, ids=str)
async def test_a_reply_that_langchain_has_no_form_for_says_nothing_and_is_not_asked_for_again(
    message: dict[str, Any],
) -> None:
    reply = await said(message, {})
    assert (reply.text, reply.tool_calls) == ("", ())
    assert (reply.usage.finish_reason, reply.usage.attempts, reply.usage.cost_usd) == ("malformed", 1, None)


CHOKING = {
    "half a character": '{"content": "a\\ud800"}',
    "brackets": "[" * 100_000 + "]" * 100_000,
    "brackets in an object": '{"a": ' + "[" * 500 + "]" * 500 + "}",
    "no number": '{"value": NaN}',
    "endless number": '{"value": 1e999}',
}


@PLAIN_AND_STREAMED
@pytest.mark.parametrize("raw", CHOKING.values(), ids=CHOKING)
async def test_arguments_that_python_chokes_on_are_the_models_and_can_be_kept(
    raw: str, way: dict[str, Any]
) -> None:
    reply = await said(called(raw), way)
    assert reply.usage.attempts == 1
    assert ModelReply.model_validate_json(reply.model_dump_json()) == reply
    assert len(reply.model_dump_json()) < 20_000


@PLAIN_AND_STREAMED
async def test_half_a_character_in_the_text_is_no_error(way: dict[str, Any]) -> None:
    reply = await said({"content": "a\ud800b"}, way)
    assert reply.usage.attempts == 1
    assert ModelReply.model_validate_json(reply.model_dump_json()) == reply


async def test_arguments_that_are_no_object_are_a_value_in_a_stream() -> None:
    (call,) = (await said(called("[7]"), WAYS[1])).tool_calls
    assert call.arguments == [7]


async def test_a_refusal_is_said_and_marked() -> None:
    reply = await said({"content": None, "refusal": "I will not."}, {})
    assert (reply.text, reply.usage.finish_reason) == ("I will not.", "refusal")


async def test_a_refusal_that_is_streamed_says_nothing() -> None:
    """langchain-openai drops it: a test of theirs, so that we notice when it is kept."""
    reply = await said({"content": None, "refusal": "I will not."}, WAYS[1])
    assert (reply.text, reply.tool_calls, reply.usage.finish_reason) == ("", (), "stop")


USAGES: list[Any] = [None, {}, {"prompt_tokens": None, "prompt_tokens_details": None}]


@PLAIN_AND_STREAMED
@pytest.mark.parametrize("usage", USAGES, ids=str)
async def test_usage_that_is_not_told_is_zero_and_its_cost_unknown(usage: Any, way: dict[str, Any]) -> None:
    counted = (await said({"content": "x"}, way, usage=usage)).usage
    assert (counted.prompt_tokens, counted.cached_tokens, counted.completion_tokens) == (0, 0, 0)
    assert counted.cost_usd is None


@PLAIN_AND_STREAMED
async def test_usage_that_is_told_in_part_is_kept(way: dict[str, Any]) -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 4}}
    counted = (await said({"content": "x"}, way, usage=usage)).usage
    assert (counted.prompt_tokens, counted.cached_tokens, counted.completion_tokens) == (9, 4, 3)


NO_COUNTS: list[Any] = [float("nan"), float("inf"), 1e308, -5, 2**70, 10**4000, {"a": 1}, [None]]


# langchain-openai dumps each chunk by openai's types, in which a number of tokens is none of these.
@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
@PLAIN_AND_STREAMED
@pytest.mark.parametrize("count", NO_COUNTS, ids=lambda count: ascii(count)[:20])
async def test_a_number_of_tokens_that_is_none_counts_as_not_told(count: Any, way: dict[str, Any]) -> None:
    details = {"prompt_tokens_details": {"cached_tokens": count}, "completion_tokens_details": {}}
    usage = {"prompt_tokens": count, "completion_tokens": 3, "total_tokens": 3, **details}
    counted = (await said({"content": "x"}, way, usage=usage)).usage
    assert (counted.prompt_tokens, counted.cached_tokens) == (0, 0)
    assert counted.completion_tokens in (0, 3)  # LangChain drops what came with such a number in a stream


async def test_a_logprob_that_is_too_large_is_none() -> None:
    content = [{"token": "token_id:7", "logprob": -(10**400)}]
    message = {"role": "assistant", "content": "Hello"}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": {"content": content}}
    assert (await told({"choices": [choice]}, [], {})).tokens is None


@pytest.mark.parametrize(
    "remark", ["a\ud800", "x" * 1_000_000, {"a": 1}, [7]], ids=lambda said: ascii(said)[:20]
)
async def test_what_a_server_says_of_a_reply_can_be_kept_and_is_short(remark: Any) -> None:
    call = {"id": "i" * 100_000, "type": "function", "function": {"name": "n" * 100_000, "arguments": "{}"}}
    message = {"role": "assistant", "content": "Hello", "tool_calls": [call]}
    choice = {"index": 0, "message": message, "finish_reason": remark}
    reply = await told({"choices": [choice], "system_fingerprint": remark}, [], {})
    assert reply.text == "Hello"
    assert ModelReply.model_validate_json(reply.model_dump_json()) == reply
    assert len(reply.model_dump_json()) < 3_000


NO_REPLIES: list[Any] = [None, [], {}, {"choices": None}, {"choices": []}, {"error": {"code": 1}}]


@pytest.mark.parametrize("body", NO_REPLIES, ids=str)
async def test_what_is_no_reply_is_an_error(body: Any) -> None:
    with pytest.raises(UnreadableReply):
        await told(body, [], {})


async def test_json_that_is_nested_too_deep_to_be_read_is_no_reply() -> None:
    async def answer(_: Request) -> Response:
        return Response("[" * 200_000, media_type="application/json")

    routes = [Route("/v1/chat/completions", answer, methods=["POST"])]
    async with embedded(Starlette(routes=routes), asyncio.Event()) as address, Connections() as connections:
        with pytest.raises(UnreadableReply):
            await model_at(f"{address}/v1", connections, max_attempts=1).complete(ask())


@asynccontextmanager
async def server_answering(response: Callable[[], Response]) -> AsyncGenerator[str]:
    """A server with one answer of any kind."""

    async def answer(_: Request) -> Response:
        return response()

    routes = [Route("/v1/chat/completions", answer, methods=["POST"])]
    async with embedded(Starlette(routes=routes), asyncio.Event()) as address:
        yield f"{address}/v1"


@PLAIN_AND_STREAMED
@pytest.mark.parametrize("status", [200, 500])
async def test_an_answer_without_end_is_read_no_further_than_any_reply_is_long(
    status: int, way: dict[str, Any]
) -> None:
    async with (
        server_answering(lambda: StreamingResponse(without_end(), status)) as url,
        Connections() as connections,
    ):
        with pytest.raises(UnreadableReply, match="33,554,432 bytes"):
            await model_at(url, connections, max_attempts=1, **way).complete(ask())


@PLAIN_AND_STREAMED
async def test_an_answer_that_is_packed_is_not_unpacked(way: dict[str, Any]) -> None:
    packed = gzip.compress(b" " * 50_000_000)
    response = partial(Response, packed, headers={"content-encoding": "gzip"})
    async with server_answering(response) as url, Connections() as connections:
        with pytest.raises(UnreadableReply, match="packed its answer"):
            await model_at(url, connections, max_attempts=1, **way).complete(ask())


@pytest.mark.parametrize(
    ("chunks", "error"),
    [([], UnreadableReply), ([None], UnreadableReply), ([{"error": {"message": "no"}}], ProviderUnavailable)],
    ids=str,
)
async def test_a_stream_that_is_none_is_an_error(chunks: list[Any], error: type[ModelError]) -> None:
    with pytest.raises(error):
        await told(None, chunks, WAYS[1])


def piece(index: Any, arguments: str, *, name: str | None = None, id: str | None = None) -> dict[str, Any]:  # noqa: A002 - the wire's word
    function = {"arguments": arguments, "name": name}
    delta = {"tool_calls": [{"index": index, "id": id, "function": function}]}
    return {"choices": [{"index": 0, "delta": delta}]}


async def streamed(chunks: list[dict[str, Any]]) -> ModelReply:
    return await told(None, chunks, WAYS[1])


async def test_the_pieces_of_a_stream_are_put_together() -> None:
    reply = await streamed(
        [
            {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "Hel"}}]},
            {"choices": [{"index": 0, "delta": {"content": "lo."}}]},
            piece(0, "", name="send_message", id="a"),
            piece(0, '{"content":'),
            piece(1, "", name="finish_orders", id="b"),
            piece(0, ' "x"}'),
            {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
            {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 3}},
        ]
    )
    assert (reply.text, reply.usage.finish_reason, reply.usage.prompt_tokens) == ("Hello.", "tool_calls", 9)
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [
        ("send_message", {"content": "x"}),
        ("finish_orders", {}),
    ]


async def test_ten_thousand_streamed_calls_are_not_held_each_against_all_others() -> None:
    calls = [
        {"index": number, "id": f"c{number}", "function": {"name": "finish_orders", "arguments": "{}"}}
        for number in range(10_000)
    ]
    reply = await streamed(
        [
            {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "So be it."}}]},
            {"choices": [{"index": 0, "delta": {"content": " Really.", "tool_calls": calls}}]},
            {"choices": [{"index": 0, "delta": {"content": " Truly."}, "finish_reason": "tool_calls"}]},
        ]
    )
    assert (reply.text, len(reply.tool_calls)) == ("So be it. Really. Truly.", 10_000)


@pytest.mark.parametrize("index", [0, None])
async def test_calls_that_share_an_index_are_told_apart_by_their_ids(index: Any) -> None:
    reply = await streamed(
        [
            piece(index, "", name="one", id="a"),
            piece(index, '{"a": 1}'),
            piece(index, "", name="two", id="b"),
            piece(index, '{"b": 2}'),
        ]
    )
    assert [(call.name, call.arguments) for call in reply.tool_calls] == [
        ("one", {"a": 1}),
        ("two", {"b": 2}),
    ]


@PLAIN_AND_STREAMED
async def test_a_redirection_takes_no_prompt_to_another_address(way: dict[str, Any]) -> None:
    async with mock_server() as elsewhere:

        async def redirect(_: Request) -> Response:
            return RedirectResponse(f"{elsewhere.url}/chat/completions", 307)

        routes = [Route("/v1/chat/completions", redirect, methods=["POST"])]
        async with (
            embedded(Starlette(routes=routes), asyncio.Event()) as address,
            Connections() as connections,
        ):
            with pytest.raises(ProviderRejected) as failed:
                await model_at(f"{address}/v1", connections, **way).complete(ask())
    assert failed.value.status == 307
    assert elsewhere.requests == []
