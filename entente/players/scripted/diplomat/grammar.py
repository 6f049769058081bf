"""What an incoming message means: what it proposes in typed form, or what its plain English is taken for.

Words are read by weight: everything that a text can be has cues that speak for it (`cues`), the board says which
readings are possible at all (`requested`), and the strongest possible reading is taken. Before that, what offers
and agrees to nothing is set aside: hearsay, what is over, what is denied or undecided, questions for facts.

The result is a guess about what somebody said, with every order in it a legal one and every
province real. It is never obeyed; `replies` weighs it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from entente.board.engine import Board
from entente.board.types import Hold, Move, Order, Power, SupportHold, SupportMove
from entente.caches import GAMES
from entente.players.scripted.diplomat import phrases
from entente.players.scripted.diplomat.answering import (
    answer,
    asks_for_reasons,
    echoes,
    is_conditional,
    offers_nothing,
    parts_of,
)
from entente.players.scripted.diplomat.cues import Topic
from entente.players.scripted.diplomat.heard import Heard, Sense
from entente.players.scripted.diplomat.requested import (
    asked_bounce,
    asked_convoy,
    asked_step,
    best_support,
    written_order,
)
from entente.players.scripted.diplomat.words import Words
from entente.press.commitments import Commitment, Status
from entente.press.ledger import Ledger
from entente.press.messages import MUTUAL, Act, CommitmentKind, Message, MessageType, Statement
from entente.press.terms import LONGEST_YEARS


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


def offered_to(sender: Power, ledger: Ledger, me: Power) -> tuple[Commitment, ...]:
    """My own proposals that the power has not answered yet."""
    return tuple(
        c
        for c in ledger.open
        if c.status is Status.PROPOSED and me in c.proposers and set(c.parties) == {me, sender}
    )


def is_plain(message: Message) -> bool:
    """True for mere words, as people write them."""
    return not message.commitments and message.reply_to is None and message.message_type is MessageType.CHAT


def hear(message: Message, ledger: Ledger, board: Board, me: Power) -> Heard:
    """Understand one message to `me`, whose ledger that is."""
    typed = proposed_in(message, ledger, me)
    if typed:
        proposals = tuple(proposal for proposal in typed if _is_for_us(proposal, message.sender, board, me))
        return Heard(message, Sense.PROPOSAL if proposals else Sense.UNKNOWN, proposals, is_typed=True)
    acts = {statement.act for statement in message.commitments}
    for act, meant_as, sense in (
        (Act.ACCEPT, MessageType.ACCEPTANCE, Sense.ACCEPT),
        (Act.REFUSE, MessageType.REFUSAL, Sense.REFUSE),
        (Act.STATE, None, Sense.STATEMENT),
    ):
        if act in acts or (message.message_type is meant_as and message.reply_to is not None):
            return Heard(message, sense, is_typed=True)
    if message.message_type is MessageType.WARNING:
        return Heard(message, Sense.THREAT, is_typed=True)
    reader = _reader(message, board, me)
    offers = offered_to(message.sender, ledger, me)
    if message.reply_to is not None and message.message_type in _TALK and "?" not in message.content:
        return reader.answer(offers) or reader.heard(Sense.CHAT)
    return reader.answer(offers) or reader.meaning(offers)


_TALK = frozenset({MessageType.CHAT, MessageType.INFO, MessageType.QUERY})
"""What programs answer with when they commit to nothing: no more than a yes or a no is read from it."""


def _is_for_us(proposal: Statement, sender: Power, board: Board, me: Power) -> bool:
    """True unless it is an order of this phase that whoever would have to give it cannot, or a third power's."""
    if not proposal.order:
        return True
    is_now = proposal.term == str(board.phase)
    return proposal.by in (me, sender) and (not is_now or proposal.order in board.orders_by_text[proposal.by])


class _Reading(NamedTuple):
    """One thing that a text can be, and how much speaks for it."""

    points: int
    heard: Heard


_POSSIBLE = 2
"""What a deal gains by being possible on the board."""
_SURE = 6
"""Thanks for something that was done, which is no request for more."""
_DIRECTION = 3
"""What each word counts that says whose support it is."""
_TALK_SENSES = (
    (Topic.THREAT, Sense.THREAT),
    (Topic.COMPLAINT, Sense.COMPLAINT),
    (Topic.THANKS, Sense.THANKS),
    (Topic.SMALL_TALK, Sense.CHAT),
    (Topic.STATEMENT, Sense.STATEMENT),
    (Topic.QUESTION, Sense.QUESTION),
)


