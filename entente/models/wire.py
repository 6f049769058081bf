"""What is asked of a language model and what comes back, in our own words, whichever provider answers.

Nothing here knows the game: who asks, and what for, is the model player's business.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue

Purpose: TypeAlias = Literal["talk", "orders", "diary", "interview", "crew", "check"]
"""What a call is for; kept with its cost."""

_MAX_KEPT_CHARS = 100_000
"""Of a reply's text, and of its reasoning: about 25,000 tokens of each."""


class ToolCall(BaseModel):
    """One tool that a model called."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    arguments: JsonValue
    """An object; the raw text where it was not JSON."""


class ChatMessage(BaseModel):
    """One message of a conversation with a model."""

    model_config = ConfigDict(frozen=True)

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    """Of an assistant's message."""
    tool_call_id: str | None = None
    """Of a tool's message: which call it answers."""


class Tool(BaseModel):
    """A tool that a model may call."""

    model_config = ConfigDict(frozen=True)

    name: str
    description: str
    parameters: dict[str, Any]
    """A JSON schema of an object."""


class ModelRequest(BaseModel):
    """One call."""

    model_config = ConfigDict(frozen=True)

    messages: tuple[ChatMessage, ...]
    tools: tuple[Tool, ...] = ()
    purpose: Purpose
    max_output_tokens: int | None = None
    reply_schema: dict[str, Any] | None = None
    """The JSON schema that the server is to hold the reply's text to; None leaves the text free."""


class CallUsage(BaseModel):
    """What one call was and cost; kept in the journal with the turn."""

    model_config = ConfigDict(frozen=True)

    purpose: Purpose
    model: str
    provider: str
    latency_seconds: float
    prompt_tokens: int
    cached_tokens: int
    """Of the prompt's, those that the provider had cached; 0 where it does not say."""
    written_tokens: int = 0
    """Of the prompt's, those that the provider put into its cache, where it charges for that."""
    completion_tokens: int
    reasoning_tokens: int = 0
    """Of the reply's, those that the model thought with, where the provider says so."""
    cost_usd: float | None
    """None where the price is not known; never 0 for that."""
    attempts: int
    """1 when the first try succeeded."""
    finish_reason: str
    prompt_letters: int = Field(default=0, exclude_if=lambda letters: not letters)
    """Of the prompt's messages and tools; 0 in games of an older entente."""
    faults: int = 0
    """How much of the reply could not be taken: calls that were refused, and what was wrong with it as a whole."""
    version: str = Field(default="", exclude_if=lambda version: not version)
    """Which version of the model answered, in its server's words; empty where it does not say."""


class ReplyTokens(BaseModel):
    """What a server said of a reply's tokens, as it said it."""

    model_config = ConfigDict(frozen=True)

    ids: tuple[int, ...] = ()
    """Of the reply; empty where the server does not say."""
    logprobs: tuple[float, ...] = ()
    """One for each token of the reply; empty where the server does not say."""
    prompt_ids: tuple[int, ...] = ()
    """Of the prompt; empty where the server does not say."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a provider's reply says, before its cost is reckoned up."""

    text: str
    calls: tuple[ToolCall, ...]
    finish_reason: str
    """As the provider says it; `refusal` where the text is one, `malformed` for a reply that LangChain has no form for,
    empty where the provider does not say."""
    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    written_tokens: int = 0
    """Of the prompt's, those that the provider put into its cache, where it charges for that."""
    first_token_seconds: float | None = None
    """How long the first token took; None for a reply that was not streamed."""
    reasoning: str = ""
    """What the model thought before it answered, where its provider tells."""
    tokens: ReplyTokens | None = None
    """None where the server says nothing of tokens, as most do unless they are asked."""
    version: str = ""
    """Which version of the model answered: OpenAI's `system_fingerprint`; empty where the server does not say."""


class ModelReply(BaseModel):
    """What came back."""

    model_config = ConfigDict(frozen=True)

    text: str
    """Empty where the model only called tools, or said nothing."""
    tool_calls: tuple[ToolCall, ...]
    usage: CallUsage
    reasoning: str = ""
    """What the model thought before it answered, where its provider tells."""
    first_token_seconds: float | None = None
    """How long the first token took; None for a reply that was not streamed."""
    tokens: ReplyTokens | None = Field(default=None, exclude_if=lambda tokens: tokens is None)
    """None where the server says nothing of tokens, as most do unless they are asked."""
    cut: str = ""
    """A sentence where the server counted far fewer tokens than the prompt has: it has not read all of it."""


