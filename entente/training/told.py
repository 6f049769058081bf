"""What a prompt tells of a seat's turn, read back: the position, the press of the phase, and the seat's memory.

Prompts are written for models, in lines that a program can read as well. What they say in words of earlier phases is
left unread, so that whoever decides by this knows less than a player at the board, and never more.
"""

import json
import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple, cast

from pydantic import JsonValue, ValidationError

from entente.board.engine import Board, load_geography
from entente.board.types import Phase, Position, Power, Unit
from entente.errors import NotAPrompt
from entente.models.wire import ChatMessage
from entente.players.bundle import Bundle
from entente.press.ledger import Ledger
from entente.press.messages import Message

_MAP = "standard"
_UNIT = r"[AF] [A-Z]{3}(?:/[A-Z]{2})?"
_CHATML = re.compile(r"<\|im_start\|>(\w+)\n(.*?)(?:<\|im_end\|>|\Z)", re.DOTALL)
_YOU = re.compile(r"^You are ([A-Z]+)\.$", re.MULTILINE)
_BOARD = re.compile(
    r"^# (?P<phase>[SFW]\d{4}[MRA])(?:: BOARD_STATE)?\n(?P<lines>.*?)(?=^#|\Z)", re.MULTILINE | re.DOTALL
)
_TASK = re.compile(
    r"^# [SFW]\d{4}[MRA], (?:orders|talk, round (?P<round>\d+) of (?P<rounds>\d+)|waking (?P<wake>\d+)\b.*)$",
    re.MULTILINE,
)
_HOLDING = re.compile(
    rf"^(?P<power>[A-Z]+) (?:no centers|\d+ centers?: (?P<centers>[A-Z ]+)); "
    rf"(?:no units|units: (?P<units>{_UNIT}(?:, {_UNIT})*))$",
    re.MULTILINE,
)
_DISLODGED = re.compile(rf"([A-Z]+) ({_UNIT}), which can (?:only disband|retreat to ([A-Z/ ]+))")
_RECIPIENTS = re.compile(r"^You can write to ([A-Z, ]+)\.$", re.MULTILINE)
_PRESS = re.compile(
    r"<(?P<tag>press|own) (?P<id>\S+) from (?P<sender>[A-Z]+) to (?P<recipient>[A-Z]+), (?P<type>[A-Z]+)"
    r"(?:, reply to (?P<reply>[^>,]+))?(?:, also to (?P<also>[A-Z, ]+))?>(?P<content>[^<]*)"
    r"(?P<stated>(?:<commitment>[^<]*</commitment>\s*)*)</(?P=tag)>"
)
_COMMITMENT = re.compile(
    r"<commitment>(?P<act>\w+) (?P<kind>\w+)(?: by (?P<by>[A-Z]+))?"
    r"(?:: (?P<detail>[^,<]*))?(?:, (?P<term>\w+))?</commitment>"
)
_MEMORY, _MEMORY_ENDS = "<memory>", "</memory>"
_ASKED = re.compile(rf"(?P<fold>^# .*\bfold your diary$)|(?P<turn>{_TASK.pattern})", re.MULTILINE)
_DELIVERED = re.compile(r"^- send_message: (?:delivered as (\S+)|.*)$", re.MULTILINE)


class Turn(NamedTuple):
    """What a seat is asked for, and what it is told for it."""

    bundle: Bundle
    is_open: bool
    """True where it may talk and give orders at once."""


def read_turn(messages: Sequence[ChatMessage]) -> Turn:
    """The turn that a conversation asks for, which may be one text in ChatML; raises NotAPrompt."""
    said = [*conversation(messages)]
    text = "\n".join(message.content for message in said if message.role != "assistant")
    you, board_lines, task = (_last(pattern, text) for pattern in (_YOU, _BOARD, _TASK))
    if you is None or board_lines is None or task is None:
        raise NotAPrompt("A prompt that tells a seat's position and turn was wanted and another text came.")
    board = Board(_position(board_lines))
    phase, power = str(board.phase), you[1]
    if power not in board.powers:
        raise NotAPrompt(f"A power of the map was wanted and {power} came.")
    own = [*_own_calls(said)]
    press = {message.id: message for message in (*_press(text, phase), *_sent(own, phase, power))}
    recipients = _last(_RECIPIENTS, text)
    bundle = Bundle(
        power=power,
        board=board,
        seed=blake2b("".join(message.content for message in said).encode(), digest_size=16).hexdigest(),
        round=int(task["round"] or bool(task["wake"])),
        rounds_total=int(task["rounds"] or bool(recipients)),
        wake=int(task["wake"] or 0),
        inbox=tuple(message for message in press.values() if message.sender != power),
        sent=tuple(message for message in press.values() if message.sender == power),
        ledger=Ledger().after_messages(press.values(), board),
        memory=_memory(said),
        press_allowed=tuple(recipients[1].split(", ")) if recipients else (),
    )
    return Turn(bundle, is_open=task["wake"] is not None)


def wants_diary(messages: Sequence[ChatMessage]) -> bool:
    """True where a diary is to be folded, which is no turn."""
    text = "\n".join(message.content for message in conversation(messages))
    return "fold" in [found.lastgroup for found in _ASKED.finditer(text)][-1:]


