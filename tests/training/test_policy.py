"""The policy's server: both wires, in front of the scripted model and of any other, and what it refuses."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx2
import pytest

from entente.loopback import embedded
from entente.models.client import Connections
from entente.models.mock.plan import Fault, FaultKind, Plan
from entente.models.mock.server import MockServer, mock_server
from entente.models.spec import ModelSpec
from entente.training.policy import DiplomacyPolicyHandler, ModelPolicy
from tests.models.support import HandClock
from tests.support.patience import PATIENCE

PROMPT = {"model": "m", "prompt": "How do you feel?", "temperature": 0.7, "max_tokens": 50}
CHAT = {**PROMPT, "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]}


@asynccontextmanager
async def a_models_server(plan: Plan) -> AsyncGenerator[tuple[httpx2.AsyncClient, MockServer]]:
    """A policy's server in front of a model, and that model's own."""
    async with mock_server(plan) as model, Connections(HandClock()) as connections:
        policy = ModelPolicy(ModelSpec.parse(f"openai:mock@{model.url}"), connections, {})
        async with (
            embedded(DiplomacyPolicyHandler(policy).application(), asyncio.Event()) as url,
            httpx2.AsyncClient(base_url=url, timeout=PATIENCE) as http,
        ):
            yield http, model


async def test_a_model_answers_both_wires_as_it_is_asked() -> None:
    async with a_models_server(Plan()) as (http, model):
        told = (await http.post("/v1/completions", json=PROMPT)).json()
        assert told["text"] == told["choices"][0]["text"] != ""
        chat = (await http.post("/v1/chat/completions", json=CHAT)).json()
        assert chat["choices"][0]["message"]["content"]
    assert chat["choices"][0]["finish_reason"] == "stop"
    assert told["usage"]["prompt_tokens"] > 0
    usage = chat["usage"]
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"] > 0
    # Clients that check OpenAI's form, as verifiers' does, want these too.
    assert {"id", "object", "created", "model", "choices"} <= {*chat}
    completion, conversation = model.requests
    assert [message["content"] for message in completion.messages] == [PROMPT["prompt"]]
    assert [message["role"] for message in conversation.messages] == ["system", "user"]


async def test_a_reply_that_was_cut_off_is_told_to_be() -> None:
    async with a_models_server(Plan(faults=(Fault(kind="truncate"),))) as (http, _):
        completion = (await http.post("/v1/completions", json=PROMPT)).json()
        conversation = (await http.post("/v1/chat/completions", json=CHAT)).json()
    assert {each["choices"][0]["finish_reason"] for each in (completion, conversation)} == {"length"}


REFUSED: list[tuple[FaultKind, int, int]] = [("500", 503, 4), ("401", 502, 1)]


@pytest.mark.parametrize(("kind", "status", "times"), REFUSED, ids=[kind for kind, _, _ in REFUSED])
async def test_a_model_that_fails_is_told_of_and_asked_again_only_where_that_may_help(
    kind: FaultKind, status: int, times: int
) -> None:
    async with a_models_server(Plan(faults=(Fault(kind=kind),))) as (http, model):
        refused = await http.post("/v1/completions", json=PROMPT)
        assert refused.status_code == status
        assert refused.json()["error"]["message"].endswith("Nothing was said.")
        assert len(model.requests) == times
