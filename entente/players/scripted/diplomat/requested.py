"""The order that a text asks for, or offers: among the legal ones, the one whose places it names.

In words, a support is for a unit of the other side of the talk: whoever asks for support into Munich wants to get
there, and does not ask that somebody else's army in Munich be helped.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from entente.board.engine import Board
from entente.board.types import Convoy, Hold, Move, Order, Power, Province, SupportHold, SupportMove, UnitKind
from entente.players.scripted.diplomat import phrases
from entente.players.scripted.diplomat.cues import Topic, score
from entente.players.scripted.diplomat.places import Mention, mentions_in

_TOWARDS = frozenset({"to", "into", "on", "onto", "for", "take", "attack", "towards", "enter", "in", "at"})
_FROM = frozenset({"from", "with", "of", "by", "out", "using"})
_GOING = frozenset({"to", "into", "towards", "enter", "take", "attack", "from", "out"})
_NAMED, _UNNAMED, _CONTRADICTED = 3, -3, 8
"""What a place counts that a support has a part for, and one that it has none for."""


def asked_order(text: str, board: Board, me: Power, sender: Power) -> Order | None:
    """The legal order of mine that the sender's text asks for, in notation or in words; None when it names none.

    Of several orders in notation the last counts.
    """
    written = written_order(text, board, me)
    if written is not None:
        return written
    if score(Topic.SUPPORT, text.lower()):
        fit = best_support(text, board, me, sender)
        return fit.order if fit else None
    return asked_step(text, board, me)


def written_order(text: str, board: Board, power: Power) -> Order | None:
    """The last of the power's legal orders that stand in the text in notation."""
    legal, upper = board.orders_by_text[power], " ".join(text.upper().split())
    written = [(upper.rfind(order) + len(order), len(order), order) for order in legal if order in upper]
    return legal[max(written)[2]] if written else None


class Fit(NamedTuple):
    """An order, and how well it fits what was said."""

    points: int
    order: SupportHold | SupportMove


def best_support(
    text: str, board: Board, helper: Power, helped: Power, *, is_offered: bool = False
) -> Fit | None:
    """The support by a unit of the helper to one of the helped that fits the words best; None when none fits.

    The writer is the helped one, or the helper where it `is_offered`.
    """
    words = _Words.of(text, board.position.map_name, is_offered=is_offered)
    fits = [Fit(_fit(order, words, board, helped), order) for order in _supports(board, helper, helped)]
    best = max(fits, key=lambda fit: fit.points, default=None)
    return best if best and best.points > 0 else None


def _supports(board: Board, helper: Power, helped: Power) -> Iterator[SupportHold | SupportMove]:
    """The helper's legal supports of the helped one's units, those into its own units left out."""
    own, theirs = (_standing(board, power) for power in (helper, helped))
    for options in board.legal_orders[helper].values():
        for order in options:
            if not isinstance(order, SupportHold | SupportMove) or order.supported.province not in theirs:
                continue
            if _goal(order) not in own:
                yield order


def _standing(board: Board, power: Power) -> frozenset[Province]:
    return frozenset(unit.province for unit in board.position.units[power])


def _goal(order: SupportHold | SupportMove) -> Province:
    return order.to[:3] if isinstance(order, SupportMove) else order.supported.province


@dataclass(frozen=True, slots=True)
class _Words:
    """What a request for support says."""

    mentions: Sequence[Mention]
    supported: UnitKind | None
    """Whether an army or a fleet is to be helped, where it is said."""
    helper: UnitKind | None
    wants_hold: bool
    says_hold: bool

    @property
    def named(self) -> frozenset[Province]:
        return frozenset(mention.province for mention in self.mentions)

    @property
    def is_going(self) -> bool:
        """True where a place is one to go from, or to."""
        return any(mention.before in _GOING for mention in self.mentions)

    @classmethod
    def of(cls, text: str, map_name: str, *, is_offered: bool) -> "_Words":
        lower = text.lower()
        supported, helper = ("your", "my") if is_offered else ("my", "your")
        wants_hold = bool(phrases.HOLDS.search(lower))
        says_hold = bool(phrases.SAYS_HOLD.search(lower))
        kinds = (_kind(lower, supported), _kind(lower, helper))
        return cls(mentions_in(text, map_name), *kinds, wants_hold, says_hold)


def _kind(lower: str, whose: str) -> UnitKind | None:
    said = re.search(
        rf"\b{whose} (?:\w+ ){{0,2}}?(arm(?:y|ies)|fleets?|ships?|boats?|navy|troops|soldiers)\b", lower
    )
    if not said:
        return None
    return UnitKind.ARMY if said[1].startswith(("arm", "troop", "soldier")) else UnitKind.FLEET


