"""Text into words: what separates order lines, which characters mean nothing, and which mean "moves to".

Knows characters only: no order, no province, no position. Everything here is linear in the text, and a
part longer than MAX_PART is never looked into, so that hostile text costs no more than its own length.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

MAX_PART = 500
"""Characters of one order; no order in any notation needs a third of it."""

MAX_SPLIT = 4000
"""Characters of one line that is still split at separators: 17 orders in full words stay below 1,300."""

_CONTINUATION = r"(?!\s*\(?(?:via|by|through|with)\b)"
_SEPARATOR = re.compile(rf"[;,；，、]++{_CONTINUATION}|(?<=\))\s*(?=\(\()", re.IGNORECASE)
_COMMENT = re.compile(r"(?:#|//)")
_FENCE = re.compile(r"`{3,}(?:json|text|txt|plaintext|orders)?")
_HAS_WORD = re.compile(r"[^\W_]")

_DECORATION = re.compile(
    r"""(?: [\s"'`“”„«*_•·◦▪‣►>\[{(–—-]        # bullets, quotes and brackets
          | \d{1,3}\s*[.):\]]                   # numbering
          | orders?"?\s*[:=]                    # a label
        )+""",
    re.IGNORECASE | re.VERBOSE,
)
_UNSEEN = re.compile("[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff'‘’ʼ`]")
_POSSESSIVE = re.compile(r"(?<=\w\w)['’‘ʼ]s\b", re.IGNORECASE)
_ARROW = re.compile(r"[-=~–—−]*[>→⇒➔➙➛➜➝➞➡⟶⟹↦⇨►▶»›]+|[-‐‑‒–—―−]+")
_WORD = re.compile(r"""[^\W_]+|-|[^\w\s"“”„«()\[\]{}*.,:;!/\\]""")


class Line(NamedTuple):
    """One part of what was written, stripped of what stands around the order."""

    words: tuple[str, ...]
    """Capitals without accents, `-` for any dash or arrow, and each character without a meaning by itself."""
    text: str
    """All that was written but the `!`, in capitals and with single spaces, to compare a canonical order to."""
    is_marked_void: bool
    """True when it began with `!`."""


def split_parts(text: str | Sequence[str]) -> list[str]:
    """The non-blank parts of a text, or of each item of a list, in order; each of them is owed a verdict.

    Lines end where `str.splitlines` says, and orders also at `;` and `,`. What has neither a letter nor a
    digit is blank, and so is the fence of a code block; of a line beyond MAX_SPLIT only white space is blank.
    """
    items = [text] if isinstance(text, str) else text
    lines = (line for item in items for line in item.splitlines())
    return [part for line in lines for part in _split_line(line) if not _is_blank(part)]


def read_line(part: str) -> Line:
    """The part without numbering, bullets, quotes and comment, as words."""
    code = part[: _comment_start(part)]
    code = code[_decoration_end(code) :]
    is_marked_void = code.startswith("!")
    if is_marked_void:
        code = code[1:]
        part = part.strip().removeprefix("!")
        code = code[_decoration_end(code) :]
    return Line(tuple(split_words(code)), " ".join(part.upper().split()), is_marked_void)


def split_words(text: str) -> list[str]:
    """The words of a text, in capitals; brackets, quotes, slashes and full stops only separate."""
    plain = text if text.isascii() else unicodedata.normalize("NFKD", text)
    return _WORD.findall(_ARROW.sub(" - ", _UNSEEN.sub("", _POSSESSIVE.sub("", plain))).upper())


def _split_line(line: str) -> Iterable[str]:
    if len(line) > MAX_SPLIT:
        return [line]
    end = _comment_start(line)
    parts = _SEPARATOR.split(line[:end])
    while len(parts) > 1 and _is_blank(parts[-1]):
        parts.pop()
    parts[-1] += line[end:]
    return parts


def _comment_start(line: str) -> int:
    """Where the comment begins; the line's length without one, or when nothing stands before it."""
    comment = _COMMENT.search(line)
    return comment.start() if comment and not _is_blank(line[: comment.start()]) else len(line)


def _decoration_end(code: str) -> int:
    found = _DECORATION.match(code)
    return found.end() if found else 0


def _is_blank(part: str) -> bool:
    if len(part) > MAX_SPLIT:
        return part.isspace()
    return _HAS_WORD.search(part) is None or _FENCE.fullmatch(part.strip()) is not None
