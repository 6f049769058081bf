"""What a scripted model understands of a prompt: its legal orders, whom it can write to, and who it is.

Orders are read where they are written out, `A PAR - BUR`, under the last heading that speaks of units or of what is
legal, or else after the word "legal". A prompt from which this finds no orders would leave a small model guessing too.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

_LOCATION = r"[A-Z]{3}(?:/[NSEW]C)?"
_UNIT = rf"[AF] {_LOCATION}"
_ORDER = re.compile(
    rf"\b(?P<unit>{_UNIT}) (?:H|D|B|R {_LOCATION}|- {_LOCATION}(?: VIA)?"
    rf"|S {_UNIT}(?: - {_LOCATION})?|C {_UNIT} - {_LOCATION})(?![A-Za-z/])"
)
_SECTION = re.compile(r"^#.*\b(?:units|legal)\b.*$", re.IGNORECASE | re.MULTILINE)
_LEGAL = re.compile(r"\blegal\b", re.IGNORECASE)
_COUNT = re.compile(r"\b(?:build|disband|remove)s? (\d+)", re.IGNORECASE)
# Without its first letter: a pattern that begins with a fixed text is searched ten times faster.
_OWN = re.compile(r"ou (?:are|play|lead|decide for|speak for)(?: for)? ([A-Z]{5,})")
_FOLD = re.compile(r"# .*\bfold your diary\b", re.IGNORECASE)
_BROKEN = re.compile(r"roken by ([A-Z]{5,})")

_HEADING = re.compile(r"^# \S+, (?:waking (?P<number>\d+)|orders|talk)", re.MULTILINE)
_PRESS = re.compile(
    r"<press (?P<id>\S+) from (?P<sender>[A-Z]+) to (?P<to>[A-Z]+), [A-Z]+(?P<reply>, reply to )?"
)

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


class Letter(NamedTuple):
    """A message that was read."""

    id: str
    sender: str
    to: str
    is_reply: bool


class Waking(NamedTuple):
    """A turn of a model that is woken whenever there is something new."""

    number: int
    """From 1, in each phase anew."""
    task: str
    """What is new, and what is wanted."""
    own: tuple[tuple[tuple[str, dict[str, Any]], ...], ...]
    """Its own calls at the wakings before, name and arguments."""

    def unanswered(self, power: str | None) -> Letter | None:
        """A new letter to the power from somebody whom it has not answered in the phase, and which is no answer."""
        answered = {given.get("recipient") for calls in self.own[1:] for _, given in calls}
        found = (
            letter
            for letter in self._letters()
            if letter.to == power and not letter.is_reply and letter.sender not in answered
        )
        return next(found, None)

    def wants_orders(self, *, changes_mind: bool) -> bool:
        """True until orders are given, when some could not be used, and once more for one who changes its mind."""
        given = sum(any(name == "submit_orders" for name, _ in calls) for calls in self.own)
        is_moved = changes_mind and any(letter.is_reply for letter in self._letters())
        return not given or "could not be used" in self.task or (given == 1 and is_moved)

    def _letters(self) -> Iterator[Letter]:
        for match in _PRESS.finditer(self.task):
            yield Letter(match["id"], match["sender"], match["to"], match["reply"] is not None)


def waking(messages: Sequence[Mapping[str, Any]]) -> Waking | None:
    """The waking that the last task of the conversation is; None for another task."""
    for place in range(len(messages) - 1, -1, -1):
        text = str(messages[place].get("content"))
        heading = next(reversed([*_HEADING.finditer(text)]), None)
        if messages[place].get("role") != "user" or heading is None:
            continue
        if heading["number"] is None:
            return None
        said = [_calls(message) for message in messages[:place] if message.get("role") == "assistant"]
        number = int(heading["number"])
        return Waking(number, text[heading.start() :], tuple(said[len(said) - number + 1 :]))
    return None


def legal_orders(texts: Sequence[str]) -> dict[str, list[str]]:
    """From unit to its legal orders in the last text that has any, each once; empty when there are none."""
    read = (_legal_orders(section(text)) for text in reversed(texts))
    return next((orders for orders in read if orders), dict[str, list[str]]())


def adjustments_wanted(texts: Sequence[str]) -> int | None:
    """How many builds or disbands are asked for where the orders stand; None when nothing is said of it."""
    for text in reversed(texts):
        if _legal_orders(section(text)):
            match = _COUNT.search(section(text))
            return int(match[1]) if match else None
    return None


def section(text: str) -> str:
    """The part of a text that tells what is legal: under its last such heading, or after the word."""
    headings = list(_SECTION.finditer(text))
    if headings:
        start = headings[-1].end()
        end = text.find("\n# ", start)
        return text[start : end if end >= 0 else len(text)]
    word = _LEGAL.search(text)
    return text[word.start() :] if word else ""


def recipients(texts: Sequence[str]) -> list[str]:
    """Whom the model can write to: the last line that says so, or else every power that is named."""
    lines = [line for text in texts if "write to" in text for line in text.splitlines() if "write to" in line]
    return powers_named(lines[-1] if lines else "\n".join(texts))


def own_power(texts: Sequence[str]) -> str | None:
    """The power that a prompt says the model plays, if it does; the last one that it names."""
    named = [match[1] for text in texts for match in _OWN.finditer(text)]
    return named[-1] if named else None


def wants_diary(task: str) -> bool:
    """True for a task whose first heading asks to fold a diary."""
    return _FOLD.match(task) is not None


def word_breakers(text: str) -> list[str]:
    """The powers by whom, as the text says, a commitment was broken, each once."""
    return list(dict.fromkeys(_BROKEN.findall(text)))


def powers_named(text: str) -> list[str]:
    """The powers of the standard map that the text names, in alphabetical order."""
    return [power for power in POWERS if power in text]


def _calls(message: Mapping[str, Any]) -> tuple[tuple[str, dict[str, Any]], ...]:
    """The calls of one of the model's own replies, made with tools or written as JSON."""
    if called := message.get("tool_calls"):
        functions: list[dict[str, Any]] = [call["function"] for call in called]
        return tuple((str(each["name"]), json.loads(each["arguments"])) for each in functions)
    try:
        written = cast("dict[str, Any]", json.loads(message.get("content") or "{}"))
        return tuple((each["tool_name"], each["arguments"]) for each in written["actions"])
    except (ValueError, TypeError, KeyError):
        return ()


def _legal_orders(text: str) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for match in _ORDER.finditer(text):
        found.setdefault(match["unit"], {})[match[0]] = None
    return {unit: list(orders) for unit, orders in found.items()}
