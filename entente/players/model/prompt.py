"""The conversation that a model is shown at a turn, laid out so that providers' prefix caches can reuse most of it.

First what is the same for all seats and phases (rules, map, tools), then the seat, then the phase's opening: history
before the board before memory. Within a phase each call extends the one before it: a player holds nothing between
turns, so the earlier calls are written again from the bundle, byte for byte, with the model's own actions as its
replies and only what is new behind them. Every text of the phase's opening comes from what stood when it began.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from entente.board.engine import load_geography
from entente.board.types import Power
from entente.models.wire import ChatMessage, ToolCall
from entente.players.actions import Action, SendMessage, UpdateMemory
from entente.players.bundle import Bundle, OwnTurn
from entente.players.model.chart import map_table
from entente.players.model.context import ContextBundle, context_of
from entente.players.model.layout import (
    NONE,
    board_text,
    press_text,
    promise_lines,
    rejected_text,
    results_text,
    said_text,
    wanted_text,
)
from entente.players.model.memory import as_json, diary_text, memory_text
from entente.players.model.promises import Promise, judged_promises, promises
from entente.players.model.quoting import escape_json
from entente.players.model.settings import SeatSettings
from entente.players.model.situation import situation
from entente.players.model.tools import FINISH, tools_in_words
from entente.press.messages import Message
from prompts import PromptSet, open_set

_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_EVENTS = 10
"""Lines of the chronicle in a prompt: about a game year. The last orders and their results stand beside them."""
_ECHOED_CHARS = 2000
"""So much of a reply that could not be read is shown to its model again."""


@dataclass(frozen=True, slots=True)
class Seat:
    """How a model's seat is set up."""

    settings: SeatSettings = field(default_factory=SeatSettings)
    texts: PromptSet = field(default_factory=open_set)

    @classmethod
    def of(cls, settings: SeatSettings, folder: Path | None = None) -> "Seat":
        """The seat with the texts that its settings name, and the user's folder over them; raises SettingsError."""
        return cls(settings, open_set(folder, short=settings.prompts == "short"))

    @property
    def calls_tools(self) -> bool:
        """False for a model that cannot call tools and writes JSON instead."""
        return self.settings.actions == "tools"

    def guidance(self, power: Power) -> str:
        """The persona and the instructions: `agent_instructions` of the context bundle."""
        return "\n".join(filter(None, [self.texts.persona(power), self.settings.instructions.strip()]))


class Said(NamedTuple):
    """A tool call as a conversation shows it, with its result."""

    name: str
    arguments: Mapping[str, JsonValue]
    result: str = "done"


def conversation(bundle: Bundle, seat: Seat) -> tuple[ChatMessage, ...]:
    """The messages of this turn's first call; those of the phase's earlier call are their beginning."""
    context = context_of(bundle, seat.guidance(bundle.power))
    messages = [system_message(context, bundle, seat)]
    lead, read_up_to = _opening(context, bundle, seat), 0
    for turn in bundle.earlier:
        messages.append(_user(lead, _task(bundle, seat, turn.round, read_up_to)))
        messages += exchange(_said(turn), tag=f"r{turn.round:02d}", seat=seat)
        lead, read_up_to = _joined([_refusals(turn), _folded(bundle, turn, seat)]), turn.round
    messages.append(_user(lead, _last_task(bundle, seat, read_up_to)))
    return tuple(messages)


def exchange(said: Sequence[Said], *, tag: str, seat: Seat, text: str = "") -> list[ChatMessage]:
    """A model's reply as its conversation goes on from it: its calls with their results, or the text instead.

    `tag` has three signs and makes the ids, which have nine letters and digits since a provider wants exactly that.
    """
    calls = [one for one in said if _TOOL_NAME.fullmatch(one.name)]
    if not seat.calls_tools:
        written = [{"tool_name": one.name, "arguments": one.arguments} for one in calls]
        return [_assistant(text or json.dumps(written, ensure_ascii=False))]
    if not calls:
        return [_assistant(text or "(nothing)")]
    ids = [f"{tag}c{number:05d}" for number in range(len(calls))]
    asked = tuple(
        ToolCall(id=id_, name=one.name, arguments=dict(one.arguments))
        for id_, one in zip(ids, calls, strict=True)
    )
    return [
        ChatMessage(role="assistant", content=text, tool_calls=asked),
        *(
            ChatMessage(role="tool", content=one.result, tool_call_id=id_)
            for id_, one in zip(ids, calls, strict=True)
        ),
    ]


def echoed(text: str) -> str:
    """A reply's text as it is shown to its model again."""
    return text.strip()[:_ECHOED_CHARS]


def call_of(action: Action) -> Said:
    """An action as the call that says it."""
    arguments = action.model_dump(mode="json", exclude={"tool"}, exclude_defaults=True)
    return Said(action.tool, arguments)


@lru_cache(maxsize=64)
def _rules(texts: PromptSet, map_name: str, calls_tools: bool) -> str:
    geography = load_geography(map_name)
    return texts.fill(
        "model_rules",
        victory=str(geography.victory_centers),
        centers=str(len(geography.centers)),
        tools="" if calls_tools else _tools_in_words(texts),
        map=map_table(map_name),
    )


def _tools_in_words(texts: PromptSet) -> str:
    words = texts.fill("model_json", tools=tools_in_words())
    return f"\n{words}\n"


def system_message(context: ContextBundle, bundle: Bundle, seat: Seat) -> ChatMessage:
    """Rules and seat in one message: some models' templates allow no second system message."""
    rules = _rules(seat.texts, bundle.board.position.map_name, seat.calls_tools)
    you = seat.texts.fill("model_seat", power=context.power_name, guidance=context.agent_instructions)
    return ChatMessage(role="system", content=f"{rules}\n\n{you}")


