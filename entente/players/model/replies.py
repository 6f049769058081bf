"""From a model's reply to actions: what stands, what is refused and why, and what was left out.

Nothing that a model writes raises here. What can be said as an action stays one, even when it is refused, so that
the recording layer refuses it too, with a notice; a message to a misspelt power reaches nobody.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic import JsonValue

from entente.board.types import Power
from entente.errors import PressError
from entente.models.tokens import letters_a_token
from entente.models.wire import Asked, ModelReply, ToolCall
from entente.plain import is_plain, map_texts, storable
from entente.players.actions import Action, SendMessage, SubmitOrders, UpdateMemory, VoteDraw
from entente.players.bundle import DIARY, Talk
from entente.players.caps import MAX_ORDER_LINES
from entente.players.model.copied import order_of
from entente.players.model.extract import values_in, without_thoughts
from entente.players.model.memory import RELATION_WORDS, RELATIONS, as_json, read_relations
from entente.players.model.quoting import clip
from entente.players.model.settings import SeatSettings
from entente.players.model.stating import read_statements
from entente.players.model.tools import (
    ALLOWED,
    FINISH,
    FINISH_ORDERS,
    FINISH_TALK,
    MEMORY,
    ORDER,
    ORDERS,
    PARAMETERS,
    SEND,
    VOTE,
    Wanted,
)
from entente.press.mailbox import address, check_content
from entente.press.messages import MessageType

_SHOWN_CHARS = 60
_CUT_OFF = ("length", "max_tokens", "max_output_tokens", "MAX_TOKENS")
"""What providers call it when a reply reached its limit."""
_TIME_FOR: Mapping[Wanted, str] = {
    "talk": "talk",
    "orders": "orders",
    "open": "talk and orders",
    "diary": "your diary",
}
MAX_KEY_CHARS = 64
_MAX_CALLS = 100
"""In one reply: with one order a call, a power with all centers needs a third of them."""
_MAX_ECHOED_CHARS = 20_000
"""Characters of a call's arguments that its model is shown again."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What a reply is held against."""

    stage: Wanted
    power: Power
    reachable: Sequence[Power]
    """Powers that can be written to."""
    received: frozenset[str]
    """Ids of messages that can be answered."""
    memory: Mapping[str, JsonValue]
    said_messages: int = 0
    """Messages that stand already, of an earlier reply of the turn."""
    said_chars: int = 0
    """Signs of the power's messages in this phase so far."""
    limits: SeatSettings = field(default_factory=SeatSettings)
    letters_a_token: float = letters_a_token("")
    """Of who replies: what a limit in tokens is in characters."""
    takes_drafts: bool = False
    """True when orders may be drafted in talk."""
    others: Sequence[Power] = ()
    """All other powers of the map."""
    wants_diary: bool = False
    """True until a fold has said its diary."""
    talk: Talk = "rounds"
    """When press is read in this game: it says which tools are offered."""
    phase: str = ""
    """The phase in play: orders that are said to be for another are refused. Empty: any will do."""

    @property
    def allowed(self) -> tuple[str, ...]:
        """The tools that can be used now."""
        drafting = (ORDERS, ORDER) if self.takes_drafts and self.stage == "talk" else ()
        return (*drafting, *ALLOWED[self.stage])


class ReadCall(NamedTuple):
    """One call and what was made of it."""

    name: str
    arguments: dict[str, JsonValue] | None
    """None where it could not be read as a call at all."""
    action: Action | None
    """None for a finish, and for what cannot be said as an action."""
    complaint: str = ""
    """Why it is refused; empty when it stands."""
    note: str = ""
    """What was left out of it, although it stands."""
    cut: str = ""
    """What was too long of it and was cut off."""


