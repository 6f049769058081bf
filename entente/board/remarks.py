"""What may stand around an order: a label in front, a remark behind, cells of a table, further orders on the line.

Knows characters and no names; whether what is left is an order, and what was cut off means nothing, others decide.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_BRACKETS = re.compile(r"(?P<order>.*\S)\s*[(\[{](?P<remark>[^()\[\]{}]*?)!*[)\]}]\W*")
_BEHIND = re.compile(
    r"\s*[*_]*:[*_]*\s+|\s+(?:-{1,2}|[–—])\s+|\s*—\s*|[*_.,]\s+|\s+(?=(?:because|since|so that|in order|to|for|as)\b)"
)
_LABEL = re.compile(r"(?P<label>[^:]*\S)\s*:\s*(?P<order>.+)")
_UNIT = re.compile(
    r"(?<![^\s.)*/&+|])(?:(?:and|then|[/&+|]|\d{1,2}[.)])\s*)*(?<![^\W_])(?=(?:A|F|Army|Fleet|AMY|FLT)\s+[^\W\d])",
    re.IGNORECASE,
)

_CLAUSE = re.compile(r"[.!]\s+|\s+(?:and|plus|while|as|&)\s+", re.IGNORECASE)

_MOST_BREAKS = 4
_MOST_CELLS = 8
_MOST_ORDERS = 34
"""As many centers as the standard map has; more units than that stand on no board."""


class Cut(NamedTuple):
    """What may be an order, and what stands around it."""

    order: str
    remarks: tuple[str, ...] = ()
    """Behind it, or in other cells."""
    label: str = ""
    """In front of it."""


def cuts(part: str) -> Iterator[Cut]:
    """Ways to cut labels and remarks off, the longest order first."""
    if part.count("|") > 1:
        yield from _rows(part)
        return
    for cut in (Cut(part), *_behind(part)):
        if cut.remarks:
            yield cut
        if label := _LABEL.fullmatch(cut.order):
            yield Cut(label["order"], cut.remarks, label["label"])


def pieces(part: str) -> list[str]:
    """The part cut before every word for a unit; one piece where there is only one."""
    found = [match.span() for match in _UNIT.finditer(part)][: 2 * _MOST_ORDERS]
    bounds = [(0, 0), *(span for span in found if part[: span[0]].strip(" |*_"))]
    ends = [start for start, _ in bounds[1:]] + [len(part)]
    cut = (part[begin:end] for (_, begin), end in zip(bounds, ends, strict=True))
    return [piece for piece in cut if re.search(r"[^\W\d_]", piece)]


def clauses(part: str) -> list[str]:
    """The part cut at every `and` and after every full stop."""
    return _CLAUSE.split(part, maxsplit=2 * _MOST_ORDERS)


def _behind(part: str) -> Iterator[Cut]:
    """Without what stands in brackets at the end, then without what stands behind a colon, a dash or a stop."""
    brackets = _BRACKETS.fullmatch(part)
    if brackets:
        yield Cut(brackets["order"], (brackets["remark"],))
    breaks = (
        list(_BEHIND.finditer(part))[-_MOST_BREAKS:]
        if brackets
        else list(_BEHIND.finditer(part))[:_MOST_BREAKS]
    )
    for found in reversed(breaks):
        yield Cut(part[: found.start()], (part[found.end() :],))


def _rows(part: str) -> Iterator[Cut]:
    """Runs of a row's cells, the longest first."""
    cells = [cell.strip() for cell in part.split("|")]
    cells = [cell for cell in cells if re.search(r"\w", cell)][:_MOST_CELLS]
    for length in range(len(cells), 0, -1):
        for start in range(len(cells) - length + 1):
            run = cells[start : start + length]
            yield Cut(" ".join(run), tuple(cells[:start] + cells[start + length :]))
