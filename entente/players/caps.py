"""How much a player may say in one turn, whoever plays the seat.

The caps are far above what a game needs. They are there for the other seats: what one of them says is in their next
prompts, and what it orders is read while they wait.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from pydantic import JsonValue

from entente.display import displayable, in_one_line
from entente.plain import is_larger, is_plain, map_texts, storable
from entente.players.actions import Action, SendMessage, SubmitOrders, UpdateMemory
from entente.press.mailbox import MAX_MESSAGE_CHARS
from entente.press.messages import Message, Statement

MAX_ACTIONS = 300
MAX_MESSAGES = 100
"""Messages in one round, or in one phase where nobody talks in rounds."""
MAX_ANSWERS = 300
"""Answers of a person in one phase where nobody talks in rounds, beside one for each message that it gets."""
MAX_TALK_CHARS = 6 * MAX_MESSAGE_CHARS
"""Characters of those messages and of what they state: a whole message to each of six others."""
MAX_STATEMENTS = 24
"""Statements in one message: each unit of a winning power, and some more."""
MAX_ORDER_LINES = 100
MAX_ORDER_CHARS = 10_000
MAX_THINKING_CHARS = 20_000
"""Characters that a player thinks aloud in one turn. A language model's own limit is lower, and tells it so."""
MAX_UPDATES = 50
"""Values put into the memory."""
MAX_VALUE_CHARS = 50_000
"""Characters of one such value, as JSON."""
MAX_MEMORY_CHARS = 500_000
"""Characters of a whole memory, as JSON: it is in the game's state, which each step keeps."""

_FIELD_CHARS = 200
"""Characters of an address, an order or a term in a message, or of a key of the memory."""
_STATEMENT_CHARS = 40
"""What a statement weighs beside its fields."""
_MOST_SEEN = 4 * MAX_STATEMENTS
"""Statements of one message that are looked at; what comes behind them is counted."""
_MAX_LOCATIONS = 80
"""More than there are provinces."""
_MAX_DEPTH = 32


class Capped(NamedTuple):
    """What is within the caps."""

    actions: tuple[Action, ...]
    """Their texts can be stored, and those that others read are displayable."""
    left_out: tuple[str, ...]
    """A sentence for each cap that something was over, with how much that was."""


def within_caps(
    actions: Sequence[Action],
    said: Iterable[Message] = (),
    memory: Mapping[str, JsonValue] | None = None,
) -> Capped:
    """The actions of a turn that are within the caps.

    The power has `said` these messages in the same round before, and this is its `memory` until now.
    """
    caps = _Caps(said, memory or {})
    caps.left_out[f"A turn may have {MAX_ACTIONS} actions"] += max(0, len(actions) - MAX_ACTIONS)
    taken = [kept for action in actions[:MAX_ACTIONS] for kept in caps.take(action)]
    told = tuple(
        f"{cap}; {count} more {'was' if count == 1 else 'were'} left out."
        for cap, count in caps.left_out.items()
        if count
    )
    return Capped(tuple(taken), told)


