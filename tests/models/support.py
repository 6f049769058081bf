"""What the tests of the seam share: a clock that is wound by hand, requests, and models at a mock server."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from entente.models.client import Connections, open_model
from entente.models.clock import SystemClock, Timer
from entente.models.settings import ModelSettings
from entente.models.spec import ModelSpec
from entente.models.wire import ChatMessage, Model, ModelRequest, Purpose, Tool

ORDERS_TASK = """# Your units and what they can do
A PAR (inland, your center)
 A PAR H
 A PAR - BUR: empty; can come: A MUN GERMANY
 A PAR - PIC: empty
 A PAR S A MAR - BUR
A MAR (coast, your center)
 A MAR H
 A MAR - BUR: empty
You can write to ENGLAND, GERMANY.
Order your units and call finish_orders last."""


@dataclass
class HandClock(SystemClock):
    """A clock that moves when somebody sleeps, and at once; deadlines alone are real."""

    time: float = 0.0
    slept: list[float] = field(default_factory=list[float])

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds


@dataclass(eq=False)
class Alarm:
    """Something that an `AlarmClock` does at a moment."""

    moment: float
    act: Callable[[], None]
    is_cancelled: bool = False

    def cancel(self) -> None:
        self.is_cancelled = True


@dataclass
class AlarmClock(HandClock):
    """A clock whose deadlines, too, only end when it is wound."""

    alarms: list[Alarm] = field(default_factory=list[Alarm])

    def call_at(self, moment: float, act: Callable[[], None]) -> Timer:
        self.alarms.append(Alarm(moment, act))
        return self.alarms[-1]

    def pass_by(self, seconds: float) -> None:
        """So much time has passed; what was due meanwhile is done now, once."""
        self.time += seconds
        due = [alarm for alarm in self.alarms if alarm.moment <= self.time]
        self.alarms = [alarm for alarm in self.alarms if alarm not in due]
        for alarm in due:
            if not alarm.is_cancelled:
                alarm.act()


@dataclass
class StoppedClock(HandClock):
    """A clock by which whoever sleeps never wakes."""

    asleep: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when somebody sleeps."""

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.asleep.set()
        await asyncio.Event().wait()


def tool(name: str, **properties: dict[str, Any]) -> Tool:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return Tool(name=name, description=f"Use it to {name}.", parameters=parameters)


TEXT = {"type": "string"}
TOOLS = (
    tool("send_message", recipient=TEXT, message_type={"type": "string", "enum": ["CHAT"]}, content=TEXT),
    tool("submit_orders", orders={"type": "array", "items": TEXT}),
    tool("finish_negotiation_round"),
    tool("finish_orders"),
)


def ask(
    task: str = ORDERS_TASK,
    *,
    tools: tuple[Tool, ...] = TOOLS,
    purpose: Purpose = "orders",
    max_output_tokens: int | None = None,
) -> ModelRequest:
    messages = (ChatMessage(role="system", content="You are FRANCE."), ChatMessage(role="user", content=task))
    return ModelRequest(messages=messages, tools=tools, purpose=purpose, max_output_tokens=max_output_tokens)


def model_at(
    url: str, connections: Connections, *, name: str = "mock", provider: str = "openai", **settings: Any
) -> Model:
    """A model at a server, without a key."""
    chosen = ModelSettings().over(settings)
    spec = ModelSpec(provider, name, url)
    return open_model(spec, chosen, connections, environ={}, rng=Random(7))


async def without_end() -> AsyncGenerator[bytes]:
    """A body that goes on for ever."""
    while True:
        yield b" " * 65_536
        await asyncio.sleep(0)  # or nobody would notice that the client has gone
