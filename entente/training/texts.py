"""Rows for libraries that train on texts: conversations, prompts with completions, and ShareGPT's form.

One row is one call whose words are to be learned from; all else of a record is left out of them. They are written one
way and never read back.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from pydantic import JsonValue

from entente.board.types import Power
from entente.training.record import Call, Episode, Record
from entente.training.rewards import SQUARES

Row: TypeAlias = dict[str, JsonValue]

_FROM = {"system": "system", "user": "human", "assistant": "gpt", "tool": "observation"}
"""What ShareGPT calls the roles."""


def chat_rows(record: Record) -> Iterator[Row]:
    """`messages` and `tools`, the last message the reply: what TRL's SFT trainer and the HF hub call conversational."""
    for call in learned(record):
        messages: list[JsonValue] = [*map(_on_the_wire, record.messages(call)), _reply(call)]
        yield {"messages": messages, "tools": _tools(record, call), **about(record, call)}


def pair_rows(record: Record) -> Iterator[Row]:
    """`prompt` and `completion`, each a list of messages, with the reward: TRL's prompt-completion form."""
    for call in learned(record):
        prompt: list[JsonValue] = [*map(_on_the_wire, record.messages(call))]
        yield {
            "prompt": prompt,
            "completion": [_reply(call)],
            "tools": _tools(record, call),
            **about(record, call),
        }


def sharegpt_rows(record: Record) -> Iterator[Row]:
    """`conversations` of `from` and `value`: for fine-tuning alone, since it has no rewards and no tokens."""
    for call in learned(record):
        said = [*map(_on_the_wire, record.messages(call)), _reply(call)]
        yield {"conversations": [{"from": _FROM[str(m["role"])], "value": _in_words(m)} for m in said]}


FORMS: Mapping[str, Callable[[Record], Iterator[Row]]] = {
    "chat": chat_rows,
    "pairs": pair_rows,
    "sharegpt": sharegpt_rows,
}
"""Every form by its name."""


def reward_of(record: Record, call: Call) -> float:
    """What the call is given: its seat's score of the whole game, and what is added for the decision."""
    return worth_of(record.episode, call.seat) + sum(call.reward_step.values())


def worth_of(episode: Episode, seat: Power) -> float:
    """What a game that is over was worth to the seat, by its own scorer."""
    return episode.scores[episode.rewarded_by.get(seat, SQUARES)][seat]


def learned(record: Record) -> Iterator[Call]:
    """The calls whose words are to be learned from."""
    return (call for call in record.calls if call.trainable)


def about(record: Record, call: Call) -> Row:
    """What every row says of its call beside the words."""
    return {
        "reward": reward_of(record, call),
        "id": call.id,
        "group_id": call.group_id,
        "seat": call.seat,
        "task_type": call.task_type,
    }


def _tools(record: Record, call: Call) -> list[JsonValue]:
    return [{"type": "function", "function": tool} for tool in record.tools(call)]


def _reply(call: Call) -> Row:
    said: Row = {"role": "assistant", "content": call.response.content}
    if not call.response.calls:
        return said
    called: list[JsonValue] = [_tool_call(each.name, each.arguments) for each in call.response.calls]
    said["tool_calls"] = called
    return said


def _on_the_wire(message: Mapping[str, JsonValue]) -> Row:
    """A message as OpenAI's wire has it, where what a tool is called with stands under `function`."""
    calls = message.get("tool_calls")
    if not isinstance(calls, list):
        return {**message}
    said: list[JsonValue] = [
        _tool_call(str(call["name"]), call["arguments"]) for call in calls if isinstance(call, dict)
    ]
    return {**message, "tool_calls": said}


def _tool_call(name: str, arguments: JsonValue) -> Row:
    return {"type": "function", "function": {"name": name, "arguments": arguments}}


def _in_words(message: Row) -> str:
    """The text; of a message that calls tools, each call as a line of JSON behind it."""
    calls = message.get("tool_calls")
    lines = [json.dumps(call, ensure_ascii=False) for call in calls] if isinstance(calls, list) else []
    return "\n".join(filter(None, [str(message.get("content") or ""), *lines]))
