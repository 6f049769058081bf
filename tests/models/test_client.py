"""Models against the scripted server, over the loopback: replies, faults, patience, limits and budgets."""

import asyncio
from random import Random
from typing import Any

import pytest

from entente.errors import (
    AuthenticationFailed,
    BudgetExceeded,
    ModelError,
    ModelTimeout,
    ProviderRejected,
    ProviderUnavailable,
    RateLimited,
    SettingsError,
    UnreadableReply,
)
from entente.models.budget import Budget
from entente.models.client import Connections, open_model
from entente.models.mock.plan import Fault, FaultKind, Plan
from entente.models.mock.server import MockServer, mock_server
from entente.models.settings import ModelSettings
from entente.models.spec import ModelSpec
from entente.models.wire import ChatMessage, ModelReply, ModelRequest, ToolCall
from tests.models.support import AlarmClock, HandClock, ask, model_at
from tests.support.patience import PATIENCE
from tests.support.ports import free_port

WHOLE_SECONDS, FIRST_SECONDS = 40.0, 30.0
HOW: list[dict[str, Any]] = [
    {},
    {"first_token_seconds": FIRST_SECONDS},
    {"provider": "deepseek", "first_token_seconds": FIRST_SECONDS},
]
PATIENT = {"attempt_seconds": WHOLE_SECONDS, "total_seconds": 10 * WHOLE_SECONDS}
PLAIN_AND_STREAMED = pytest.mark.parametrize("how", HOW, ids=["plain", "streamed", "deepseek"])


def failing(kind: FaultKind, **when: Any) -> Plan:
    return Plan(faults=(Fault(kind=kind, **when),))


async def complete(plan: Plan, request: ModelRequest | None = None, **settings: Any) -> ModelReply:
    async with mock_server(plan) as server, Connections(HandClock()) as connections:
        return await model_at(server.url, connections, **settings).complete(request or ask())


async def fails(plan: Plan, **settings: Any) -> tuple[ModelError, MockServer, HandClock]:
    clock = HandClock()
    async with mock_server(plan) as server, Connections(clock) as connections:
        with pytest.raises(ModelError) as failed:
            await model_at(server.url, connections, **settings).complete(ask())
    return failed.value, server, clock


@PLAIN_AND_STREAMED
async def test_a_model_calls_tools_and_says_what_it_used(how: dict[str, Any]) -> None:
    reply = await complete(Plan(), **how)
    assert [call.name for call in reply.tool_calls] == ["submit_orders", "finish_orders"]
    assert isinstance(reply.tool_calls[0].arguments, dict)
    assert reply.text == ""
    usage = reply.usage
    assert (usage.purpose, usage.model, usage.attempts, usage.finish_reason) == (
        "orders",
        "mock",
        1,
        "tool_calls",
    )
    assert usage.provider.partition(":")[0] == f"{how.get('provider', 'openai')}@127.0.0.1"
    assert usage.prompt_tokens > 100
    assert usage.completion_tokens > 5
    assert usage.cost_usd is None


async def test_a_streamed_reply_is_the_same_reply() -> None:
    plain, streamed = await complete(Plan()), await complete(Plan(), first_token_seconds=FIRST_SECONDS)
    assert plain.tool_calls == streamed.tool_calls
    assert plain.usage.completion_tokens == streamed.usage.completion_tokens
    talk = ask("How do you feel?", tools=(), purpose="interview")
    assert (
        (await complete(Plan(), talk)).text
        == (await complete(Plan(), talk, first_token_seconds=FIRST_SECONDS)).text
        != ""
    )


@PLAIN_AND_STREAMED
async def test_a_conversation_with_tool_results_goes_on(how: dict[str, Any]) -> None:
    first = ask()
    called = (
        ToolCall(id="a", name="submit_orders", arguments={"orders": ["A PAR H"]}),
        ToolCall(id="b", name="submit_orders", arguments='{"orders": ["A PA'),
    )
    answers = tuple(ChatMessage(role="tool", content="done", tool_call_id=call.id) for call in called)
    spoken = ChatMessage(role="assistant", content="", tool_calls=called)
    request = first.model_copy(update={"messages": (*first.messages, spoken, *answers)})
    async with mock_server() as server, Connections() as connections:
        await model_at(server.url, connections, **how).complete(request)
    sent = server.requests[0].messages
    assert [message["role"] for message in sent] == ["system", "user", "assistant", "tool", "tool"]
    assert sent[2]["tool_calls"][1]["function"]["arguments"] == '{"orders": ["A PA'
    assert sent[4]["tool_call_id"] == "b"


async def test_the_cached_part_of_a_prompt_is_told() -> None:
    async with mock_server() as server, Connections() as connections:
        model = model_at(server.url, connections)
        replies = [await model.complete(ask(f"{'The rules. ' * 1000}\n{n}")) for n in (1, 2)]
    assert [reply.usage.cached_tokens for reply in replies] == [0, 2816 + 128]