def _opening(context: ContextBundle, bundle: Bundle, seat: Seat) -> str:
    """The phase as it began; the same at each of its turns."""
    memory = memory_at_opening(bundle)
    phase = seat.texts.fill(
        "model_phase",
        events="\n".join(context.history_summary.recent_events[-_EVENTS:]) or NONE,
        last_phase=bundle.last_movement_phase or "the phase before",
        results=results_text(bundle.last_movement),
        said=said_text(context.history_summary.last_turn_messages_summary, _last_promises(bundle)) or NONE,
        phase=context.current_phase_info.phase_name,
        board=board_text(context, bundle.board),
        situation=situation(bundle.board, bundle.power),
        memory=memory_text(memory, seat.settings.max_memory_chars),
    )
    diary = diary_text(memory, seat.settings.max_diary_chars)
    return _joined([seat.texts.fill("model_diary", diary=diary) if diary else "", phase])


def memory_at_opening(bundle: Bundle) -> Mapping[str, JsonValue]:
    """The memory as it stood when the phase began, which is what its opening shows."""
    return bundle.memory if bundle.phase_memory is None else bundle.phase_memory


def _last_promises(bundle: Bundle) -> tuple[Promise, ...]:
    if bundle.last_movement_position is None:
        return promises(bundle.last_messages)
    return judged_promises(
        bundle.last_messages, bundle.power, bundle.last_movement, bundle.last_movement_position
    )


def _folded(bundle: Bundle, turn: OwnTurn, seat: Seat) -> str:
    """What the fold beside the phase's first turn has put into the memory, unless that turn put in its own."""
    if turn is not bundle.earlier[0]:
        return ""
    own = {action.key for action in turn.actions if isinstance(action, UpdateMemory)}
    news = {key: value for key, value in bundle.folded.items() if key not in own}
    return seat.texts.fill("model_folded", memory=as_json(escape_json(news))) if news else ""


def _last_task(bundle: Bundle, seat: Seat, read_up_to: int) -> str:
    tasks: list[str] = []
    was_asked_for_orders = any(turn.round == 0 for turn in bundle.earlier)
    if not (bundle.wants_orders and was_asked_for_orders):
        tasks.append(_task(bundle, seat, bundle.round, read_up_to))
    if bundle.rejected:
        tasks.append(seat.texts.fill("model_rejected", lines=rejected_text(bundle.rejected)))
    return "\n\n".join(tasks)


def _task(bundle: Bundle, seat: Seat, round_: int, read_up_to: int) -> str:
    """What is new since the round that was read up to, and what is wanted; made of earlier rounds' press only."""
    new = [m for m in bundle.inbox if read_up_to <= m.round and (round_ == 0 or m.round < round_)]
    if round_ == 0:
        return _orders_task(bundle, seat, new)
    return seat.texts.fill(
        "model_talk",
        phase=str(bundle.board.phase),
        round=str(round_),
        rounds=str(bundle.rounds_total),
        left=_left(bundle.rounds_total - round_),
        press=press_text(new) or "No new press.",
        waiting=_waiting(bundle, round_),
        draft=_draft(bundle, seat),
    )


def _orders_task(bundle: Bundle, seat: Seat, new: Sequence[Message]) -> str:
    mail = sorted([*bundle.inbox, *bundle.sent], key=lambda message: message.round)
    lines = promise_lines(promises(mail))
    return seat.texts.fill(
        "model_orders",
        phase=str(bundle.board.phase),
        press=press_text(new) or "No new press.",
        promises="\n".join(["Typed commitments of this phase:", *lines])
        if lines
        else "No typed commitments.",
        wanted=wanted_text(bundle.board, bundle.power),
    )


def _draft(bundle: Bundle, seat: Seat) -> str:
    return seat.texts.load("model_draft") + " " if bundle.drafts else ""


def _left(rounds: int) -> str:
    if rounds <= 0:
        return "This is the last round of talk; orders are next."
    return f"After this round there {'is 1 more' if rounds == 1 else f'are {rounds} more'}, then orders."


def _waiting(bundle: Bundle, round_: int) -> str:
    """Whom one can write to, and who has written privately without having had an answer since."""
    answered = {
        action.recipient.strip().upper(): turn.round
        for turn in bundle.earlier
        if turn.round < round_
        for action in turn.actions
        if isinstance(action, SendMessage)
    }
    asked = {m.sender: m.round for m in bundle.inbox if m.recipient == bundle.power and m.round < round_}
    # What both wrote in one round crossed: neither had read the other's.
    open_ = [power for power, asked_in in asked.items() if answered.get(power, 0) <= asked_in]
    lines = [] if any(turn.round < round_ for turn in bundle.earlier) else [_reach(bundle)]
    lines += [f"Not answered yet: {', '.join(open_)}."] if open_ else []
    return " ".join(lines) or "Nobody waits for an answer."


def _reach(bundle: Bundle) -> str:
    return f"You can write to {', '.join(bundle.press_allowed) or 'nobody'}."


def _said(turn: OwnTurn) -> list[Said]:
    finish = FINISH["talk" if turn.round else "orders"]
    return [*map(call_of, turn.actions), Said(finish, {})]


def _refusals(turn: OwnTurn) -> str:
    """What was refused of a turn of talk; refused orders are asked for again with more words than these."""
    if not turn.notices or not turn.round:
        return ""
    return "\n".join(["Of your last turn:", *(f"- {notice}" for notice in turn.notices)])


def _user(*parts: str) -> ChatMessage:
    return ChatMessage(role="user", content=_joined(parts))


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(filter(None, parts))


def _assistant(content: str) -> ChatMessage:
    return ChatMessage(role="assistant", content=content)
