"""What an incoming message means: what it proposes in typed form, or a few key words of plain English.

The result is a guess about what somebody said, with every order in it a legal one and every
province real. It is never obeyed; `replies` weighs it.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from entente.board.engine import Board, load_geography
from entente.board.types import Hold, Move, Order, Power, Province, SupportHold, SupportMove
from entente.press.commitments import Status
from entente.press.ledger import Ledger
from entente.press.messages import Act, CommitmentKind, Message, MessageId, MessageType, Statement


class Sense(StrEnum):
    """What a message is, as far as this player can tell."""

    PROPOSAL = "proposal"
    """It asks for, or offers, a commitment."""
    ACCEPT = "accept"
    REFUSE = "refuse"
    STATEMENT = "statement"
    THREAT = "threat"
    QUESTION = "question"
    CHAT = "chat"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Heard:
    """A message and what was made of it."""

    message: Message
    sense: Sense
    proposals: tuple[Statement, ...] = ()
    """What it proposes, in canonical words."""
    is_typed: bool = False
    """True when the proposals were typed, and stand in the ledger; false when they were read from the words."""


def proposed_in(message: Message, ledger: Ledger, me: Power) -> tuple[Statement, ...]:
    """The message's typed proposals to me, or to all, that are still open, in canonical words."""
    return tuple(
        Statement(
            kind=c.kind,
            act=Act.PROPOSE,
            by=c.subject.by or message.sender,
            locations=c.locations,
            order=c.order,
            term=str(c.term.last),
        )
        for c in ledger.open
        if c.status is Status.PROPOSED and message.id in c.messages and c.proposers != (me,)
    )


def hear(
    message: Message, typed: Sequence[Statement], board: Board, me: Power, sent: Collection[MessageId]
) -> Heard:
    """Understand one message to `me`, which proposes what is `typed`; `sent` are my own messages of the phase."""
    if typed:
        proposals = tuple(proposal for proposal in typed if _is_for_us(proposal, message.sender, board, me))
        return Heard(message, Sense.PROPOSAL if proposals else Sense.UNKNOWN, proposals, is_typed=True)
    acts = {statement.act for statement in message.commitments}
    is_answer = message.reply_to in sent
    if is_answer and (Act.ACCEPT in acts or message.message_type is MessageType.ACCEPTANCE):
        return Heard(message, Sense.ACCEPT)
    if Act.REFUSE in acts or message.message_type is MessageType.REFUSAL:
        return Heard(message, Sense.REFUSE)
    if Act.STATE in acts:
        return Heard(message, Sense.STATEMENT)
    if message.message_type is MessageType.WARNING:
        return Heard(message, Sense.THREAT)
    return _read_words(message, board, me, is_answer=is_answer)


def _is_for_us(proposal: Statement, sender: Power, board: Board, me: Power) -> bool:
    """True unless it is an order of this phase that whoever would have to give it cannot, or a third power's."""
    if not proposal.order:
        return True
    is_now = proposal.term == str(board.phase)
    return proposal.by in (me, sender) and (not is_now or proposal.order in legal_texts(board, proposal.by))


def legal_texts(board: Board, power: Power) -> dict[str, Order]:
    """The power's legal orders by their text."""
    return {str(order): order for options in board.legal_orders[power].values() for order in options}


_YES = re.compile(
    r"\s*(yes|agreed|deal|ok(ay)?|sure|gladly|accepted|sounds good|fine|done|happy to|with pleasure)\b"
)
_NO = re.compile(r"\s*(no\b|sorry|not now|i (refuse|decline|cannot|can't|won't|must decline)|unfortunately)")
_ALLIANCE = re.compile(r"\b(alliance|allies|ally|team up|work together|join forces)\b")
_PEACE = re.compile(r"\b(peace|truce|cease-?fire|non-?aggression|not attack(ing)? each other)\b")
_DMZ = re.compile(
    r"\b(dmz|demilitari[sz]ed?|demilitari[sz]e|(stay|keep|remain) out of|keep .* (empty|clear|free))\b"
)
_THREAT = re.compile(
    r"\b(or else|regret|crush|destroy you|retaliat\w+|pay for|last warning|consequences|revenge)\b"
)
_STATEMENT = re.compile(
    r"\b(i will|i'll|i am (going|moving|planning)|i'm (going|moving|planning)|my orders?)\b"
)
_CHAT = re.compile(
    r"\b(hello|hi|greetings|good (luck|game|morning|evening)|thanks|thank you|well played|regards)\b"
)
_OFFER = re.compile(
    r"\?|\b(let's|let us|shall we|propos\w+|how about|offer\w*|suggest\w*|want|would like|please|can we|could we)\b"
)
_HELP = re.compile(r"\bsupport\b")


