"""How many tokens a prompt has, learned from a server's counts, and a server that has cut the prompt."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from random import Random

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from entente.errors import BudgetExceeded
from entente.models.budget import Budget
from entente.models.client import Connections, open_model
from entente.models.mock.prefixes import LETTERS_PER_TOKEN
from entente.models.mock.server import embedded
from entente.models.settings import ModelSettings
from entente.models.spec import ModelSpec
from entente.models.tokens import Meter, fewest_letters_a_token, letters_a_token, letters_learned
from entente.models.wire import CallUsage, ModelReply
from tests.models.support import ask, model_at


@asynccontextmanager
async def counting(letters_a_token: float, most: int = 10**9) -> AsyncGenerator[str]:
    """A server that counts a prompt's tokens, of which it reads so many at the most."""

    async def answer(request: Request) -> JSONResponse:
        letters = sum(len(each["content"] or "") for each in (await request.json())["messages"])
        usage = {"prompt_tokens": min(most, int(letters / letters_a_token)), "completion_tokens": 3}
        choice = {"index": 0, "message": {"role": "assistant", "content": "x"}, "finish_reason": "stop"}
        return JSONResponse({"choices": [choice], "usage": usage})

    routes = [Route("/v1/chat/completions", answer, methods=["POST"])]
    async with embedded(Starlette(routes=routes), asyncio.Event()) as address:
        yield f"{address}/v1"


async def replies(letters_a_token: float, most: int, *lengths: int) -> list[ModelReply]:
    async with counting(letters_a_token, most) as url, Connections() as connections:
        model = model_at(url, connections)
        return [await model.complete(ask("x" * length, tools=())) for length in lengths]


CUTS = [
    (2.55, 10**9, (9084, 20_000), (False, False)),
    (4.5, 10**9, (9084, 20_000), (False, False)),
    (2.55, 3, (9084,), (True,)),
    (2.55, 4096, (9000, 20_000), (False, True)),
]


@pytest.mark.parametrize(("ratio", "most", "lengths", "wanted"), CUTS, ids=str)
async def test_a_server_that_cut_the_prompt_is_noticed(
    ratio: float, most: int, lengths: tuple[int, ...], wanted: tuple[bool, ...]
) -> None:
    got = await replies(ratio, most, *lengths)
    assert tuple(bool(reply.cut) for reply in got) == wanted
    if wanted[-1]:
        assert f"counted {got[-1].usage.prompt_tokens:,} tokens in a prompt of" in got[-1].cut


async def test_a_budget_is_held_by_what_the_server_has_counted_before() -> None:
    budget = Budget("FRANCE", limit_tokens=9_000)
    async with counting(2.0) as url, Connections() as connections:
        spec = ModelSpec("openai", "mock", url)
        model = open_model(spec, ModelSettings(), connections, environ={}, rng=Random(1), budgets=(budget,))
        await model.complete(ask("x" * 8_000, tools=()))
        with pytest.raises(BudgetExceeded, match=r"about 5,00\d tokens"):
            await model.complete(ask("x" * 9_996, tools=()))


CALLS: list[tuple[list[tuple[int, int]], float | None]] = [
    ([(12_000, 5_000), (12_100, 4_900)], 2.4),
    ([(12_480, 5_000)], 2.4),  # rounded down: a bound is held by it
    # The second prompt was cut, the first one's server counted nothing.
    ([(12_000, 0), (12_000, 3), (30_000, 10_000)], 3.0),
    ([(0, 5_000), (3_000, 5_000)], None),  # of an older entente; something else was counted
    ([], None),
]


@pytest.mark.parametrize(("counted", "wanted"), CALLS, ids=str)
def test_a_game_learns_the_fewest_letters_a_token(
    counted: list[tuple[int, int]], wanted: float | None
) -> None:
    assert letters_learned([usage(letters, tokens) for letters, tokens in counted]) == wanted


def usage(letters: int, tokens: int) -> CallUsage:
    return CallUsage(
        purpose="orders",
        model="mock",
        provider="openai",
        latency_seconds=1,
        prompt_tokens=tokens,
        cached_tokens=0,
        completion_tokens=1,
        cost_usd=None,
        attempts=1,
        finish_reason="stop",
        prompt_letters=letters,
    )


@pytest.mark.parametrize(("learned", "wanted"), [(None, 2.4), (2.1, 2.4), (2.7, 2.4), (2.0, 2.0), (2.8, 2.8)])
def test_a_first_guess_stands_unless_it_was_far_off(learned: float | None, wanted: float) -> None:
    assert letters_a_token("openai:smollm2", learned) == wanted


@pytest.mark.parametrize(("learned", "wanted"), [(None, 2.4), (2.9, 2.4), (2.3, 2.3)])
def test_a_bound_goes_by_the_fewer_of_guess_and_count(learned: float | None, wanted: float) -> None:
    assert fewest_letters_a_token("openai:smollm2", learned) == wanted


FAMILIES = [
    ("openai:smollm2@http://127.0.0.1:8080/v1", 2.4),
    ("openai:HuggingFaceTB/SmolLM2-135M-Instruct", 2.4),
    ("openai:gpt-5-mini", 2.8),
    ("openai:o4-mini", 2.8),
    ("anthropic:claude-sonnet-4-5", 2.6),
    ("google_genai:gemini-2.5-flash", 2.9),
    ("openai:openai/gpt-oss-20b@http://localhost:1234/v1", 2.8),
    ("openai:llama3:8b@http://smollm.local:8000/v1", 2.6),
    ("openai:mistralai/Ministral-8B-Instruct", 2.6),
    ("openai:qwen3:8b@http://localhost:11434/v1", 2.8),
    ("deepseek:deepseek-chat", 2.8),
    ("", 2.6),
    ("openai:mock@http://127.0.0.1:9/v1", LETTERS_PER_TOKEN),
]


@pytest.mark.parametrize(("model", "wanted"), FAMILIES)
def test_the_first_guess_is_of_the_models_family(model: str, wanted: float) -> None:
    assert letters_a_token(model) == wanted
    meter = Meter(model)
    assert meter.tokens(12_000) == int(12_000 / wanted)
    assert not meter.is_cut(12_000, 6_000)
    assert meter.tokens(12_000) == 6_000
