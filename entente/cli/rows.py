"""Lines of text broken into the rows of a terminal, so that no terminal breaks them where their writer likes."""

import re
from functools import lru_cache
from unicodedata import category, east_asian_width

from rich.cells import cell_len

_WORD = re.compile(r" *[^ ]+ *| +")
_PERHAPS_WIDE = re.compile("[\u3248-\u324f\U0001f1e6-\U0001f1ff]")
"""What terminals show in one column or in two: numbers on squares, and the letters that flags are made of."""


def rows_of(line: str, columns: int) -> list[str]:
    """The line broken between its words into rows that no terminal shows in more columns; at least one row.

    A word that is longer than a row is broken within.
    """
    rows, room = [""], columns
    for word in _WORD.findall(line):
        if room < columns and sum(map(_most_columns, word.rstrip(" "))) > room:
            rows.append("")
            room = columns
        for character in word:
            needed = _most_columns(character)
            if needed > room and character != " ":
                rows.append("")
                room = columns
            rows[-1] += character
            room -= needed
    return [row.rstrip(" ") for row in rows]


@lru_cache(maxsize=4096)
def _most_columns(character: str) -> int:
    """In how many columns a terminal shows it that gives it most of them.

    Terminals agree on accents, which have none. What else stands on a letter (vowels of India, the colour of a skin)
    has none in some, and one or two in others.
    """
    kind = category(character)
    if kind in ("Mn", "Me"):
        return 0
    is_wide = kind == "Cn" or east_asian_width(character) in ("W", "F") or _PERHAPS_WIDE.match(character)
    return 2 if is_wide else max(1, cell_len(character))