class RawCall(BaseModel):
    """A tool call as it came."""

    model_config = ConfigDict(frozen=True)

    name: str
    arguments: JsonValue
    """An object; the raw text where it was not JSON."""


class PromptPart(NamedTuple):
    """A part of a prompt as it was sent (`entente.models.sent`)."""

    digest: str
    parent: str | None
    """The digest of the part before; None for the first."""
    body: str
    """JSON: a message, or what was offered with all of them."""


class Asked(BaseModel):
    """How a reply was asked for."""

    model_config = ConfigDict(frozen=True)

    prompt: str
    """The digest of the last part of the prompt as it was sent, which the journal keeps beside its turns."""
    prompt_set: str
    """The digest of the texts that the prompt was written with."""
    sampling: dict[str, JsonValue] = Field(default_factory=dict)
    """The settings that decide what the model says: its temperature and the like, those alone that were sent."""
    parts: tuple[PromptPart, ...] = Field(default=(), exclude=True, repr=False)
    """The prompt's parts until they are kept; empty in a record that was read."""


class RawReply(BaseModel):
    """A reply as it came, and what of it could not be taken; kept in the journal with the turn."""

    model_config = ConfigDict(frozen=True)

    text: str
    calls: tuple[RawCall, ...] = ()
    reasoning: str = ""
    faults: tuple[str, ...] = ()
    """A sentence for each call that was refused, and for what was wrong with the reply as a whole."""
    asked: Asked | None = Field(default=None, exclude_if=lambda asked: asked is None)
    """None in games of an older entente."""
    tokens: ReplyTokens | None = Field(default=None, exclude_if=lambda tokens: tokens is None)
    """None where the server said nothing of tokens."""

    @classmethod
    def of(cls, reply: ModelReply, faults: tuple[str, ...], asked: Asked | None = None) -> "RawReply":
        """The reply for keeping; of a text that is longer than any reply of use, the beginning."""
        return cls(
            text=_bounded(reply.text),
            calls=tuple(RawCall(name=call.name, arguments=call.arguments) for call in reply.tool_calls),
            reasoning=_bounded(reply.reasoning),
            faults=faults,
            asked=asked,
            tokens=reply.tokens,
        )

    @property
    def is_shortened(self) -> bool:
        """True where the beginning of the text is kept alone."""
        return len(self.text) > _MAX_KEPT_CHARS

    def kept(self) -> "RawReply":
        """The reply without the parts of its prompt, once they are kept."""
        if self.asked is None or not self.asked.parts:
            return self
        return self.model_copy(update={"asked": self.asked.model_copy(update={"parts": ()})})


def _bounded(text: str) -> str:
    left_out = len(text) - _MAX_KEPT_CHARS
    return text if left_out <= 0 else f"{text[:_MAX_KEPT_CHARS]}… ({left_out} more characters)"


class KeptReplies(Protocol):
    """Replies that came in a turn which is not finished yet: should the game be killed now, they are paid for."""

    async def find(self, request: ModelRequest, /) -> ModelReply | None:
        """The reply to this very request, if it was kept."""
        ...

    async def keep(self, request: ModelRequest, reply: ModelReply, /) -> None:
        """Keep it, before another call is made in the same turn."""
        ...


class Model(Protocol):
    """A language model behind its retries, limits and budget."""

    async def complete(self, request: ModelRequest, /) -> ModelReply:
        """One reply; raises ModelError for a provider that fails, and BudgetExceeded before a call is made."""
        ...


Hear: TypeAlias = Callable[[str], None]
"""Is told each piece of a reply's text as it comes."""


class AudibleModel(Protocol):
    """A language model whose reply can be heard while it comes."""

    async def complete(self, request: ModelRequest, /, hear: Hear | None = None) -> ModelReply:
        """One reply, as of any model; whoever hears is told its pieces, after which nothing is tried again."""
        ...