@PLAIN_AND_STREAMED
@pytest.mark.parametrize("kind", ["truncate", "garbage", "empty", "refusal", "null_content", "bad_tool"])
async def test_no_word_of_a_model_is_an_error(kind: FaultKind, how: dict[str, Any]) -> None:
    reply = await complete(failing(kind), **how)
    match kind:
        case "truncate":
            assert reply.usage.finish_reason == "length"
            assert isinstance(reply.tool_calls[-1].arguments, str)
        case "garbage":
            assert reply.text
        case "refusal" if not how:
            assert (reply.text, reply.usage.finish_reason) == ("I cannot help with that.", "refusal")
        case "bad_tool" if how:
            named = [(call.name, call.arguments) for call in reply.tool_calls]
            assert named == [("launch_missiles", {"at": ["LON"]}), ("send_message", [7])]
        case _:
            assert (reply.text, reply.tool_calls) == ("", ())


WIRE_FAULTS: list[tuple[FaultKind, type[ModelError], int]] = [
    ("400", ProviderRejected, 1),
    ("401", AuthenticationFailed, 1),
    ("429", RateLimited, 3),
    ("500", ProviderUnavailable, 3),
    ("disconnect", ProviderUnavailable, 3),
    ("html", UnreadableReply, 3),
]


@PLAIN_AND_STREAMED
@pytest.mark.parametrize(("kind", "error", "attempts"), WIRE_FAULTS, ids=[case[0] for case in WIRE_FAULTS])
async def test_a_provider_that_fails_ends_in_its_error_after_as_many_tries_as_help(
    kind: FaultKind, error: type[ModelError], attempts: int, how: dict[str, Any]
) -> None:
    failed, server, clock = await fails(failing(kind), max_attempts=3, **how)
    assert type(failed) is error
    assert failed.attempts == attempts == len(server.requests) == len(clock.slept) + 1
    assert failed.exit_code == 4
    assert str(failed).startswith(f"A reply of {how.get('provider', 'openai')}:mock@http://127.0.0.1:")


@PLAIN_AND_STREAMED
@pytest.mark.parametrize("kind", ["429", "500", "disconnect", "html"])
async def test_a_fault_that_passes_costs_an_attempt_and_nothing_else(
    kind: FaultKind, how: dict[str, Any]
) -> None:
    reply = await complete(failing(kind, calls=(1,)), **how)
    assert reply.usage.attempts == 2
    assert reply.tool_calls == (await complete(Plan())).tool_calls


async def out_of_patience(server: MockServer, clock: AlarmClock, attempts: int, seconds: float) -> None:
    """Let so much time pass as soon as each of the attempts has reached the server."""
    async with asyncio.timeout(PATIENCE):
        for attempt in range(1, attempts + 1):
            while len(server.requests) < attempt:  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0)
            clock.pass_by(seconds)


@PLAIN_AND_STREAMED
@pytest.mark.parametrize("kind", ["hang", "trickle"])
async def test_a_provider_that_does_not_answer_in_time_is_left_after_as_many_tries_as_help(
    kind: FaultKind, how: dict[str, Any]
) -> None:
    clock = AlarmClock()
    async with mock_server(failing(kind)) as server, Connections(clock) as connections:
        asked = asyncio.create_task(
            model_at(server.url, connections, max_attempts=3, **PATIENT, **how).complete(ask())
        )
        await out_of_patience(server, clock, 3, FIRST_SECONDS if how else WHOLE_SECONDS)
        with pytest.raises(ModelTimeout) as failed:
            await asked
    assert failed.value.attempts == len(server.requests) == 3


@PLAIN_AND_STREAMED
async def test_an_attempt_that_is_not_answered_in_time_costs_its_time_and_nothing_else(
    how: dict[str, Any],
) -> None:
    clock, waited = AlarmClock(), FIRST_SECONDS if how else WHOLE_SECONDS
    async with mock_server(failing("hang", calls=(1,))) as server, Connections(clock) as connections:
        asked = asyncio.create_task(model_at(server.url, connections, **PATIENT, **how).complete(ask()))
        await out_of_patience(server, clock, 1, waited)
        reply = await asked
    assert (reply.usage.attempts, reply.usage.latency_seconds) == (2, waited + clock.slept[0])
    assert reply.tool_calls == (await complete(Plan())).tool_calls


async def test_a_provider_that_does_not_listen_is_unavailable() -> None:
    async with Connections(HandClock()) as connections:
        with pytest.raises(ProviderUnavailable, match="4 times"):
            await model_at(f"http://127.0.0.1:{free_port()}/v1", connections).complete(ask())


async def test_the_patience_that_a_provider_asks_for_is_honoured() -> None:
    clock = HandClock()
    plan = failing("429", calls=(1, 2), retry_after_seconds=11)
    async with mock_server(plan) as server, Connections(clock) as connections:
        reply = await model_at(server.url, connections).complete(ask())
    assert clock.slept == [11, 11]
    assert reply.usage.attempts == 3
    assert reply.usage.latency_seconds == pytest.approx(22)


