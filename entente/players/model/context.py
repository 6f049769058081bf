"""The agent context bundle that the interaction model asks for, field by field, made from a player's `Bundle`.

It is what a prompt is written from, and what a program that speaks the interaction model's JSON is handed.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, JsonValue

from entente.board.engine import Board
from entente.board.types import Location, PhaseKind, Position, Power, Province
from entente.players.bundle import Bundle
from entente.players.model.quoting import clip
from entente.press.messages import BROADCAST, Message, MessageType

MAX_EVENTS = 20
"""Lines of the chronicle that are handed on: about two game years."""

_SUMMARY_CHARS = 100
"""Of each message that stands for a conversation."""
_YOU, _THEY, _THEY_TO_ALL = "you", "they", "they to all"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class PhaseInfo(_Part):
    """Where in the game the turn is."""

    phase_name: str
    interaction_type: str
    """`NEGOTIATION_ROUND_1`, …, or `ORDER_SUBMISSION`."""
    negotiation_rounds_total: int


class PublicGameState(_Part):
    """What everybody sees on the board."""

    units: dict[Power, list[tuple[Literal["A", "F"], Location]]]
    centers: dict[Power, list[Province]]
    influence: dict[Location, Power]
    builds_disbands: dict[Power, int]
    """Builds, or disbands as a negative number, of the powers that have any; empty but in adjustments."""


class PastState(_Part):
    """The board of the phase before."""

    units: dict[Power, list[tuple[Literal["A", "F"], Location]]]
    centers: dict[Power, list[Province]]


class HistorySummary(_Part):
    """What happened before this phase."""

    last_phase_state: PastState | None
    """None in the first phase."""
    recent_events: list[str]
    last_turn_messages_summary: dict[Power, str]
    """By the other power: the last words of either side in the latest phase of press, each in quotes of their own."""


class InboxMessage(_Part):
    """A message that was received, as the interaction model's communication protocol writes it."""

    sender: Power
    recipient: Power
    message_type: str
    content: str
    turn: str
    round: int


class ContextBundle(_Part):
    """All that an agent is told at its turn."""

    power_name: Power
    agent_instructions: str
    current_phase_info: PhaseInfo
    public_game_state: PublicGameState
    history_summary: HistorySummary
    communication_inbox: list[InboxMessage]
    private_memory_snippet: dict[str, JsonValue]


def context_of(bundle: Bundle, instructions: str = "") -> ContextBundle:
    """The bundle in the interaction model's words; nothing in it that is not in the bundle."""
    return ContextBundle(
        power_name=bundle.power,
        agent_instructions=instructions,
        current_phase_info=PhaseInfo(
            phase_name=str(bundle.board.phase),
            interaction_type=_interaction(bundle),
            negotiation_rounds_total=bundle.rounds_total,
        ),
        public_game_state=public_state(bundle.board),
        history_summary=HistorySummary(
            last_phase_state=_past(bundle.previous),
            recent_events=list(bundle.chronicle[-MAX_EVENTS:]),
            last_turn_messages_summary={
                other: _in_quotes(said)
                for other, said in last_words(bundle.power, bundle.last_messages).items()
            },
        ),
        communication_inbox=[_received(message) for message in bundle.inbox],
        private_memory_snippet=dict(bundle.memory),
    )


def _interaction(bundle: Bundle) -> str:
    return "ORDER_SUBMISSION" if bundle.wants_orders else f"NEGOTIATION_ROUND_{bundle.round}"


def public_state(board: Board) -> PublicGameState:
    """What everybody sees on the board."""
    at = board.position
    adjusting = at.phase.kind is PhaseKind.ADJUSTMENTS
    return PublicGameState(
        units=_units(at),
        centers=_centers(at),
        influence={place: power for power, places in at.influence.items() for place in places},
        builds_disbands={p: n for p, n in board.builds.items() if n} if adjusting else {},
    )


def _past(position: Position | None) -> PastState | None:
    return PastState(units=_units(position), centers=_centers(position)) if position else None


def _units(position: Position) -> dict[Power, list[tuple[Literal["A", "F"], Location]]]:
    return {power: [(u.kind.value, u.location) for u in units] for power, units in position.units.items()}


def _centers(position: Position) -> dict[Power, list[Province]]:
    return {power: list(centers) for power, centers in position.centers.items()}


def _received(message: Message) -> InboxMessage:
    return InboxMessage(
        sender=message.sender,
        recipient=message.recipient,
        message_type=message.message_type.value,
        content=message.content,
        turn=message.phase,
        round=message.round,
    )


class LastWords(NamedTuple):
    """What one side said last."""

    speaker: str
    """`you`, `they`, or `they to all`."""
    message_type: MessageType
    words: str
    """In one line, shortened."""

    @property
    def is_own(self) -> bool:
        """True when the reader said it."""
        return self.speaker == _YOU


def last_words(power: Power, messages: Iterable[Message]) -> dict[Power, tuple[LastWords, ...]]:
    """The last private words of either side, by the other power, and what it last said to all when it said no more."""
    said: dict[Power, dict[str, LastWords]] = {}
    for message in messages:
        mine = message.sender == power
        other = message.recipient if mine else message.sender
        if mine and message.recipient == BROADCAST:
            continue
        speaker = _YOU if mine else _THEY
        if message.recipient == BROADCAST:
            speaker = _THEY_TO_ALL
        words = " ".join(clip(message.content, _SUMMARY_CHARS).split())
        said.setdefault(other, {})[speaker] = LastWords(speaker, message.message_type, words)
    return {other: _briefly(lines) for other, lines in sorted(said.items())}


def _briefly(lines: Mapping[str, LastWords]) -> tuple[LastWords, ...]:
    private = [lines[speaker] for speaker in (_THEY, _YOU) if speaker in lines]
    return tuple(private or lines.values())


def _in_quotes(said: Iterable[LastWords]) -> str:
    """`they (CHAT): "Peace?"; you (CHAT): "Yes."`, each side's words in quotes that they cannot close."""
    return "; ".join(
        f"{speaker} ({type_.value}): {json.dumps(words, ensure_ascii=False)}"
        for speaker, type_, words in said
    )
