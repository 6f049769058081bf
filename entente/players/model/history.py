"""The earlier phases of a game as a model reads them again: its own turns, each behind what it had heard until then.

A past phase is written the same way ever after, without what mattered only while it was in play, so that providers'
prefix caches know it. A window leaves out whole turns, the oldest first: a call and its result never part.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from entente.models.wire import ChatMessage
from entente.players.model.event_text import echo_text, events_text
from entente.players.model.memory import as_json
from entente.players.model.room import AROUND
from entente.players.model.seat import Said, call_of, exchange, joined, user_message
from entente.players.model.tools import FINISH
from entente.players.seat_events import SeatPhase, SeatTurn

_NOTHING = "(nothing new)"
_STEPS = 4
"""A window moves on by so much of its size at once, since each time it does all of it is new to a prefix cache."""


@dataclass(frozen=True, slots=True)
class Block:
    """One of the seat's turns: what was new, its calls, and what came of them."""

    phase: str
    news: str
    reply: tuple[ChatMessage, ...]
    """Its calls, and their results where it calls tools."""
    results: str
    """The results where it writes JSON: they stand at the head of the message behind."""

    @property
    def chars(self) -> int:
        """What it weighs."""
        calls = sum(
            len(call.name) + len(as_json(call.arguments)) for m in self.reply for call in m.tool_calls
        )
        said = sum(len(message.content) for message in self.reply)
        around = AROUND * (1 + len(self.reply))
        return len(joined([self.results, self.news or _NOTHING])) + said + calls + around


class Past(NamedTuple):
    """What lies before the phase in play."""

    blocks: tuple[Block, ...]
    rest: str
    """What came after the last of them; it stands at the head of the message behind."""


def past_of(phases: Iterable[SeatPhase], *, calls_tools: bool) -> Past:
    """The phases written down, oldest first."""
    blocks: list[Block] = []
    lead = ""
    for phase in phases:
        opening, turns, rest = _phase(phase, len(blocks), calls_tools)
        if turns:
            first = replace(turns[0], news=joined([lead, opening, turns[0].news]))
            blocks += [first, *turns[1:]]
            lead = rest
        else:
            lead = joined([lead, opening, rest])
    return Past(tuple(blocks), lead)


def block_of(phase: str, news: str, turn: SeatTurn, *, number: int, calls_tools: bool) -> Block:
    """The seat's turn of this number in the game, from 0, behind what it was shown."""
    said = [*(call_of(action, echo_text(echo)) for action, echo in turn.said)]
    finish = Said(FINISH["orders" if turn.wants_orders else "open"], {})
    tag = f"{number % 0x1000:03x}"
    reply = exchange([*said, finish], tag=tag, calls_tools=calls_tools, thinking=turn.thinking)
    results = "" if calls_tools or not said else results_of_calls(said)
    return Block(phase, news, tuple(reply), results)


def windowed(blocks: Sequence[Block], present_chars: int, limit: int) -> Sequence[Block]:
    """The latest of the blocks that fit, beside the phase in play, into so many characters."""
    surplus = present_chars + sum(block.chars for block in blocks) - limit
    step = max(1, limit // _STEPS)
    surplus = -(-surplus // step) * step
    first = 0
    while surplus > 0 and first < len(blocks):
        surplus -= blocks[first].chars
        first += 1
    return blocks[first:]


def messages_of(blocks: Iterable[Block], last: str, *, lead: str = "") -> Iterator[ChatMessage]:
    """The blocks as messages, and the last words to the model; `lead` stands before everything."""
    for block in blocks:
        yield user_message(lead, block.news or _NOTHING)
        yield from block.reply
        lead = block.results
    yield user_message(lead, last)


class _Written(NamedTuple):
    opening: str
    turns: tuple[Block, ...]
    rest: str


@lru_cache(maxsize=2048)
def _phase(phase: SeatPhase, first: int, calls_tools: bool) -> _Written:
    """An adjudicated phase, the seat's turns before it being so many."""
    blocks = [
        block_of(phase.name, events_text(turn.heard), turn, number=number, calls_tools=calls_tools)
        for number, turn in enumerate(phase.turns, first)
    ]
    return _Written(events_text(phase.opening), tuple(blocks), events_text(phase.unread))


def results_of_calls(said: Sequence[Said]) -> str:
    """The results where a model writes JSON and has no messages for them."""
    return "\n".join(["What came of your calls:", *(f"- {one.name}: {one.result}" for one in said)])
