"""Text into words: what separates order lines, which characters mean nothing, and which mean "moves to".

Knows characters only: no order, no province, no position. Everything here is linear in the text, and a
part longer than MAX_PART is never looked into, so that hostile text costs no more than its own length.
"""

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

MAX_PART = 500
"""Characters of one order; no order in any notation needs a third of it."""

MAX_SPLIT = 4000
"""Characters of one line that is still split at separators: 17 orders in full words stay below 1,300."""

MAX_TEXT = 100_000
"""Characters of all orders of a phase; a hundred orders in full words take a tenth of it."""

_CONTINUATION = r"(?!\s*\(?(?:via|by|through|with|(?:north|south|east|west)(?:ern)?\s+coast|[nsew]\.?\s?c)\b)"
_SEPARATOR = re.compile(rf"[;,；，、]++{_CONTINUATION}|(?<=\))\s*(?=\(\s*\()", re.IGNORECASE)
_TURN = r"\(\s*(?:SPR|SUM|FAL|AUT|WIN)\s*#?\s*\d{1,4}\s*\)"
_COMMENT = re.compile(r"(?:#(?!\s*\d{1,4}\s*[):.])|//)")
_HEAD = re.compile(rf"\s*SUB\b\s*(?:{_TURN})?\s*", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>|</(?:li|p|tr|div|h\d)>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:b|strong|i|em|u|code|pre|p|li|ul|ol|tr|td|th|table|tbody|thead|div|span|h\d|orders?|answer)(?:\s[^<>]{0,99})?>",
    re.IGNORECASE,
)
_OPENER = re.compile(r"\W*(?:finally|also|then|first|next|lastly|please)\W*", re.IGNORECASE)
_FENCE = re.compile(r"`{3,}(?:json|text|txt|plaintext|orders)?")
_HAS_WORD = re.compile(r"[^\W_]")

_DECORATION = re.compile(
    r"""(?: [\s"'`“”„«*_•·◦▪‣►>\[{(|–—+-]       # bullets, quotes and brackets
          | \#{2,6}\s | \#?\d{1,3}(?:\s*[.):\]]|\s+[-–—](?=\s)) | \#\d{1,3}\s       # headings and numbering
          | (?:[b-eg-z]\)|[iv]{1,4}[.)])\s | [\u2460-\u2473] | \d\ufe0f?\u20e3
          | [x✓✔]\s*\](?=\s)                    # a ticked box
          | [\u2600-\u27bf\U0001f000-\U0001faff\ufe0f\u200d]     # pictures
          | orders?(?:\s*\#?\d{1,3})?"?\s*[:=]  # a label
          | (?:and|then|also|finally|please|i|we|i['’]ll|we['’]ll)\s
        )+""",
    re.IGNORECASE | re.VERBOSE,
)
_UNSEEN = re.compile("[\u0300-\u036f\u00ad\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff'‘’ʼ`]")
_POSSESSIVE = re.compile(r"(?<=\w\w)['’‘ʼ]s\b", re.IGNORECASE)
_ENDING = re.compile(r"[\s!\u2600-\u2790\U0001f000-\U0001faff\ufe0f\u200d]+$")
_ARROW = re.compile(
    r"[-=~–—−]*[>→⇒➔➙➛➜➝➞➠➡⟶⟹⟼↦⇥⇨►▶⏵❯»›↠↣↪⟾⇾⇝⤳⥤⭢⮕🠖🡒🢂]+|[-‐‑‒–—―−⁃]+|\$?\\(?:long)?(?:to|rightarrow)\b\$?",
    re.IGNORECASE,
)
_WORD = re.compile(r"""[^\W_]+|-|[^\w\s"“”„«()\[\]{}*.,:;/\\]""")


class Line(NamedTuple):
    """One part of what was written, stripped of what stands around the order."""

    words: tuple[str, ...]
    """Capitals without accents, `-` for any dash or arrow, and each character without a meaning by itself."""
    text: str
    """All that was written but the `!`, in capitals and with single spaces, to compare a canonical order to."""
    is_marked_void: bool
    """True when it began with `!`."""


def split_lines(text: str | Sequence[str]) -> Iterator[str]:
    """The lines of a text, or of each item of a list, blank ones too, as HTML shows them, up to MAX_TEXT characters."""
    left = MAX_TEXT
    for item in [text] if isinstance(text, str) else text:
        yield from _plain(item[:left]).splitlines()
        left -= min(left, len(item))


def is_cut(text: str | Sequence[str]) -> bool:
    """True when a text is longer than what is read of it."""
    return sum(map(len, [text] if isinstance(text, str) else text)) > MAX_TEXT


def split_line(line: str) -> list[str]:
    """The non-blank parts of a line, in order; each of them is owed a verdict.

    Orders end at `;` and `,`, but not in a row of a table. What has neither a letter nor a digit is blank, and so are
    the fence of a code block and the head of a DAIDE message; of a line beyond MAX_SPLIT only white space is blank.
    """
    return [part for part in _split_line(line) if not _is_blank(part)]


def without_comment(line: str) -> str:
    """The line up to its comment."""
    return line[: _comment_start(line)]


def read_line(part: str) -> Line:
    """The part without numbering, bullets, quotes and comment, as words."""
    code = part[: _comment_start(part)]
    code = _HEAD.sub("", code, count=1) if code[:9].lstrip().upper().startswith("SUB") else code
    code = _ENDING.sub("", code[_decoration_end(code) :])
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


def _plain(text: str) -> str:
    """The text as a browser shows it, where it is HTML."""
    if "&" in text:
        text = html.unescape(text)
    return _TAG.sub("", _BREAK.sub("\n", text)) if "<" in text else text


def _split_line(line: str) -> Iterable[str]:
    if len(line) > MAX_SPLIT or line.count("|") > 1:
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
    is_fence = _FENCE.fullmatch(part.strip()) or _HEAD.fullmatch(part) or _OPENER.fullmatch(part)
    return is_fence is not None or _HAS_WORD.search(part) is None