def conversation(messages: Sequence[ChatMessage]) -> Iterator[ChatMessage]:
    """The messages, those of one text in ChatML one by one."""
    for message in messages:
        parts = _CHATML.findall(message.content) if message.role == "user" else []
        said = (ChatMessage(role=role, content=text) for role, text in parts if text)
        yield from said if parts else (message,)


def _last(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    return next(reversed([*pattern.finditer(text)]), None)


def _position(told: re.Match[str]) -> Position:
    """The position; raises NotAPrompt for units and centers that the map does not have."""
    geography = load_geography(_MAP)
    holdings = {found["power"]: found for found in _HOLDING.finditer(told["lines"])}
    dislodged: dict[Power, dict[Unit, tuple[str, ...]]] = {power: {} for power in geography.powers}
    for power, unit, goals in _DISLODGED.findall(told["lines"]):
        dislodged.get(power, {})[Unit.parse(unit)] = tuple(goals.split())

    def listed(power: Power, what: str, mark: str) -> list[str]:
        found = holdings.get(power)
        return (found[what] or "").split(mark) if found else []

    units = {
        power: [*map(Unit.parse, filter(None, listed(power, "units", ", ")))] for power in geography.powers
    }
    centers = {power: [*filter(None, listed(power, "centers", " "))] for power in geography.powers}
    placed = {unit for own in (*units.values(), *dislodged.values()) for unit in own}
    unknown = [str(unit) for unit in placed if (unit.kind, unit.location) not in geography.borders]
    unknown += [center for own in centers.values() for center in own if center not in geography.centers]
    if unknown:
        raise NotAPrompt(f"A position of the map was wanted and {', '.join(sorted(unknown))} is none of its.")
    return Position(
        map_name=_MAP,
        phase=Phase.parse(told["phase"]),
        units={power: tuple(own) for power, own in units.items()},
        dislodged=dislodged,
        centers={power: tuple(own) for power, own in centers.items()},
    )


def _press(text: str, phase: str) -> Iterator[Message]:
    """The messages of the phase that stand in quotation."""
    for found in _PRESS.finditer(text):
        if found["id"].startswith(f"{phase}."):
            yield _message(
                {
                    "id": found["id"],
                    "phase": phase,
                    "sender": found["sender"],
                    "recipient": found["recipient"],
                    "message_type": found["type"],
                    "content": found["content"].strip(),
                    "commitments": [_statement(each) for each in _COMMITMENT.finditer(found["stated"])],
                    "reply_to": found["reply"],
                    "also_to": found["also"].split(", ") if found["also"] else (),
                }
            )


def _statement(told: re.Match[str]) -> dict[str, JsonValue]:
    """`propose support by GERMANY: A MUN S A PAR - BUR, F1901M`, as `statement_text` writes it."""
    detail = told["detail"] or ""
    is_order = told["kind"] in ("support", "order")
    return {
        "act": told["act"],
        "kind": told["kind"],
        "by": told["by"] or "",
        "order": detail if is_order else "",
        "locations": [] if is_order else cast("list[JsonValue]", detail.split()),
        "term": told["term"] or "",
    }


def _own_calls(said: Sequence[ChatMessage]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """The seat's own calls, name and arguments, with the id of the message that a call became, where it did."""
    for place, message in enumerate(said):
        if message.role == "assistant":
            results = said[place + 1].content if place + 1 < len(said) else ""
            delivered = iter(_DELIVERED.findall(results))
            for name, arguments in _calls_in(message.content):
                yield name, arguments, next(delivered, "") if name == "send_message" else ""


def _calls_in(text: str) -> list[tuple[str, dict[str, Any]]]:
    try:
        return [(call["tool_name"], dict(call["arguments"])) for call in json.loads(text)["actions"]]
    except (ValueError, TypeError, KeyError, RecursionError):
        return []


def _sent(own: Sequence[tuple[str, dict[str, Any], str]], phase: str, power: Power) -> Iterator[Message]:
    for name, arguments, id_ in own:
        if name == "send_message" and id_.startswith(f"{phase}."):
            yield _message({**arguments, "id": id_, "phase": phase, "sender": power})


def _message(values: dict[str, Any]) -> Message:
    try:
        return Message.model_validate({"round": 1, **values})
    except ValidationError as error:
        raise NotAPrompt(f"Press in quotation was wanted and {values['id']} is none.") from error


def _memory(said: Sequence[ChatMessage]) -> dict[str, JsonValue]:
    """What the seat has kept, as it is told, and what it has put there since."""
    memory: dict[str, JsonValue] = {}
    for message in said:
        if message.role == "assistant":
            kept = [given for name, given in _calls_in(message.content) if name == "update_memory"]
            memory |= {str(given.get("key")): given.get("value") for given in kept}
        for told in message.content.split(_MEMORY)[1:] if message.role == "user" else ():
            text, ends, _ = told.partition(_MEMORY_ENDS)
            memory |= _object(text) if ends else {}
    return {key: value for key, value in memory.items() if value is not None}


def _object(text: str) -> dict[str, JsonValue]:
    """The object of JSON; empty for other words, such as those of a diary."""
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, JsonValue]", read) if isinstance(read, dict) else {}
