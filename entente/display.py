"""What may be shown of a text that somebody else wrote: the one place that decides it.

A terminal obeys escape sequences, bidirectional controls turn a line around, and zero-width and tag characters hide
words from people that programs read. None of them reaches a terminal, a picture, a prompt or a program from outside.
Accents heaped on one letter cover what stands around it; so many as writing has, and no more, are shown.
"""

import re
from unicodedata import category

from pydantic import JsonValue

from entente.plain import map_texts

_INVISIBLE = re.compile(
    "[\u034f\u17b4\u17b5\u180b-\u180f\u2065\ufe00-\ufe0f\ufff0-\ufffb\U000e0000-\U000e0fff]"
)
"""What Unicode calls default ignorable, but for the format characters, which have a category of their own."""
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that look like a blank."""
_SPACES = re.compile(r"\s+")
_MOST_MARKS = 8
"""Marks on one letter: the highest stacks that are written, Tibetan ones, have so many."""
_PERHAPS_A_HEAP = re.compile(f"[\u0300-\U0010ffff]{{{_MOST_MARKS + 1},}}")
"""No mark that stands on another letter comes before these in Unicode."""


class _Table(dict[int, str]):
    """What each character becomes, found out when it first comes."""

    def __missing__(self, code: int) -> str:
        self[code] = shown = _shown(chr(code))
        return shown


def _shown(character: str) -> str:
    if character == "\n":
        return character
    if _INVISIBLE.match(character):
        return ""
    match category(character):
        case "Cf":
            return ""
        case "Cc" | "Zs" | "Zl" | "Zp":
            return " "
        case "Cs":  # half a character, which UTF-8 cannot write
            return "?"
        case _:
            return " " if character in _BLANK else character


_TABLE = _Table()


def displayable(text: str) -> str:
    """The text as it may be shown: controls are blanks, what cannot be seen is left out, line feeds stay."""
    if text.isascii():
        return text if text.isprintable() else text.translate(_TABLE)
    return _PERHAPS_A_HEAP.sub(_without_heaps, text.translate(_TABLE))


def displayable_behind(shown: str, text: str) -> str:
    """The text as it may be shown behind what is shown already, on whose last letter its accents may stand."""
    last = shown[-_MOST_MARKS:]
    return displayable(last + text)[len(last) :]


def _without_heaps(found: re.Match[str]) -> str:
    """The characters without those marks that stand behind _MOST_MARKS others."""
    shown = list[str]()
    marks = 0
    for character in found[0]:
        marks = marks + 1 if category(character) in ("Mn", "Me") else 0
        if marks <= _MOST_MARKS:
            shown.append(character)
    return "".join(shown)


def displayable_json(value: JsonValue) -> JsonValue:
    """The value with all its texts and keys displayable."""
    return map_texts(value, displayable)


def in_one_line(text: str) -> str:
    """The displayable text in one line, each run of blanks and line feeds one blank, none at its ends."""
    return _SPACES.sub(" ", displayable(text)).strip()
