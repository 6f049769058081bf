"""A reply that is heard while it comes: at a real server, and as it ends."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager
from random import Random

import pytest

from entente.errors import ProviderUnavailable
from entente.models.budget import Budget
from entente.models.client import Connections, open_model
from entente.models.listening import pieces_of
from entente.models.settings import ModelSettings
from entente.models.spec import ModelSpec
from entente.models.wire import AudibleModel, CallUsage, ChatMessage, Hear, ModelReply, ModelRequest
from tests.models.support import HandClock
from tests.support.gated import Gated, gated

REQUEST = ModelRequest(messages=(ChatMessage(role="user", content="Speak."),), purpose="crew")
USAGE = CallUsage(
    purpose="crew",
    model="m",
    provider="p",
    latency_seconds=1,
    prompt_tokens=7,
    cached_tokens=0,
    completion_tokens=3,
    cost_usd=None,
    attempts=1,
    finish_reason="stop",
)


@asynccontextmanager
async def at(server: Gated, budget: Budget) -> AsyncGenerator[AudibleModel]:
    async with Connections(HandClock()) as connections:
        yield open_model(
            ModelSpec.parse(server.spec),
            ModelSettings(first_token_seconds=60),
            connections,
            environ={},
            rng=Random(1),
            budgets=[budget],
        )


async def test_a_reply_is_heard_as_it_comes_and_given_whole_and_charged() -> None:
    budget = Budget("the crew")
    async with gated() as server, at(server, budget) as model:
        heard: list[str | ModelReply] = []
        async with aclosing(pieces_of(model, REQUEST)) as pieces:
            async for piece in pieces:
                assert heard or server.sent == ["One"]
                heard.append(piece)
                server.go.set()
    *words, reply = heard
    assert words == ["One", " two", " three."]
    assert isinstance(reply, ModelReply)
    assert (reply.text, reply.usage.prompt_tokens, budget.spent_tokens) == ("One two three.", 700, 709)


@pytest.mark.parametrize(("breaks_off", "status", "asked"), [(True, 200, 1), (False, 500, 4)])
async def test_nothing_is_tried_again_once_a_word_was_heard(
    breaks_off: bool, status: int, asked: int
) -> None:
    heard: list[str] = []
    async with (
        gated(breaks_off=breaks_off, status=status) as server,
        at(server, Budget("the crew")) as model,
    ):
        with pytest.raises(ProviderUnavailable):
            await model.complete(REQUEST, heard.append)
    assert len(server.asked) == asked
    assert heard == (["One"] if breaks_off else [])


async def test_a_reply_that_has_come_when_its_listener_leaves_is_still_given_since_it_is_paid_for() -> None:
    came = asyncio.Event()

    class Slow:
        async def complete(self, request: ModelRequest, /, hear: Hear | None = None) -> ModelReply:
            assert hear
            hear("On")
            await came.wait()
            return ModelReply(text="On", tool_calls=(), usage=USAGE)

    given: list[str | ModelReply] = []

    async def listen() -> None:
        async with aclosing(pieces_of(Slow(), REQUEST)) as pieces:
            async for piece in pieces:
                given.append(piece)
                heard.set()

    heard = asyncio.Event()
    listening = asyncio.create_task(listen())
    await heard.wait()
    await asyncio.sleep(0)  # it waits for more
    came.set()
    listening.cancel()  # in the same moment
    with pytest.raises(asyncio.CancelledError):
        await listening
    assert given == ["On", ModelReply(text="On", tool_calls=(), usage=USAGE)]
