"""What a check finds out at servers that can do more and less, and in how many calls."""

import asyncio
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from entente.cli.models_check_work import tryout
from entente.errors import (
    AuthenticationFailed,
    MissingKey,
    ModelError,
    ModelTimeout,
    ProviderRejected,
    ProviderUnavailable,
    RateLimited,
    UnreadableReply,
)
from entente.models.check import Check, check_model
from entente.models.client import Connections
from entente.models.context_size import context_tokens
from entente.models.mock.plan import Fault, FaultKind, Plan
from entente.models.mock.server import MockServer, embedded, mock_server
from entente.models.spec import ModelSpec
from entente.models.trial import Way
from entente.players.model.settings import SeatSettings

KEY = "canary-key-0123456789"


def failing(*kinds: FaultKind, calls: tuple[int, ...] = ()) -> Plan:
    return Plan(faults=tuple(Fault(kind=kind, calls=calls) for kind in kinds))


async def check(plan: Plan, *, offers_tools: bool = True, **settings: Any) -> tuple[Check, MockServer]:
    async with mock_server(plan) as server, Connections() as connections:
        chosen = SeatSettings().over({"key_variable": "MY_KEY", **settings})
        found = await check_model(
            ModelSpec("openai", "mock", server.url),
            chosen,
            tryout(chosen),
            connections,
            environ={"MY_KEY": KEY},
            offers_tools=offers_tools,
        )
    assert found.calls == len(server.requests)
    assert KEY not in found.model_dump_json()
    return found, server


def works(found: Check) -> dict[str, bool | None]:
    return {finding.name: finding.works for finding in found.findings}


def remark(found: Check, name: str) -> str:
    return next(finding.remark for finding in found.findings if finding.name == name)


def test_the_task_asks_for_no_other_way_than_the_one_that_is_tried() -> None:
    said = tryout(SeatSettings()).request(Way(tools=False, json=True)).messages
    assert not any("tool calls" in message.content for message in said)


async def test_one_streamed_call_shows_all_that_a_good_server_can() -> None:
    found, server = await check(Plan())
    assert works(found) == {
        "answers": True,
        "tools": True,
        "whole turn": True,
        "JSON": True,
        "JSON with schema": None,
        "streaming": True,
        "reasoning": None,
        "usage": True,
        "price": None,
        "context": None,
    }
    assert (found.actions, found.calls, found.usage.calls) == ("tools", 1, 1)
    assert server.requests[0].is_stream
    assert "first token after" in remark(found, "streaming")


SCHEMA = "JSON with schema"
LESSER: list[tuple[tuple[FaultKind, ...], dict[str, bool | None], str | None, int]] = [
    (
        ("no_tools",),
        {"tools": False, "whole turn": None, "JSON": True, SCHEMA: True, "streaming": True},
        "schema",
        3,
    ),
    (("no_tools", "no_schema"), {"tools": False, "JSON": True, SCHEMA: None}, "json", 3),
    (("no_tools", "ignore_schema"), {"tools": False, "JSON": True, SCHEMA: False}, "json", 3),
    (("no_stream",), {"tools": True, "whole turn": True, "JSON": True, "streaming": False}, "tools", 3),
    (("no_tools", "no_stream"), {"tools": False, "JSON": True, "streaming": False}, "schema", 5),
    (("ignore_tools",), {"tools": False, "whole turn": None, "JSON": True}, "schema", 3),
    (("one_call",), {"tools": True, "whole turn": False, "JSON": True}, "schema", 2),
    (("bad_tool",), {"tools": False, "JSON": False, SCHEMA: False}, None, 3),
    (("truncate",), {"tools": True, "whole turn": False, "JSON": True, SCHEMA: False}, "json", 2),
    (("garbage",), {"tools": False, "JSON": False, "streaming": True, "usage": True}, None, 3),
    (("empty",), {"tools": False, "JSON": False}, None, 3),
    (("refusal",), {"tools": False, "JSON": False}, None, 3),
]


@pytest.mark.parametrize(
    ("faults", "wanted", "actions", "calls"), LESSER, ids=["+".join(case[0]) for case in LESSER]
)
async def test_what_a_server_lacks_is_found_in_as_few_calls_as_show_it(
    faults: tuple[FaultKind, ...], wanted: dict[str, bool | None], actions: str | None, calls: int
) -> None:
    found, _ = await check(failing(*faults))
    assert works(found).items() >= wanted.items()
    assert (found.actions, found.calls) == (actions, calls)