async def test_patience_beyond_the_calls_own_time_is_not_had() -> None:
    failed, server, clock = await fails(failing("429", retry_after_seconds=100), total_seconds=60)
    assert (type(failed), len(server.requests), clock.slept) == (RateLimited, 1, [])


async def test_the_rate_of_an_address_is_kept_by_all_its_models() -> None:
    clock = HandClock()
    async with mock_server() as server, Connections(clock) as connections:
        for name in ("one", "two", "three"):
            await model_at(server.url, connections, name=name, requests_per_minute=2).complete(ask())
    assert clock.slept == [30.0]


async def test_a_call_that_a_budget_cannot_pay_is_not_made() -> None:
    game, seat = Budget("the game", limit_tokens=100_000), Budget("FRANCE", limit_tokens=1_000)
    async with mock_server() as server, Connections() as connections:
        spec = ModelSpec("openai", "mock", server.url)
        model = open_model(
            spec, ModelSettings(), connections, environ={}, rng=Random(1), budgets=(game, seat)
        )
        reply = await model.complete(ask())
        with pytest.raises(BudgetExceeded, match="FRANCE has used"):
            await model.complete(ask(max_output_tokens=1_000))
    assert len(server.requests) == 1
    assert game.spent_tokens == seat.spent_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens


async def test_a_budget_in_dollars_wants_a_known_price() -> None:
    async with Connections() as connections:
        with pytest.raises(SettingsError, match="give a budget in tokens"):
            open_model(
                ModelSpec.parse("openai:mock@http://127.0.0.1:1/v1"),
                ModelSettings(),
                connections,
                environ={},
                rng=Random(1),
                budgets=(Budget("the game", limit_usd=1),),
            )


@pytest.mark.parametrize("how", [{}, {"first_token_seconds": FIRST_SECONDS}], ids=["plain", "streamed"])
async def test_what_a_model_thinks_beside_its_reply_is_kept_by_the_client_that_reads_it(
    how: dict[str, Any],
) -> None:
    thought = "Burgundy is open. Munich cannot reach it, " * 2
    for provider, kept in (("deepseek", thought), ("openai", "")):
        reply = await complete(Plan(reasoning=thought), provider=provider, **how)
        assert reply.reasoning == kept
        assert reply.usage.reasoning_tokens == 21
        assert [call.name for call in reply.tool_calls] == ["submit_orders", "finish_orders"]


async def test_an_address_in_the_settings_is_asked_when_the_spec_has_none() -> None:
    async with mock_server() as server, Connections() as connections:
        settings = ModelSettings(base_url=server.url, temperature=0.25)
        model = open_model(ModelSpec("openai", "mock"), settings, connections, environ={}, rng=Random(1))
        assert (await model.complete(ask())).usage.provider == f"openai@{server.url[7:-3]}"


@pytest.mark.parametrize(
    ("provider", "module", "extra"),
    [
        ("anthropic", "langchain.chat_models", "anthropic"),
        ("google_genai", "langchain.chat_models", "google"),
        ("deepseek", "langchain_deepseek", "deepseek"),
    ],
)
async def test_a_provider_that_is_not_installed_is_named_with_its_extra(
    provider: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, module, None)
    async with Connections() as connections:
        with pytest.raises(SettingsError, match=rf"entente\[{extra}\]"):
            open_model(
                ModelSpec(provider, "some-model"),
                ModelSettings(key_variable="SOME_KEY"),
                connections,
                environ={"SOME_KEY": "x"},
                rng=Random(1),
            )


@PLAIN_AND_STREAMED
async def test_a_server_that_thinks_for_long_and_lives_is_waited_for(how: dict[str, Any]) -> None:
    slow = Plan(latency_ms=900)
    async with mock_server(slow) as server, Connections() as connections:
        reply = await model_at(server.url, connections, silent_seconds=0.3, **how).complete(ask())
    assert (reply.usage.attempts, len(server.requests)) == (1, 1)
    assert reply.usage.latency_seconds > 0.9


@PLAIN_AND_STREAMED
@pytest.mark.parametrize("kind", ["hang", "trickle"])
async def test_a_server_that_says_nothing_at_all_is_left_in_its_first_minute(
    kind: FaultKind, how: dict[str, Any]
) -> None:
    settings: dict[str, Any] = {**how, "silent_seconds": 0.3, "max_attempts": 1}
    async with mock_server(failing(kind)) as server, Connections() as connections:
        with pytest.raises(ModelTimeout, match=r"no sign of life for 0.3 seconds \(silent_seconds\)"):
            await model_at(server.url, connections, **settings).complete(ask())


async def test_the_patience_of_the_defaults_ends_within_a_minute_at_a_dead_server() -> None:
    settings = ModelSettings()
    assert 2 * settings.silent_seconds + 1 < 60
    clock = AlarmClock()
    async with mock_server(failing("hang")) as server, Connections(clock) as connections:
        asked = asyncio.create_task(model_at(server.url, connections).complete(ask()))
        await out_of_patience(server, clock, 2, settings.silent_seconds)
        with pytest.raises(ModelTimeout, match="it was asked 2 times and no more"):
            await asked
    assert clock.time < 60