@dataclass(frozen=True, slots=True)
class ReadReply:
    """A reply, call by call."""

    reply: ModelReply
    calls: tuple[ReadCall, ...]
    complaints: tuple[str, ...]
    """What is wrong with the reply as a whole: no call at all, broken JSON, no finish."""
    thinking: str = ""
    """What the model wrote before its calls, within its bound."""
    thinking_cut: str = ""
    """What was too long of it and was cut off."""
    asked: Asked | None = None
    """How it was asked for, for the record."""

    @property
    def standing(self) -> tuple[Action, ...]:
        """The actions that are as they should be."""
        return tuple(call.action for call in self.calls if call.action and not call.complaint)

    @property
    def refused(self) -> tuple[ReadCall, ...]:
        """The calls that are not."""
        return tuple(call for call in self.calls if call.complaint)

    @property
    def faults(self) -> tuple[str, ...]:
        """What could not be taken, a sentence each."""
        return (*(call.complaint for call in self.refused), *self.complaints)

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out of actions that stand."""
        return tuple(call.note for call in self.calls if call.note)

    @property
    def cuts(self) -> tuple[str, ...]:
        """What was cut off the thoughts, and off actions that stand."""
        return tuple(filter(None, [self.thinking_cut, *(call.cut for call in self.calls)]))

    @property
    def is_cut_off(self) -> bool:
        """True when it reached its limit."""
        return self.reply.usage.finish_reason in _CUT_OFF

    @property
    def is_clean(self) -> bool:
        """True when there is nothing to ask again for."""
        return not self.complaints and not self.refused


def read_reply(reply: ModelReply, desk: Desk) -> ReadReply:
    """The reply read; its tool calls where it has any, else the JSON in its text."""
    found = [*reply.tool_calls]
    complaint, thought = "", ""
    if not found:
        extract = values_in(reply.text)
        found, complaint = [_from_json(value) for value in extract.values], extract.complaint
        thought = extract.thinking
        if not (found or complaint) and desk.wants_diary and thought:
            found = [ToolCall(id="", name=MEMORY, arguments={"key": DIARY, "value": thought})]
            thought = ""
    else:
        thought = without_thoughts(reply.text)
    reader = _Reader(desk)
    calls = tuple(reader.read(call) for call in found[:_MAX_CALLS])
    whole = [
        f"A reply may have {_MAX_CALLS} calls and {len(found)} came; the rest were not read."
        if len(found) > _MAX_CALLS
        else "",
        complaint,
        _diary_missing(calls, desk) if desk.stage == "diary" else _finish_missing(calls, desk.stage),
    ]
    if any(whole) and reply.usage.finish_reason in _CUT_OFF:
        whole.insert(0, _cut_off(desk.limits.max_output_tokens))
    return ReadReply(reply, calls, tuple(filter(None, whole)), *_bounded(storable(thought), desk.limits))


def _bounded(thought: str, limits: SeatSettings) -> tuple[str, str]:
    """What is kept of the thoughts, and a word on the rest."""
    most = limits.max_thinking_chars
    surplus = len(thought) - most
    if surplus <= 0:
        return thought, ""
    note = f"thoughts before the calls may have {most} characters; {surplus} more were cut off"
    return thought[:most], note


def _cut_off(limit: int | None) -> str:
    if limit is None:
        return "Your reply was cut off at the provider's limit, since it was too long."
    return f"Your reply was cut off at its limit of {limit:,} tokens (max_output_tokens), thinking included."


def _from_json(value: JsonValue) -> ToolCall:
    if not isinstance(value, dict):
        return ToolCall(id="", name="", arguments=value)
    name = next((value[key] for key in ("tool_name", "name", "tool") if key in value), "")
    return ToolCall(id="", name=name if isinstance(name, str) else "", arguments=value.get("arguments", {}))


def _finish_missing(calls: Sequence[ReadCall], stage: Wanted) -> str:
    finish = FINISH[stage]
    if not calls:
        return f"No tool was called. Call what you want to do, then {finish} last."
    is_over = calls[-1].name == finish or (stage == "open" and calls[-1].name == FINISH_ORDERS)
    return "" if is_over else f"The turn did not end with {finish}; it must be the last call."


def _diary_missing(calls: Sequence[ReadCall], desk: Desk) -> str:
    said = any(call.name == MEMORY and (call.arguments or {}).get("key") == DIARY for call in calls)
    return f"No diary came. Call {MEMORY} with the key {DIARY}." if desk.wants_diary and not said else ""


class _Refused(Exception):
    """A word to the model, caught in this module: why a call is refused; `action` is what it would have been."""

    def __init__(self, why: str, action: Action | None = None) -> None:
        super().__init__(why)
        self.action = action


class _Reader:
    """Reads the calls of one turn in order, since what was said before counts for the caps."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._messages = desk.said_messages
        self._chars = desk.said_chars
        self._memory = dict(desk.memory)
        self._makers: dict[str, Callable[[dict[str, JsonValue]], ReadCall]] = {
            SEND: self._message,
            ORDER: self._order,
            ORDERS: self._orders,
            MEMORY: self._remember,
            VOTE: self._vote,
            FINISH_TALK: lambda arguments: ReadCall(FINISH_TALK, arguments, None),
            FINISH_ORDERS: lambda arguments: ReadCall(FINISH_ORDERS, arguments, None),
        }

    def read(self, call: ToolCall) -> ReadCall:
        name = call.name.strip()
        arguments: dict[str, JsonValue] | None = None
        try:
            maker = self._maker(name)
            arguments = _arguments(name, call.arguments)
            unknown = self._left_out(name, arguments)
            made = maker(arguments)
            arguments = _echoed(arguments)
            made = made._replace(arguments=arguments)
            self._check_stage(name, made.action)
        except _Refused as refused:
            return ReadCall(name, arguments and _echoed(arguments), refused.action, complaint=str(refused))
        return made._replace(note="; ".join(filter(None, [unknown, made.note])))

    def _maker(self, name: str) -> Callable[[dict[str, JsonValue]], ReadCall]:
        if name not in self._makers:
            raise _Refused(f"There is no tool {_shown(name)}; there are {', '.join(self._desk.allowed)}.")
        return self._makers[name]

    def _check_stage(self, name: str, action: Action | None) -> None:
        allowed = self._desk.allowed
        if name not in allowed:
            raise _Refused(
                f"{name} cannot be used now: it is time for {_TIME_FOR[self._desk.stage]} "
                f"({', '.join(allowed)}).",
                action,
            )

    def _left_out(self, name: str, arguments: Mapping[str, JsonValue]) -> str:
        """A word on arguments that the tool does not know; those that speak for another power are refused."""
        whose = arguments.get("power", self._desk.power)
        if not isinstance(whose, str) or whose.strip().upper() != self._desk.power:
            raise _Refused(f"You play {self._desk.power} and {name} was called for {_shown(whose)}.")
        unknown = [key for key in arguments if key not in (*PARAMETERS[name], "power")]
        return f"{name} has no {_shown(', '.join(unknown))}; that was left out" if unknown else ""

    def _message(self, arguments: dict[str, JsonValue]) -> ReadCall:
        content = _text(SEND, arguments, "content")
        commitments, unread = read_statements(arguments.get("commitments"))
        bad = f"{unread} commitments could not be read and were left out" if unread else ""
        reply_to, lost = self._reply_to(arguments.get("reply_to"))
        action = SendMessage(
            recipient=_text(SEND, arguments, "recipient"),
            message_type=_message_type(arguments.get("message_type")),
            content=content,
            commitments=commitments,
            reply_to=reply_to,
        )
        self._check_message(action)
        self._messages += 1
        self._chars += len(content)
        return ReadCall(SEND, arguments, action, note="; ".join(filter(None, [bad, lost])))

    def _reply_to(self, value: JsonValue) -> tuple[str | None, str]:
        """The message that is answered, and a word when it is none that was received."""
        if isinstance(value, str) and value in self._desk.received:
            return value, ""
        return None, f"reply_to {_shown(value)} is no message to you and was left out" if value else ""

    def _check_message(self, action: SendMessage) -> None:
        desk, limits = self._desk, self._desk.limits
        if desk.stage == "orders":
            return  # refused for that, whatever else is wrong with it
        try:
            address(action.recipient, sender=desk.power, reachable=desk.reachable)
            check_content(action.content)
        except PressError as error:
            raise _Refused(str(error), action) from None
        # These are our own caps, which nobody behind this would refuse: no action, so that it is not delivered.
        if len(action.content) > limits.max_message_chars:
            raise _Refused(
                f"A message may have {limits.max_message_chars} characters and this one to {action.recipient} has "
                f"{len(action.content)}; it was not sent."
            )
        if self._messages >= limits.max_messages:
            raise _Refused(
                f"A turn may have {limits.max_messages} messages; one more to {action.recipient} was not sent."
            )
        if self._chars + len(action.content) > limits.max_phase_chars:
            raise _Refused(
                f"Your messages of a phase may have {limits.max_phase_chars} characters; this one to "
                f"{action.recipient} was not sent."
            )

    def _order(self, arguments: dict[str, JsonValue]) -> ReadCall:
        self._check_phase(ORDER, arguments)
        return ReadCall(
            ORDER, arguments, SubmitOrders(orders=(order_of(_text(ORDER, arguments, "order_string")),))
        )

    def _orders(self, arguments: dict[str, JsonValue]) -> ReadCall:
        self._check_phase(ORDERS, arguments)
        value = arguments.get("orders")
        if isinstance(value, str):
            value = [*value.splitlines()]
        if isinstance(value, dict):  # one for each unit, under its name
            value = [*value.values()]
        if not isinstance(value, list):
            raise _Refused(f"{ORDERS} wants a list of order lines as orders and got {_shown(value)}.")
        if (surplus := len(value) - MAX_ORDER_LINES) > 0:
            raise _Refused(f"{ORDERS} takes {MAX_ORDER_LINES} lines and got {surplus} more; none were taken.")
        lines = tuple(order_of(line) for line in value if isinstance(line, str) and line.strip())
        lost = [line for line in value if not isinstance(line, str)]
        if lost and not lines:
            raise _Refused(f"{ORDERS} wants each order as a text and got {_shown(lost)}.")
        note = f"{len(lost)} orders were no text and were left out: {_shown(lost)}" if lost else ""
        return ReadCall(ORDERS, arguments, SubmitOrders(orders=lines), note=note)

    def _check_phase(self, name: str, arguments: Mapping[str, JsonValue]) -> None:
        """Orders for another phase are none for this one: they were thought of on another board."""
        meant, now = arguments.get("phase"), self._desk.phase
        if meant and now and (not isinstance(meant, str) or meant.strip().upper() != now):
            raise _Refused(f"{name} was for {_shown(meant)}, and it is {now} now; the orders were not taken.")

    def _remember(self, arguments: dict[str, JsonValue]) -> ReadCall:
        key = _text(MEMORY, arguments, "key").strip()
        if len(key) > MAX_KEY_CHARS:
            raise _Refused(f"A memory key may have {MAX_KEY_CHARS} characters and one of {len(key)} came.")
        if "value" not in arguments:
            raise _Refused(f"{MEMORY} wants a value; null forgets {_shown(key)}.")
        value, cut = self._cut(key, self._checked(key, arguments["value"]))
        after = {**self._memory, key: value}
        used = len(as_json({name: kept for name, kept in after.items() if name != DIARY}))
        cap = self._desk.limits.max_memory_chars(self._desk.letters_a_token)
        if value is not None and key != DIARY and used > cap:
            raise _Refused(
                f"Your memory may have {cap} characters and with {_shown(key)} it would have {used}; it was not kept. "
                "Forget or shorten other keys first."
            )
        self._memory = after
        return ReadCall(MEMORY, arguments, UpdateMemory(key=key, value=value), cut=cut)

    def _checked(self, key: str, value: JsonValue) -> JsonValue:
        """The value as it may stand under its key: relations in their five words, the diary when it is folded."""
        if key == DIARY:
            if self._desk.stage != "diary":
                raise _Refused(
                    "Your diary is folded once a year, when you are asked for it; it was not changed."
                )
            return _text(MEMORY, {"value of the diary": value}, "value of the diary")
        if key != RELATIONS or value is None:
            return value
        relations = read_relations(value, self._desk.others)
        if relations is None:
            raise _Refused(
                f"{RELATIONS} wants an object from each of {', '.join(self._desk.others)} to one of "
                f"{', '.join(RELATION_WORDS)} and got {_shown(value)}; it was not kept."
            )
        return relations

    def _cut(self, key: str, value: JsonValue) -> tuple[JsonValue, str]:
        limits = self._desk.limits
        limit = limits.max_diary_chars(self._desk.letters_a_token) if key == DIARY else limits.max_value_chars
        if not isinstance(value, str) or len(value) <= limit:
            return value, ""
        note = f"memory {_shown(key)} may have {limit} characters; {len(value) - limit} more were cut off"
        return value[:limit], note

    def _vote(self, arguments: dict[str, JsonValue]) -> ReadCall:
        value = arguments.get("yes")
        if not isinstance(value, bool):
            raise _Refused(f"{VOTE} wants yes as true or false and got {_shown(value)}.")
        return ReadCall(VOTE, arguments, VoteDraw(yes=value))