async def test_a_refusal_is_told_in_the_providers_words() -> None:
    found, _ = await check(failing("no_tools"))
    assert remark(found, "tools") == "failed with 400: This model takes no tools."


async def test_a_model_that_wrote_calls_is_offered_tools_alone_before_they_are_said_not_to_work() -> None:
    found, server = await check(failing("ignore_tools", calls=(1,)))
    assert (found.actions, found.calls) == ("tools", 2)
    assert [bool(request.tools) for request in server.requests] == [True, True]
    assert "JSON" not in str(server.requests[1].messages)


async def test_json_alone_is_tried_when_no_tools_are_wanted() -> None:
    found, server = await check(Plan(), offers_tools=False)
    assert works(found).items() >= {"tools": None, "JSON": True, "streaming": True}.items()
    assert (found.actions, found.calls) == ("schema", 2)
    assert [bool(request.tools) for request in server.requests] == [False, False]
    assert "JSON" not in str(server.requests[1].messages)


async def test_a_call_that_follows_and_fails_takes_nothing_from_what_was_found() -> None:
    plan = Plan(faults=(Fault(kind="garbage", calls=(1,)), Fault(kind="429", calls=(2,))))
    found, _ = await check(plan)
    assert works(found).items() >= {"answers": True, "tools": False}.items()
    assert (found.actions, found.calls) == (None, 2)


async def test_a_trial_that_was_not_answered_in_time_is_told_as_that() -> None:
    """The first reply is plain text, and those that would show more take too long."""
    plan = Plan(faults=(Fault(kind="garbage", calls=(1,)), Fault(kind="hang")))
    found, _ = await check(plan, silent_seconds=0.3)
    told = "failed: the server gave no sign of life for 0.3 seconds (silent_seconds)"
    assert remark(found, "JSON") == told
    assert works(found).items() >= {"answers": True, "tools": False, "JSON": None}.items()
    assert found.actions is None


CONTEXTS: list[tuple[dict[str, Any], dict[str, Any], int | None]] = [
    ({}, {"max_model_len": 32768}, 32768),
    ({}, {"context_length": 131072}, 131072),
    ({}, {"meta": {"n_ctx_train": 8192}}, 8192),
    ({"default_generation_settings": {"n_ctx": 4096}}, {"meta": {"n_ctx_train": 8192}}, 4096),
    ({}, {"id": "another", "max_model_len": 1}, None),
]


@pytest.mark.parametrize(("props", "listed", "tokens"), CONTEXTS, ids=str)
async def test_the_context_is_what_the_server_says_it_serves(
    props: dict[str, Any], listed: dict[str, Any], tokens: int | None
) -> None:
    async def show(request: Request) -> JSONResponse:
        if request.url.path == "/props":
            return JSONResponse(props, 200 if props else 404)
        return JSONResponse({"data": [{"id": "mock", **listed}]})

    routes = [Route("/props", show), Route("/v1/models", show)]
    async with embedded(Starlette(routes=routes), asyncio.Event()) as address, Connections() as connections:
        spec = ModelSpec("openai", "mock", f"{address}/v1")
        with connections.pools(spec.address).one() as http:
            assert await context_tokens(http, spec, "none") == tokens


FAILURES: list[tuple[FaultKind, type[ModelError], int]] = [
    ("401", AuthenticationFailed, 1),
    ("429", RateLimited, 1),
    ("hang", ModelTimeout, 1),
    ("disconnect", ProviderUnavailable, 1),
    ("400", ProviderRejected, 4),
    ("500", ProviderUnavailable, 4),
    ("html", UnreadableReply, 4),
]


@pytest.mark.parametrize(("fault", "kind", "calls"), FAILURES, ids=[case[0] for case in FAILURES])
async def test_a_model_that_cannot_be_asked_is_an_error_that_counts_the_calls(
    fault: FaultKind, kind: type[ModelError], calls: int
) -> None:
    with pytest.raises(kind, match="once" if calls == 1 else f"{calls} times") as failed:
        await check(failing(fault), attempt_seconds=0.3 if fault == "hang" else 40)
    assert KEY not in f"{failed.value} {vars(failed.value)}"


async def test_a_key_that_is_missing_is_told_before_anything_is_sent() -> None:
    settings = SeatSettings()
    async with Connections() as connections:
        with pytest.raises(MissingKey, match="OPENAI_API_KEY"):
            await check_model(
                ModelSpec.parse("openai:gpt-5"), settings, tryout(settings), connections, environ={}
            )