def _fit(order: SupportHold | SupportMove, words: _Words, board: Board, helped: Power) -> int:
    """How well the support fits what was said; 0 or less when it is not what was asked for."""
    goal, is_move = _goal(order), isinstance(order, SupportMove)
    parts = {order.unit.province, order.supported.province, goal}
    is_elsewhere = not is_move and not words.wants_hold and words.is_going
    if goal not in words.named or (
        is_elsewhere and (words.named - parts or _is_gone_to(order.unit.province, words))
    ):
        return 0
    score = _NAMED * len(words.named & parts) + (_UNNAMED if words.named - parts else 0)
    score += sum(_points(mention, order, goal) for mention in words.mentions)
    score -= _CONTRADICTED * _is_other_helper(order, words, board)
    score -= _CONTRADICTED * (is_move and words.says_hold and not _is_gone_to(goal, words))
    if is_move and goal in _standing(board, helped):
        score -= _CONTRADICTED  # whoever stands there does not ask for help to get there
    score += (words.supported is order.supported.kind) + (words.helper is order.unit.kind)
    return score + (words.wants_hold is not is_move)


def _is_other_helper(order: SupportHold | SupportMove, words: _Words, board: Board) -> bool:
    """True where the words name units of the helper, and this one is not among them."""
    helpers = _standing(board, board.position.owner(order.unit) or "")
    named = (words.named & helpers) - {_goal(order)}
    return bool(named) and order.unit.province not in named


def _is_gone_to(goal: Province, words: _Words) -> bool:
    return any(mention.province == goal and mention.before in _TOWARDS for mention in words.mentions)


def _points(mention: Mention, order: SupportHold | SupportMove, goal: Province) -> int:
    """What the word before a place says for its part in the order, and against it."""
    is_from, is_towards = mention.before in _FROM, mention.before in _TOWARDS
    if mention.province == order.unit.province:
        return is_from - 2 * (mention.before in {"to", "into", "support"})
    if mention.province == goal:
        return is_towards - 2 * is_from
    return int(mention.province == order.supported.province and (is_from or mention.before == "support"))


def asked_convoy(text: str, board: Board, carrier: Power, carried: Power) -> Convoy | None:
    """The convoy by a fleet of the carrier's that takes an army of the other's between the two places named."""
    named = {mention.province for mention in mentions_in(text, board.position.map_name)}
    theirs = _standing(board, carried)
    convoys = [
        order
        for order in board.orders_by_text[carrier].values()
        if isinstance(order, Convoy) and order.army.province in theirs
    ]
    meant = [order for order in convoys if named <= _parts(order) and order.to in named]
    return meant[0] if meant else None


def _parts(convoy: Convoy) -> set[Province]:
    return {convoy.unit.province, convoy.army.province, convoy.to}


def asked_bounce(text: str, board: Board, me: Power) -> Order | None:
    """My move into the place where both are to fail; None where several units could make it and none is named."""
    named = {mention.province for mention in mentions_in(text, board.position.map_name)}
    moves = [o for o in board.orders_by_text[me].values() if isinstance(o, Move) and o.to[:3] in named]
    by_named = [order for order in moves if order.unit.province in named]
    meant = by_named or moves
    return meant[0] if len({order.unit for order in meant}) == 1 else None


def asked_step(text: str, board: Board, power: Power, *, is_filled: bool = False) -> Order | None:
    """The move or hold of the power's that the words name; where it `is_filled`, the goal of a move is enough."""
    words = _Words.of(text, board.position.map_name, is_offered=False)
    legal = board.orders_by_text[power].values()
    moves = [order for order in legal if isinstance(order, Move)]
    scored = [
        (_step_fit(order, words, is_filled=is_filled), -place, order) for place, order in enumerate(moves)
    ]
    best = max(scored, key=lambda each: each[:2], default=None)
    is_known = best and (_origin_is_named(best[2], words) or not words.named & _standing(board, power))
    return best[2] if best and best[0] > 0 and is_known else _hold(words, legal)


def _origin_is_named(order: Move, words: _Words) -> bool:
    return order.unit.province in words.named


def _step_fit(order: Move, words: _Words, *, is_filled: bool) -> int:
    """How well the move fits what was said; 0 or less when it is not what was meant."""
    goal, origin = order.to[:3], order.unit.province
    if goal not in words.named or not (is_filled or origin in words.named):
        return 0
    places = [mention.province for mention in words.mentions]
    score = _NAMED + sum(_step_points(mention, origin, goal) for mention in words.mentions)
    score += words.helper is order.unit.kind
    return score + (origin in places and places.index(origin) < places.index(goal))


def _step_points(mention: Mention, origin: Province, goal: Province) -> int:
    is_from, is_towards = mention.before in _FROM, mention.before in _TOWARDS
    if mention.province == goal:
        return 2 * is_towards - 3 * is_from
    if mention.province == origin:
        return _NAMED + 2 * is_from - 2 * (mention.before in {"to", "into", "attack"})
    return -1


def _hold(words: _Words, legal: Iterable[Order]) -> Order | None:
    if not words.wants_hold:
        return None
    return next((o for o in legal if isinstance(o, Hold) and o.unit.province in words.named), None)
