"""How a model's seat is set up, and what each of its conversations is made of: a system message, calls, results."""

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
from entente.models.reasoning import reasons_by_itself
from entente.models.tokens import letters_a_token
from entente.models.wire import ChatMessage, ToolCall
from entente.players.actions import Action
from entente.players.bundle import Bundle, GameRules, Talk
from entente.players.model.agent_context import SeatContext
from entente.players.model.aim import aim_text
from entente.players.model.chart import map_names, map_table
from entente.players.model.extract import ACTIONS, FINISH, THINKING
from entente.players.model.settings import SeatSettings
from entente.players.model.tools import FINISH_ORDERS, FINISH_TALK, tools_in_words
from prompts import PromptSet, open_set

_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ECHOED_CHARS = 2000
"""So much of a reply that could not be read is shown to its model again."""


@dataclass(frozen=True, slots=True)
class Seat:
    """How a model's seat is set up."""

    settings: SeatSettings = field(default_factory=SeatSettings)
    texts: PromptSet = field(default_factory=open_set)
    model: str = ""
    """Who plays it: `openai:gpt-4.1`."""

    @classmethod
    def of(cls, settings: SeatSettings, folder: Path | None = None, model: str = "") -> "Seat":
        """The seat with the texts that its settings name, and the user's folder over them; raises SettingsError."""
        seat = cls(settings, open_set(folder, short=settings.prompts == "short"), model)
        if settings.persona:
            seat.guidance("")  # a name that no file has is told before the game begins
        return seat

    @property
    def is_short(self) -> bool:
        """True when its model is to be told little."""
        return self.settings.prompts == "short"

    @property
    def calls_tools(self) -> bool:
        """False for a model that cannot call tools and writes JSON instead."""
        return self.settings.actions == "tools"

    def letters_a_token(self, bundle: Bundle | SeatContext) -> float:
        """Of its model: as the game has learned, else by the model's name."""
        return letters_a_token(self.model, bundle.letters_a_token)

    @property
    def thinks_aloud(self) -> bool:
        """True where its model is asked to think before its calls."""
        wanted = self.settings.thinking
        return wanted == "always" or (wanted == "auto" and not reasons_by_itself(self.model, self.settings))

    def guidance(self, power: Power) -> str:
        """The persona and the instructions: `agent_instructions` of the context bundle."""
        return "\n".join(filter(None, [self._character(power), self.settings.instructions.strip()]))

    def _character(self, power: Power) -> str:
        wanted = self.settings.persona.strip()
        if not wanted:
            return self.texts.persona(power)
        return self.texts.load(f"personas/{wanted}") if wanted.isupper() else wanted


class Said(NamedTuple):
    """A tool call as a conversation shows it, with its result."""

    name: str
    arguments: Mapping[str, JsonValue]
    result: str = "done"


def system_message(context: SeatContext, seat: Seat) -> ChatMessage:
    """Rules and seat in one message: some models' templates allow no second system message."""
    tools = "" if seat.calls_tools else _tools_in_words(seat, context.rules.talk)
    rules = _rules(seat.texts, context.map_name, context.rules, tools, seat.is_short)
    you = seat.texts.fill("model_seat", power=context.power_name, guidance=context.agent_instructions)
    return ChatMessage(role="system", content=joined([rules, _thinking(seat), _limits(context, seat), you]))


def user_message(*parts: str) -> ChatMessage:
    """The parts that are not empty, in one message."""
    return ChatMessage(role="user", content=joined(parts))


def exchange(
    said: Sequence[Said], *, tag: str, calls_tools: bool, text: str = "", thinking: str = ""
) -> list[ChatMessage]:
    """A model's reply as its conversation goes on from it: thoughts, calls and their results, or the text instead.

    `tag`, three characters, makes the ids, which have nine letters and digits since a provider wants exactly that.
    """
    calls = [one for one in said if _TOOL_NAME.fullmatch(one.name)]
    if not calls_tools:
        return [_assistant(text or _written(calls, thinking))]
    text = text or thinking
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


def _written(calls: Sequence[Said], thinking: str) -> str:
    """The calls in the JSON form; the one that ended the turn under `finish`."""
    over = [one.name for one in calls if one.name in (FINISH_TALK, FINISH_ORDERS)]
    actions = [{"tool_name": one.name, "arguments": one.arguments} for one in calls if one.name not in over]
    parts = {THINKING: thinking, ACTIONS: actions, FINISH: over[-1] if over else ""}
    return json.dumps(
        {key: part for key, part in parts.items() if part or key == ACTIONS}, ensure_ascii=False
    )


def echoed(text: str) -> str:
    """A reply's text as it is shown to its model again."""
    return text.strip()[:_ECHOED_CHARS]


def call_of(action: Action, result: str = "done") -> Said:
    """An action as the call that says it."""
    arguments = action.model_dump(mode="json", exclude={"tool"}, exclude_defaults=True)
    return Said(action.tool, arguments, result)


def joined(parts: Iterable[str]) -> str:
    """The texts that are not empty, a blank line between them."""
    return "\n\n".join(filter(None, parts))


@lru_cache(maxsize=64)
def _rules(texts: PromptSet, map_name: str, rules: GameRules, tools: str, is_short: bool) -> str:
    geography = load_geography(map_name)
    return texts.fill(
        "model_rules",
        aim=aim_text(rules, geography, texts),
        floor=_floor(texts, rules.talk),
        tools=tools,
        map=map_names(map_name) if is_short else map_table(map_name),
    )


def _floor(texts: PromptSet, talk: Talk) -> str:
    """How this game's powers talk and take turns."""
    if talk == "none":
        return texts.load("model_silent")
    return texts.fill("model_open" if talk == "at once" else "model_rounds", press=texts.load("model_press"))


def _limits(context: SeatContext, seat: Seat) -> str:
    """What a seat may say and keep, before it says too much."""
    may = seat.settings
    memory = seat.texts.fill(
        "model_limits",
        memory=str(may.max_memory_chars(seat.letters_a_token(context))),
        value=str(may.max_value_chars),
    )
    press = seat.texts.fill(
        "model_limits_press",
        messages=str(may.max_messages),
        message=str(may.max_message_chars),
        phase=str(may.max_phase_chars),
    )
    return "\n".join(["# Limits", *([press] if context.rules.talk != "none" else []), memory])


def _thinking(seat: Seat) -> str:
    """What to think about before acting; empty for a model that does so by itself."""
    if not seat.thinks_aloud:
        return ""
    return seat.texts.fill("model_think", characters=str(seat.settings.max_thinking_chars))


def _tools_in_words(seat: Seat, talk: Talk) -> str:
    form = "model_json_thinking" if seat.thinks_aloud else "model_json"
    words = seat.texts.fill(form, tools=tools_in_words(talk))
    return f"\n{words}\n"


def _assistant(content: str) -> ChatMessage:
    return ChatMessage(role="assistant", content=content)