def _arguments(name: str, value: JsonValue) -> dict[str, JsonValue]:
    """The arguments as an object whose texts any store can keep."""
    if value is None or (isinstance(value, str) and not value.strip()):
        return {}
    if not isinstance(value, dict):
        raise _Refused(f"{name} wants its arguments as one JSON object and got {_shown(value)}.")
    if not is_plain(value):
        raise _Refused(f"The arguments of {name} are not plain JSON, or nested too deep.")
    cleaned = map_texts(value, storable)
    return cleaned if isinstance(cleaned, dict) else {}


def _echoed(arguments: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """The arguments as their model is shown them again; none where they are too long for that."""
    return arguments if len(as_json(arguments)) <= _MAX_ECHOED_CHARS else {}


def _text(name: str, arguments: Mapping[str, JsonValue], key: str) -> str:
    value: Any = arguments.get(key)
    if not isinstance(value, str) or not value.strip():
        raise _Refused(f"{name} wants {key} as a text and got {_shown(value)}.")
    return value


def _message_type(value: JsonValue) -> MessageType:
    try:
        return MessageType(str(value).strip().upper())
    except ValueError:
        kinds = ", ".join(MessageType)
        raise _Refused(f"{SEND} wants a message_type of {kinds} and got {_shown(value)}.") from None


def _shown(value: object) -> str:
    try:
        return clip(repr(value), _SHOWN_CHARS)
    except (RecursionError, ValueError):  # nested without end, or a number of thousands of digits
        return f"a {type(value).__name__} too large to show"
