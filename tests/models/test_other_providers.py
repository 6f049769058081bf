"""Models of providers beside OpenAI, with langchain's own fake in the provider's place."""

from collections.abc import Sequence
from typing import Any

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.messages.ai import InputTokenDetails, UsageMetadata

from entente.models.deadline import Patience, deadline
from entente.models.langchain import LangChainChat
from entente.models.spec import ModelSpec
from entente.models.wire import Completion, ToolCall
from tests.models.support import HandClock, ask

USAGE = UsageMetadata(
    input_tokens=50, output_tokens=7, total_tokens=57, input_token_details=InputTokenDetails(cache_read=40)
)


class FakeChat(GenericFakeChatModel):
    """Takes tools as a real one does, and keeps nothing of them."""

    def bind_tools(self, tools: Sequence[Any], **_: Any) -> "FakeChat":  # pyright: ignore[reportIncompatibleMethodOverride] - a fake takes anything
        assert next(each["function"]["name"] for each in tools) == "send_message"
        return self


async def said(message: AIMessage, *, streams: bool = False) -> Completion:
    chat = FakeChat(messages=iter([message]), disable_streaming=not streams)

    async def lives() -> bool:
        return True

    patience = Patience(whole=5, first_token=5 if streams else None, silent=5)
    async with deadline(HandClock(), patience, lives) as ends:
        return await LangChainChat(chat, ModelSpec.parse("google_genai:fake")).ask(ask(), ends, "FRANCE")


async def test_calls_that_were_understood_and_that_were_not_are_values() -> None:
    message = AIMessage(
        [{"type": "text", "text": "Well. "}, {"type": "text", "text": "So be it."}],
        tool_calls=[{"id": "a", "name": "finish_orders", "args": {}}],
        invalid_tool_calls=[
            {
                "type": "invalid_tool_call",
                "id": "b",
                "name": "submit_orders",
                "args": '{"orders',
                "error": "cut",
            }
        ],
        usage_metadata=USAGE,
        response_metadata={"stop_reason": "tool_use"},
    )
    assert await said(message) == Completion(
        text="Well. So be it.",
        calls=(
            ToolCall(id="a", name="finish_orders", arguments={}),
            ToolCall(id="b", name="submit_orders", arguments='{"orders'),
        ),
        finish_reason="tool_use",
        prompt_tokens=50,
        cached_tokens=40,
        completion_tokens=7,
    )


@pytest.mark.parametrize("streams", [False, True], ids=["plain", "streamed"])
async def test_words_come_whole_or_in_pieces(streams: bool) -> None:
    spoken = await said(AIMessage("I keep the peace."), streams=streams)
    assert (spoken.text, spoken.calls, spoken.prompt_tokens) == ("I keep the peace.", (), 0)
