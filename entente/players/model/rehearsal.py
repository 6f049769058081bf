"""What a seat reads, word for word and by section, without a model being called."""

import json
from collections.abc import Iterator, Sequence
from math import ceil
from typing import NamedTuple

from entente.models.wire import ChatMessage, Tool
from entente.players.bundle import Bundle
from entente.players.model.prompt import conversation
from entente.players.model.seat import Seat
from entente.players.model.tools import tools_of


class Section(NamedTuple):
    """A part of what is read, from one heading to the next."""

    name: str
    """`system: The rules`; what comes before a message's first heading has the message's name alone."""
    tokens: int
    """Estimated: what is really used is counted by the provider."""


class Rehearsal(NamedTuple):
    """One call as it would be made."""

    messages: tuple[ChatMessage, ...]
    tools: tuple[Tool, ...]
    sections: tuple[Section, ...]
    """All parts in their order, the tools last; what a message only calls counts with it."""


def rehearsed(bundle: Bundle, seat: Seat) -> Rehearsal:
    """What the seat's model would be sent for its turn."""
    messages = conversation(bundle, seat)
    tools = tools_of(bundle.rules.talk) if seat.calls_tools else ()
    parts = [part for number, message in enumerate(messages) for part in _parts(number, message)]
    parts.append(("tools", "".join(tool.model_dump_json() for tool in tools)))
    letters = seat.letters_a_token(bundle)
    sections = (Section(name, ceil(len(text) / letters)) for name, text in parts if text)
    return Rehearsal(messages, tools, tuple(sections))


def _parts(number: int, message: ChatMessage) -> Iterator[tuple[str, str]]:
    """The message's sections, by name; its calls belong to the first."""
    name = message.role if message.role == "system" else f"{number} {message.role}"
    called = "".join(json.dumps([call.name, call.arguments]) for call in message.tool_calls)
    heading, lines = "", [called] if called else list[str]()
    for line in message.content.splitlines():
        if line.startswith("# "):
            yield _named(name, heading, lines)
            heading, lines = line.removeprefix("# "), []
        lines.append(line)
    yield _named(name, heading, lines)


def _named(name: str, heading: str, lines: Sequence[str]) -> tuple[str, str]:
    return (f"{name}: {heading}" if heading else name), "\n".join(lines)