class _Caps:
    """What has been said so far in a turn."""

    def __init__(self, said: Iterable[Message], memory: Mapping[str, JsonValue]) -> None:
        before = [*said]
        self.left_out = Counter[str]()
        """By the cap, in words."""
        self._messages = len(before)
        self._chars = sum(_weight(message.content, message.commitments) for message in before)
        self._lines = 0
        self._order_chars = 0
        self._updates = 0
        self._memory = memory

    def take(self, action: Action) -> list[Action]:
        """The action as far as it is within the caps; nothing where all of it is over."""
        match action:
            case SendMessage():
                return self._message(action)
            case SubmitOrders():
                return [action.model_copy(update={"orders": tuple(self._order_lines(action.orders))})]
            case UpdateMemory():
                return self._update(action)
            case _:
                return [action]

    def _message(self, action: SendMessage) -> list[Action]:
        if len(action.content) > MAX_MESSAGE_CHARS:
            return self._over(f"A message may have {MAX_MESSAGE_CHARS} characters")
        addresses = (action.recipient, action.reply_to or "", ", ".join(action.also_to))
        if max(map(len, addresses)) > _FIELD_CHARS:
            return self._over(f"An address may have {_FIELD_CHARS} characters")
        statements = self._statements(action.commitments)
        content = displayable(action.content)
        weight = _weight(content, statements)
        if self._messages >= MAX_MESSAGES or self._chars + weight > MAX_TALK_CHARS:
            return self._over(
                f"A round may have {MAX_MESSAGES} messages of {MAX_TALK_CHARS} characters in all"
            )
        self._messages += 1
        self._chars += weight
        changes = {
            "recipient": in_one_line(action.recipient),
            "content": content,
            "commitments": statements,
            "reply_to": action.reply_to and in_one_line(action.reply_to),
            "also_to": tuple(map(in_one_line, action.also_to)),
        }
        return [action.model_copy(update=changes)]

    def _statements(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        seen = statements[:_MOST_SEEN]
        fitting = [statement for statement in seen if _fits(statement)]
        self.left_out[f"A statement's fields may have {_FIELD_CHARS} characters each"] += len(seen) - len(
            fitting
        )
        over = max(0, len(fitting) - MAX_STATEMENTS) + len(statements) - len(seen)
        self.left_out[f"A message may have {MAX_STATEMENTS} statements"] += over
        return tuple(map(_shown, fitting[:MAX_STATEMENTS]))

    def _order_lines(self, lines: Sequence[str]) -> Iterable[str]:
        cap = f"A turn may have {MAX_ORDER_LINES} lines of orders with {MAX_ORDER_CHARS} characters in all"
        self.left_out[cap] += max(0, len(lines) - MAX_ORDER_LINES)
        for line in lines[:MAX_ORDER_LINES]:
            has_room = self._order_chars + len(line) <= MAX_ORDER_CHARS
            rows = 1 + line.strip().count("\n") if has_room else 1
            if not has_room or self._lines + rows > MAX_ORDER_LINES:
                self.left_out[cap] += rows
                continue
            self._lines += rows
            self._order_chars += len(line)
            yield displayable(line)

    def _update(self, action: UpdateMemory) -> list[Action]:
        if self._updates >= MAX_UPDATES:
            return self._over(f"A turn may put {MAX_UPDATES} values into the memory")
        if len(action.key) > _FIELD_CHARS:
            return self._over(f"A key of the memory may have {_FIELD_CHARS} characters")
        too_large = f"A value of the memory may have {MAX_VALUE_CHARS} characters"
        if is_larger(action.value, MAX_VALUE_CHARS):
            return self._over(too_large)
        if not is_plain(action.value, _MAX_DEPTH):
            return self._over(f"A value of the memory is plain JSON, nested at most {_MAX_DEPTH} deep")
        if len(json.dumps(action.value)) > MAX_VALUE_CHARS:
            return self._over(too_large)
        weights = {**self._weights, action.key: _weight_of(action.key, action.value)}
        if action.value is not None and sum(weights.values()) > MAX_MEMORY_CHARS:
            return self._over(f"A memory may have {MAX_MEMORY_CHARS} characters in all")
        self._weights = weights
        self._updates += 1
        changes = {"key": storable(action.key), "value": map_texts(action.value, storable)}
        return [action.model_copy(update=changes)]

    @cached_property
    def _weights(self) -> dict[str, int]:
        """What each value in the memory weighs; most turns put nothing in, and so weigh nothing."""
        return {key: _weight_of(key, value) for key, value in self._memory.items()}

    def _over(self, cap: str) -> list[Action]:
        self.left_out[cap] += 1
        return []


def _weight_of(key: str, value: JsonValue) -> int:
    return 0 if value is None else len(key) + len(json.dumps(value))


def _weight(content: str, statements: Iterable[Statement]) -> int:
    return len(content) + sum(_STATEMENT_CHARS + sum(map(len, _fields(each))) for each in statements)


def _fields(statement: Statement) -> tuple[str, ...]:
    return (statement.by, statement.order, statement.term, *statement.locations)


def _fits(statement: Statement) -> bool:
    return len(statement.locations) <= _MAX_LOCATIONS and max(map(len, _fields(statement))) <= _FIELD_CHARS


def _shown(statement: Statement) -> Statement:
    changes = {
        "by": in_one_line(statement.by),
        "order": in_one_line(statement.order),
        "term": in_one_line(statement.term),
        "locations": tuple(map(in_one_line, statement.locations)),
    }
    return statement.model_copy(update=changes)