@dataclass(frozen=True)
class _Reader:
    """A message in plain words, while it is being understood."""

    message: Message
    words: Words

    def answer(self, offers: Sequence[Commitment]) -> Heard | None:
        """Yes or no to what I have proposed; a proposal of the writer's own beside a no goes before it."""
        if phrases.WITHDRAWN.search(self.words.text):
            return self.heard(Sense.REFUSE)
        said = answer(self.words, offers)
        accepted, refused = [*said.accepted], [*said.refused]
        if not said.is_one and not is_conditional(self.words):
            accepted += self._repeated(offers)
        if not offers or not (said.is_one or accepted):
            return None
        if not accepted and not refused:
            return self.heard(Sense.UNCLEAR)
        counter = None if accepted else self._counter(offers)
        heard = counter or self.heard(Sense.ACCEPT if accepted else Sense.REFUSE)
        return replace(heard, accepts=tuple(accepted), refuses=tuple(refused))

    def meaning(self, offers: Sequence[Commitment] = ()) -> Heard:
        """What it is: the reading for which most speaks."""
        return self.heard(Sense.UNCLEAR) if _is_half_an_answer(self._likeliest, offers) else self._likeliest

    @cached_property
    def _likeliest(self) -> Heard:
        best = max(self._readings(), key=lambda reading: reading.points, default=None)
        return best.heard if best and best.points > 0 else self.heard(Sense.UNKNOWN)

    def heard(self, sense: Sense, *proposals: Statement) -> Heard:
        """The message taken for that."""
        words = self.words
        third = words.third_power.lower()
        is_about_third = third and re.search(
            rf"\b{third} (?:will|would|is|wants|might|may|plans|to|gonna|going)\b|\b(?:is|will|would|does) {third}\b",
            words.text,
        )
        return Heard(
            self.message,
            sense,
            proposals,
            places=words.named,
            about=words.third_power,
            is_against_me=bool(phrases.AGAINST_ME.search(words.text)) and not is_about_third,
        )

    # Answers

    def _repeated(self, offers: Sequence[Commitment]) -> list[Commitment]:
        """My proposals that the writer makes in turn: then we are agreed."""
        words = self.words
        if not offers or any(map(offers_nothing, words.clauses)) or echoes(words):
            return []
        if (
            asks_for_reasons(words)
            or phrases.NO_CONSENT.search(words.text)
            or phrases.YOU_WANT.search(words.text)
        ):
            return []
        said = [(p.kind, frozenset(p.locations), p.order) for p in self.meaning().proposals]
        named, is_question = set(words.named), "?" in words.text
        return [
            c
            for c in offers
            if (c.kind, frozenset(c.locations), c.order) in said
            or (c.order and not is_question and parts_of(c.order) <= named)
        ]

    def _counter(self, offers: Sequence[Commitment]) -> Heard | None:
        """What the writer proposes instead, in a later clause that asks."""
        asking = [clause for clause in self.words.clauses if clause.written.strip().endswith("?")]
        if not asking:
            return None
        heard = _Reader(self.message, asking[-1]).meaning()
        is_other = heard.sense is Sense.PROPOSAL and not _is_half_an_answer(heard, offers)
        return heard if is_other else None

    # Everything else

    def _readings(self) -> Iterator[_Reading]:
        """All that it can be, what goes first among equals before what goes after."""
        wanted = self.words.only(lambda clause: not self._is_aside(clause))
        is_whole = not any(map(self._is_aside, self.words.clauses))
        if not self._asks_about_a_third():
            yield from _Deals(self, wanted.without(phrases.PURPOSE)).readings()
        if ended := self.words.score(Topic.END):
            both = frozenset({CommitmentKind.PEACE, CommitmentKind.ALLIANCE})
            yield _Reading(ended, Heard(self.message, Sense.REFUSE, ends=both))
        if "?" not in self.words.text and self.words.score(Topic.THANKS) >= _SURE:
            yield _Reading(9, self.heard(Sense.THANKS))
        for topic, sense in _TALK_SENSES:
            yield _Reading(self.words.score(topic), self.heard(sense))
        if self._asks_about_a_third():
            yield _Reading(5, self.heard(Sense.QUESTION))
        if not is_whole:
            sense = Sense.QUESTION if "?" in self.words.text else Sense.STATEMENT
            yield _Reading(1, self.heard(sense))
        told = asked_step(self.words.written, self.words.board, self.words.sender)
        if isinstance(told, Move) and "?" not in self.words.text:
            is_own = not phrases.YOU_OR_WE.search(self.words.text)
            yield _Reading(6 if is_own else 3, self.heard(Sense.STATEMENT))

    def _is_aside(self, clause: Words) -> bool:
        """True for what somebody will not do, has not decided, or tells of others: it offers nothing."""
        if offers_nothing(clause):
            return True
        others = "|".join(p.lower() for p in clause.board.powers if p not in (clause.me, clause.sender))
        return bool(re.search(rf"\b(?:{others}) {phrases.DEALS}", clause.text))

    def _asks_about_a_third(self) -> bool:
        """True for a question what a third power does: whether I am its ally is no offer of an alliance."""
        asks = self.words.clauses[0] if self.words.clauses else self.words
        is_about = re.match(r"\W*(?:are|is|do|did|has|have|what)\b", asks.text)
        return bool(asks.third_power and is_about and not phrases.OFFERS_TO_JOIN.search(self.words.text))


