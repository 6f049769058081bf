"""A small task put to a model in one way or another, and what became of it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from entente.errors import ModelError, ProviderRejected, ProviderUnavailable, UnreadableReply
from entente.models.wire import ChatMessage, Model, ModelReply, ModelRequest, Tool

_BOTH = "Call the tools, and write the same calls in the text of this reply too, as that JSON list."


class Judged(NamedTuple):
    """What a reply is worth."""

    good_calls: int
    """Calls that can be used."""
    complaint: str
    """What is wrong or missing; empty when all that was asked for is there."""


class Way(NamedTuple):
    """How the task is put."""

    tools: bool
    """Whether tools are offered."""
    json: bool
    """Whether JSON is asked for."""
    streams: bool = True
    schema: bool = False
    """Whether the server is to hold the reply to a schema, of which the model is told nothing."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The task: several calls of tools in one reply, or the same as JSON."""

    system: str
    task: str
    json_form: str
    """How calls are written as JSON."""
    schema: dict[str, Any]
    """The JSON schema of the reply that is wanted."""
    tools: tuple[Tool, ...]
    judge: Callable[[ModelReply], Judged]
    """Reads a reply's tool calls where it has any, else its text."""
    max_output_tokens: int | None = None

    def request(self, way: Way) -> ModelRequest:
        """The task, put in this way."""
        system = f"{self.system}\n\n{self.json_form}" if way.json else self.system
        task = f"{self.task}\n{_BOTH}" if way.tools and way.json else self.task
        return ModelRequest(
            messages=(ChatMessage(role="system", content=system), ChatMessage(role="user", content=task)),
            tools=self.tools if way.tools else (),
            purpose="check",
            max_output_tokens=self.max_output_tokens,
            reply_schema=self.schema if way.schema else None,
        )


class Tried(NamedTuple):
    """A reply that came."""

    way: Way
    reply: ModelReply
    called: Judged
    """Of its tool calls."""
    written: Judged
    """Of its text."""


class Refusal(NamedTuple):
    """A call that failed."""

    way: Way
    error: ModelError

    @property
    def remark(self) -> str:
        """Why, in the provider's words."""
        status = f" with {self.error.status}" if self.error.status else ""
        return f"failed{status}: {self.error.reason}"

    @property
    def may_be_the_way(self) -> bool:
        """True when the same task, put in another way, may be answered.

        What a server lacks it refuses with nearly any status, or answers in a form that is none.
        """
        answered = isinstance(self.error, (ProviderRejected, ProviderUnavailable)) and self.error.status
        return bool(answered) or isinstance(self.error, UnreadableReply)


@dataclass(slots=True)
class Tries:
    """Calls that were made of one model."""

    trial: Trial
    open: Callable[[Way], Model]
    """The model, so that it streams or not."""
    answers: list[Tried] = field(default_factory=list[Tried])
    refusals: list[Refusal] = field(default_factory=list[Refusal])

    async def ask(self, way: Way) -> bool:
        """Make a call; False when it was refused."""
        model = self.open(way)
        try:
            reply = await model.complete(self.trial.request(way))
        except ModelError as error:
            self.refusals.append(Refusal(way, error))
            return False
        self.answers.append(self._answer(way, reply))
        return True

    def _answer(self, way: Way, reply: ModelReply) -> Tried:
        called = self.trial.judge(reply) if reply.tool_calls else Judged(0, "It called no tool.")
        return Tried(way, reply, called, self.trial.judge(reply.model_copy(update={"tool_calls": ()})))
