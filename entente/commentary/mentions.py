"""Which provinces, powers and moves a person's text speaks of."""

import re
from collections.abc import Iterable, Iterator

from entente.board.engine import Board
from entente.board.naming import gazetteer
from entente.board.normalise import split_words
from entente.board.types import Move, Order, Power, Province, Retreat

MAX_CHARACTERS = 2000
"""What is read of a text; nobody says more in one action."""

_CODE = re.compile(r"\b[A-Z]{3}\b")


def provinces_in(text: str, board: Board) -> tuple[Province, ...]:
    """The provinces that the text names, each once, in its order; a code counts in capitals, since `war` is a word."""
    read = text[:MAX_CHARACTERS]
    codes = {*_CODE.findall(read)}
    names = gazetteer(board.position.map_name)
    words = split_words(read)
    found: list[Province] = []
    at = 0
    while at < len(words):
        match = names.match(words, at)
        if match and (len(words[at]) > 3 or match.length > 1 or words[at] in codes):
            found.append(match.places[0][:3])
        at += match.length if match else 1
    return tuple(dict.fromkeys(found))


def powers_in(text: str, board: Board) -> tuple[Power, ...]:
    """The powers that the text names, each once, in its order."""
    return tuple(dict.fromkeys(word for word in split_words(text[:MAX_CHARACTERS]) if word in board.powers))


def moves_to(places: Iterable[Province], board: Board, power: Power) -> Iterator[Order]:
    """The power's legal moves and retreats to these provinces, in their order."""
    legal = board.all_orders(power)
    yield from (order for place in places for order in legal if goal(order) == place)


def goal(order: Order) -> Province | None:
    """Where the order takes a unit to."""
    return order.to[:3] if isinstance(order, Move | Retreat) else None