@lru_cache(maxsize=16 * GAMES)
def _reader(message: Message, board: Board, me: Power) -> _Reader:
    """Read once: each turn of a phase hears the whole mail of the phase again."""
    return _Reader(message, Words.of(message.content, board, me, message.sender))


def _is_half_an_answer(heard: Heard, offers: Sequence[Commitment]) -> bool:
    """True for words about what I have proposed that are no clear yes: they are not taken for an offer of it."""
    proposed = {(p.kind, frozenset(p.locations)) for p in heard.proposals if p.kind in MUTUAL}
    return any((c.kind, frozenset(c.locations)) in proposed for c in offers)


@dataclass(frozen=True)
class _Deals:
    """What is asked for or offered in those words of a message."""

    reader: _Reader
    words: Words

    def readings(self) -> Iterator[_Reading]:
        """All deals that the words can mean."""
        for reading in (self._support, self._convoy, self._leave, self._dmz, self._bounce, self._step):
            found = reading()
            if found:
                yield found
        for topic, kind in ((Topic.ALLIANCE, CommitmentKind.ALLIANCE), (Topic.PEACE, CommitmentKind.PEACE)):
            yield _Reading(self._lasting(topic), self._proposal(kind))

    def _wished(self, topic: Topic) -> int:
        """The topic's score; 0 where the words ask for facts about it alone."""
        points = self.words.score(topic)
        clauses = [clause for clause in self.words.clauses if clause.score(topic)]
        return 0 if clauses and all(map(asks_for_reasons, clauses)) else points

    def _proposal(self, kind: CommitmentKind, **fields: object) -> Heard:
        said = {"by": self.words.sender, "term": self._last_year(), **fields}
        statement = Statement.model_validate({"kind": kind, "act": Act.PROPOSE, **said})
        return self.reader.heard(Sense.PROPOSAL, statement)

    def _by_order(self, kind: CommitmentKind, by: Power, order: Order) -> Heard:
        return self._proposal(kind, by=by, order=str(order), term=str(self.words.board.phase))

    def _last_year(self) -> str:
        """The year through which it is to last, where one is named that can be meant."""
        named = phrases.TERM.search(self.words.text)
        last = int(named[2]) - (named[1] == "before") if named else 0
        now = self.words.board.phase.year
        return str(last) if now <= last <= now + LONGEST_YEARS else ""

    def _support(self) -> _Reading | None:
        words = self.words
        points = self._wished(Topic.SUPPORT) + 4 * (" S " in words.written)
        written = written_order(words.written, words.board, words.me)
        if isinstance(written, SupportHold | SupportMove):
            return _Reading(9, self._by_order(CommitmentKind.SUPPORT, words.me, written))
        if not points:
            return None
        best = max(self._supports(), key=lambda support: support[0], default=None)
        if best:
            _, by, order = best
            return _Reading(points + _POSSIBLE + 1, self._by_order(CommitmentKind.SUPPORT, by, order))
        is_request = words.named and self._offered() <= 0
        return _Reading(points + _POSSIBLE, self.reader.heard(Sense.IMPOSSIBLE)) if is_request else None

    def _supports(self) -> Iterator[tuple[int, Power, Order]]:
        """What fits best of the supports that I could give, and of those that the writer could, with its points."""
        words, offered = self.words, self._offered()
        for helper, helped, sign in ((words.me, words.sender, -1), (words.sender, words.me, 1)):
            fit = best_support(words.written, words.board, helper, helped, is_offered=sign > 0)
            if fit and (sign < 0 or offered > 0):
                yield fit.points + sign * _DIRECTION * offered, helper, fit.order

    def _offered(self) -> int:
        """How much more the words speak for support that is offered than for one that is asked for."""
        text = self.words.marked
        offers = sum(bool(pattern.search(text)) for pattern in phrases.OFFERS_SUPPORT)
        return offers - sum(bool(pattern.search(text)) for pattern in phrases.ASKS_FOR_SUPPORT)

    def _convoy(self) -> _Reading | None:
        points, words = self._wished(Topic.CONVOY), self.words
        if phrases.ASKS_ABOUT_YOU.search(words.text):
            return None
        for by, of in ((words.me, words.sender), (words.sender, words.me), (words.me, words.me)):
            convoy = asked_convoy(words.written, words.board, by, of) if points else None
            if convoy is not None:
                return _Reading(points + _POSSIBLE + 1, self._by_order(CommitmentKind.ORDER, by, convoy))
        return None

    def _leave(self) -> _Reading | None:
        points = self.words.score(Topic.LEAVE)
        if not points or not self.words.stands(self.words.me) & {*self.words.named}:
            return None
        return _Reading(points + _POSSIBLE, self.reader.heard(Sense.LEAVE))

    def _dmz(self) -> _Reading | None:
        points, places = self._wished(Topic.DMZ), self.words.named[:4]
        if not points or not places:
            return None
        return _Reading(points + _POSSIBLE - 1, self._proposal(CommitmentKind.DMZ, locations=places))

    def _bounce(self) -> _Reading | None:
        words = self.words
        points = words.score(Topic.BOUNCE) * bool(words.score(Topic.REQUEST))
        order = asked_bounce(words.written, words.board, words.me) if points else None
        is_fact = phrases.ASKS_WHETHER.search(words.text)
        if order is None or is_fact:
            return None
        return _Reading(points + _POSSIBLE, self._by_order(CommitmentKind.ORDER, words.me, order))

    def _step(self) -> _Reading | None:
        """A move or hold of mine that is asked for; its unit may go unnamed where the words send me somewhere."""
        words = self.words
        if any(phrases.ASKS_WHETHER.search(clause.text) for clause in words.clauses if clause.named):
            return None
        order = written_order(words.written, words.board, words.me)
        order = order or asked_step(words.written, words.board, words.me, is_filled=True)
        if not isinstance(order, Move | Hold):
            return None
        is_told = bool(words.stands(words.sender) & {*words.named})
        if order.unit.province not in words.named and (is_told or not phrases.FILLED.search(words.marked)):
            return None
        request, verb = max(words.score(Topic.REQUEST), 1), words.score(Topic.STEP)
        against = min(words.score(Topic.STATEMENT), 3) + max(words.score(Topic.QUESTION) - 1, 0)
        points = (
            min(request, 3)
            + min(verb, 3)
            - against
            + 3 * (bool(phrases.ARROW.search(words.marked)) and not words.score(Topic.SUPPORT))
        )
        return _Reading(points, self._by_order(CommitmentKind.ORDER, words.me, order))

    def _lasting(self, topic: Topic) -> int:
        points = self._wished(topic)
        if topic is Topic.ALLIANCE and self.words.third_power:
            text = self.words.text
            is_joint = phrases.DEFEATS.search(text) and phrases.INVITES.search(text)
            if (
                phrases.JOINT.search(text)
                or is_joint
                or phrases.TOGETHER.search(text)
                or phrases.TWO_OF_US.search(text)
            ):
                points = max(points, 5) + 1
        return points
