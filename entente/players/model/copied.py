"""Order lines that a model has copied from its prompt with what is said behind them (`situation.py` writes both).

A prompt asks for the order alone. A small model often copies the whole line, in whose facts an order reader, which
parts orders at commas and semicolons, finds other units and places.
"""

import re

_UNIT = r"[AF] [A-Z]{3}(?:/[A-Z]{2})?"
_STANDS = r"(?:your )?[AF](?:/[A-Z]{2})?(?: [A-Z]+)?"
# Atomic, and whole up to what parts facts: a long line of them is read once, not in every way there is.
_FACT = (
    rf"(?>(?:empty|no center|disband it|do without one build|for [A-Z]+|(?:your|[a-zA-Z]+'s) center|{_STANDS}"
    rf"|(?:(?:can come|support|nearest units): )?{_UNIT}(?: [A-Z]+)?(?: in \d+ moves?(?: by [A-Z ]+)?)?)(?=[;,]|\s*\Z))"
)
_COPIED = re.compile(rf"\s*(?P<order>[^\s:;,][^:;,]*): {_FACT}(?:[;,] {_FACT})*+\s*")


def order_of(line: str) -> str:
    """The order of a line that was copied with its facts; any other line as it is.

    >>> order_of("A PAR - BUR: empty; can come: A MUN GERMANY; support: A MAR")
    'A PAR - BUR'
    >>> order_of("A PAR - BUR: then on to MUN")
    'A PAR - BUR: then on to MUN'
    """
    found = _COPIED.fullmatch(line)
    return found["order"] if found else line
