"""The legal order that comes nearest to a line that was rejected."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from entente.board.engine import load_geography
from entente.board.lexicon import Sentence
from entente.board.maps import SAFE_MAPS
from entente.board.orderbook import OrderBook, mentioned
from entente.board.types import Order, PhaseKind, Province, SupportHold, SupportMove, UnitKind, Waive, verb_of

_ASSUMED = {PhaseKind.MOVEMENT: "h", PhaseKind.RETREATS: "r", PhaseKind.ADJUSTMENTS: "b"}

_LACKS_UNIT = re.compile("[sc]m?u?p")
"""`S A MAR - BUR`: whom it supports stands first, and nobody who does."""
_NO_UNIT = ""

_SAME_UNIT = 16
_SAME_OTHER = 5
_SAME_GOAL = 4
_SAME_LENGTH = 2
_SAME_KIND = 1
_FAR = 99


def nearest_order(book: OrderBook, sentence: Sentence) -> str | None:
    """The legal order of the same kind that is most like the sentence, as canonical text; None when nothing is alike.

    Weighed in this order: the same unit, the same unit supported or convoyed, the same goal, a goal or none as is
    wanted, the same kind of unit; then help for the power's own units, the goal nearest to the one wanted, the shortest
    and the alphabetically first, so that it is always the same.
    """
    lacks_unit = bool(_LACKS_UNIT.match("".join(item.letter for item in sentence.items)))
    provinces = (_NO_UNIT, *sentence.provinces) if lacks_unit else sentence.provinces
    kind = None if lacks_unit else sentence.unit_kind
    wanted = _Wish(_verb_here(book, sentence), provinces, kind)
    if not sentence.provinces and wanted.verb != "w":
        return None
    steps = _steps_to(book.position.map_name, wanted.provinces[-1:])
    ranked = ((_rank(book, order, wanted, steps), str(order)) for order in _pool(book, wanted))
    best = min(ranked, default=None)
    return best[1] if best and best[0][0] < 0 else None


class _Wish(NamedTuple):
    """What a sentence names, complete or not."""

    verb: str
    provinces: tuple[Province, ...]
    kind: UnitKind | None


def _pool(book: OrderBook, wanted: _Wish) -> Iterable[Order]:
    """The named unit's orders of the kind, or everybody's when it has none."""
    own = book.by_province.get(wanted.provinces[0], ()) if wanted.provinces else ()
    for pool in (own, book.legal):
        if alike := [order for order in pool if verb_of(order) == wanted.verb]:
            return alike
    return ()


def _verb_here(book: OrderBook, sentence: Sentence) -> str:
    """The verb as this phase knows it: a move is a retreat for a dislodged unit, and none at all is assumed."""
    verb = sentence.verb or ("d" if book.builds < 0 else _ASSUMED[book.phase.kind])
    if book.phase.kind is PhaseKind.RETREATS and verb == "m":
        return "r"
    if book.phase.kind is PhaseKind.MOVEMENT and verb == "r":
        return "m"
    return verb


def _rank(
    book: OrderBook, order: Order, wanted: _Wish, steps: Mapping[Province, int]
) -> tuple[int, bool, int, int]:
    named = mentioned(order)
    distance = steps.get(named[-1], _FAR) if named else 0
    is_for_others = isinstance(order, SupportHold | SupportMove) and order.supported.province not in book.mine
    return -_likeness(order, named, wanted), is_for_others, distance, len(str(order))


def _likeness(order: Order, named: Sequence[Province], wanted: _Wish) -> int:
    if isinstance(order, Waive):
        return 1
    if not set(named) & set(wanted.provinces):
        return 0
    likeness = _SAME_UNIT * (named[0] == wanted.provinces[0])
    likeness += _SAME_KIND * (order.unit.kind == wanted.kind) + _SAME_LENGTH * (
        len(named) == len(wanted.provinces)
    )
    if len(named) > 1 and len(wanted.provinces) > 1:
        likeness += _SAME_OTHER * (named[1] == wanted.provinces[1])
        likeness += _SAME_GOAL * (named[-1] == wanted.provinces[-1])
    return likeness


@lru_cache(maxsize=512)
def _steps_to(map_name: str, goals: tuple[Province, ...]) -> Mapping[Province, int]:
    """How many borders, of land or water, lie between each province and the nearest goal; empty for none."""
    around = _neighbours(map_name)
    steps, edge = dict.fromkeys(goals, 0), list(goals)
    while edge:
        edge = sorted({n for place in edge for n in around.get(place, ()) if n not in steps})
        steps |= dict.fromkeys(edge, max(steps.values()) + 1)
    return steps


@lru_cache(maxsize=len(SAFE_MAPS))
def _neighbours(map_name: str) -> Mapping[Province, frozenset[Province]]:
    around: dict[Province, set[Province]] = {}
    for (_, place), goals in load_geography(map_name).borders.items():
        around.setdefault(place[:3], set()).update(goal[:3] for goal in goals)
    return {place: frozenset(goals) for place, goals in around.items()}