def _read_words(message: Message, board: Board, me: Power, *, is_answer: bool) -> Heard:
    text = message.content.lower()
    if is_answer and _YES.match(text):
        return Heard(message, Sense.ACCEPT)
    if is_answer and _NO.match(text):
        return Heard(message, Sense.REFUSE)
    asked = _asked_in_words(message, board, me)
    if asked is not None:
        return Heard(message, Sense.PROPOSAL, (asked,))
    for sense, pattern in (
        (Sense.THREAT, _THREAT),
        (Sense.STATEMENT, _STATEMENT),
        (Sense.QUESTION, re.compile(r"\?")),
        (Sense.CHAT, _CHAT),
    ):
        if pattern.search(text):
            return Heard(message, sense)
    is_talk = message.message_type in (MessageType.CHAT, MessageType.INFO)
    return Heard(message, Sense.CHAT if is_talk and is_answer else Sense.UNKNOWN)


def _asked_in_words(message: Message, board: Board, me: Power) -> Statement | None:
    """The one thing that the words ask for, if they ask for any that the reader knows."""
    text = message.content.lower()
    is_offer = message.message_type in (MessageType.PROPOSAL, MessageType.QUERY) or bool(_OFFER.search(text))
    if not is_offer:
        return None
    if _HELP.search(text) or " S " in message.content:
        order = asked_order(message.content, board, me)
        if isinstance(order, SupportHold | SupportMove):
            term = str(board.phase)
            return Statement(kind=CommitmentKind.SUPPORT, act=Act.PROPOSE, by=me, order=str(order), term=term)
        return None
    if _DMZ.search(text):
        places = tuple(provinces_in(message.content, board.position.map_name))[:4]
        proposal = Statement(kind=CommitmentKind.DMZ, act=Act.PROPOSE, by=message.sender, locations=places)
        return proposal if places else None
    for kind, pattern in ((CommitmentKind.ALLIANCE, _ALLIANCE), (CommitmentKind.PEACE, _PEACE)):
        if pattern.search(text):
            return Statement(kind=kind, act=Act.PROPOSE, by=message.sender)
    return None


@lru_cache(maxsize=16)
def _names(map_name: str) -> tuple[re.Pattern[str], dict[str, Province]]:
    geography = load_geography(map_name)
    full = {name: code[:3] for name, code in geography.aliases.items() if len(name) > 3 and "/" not in name}
    full |= {name.upper(): province for province, name in geography.names.items() if len(name) > 3}
    longest_first = "|".join(re.escape(name) for name in sorted(full, key=lambda name: (-len(name), name)))
    codes = "|".join(geography.terrain)
    # Codes count in capitals only: "her", "den" and "war" are words.
    return re.compile(rf"\b(?:(?i:({longest_first}))|({codes}))\b"), full


def provinces_in(text: str, map_name: str) -> list[Province]:
    """The provinces that a text names, by full name or code, in order, without repetition."""
    pattern, full = _names(map_name)
    found = [full[match[1].upper()] if match[1] else match[2] for match in pattern.finditer(text)]
    return list(dict.fromkeys(found))


def asked_order(text: str, board: Board, me: Power) -> Order | None:
    """The legal order of mine that a text asks for, in order notation or in words; None when it names none.

    Of several orders in notation the last counts.
    """
    legal = legal_texts(board, me)
    upper = " ".join(text.upper().split())
    written = [(upper.rfind(order) + len(order), len(order), order) for order in legal if order in upper]
    if written:
        return legal[max(written)[2]]
    places = provinces_in(text, board.position.map_name)
    if _HELP.search(text.lower()):
        return _asked_support(places, legal.values())
    return _asked_step(places, legal.values(), wants_hold="hold" in text.lower())


def _asked_support(places: Sequence[Province], legal: Iterable[Order]) -> Order | None:
    """The support that names most of the places; a support to move before one to hold."""
    best: tuple[int, Order] | None = None
    for order in legal:
        if isinstance(order, SupportMove):
            named = (order.supported.province in places) + (order.to in places)
            score = 10 * named + (order.unit.province in places) if named == 2 else 0
        elif isinstance(order, SupportHold):
            score = 5 + (order.unit.province in places) if order.supported.province in places else 0
        else:
            continue
        if score and (best is None or score > best[0]):
            best = (score, order)
    return best[1] if best else None


def _asked_step(places: Sequence[Province], legal: Iterable[Order], *, wants_hold: bool) -> Order | None:
    steps = list(pairwise(places))
    for order in legal:
        if isinstance(order, Move) and (order.unit.province, order.to[:3]) in steps:
            return order
        if isinstance(order, Hold) and wants_hold and order.unit.province in places:
            return order
    return None
