"""What an incoming message means: what it proposes in typed form, or what its plain English is taken for.

The result is a guess about what somebody said, with every order in it a legal one and every
province real. It is never obeyed; `replies` weighs it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from entente.board.engine import Board
from entente.board.types import Hold, Move, Power, Province, SupportHold, SupportMove
from entente.players.scripted.diplomat import phrases
from entente.players.scripted.diplomat.places import provinces_in
from entente.players.scripted.diplomat.requested import (
    asked_bounce,
    asked_convoy,
    asked_step,
    asked_support,
    legal_texts,
    written_order,
)
from entente.players.scripted.diplomat.shorthand import spelled_out
from entente.press.commitments import Commitment, Status
from entente.press.ledger import Ledger
from entente.press.messages import MUTUAL, Act, CommitmentKind, Message, MessageType, Statement
from entente.press.terms import LONGEST_YEARS


class Sense(StrEnum):
    """What a message is, as far as this player can tell."""

    PROPOSAL = "proposal"
    """It asks for, or offers, a commitment."""
    IMPOSSIBLE = "impossible"
    """It asks for a support that no unit can give."""
    LEAVE = "leave"
    """It asks that a unit of mine goes away from where it stands."""
    ACCEPT = "accept"
    REFUSE = "refuse"
    UNCLEAR = "unclear"
    """It says yes or no where several proposals are open, and not to which."""
    STATEMENT = "statement"
    THREAT = "threat"
    COMPLAINT = "complaint"
    QUESTION = "question"
    THANKS = "thanks"
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
    """True for what was typed, and stands in the ledger; false for what was read from the words."""
    accepts: tuple[Commitment, ...] = ()
    """The open proposals of mine that it says yes to in words."""
    refuses: tuple[Commitment, ...] = ()
    ends: frozenset[CommitmentKind] = frozenset()
    """Kinds of standing agreement that it calls off."""
    places: tuple[Province, ...] = ()
    """The provinces that it names."""
    about: Power = ""
    """The third power that it asks about, or names."""
    is_against_me: bool = False
    """True for a question whether I am to be feared."""


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
    words = _Words(message, board, me, offered_to(message.sender, ledger, me))
    if message.reply_to is not None and message.message_type in _TALK and "?" not in message.content:
        return words.answer()
    return words.meaning()


_TALK = frozenset({MessageType.CHAT, MessageType.INFO, MessageType.QUERY})
"""What programs answer with when they commit to nothing: no more than a yes or a no is read from it."""


def _is_for_us(proposal: Statement, sender: Power, board: Board, me: Power) -> bool:
    """True unless it is an order of this phase that whoever would have to give it cannot, or a third power's."""
    if not proposal.order:
        return True
    is_now = proposal.term == str(board.phase)
    return proposal.by in (me, sender) and (not is_now or proposal.order in legal_texts(board, proposal.by))


_OWN_WORDS = {
    CommitmentKind.PEACE: phrases.PEACE,
    CommitmentKind.ALLIANCE: phrases.ALLIANCE,
    CommitmentKind.DMZ: phrases.DMZ,
    CommitmentKind.SUPPORT: phrases.SUPPORT,
}
"""How each kind of commitment is spoken of."""


@dataclass
class _Words:
    """A message in plain words, while it is being understood."""

    message: Message
    board: Board
    me: Power
    offers: Sequence[Commitment]
    """My own proposals that the sender can answer."""
    text: str = field(init=False)
    """The words in small letters."""
    written: str = field(init=False)
    """The words as they were written; where the writer corrected himself, what he said last."""

    def __post_init__(self) -> None:
        words = " ".join(self.message.content.replace("’", "'").split())
        straight = phrases.REASSURANCE.sub("", spelled_out(words, self.board.position.map_name))
        ends = [match.end() for match in phrases.AFTERTHOUGHT.finditer(straight.lower())]
        last = straight[ends[-1] :] if ends else ""
        self.written = last if re.search(r"\w", last) else straight
        self.text = _in_small_letters(self.written)

    def meaning(self) -> Heard:
        """What it is: the first reading that fits, answers to what I have proposed before all others."""
        if not self.text:
            return self._heard(Sense.UNKNOWN)
        readings: tuple[Callable[[], Heard | None], ...] = (
            self._answer,
            self._complaint_or_threat,
            self._end,
            self._thanks,
            self._aside,
            self._support,
            self._question_about_others,
            self._places,
            self._order,
            self._lasting,
            self._told_move,
            self._other_talk,
        )
        found = (reading() for reading in readings)
        heard = next((heard for heard in found if heard is not None), self._heard(Sense.UNKNOWN))
        return self._heard(Sense.UNCLEAR) if self._is_half_an_answer(heard) else heard

    def answer(self) -> Heard:
        """The yes or no that it is; talk where it is neither."""
        return self._answer() or self._heard(Sense.CHAT)

    def _heard(self, sense: Sense, *proposals: Statement) -> Heard:
        return Heard(
            self.message,
            sense,
            proposals,
            places=self._named(),
            about=self._third_power(),
            is_against_me=bool(phrases.AGAINST_ME.search(self.text)) and not self._is_about_a_third(),
        )

    def _named(self) -> tuple[Province, ...]:
        return tuple(provinces_in(self.written, self.board.position.map_name))

    def _third_power(self) -> Power:
        others = (p for p in self.board.powers if p not in (self.me, self.message.sender))
        return next((p for p in others if re.search(rf"\b{re.escape(p.lower())}\b", self.text)), "")

    def _is_about_a_third(self) -> bool:
        """True for a question what a third power will do."""
        third = self._third_power().lower()
        return bool(
            third and re.search(rf"\b{third} (?:will|would|is|wants|might|may|plans|to)\b", self.text)
        )

    def _proposal(self, kind: CommitmentKind, **fields: object) -> Heard:
        said = {"by": self.message.sender, "term": self._last_year(), **fields}
        statement = Statement.model_validate({"kind": kind, "act": Act.PROPOSE, **said})
        return self._heard(Sense.PROPOSAL, statement)

    def _last_year(self) -> str:
        """The year through which it is to last, where one is named that can be meant."""
        named = phrases.TERM.search(self.text)
        last = int(named[2]) - (named[1] == "before") if named else 0
        now = self.board.phase.year
        return str(last) if now <= last <= now + LONGEST_YEARS else ""

    # Answers

    def _answer(self) -> Heard | None:
        """Yes or no to what I have proposed; a proposal of the writer's own beside a no goes before it."""
        accepted: list[Commitment] = []
        refused: list[Commitment] = []
        is_answer, is_bound = False, not self._is_conditional()
        for clause in self._clauses():
            verdict = _verdict(_in_small_letters(clause))
            if verdict is None or (verdict and not is_bound):
                continue
            is_answer = True
            meant = self._meant(clause)
            (accepted if verdict else refused).extend(c for c in meant if c not in [*accepted, *refused])
        if phrases.WITHDRAWN.search(self.text):
            return self._heard(Sense.REFUSE)
        if not is_answer and is_bound:
            accepted += self._repeated()
        if not self.offers or not (is_answer or accepted):
            return None
        if not accepted and not refused:
            return self._heard(Sense.UNCLEAR)
        counter = None if accepted else self._counter()
        heard = counter or self._heard(Sense.ACCEPT if accepted else Sense.REFUSE)
        return _answering(heard, accepted, refused)

    def _is_half_an_answer(self, heard: Heard) -> bool:
        """True for words about what I have proposed that are no clear yes: they are not taken for an offer of it."""
        proposed = {(p.kind, frozenset(p.locations)) for p in heard.proposals if p.kind in MUTUAL}
        return not (heard.accepts or heard.refuses) and any(
            (c.kind, frozenset(c.locations)) in proposed for c in self.offers
        )

    def _is_conditional(self) -> bool:
        """True where more is asked for than that both are bound."""
        return bool(phrases.CONDITION.search(phrases.RECIPROCAL.sub("", self.text)))

    def _repeated(self) -> list[Commitment]:
        """My proposals that the writer makes in turn: then we are agreed."""
        clauses = [_in_small_letters(clause) for clause in self._clauses()]
        if not self.offers or any(map(_proposes_nothing, clauses)) or _echoes(clauses):
            return []
        if phrases.ASKS_BACK.search(self.text) or phrases.NO_CONSENT.search(self.text):
            return []
        heard = _Words(self.message, self.board, self.me, ()).meaning()
        said = [(p.kind, frozenset(p.locations), p.order) for p in heard.proposals]
        named, is_question = set(self._named()), "?" in self.text
        return [
            c
            for c in self.offers
            if (c.kind, frozenset(c.locations), c.order) in said
            or (c.order and not is_question and _provinces_of(c.order) <= named)
        ]

    def _clauses(self) -> list[str]:
        return [clause for clause in phrases.CLAUSE_ENDS.split(self.written) if clause.strip(" .,!")]

    def _meant(self, clause: str) -> Sequence[Commitment]:
        """Which of my proposals a clause speaks of: those it names, all where it says so, or the only one there is."""
        if len(self.offers) <= 1:
            return self.offers
        named = [c for c in self.offers if _names(clause, c, self.board)]
        return self.offers if not named and phrases.EVERYTHING.search(clause.lower()) else named

    def _counter(self) -> Heard | None:
        """What the writer proposes instead, in a later clause that asks."""
        asking = [clause for clause in self._clauses() if clause.strip().endswith("?")]
        if not asking:
            return None
        words = _Words(self.message.model_copy(update={"content": asking[-1]}), self.board, self.me, ())
        heard = words.meaning()
        is_counter = heard.sense is Sense.PROPOSAL
        return Heard(self.message, heard.sense, heard.proposals, places=heard.places) if is_counter else None

    def _thanks(self) -> Heard | None:
        """For help that was given, which is no request for more."""
        return (
            self._heard(Sense.THANKS) if phrases.HELPED.search(self.text) and "?" not in self.text else None
        )

    def _end(self) -> Heard | None:
        if not phrases.CALLED_OFF.search(self.text):
            return None
        ended = frozenset({CommitmentKind.PEACE, CommitmentKind.ALLIANCE})
        return Heard(self.message, Sense.REFUSE, ends=ended)

    def _aside(self) -> Heard | None:
        """What somebody will not do, has not decided, or tells of others is no offer; what else he says counts."""
        clauses = self._clauses()
        said = [clause for clause in clauses if not self._is_aside(_in_small_letters(clause))]
        if len(said) == len(clauses):
            return None
        rest = self.message.model_copy(update={"content": " ".join(said)})
        heard = _Words(rest, self.board, self.me, ()).meaning()
        if heard.sense in (Sense.PROPOSAL, Sense.LEAVE, Sense.IMPOSSIBLE, Sense.QUESTION):
            return replace(heard, message=self.message)
        return self._heard(Sense.QUESTION if "?" in self.text else Sense.STATEMENT)

    def _is_aside(self, clause: str) -> bool:
        if _proposes_nothing(clause):
            return True
        others = "|".join(p.lower() for p in self.board.powers if p not in (self.me, self.message.sender))
        return bool(re.search(rf"\b(?:{others}) {phrases.DEALS}", clause))

    def _is_wished(self, pattern: re.Pattern[str]) -> bool:
        """True when the text has it, and not only where it asks for facts."""
        clauses = [clause for clause in map(_in_small_letters, self._clauses()) if pattern.search(clause)]
        is_fact = bool(clauses) and all(map(phrases.ASKS_BACK.search, clauses))
        return bool(pattern.search(self.text)) and not is_fact

    # What is asked for

    def _support(self) -> Heard | None:
        if not self._is_wished(phrases.SUPPORT) and " S " not in self.written:
            return None
        me, sender = self.me, self.message.sender
        written = written_order(self.written, self.board, me)
        if isinstance(written, SupportHold | SupportMove):
            return self._by_order(CommitmentKind.SUPPORT, me, str(written))
        is_offered = self._offers_unit() or (
            bool(phrases.OFFERED.search(self.text)) and not phrases.FOR_ME.search(self.text)
        )
        helper, helped = (sender, me) if is_offered else (me, sender)
        order = asked_support(self.written, self.board, helper, helped, is_offered=is_offered)
        if order is not None:
            return self._by_order(CommitmentKind.SUPPORT, helper, str(order))
        is_request = bool(self._named()) and not is_offered
        return self._heard(Sense.IMPOSSIBLE) if is_request else None

    def _offers_unit(self) -> bool:
        """True for `Venice can support Trieste` by whoever has Venice."""
        subject = phrases.HELPER.search(self.written)
        units = self.board.position.units[self.message.sender]
        own = {unit.province for unit in units}
        named = provinces_in(subject[1], self.board.position.map_name) if subject else []
        return named[-1:] != [] and named[-1] in own

    def _by_order(self, kind: CommitmentKind, by: Power, order: str) -> Heard:
        return self._proposal(kind, by=by, order=order, term=str(self.board.phase))

    def _places(self) -> Heard | None:
        """A province to stay out of, or one to leave."""
        places = self._named()[:4]
        mine = {unit.province for unit in self.board.position.units[self.me]}
        is_leaving = bool(phrases.LEAVE.search(self.text))
        if places and is_leaving and mine.intersection(places):
            return self._heard(Sense.LEAVE)
        if places and (phrases.DMZ.search(self.text) or is_leaving):
            return self._proposal(CommitmentKind.DMZ, locations=places)
        return None

    def _order(self) -> Heard | None:
        me, sender = self.me, self.message.sender
        if phrases.CONVOY.search(self.text):
            for by, of in ((me, sender), (sender, me)):
                convoy = asked_convoy(self.written, self.board, by, of)
                if convoy is not None:
                    return self._by_order(CommitmentKind.ORDER, by, str(convoy))
            if any(unit.province in self._named() for unit in self.board.position.units[sender]):
                return None
        written = written_order(self.written, self.board, self.me)
        is_asked = phrases.ASKS.search(self.text) and not phrases.ASKS_WHETHER.search(self.text)
        if written is None and (not is_asked or phrases.STATEMENT.search(self.text)):
            return None
        is_bounce = bool(phrases.BOUNCE.search(self.text))
        read = asked_bounce if is_bounce else asked_step
        order = written or read(self.written, self.board, self.me)
        if not isinstance(order, Move | Hold):
            return None
        return self._by_order(CommitmentKind.ORDER, self.me, str(order)) if is_asked else None

    def _lasting(self) -> Heard | None:
        if self._third_power() and (phrases.JOINT.search(self.text) or self._is_invited()):
            return self._proposal(CommitmentKind.ALLIANCE)
        for kind in (CommitmentKind.ALLIANCE, CommitmentKind.PEACE):
            if self._is_wished(_OWN_WORDS[kind]):
                return self._proposal(kind)
        return None

    def _is_invited(self) -> bool:
        is_joint = bool(phrases.DEFEATS.search(self.text) and phrases.INVITES.search(self.text))
        return is_joint or bool(phrases.TOGETHER.search(self.text))

    # Other talk

    def _told_move(self) -> Heard | None:
        """A move of the writer's own, told and not asked for."""
        is_told = "?" not in self.text and isinstance(
            asked_step(self.written, self.board, self.message.sender), Move
        )
        return self._heard(Sense.STATEMENT) if is_told else None

    def _complaint_or_threat(self) -> Heard | None:
        if phrases.COMPLAINT.search(self.text):
            return self._heard(Sense.COMPLAINT)
        return self._heard(Sense.THREAT) if phrases.THREAT.search(self.text) else None

    def _question_about_others(self) -> Heard | None:
        """Whether I am somebody's ally is no offer of an alliance."""
        is_about = bool(self._third_power()) and bool(
            re.match(r"\W*(?:are|is|do|did|has|have|what)\b", self.text)
        )
        is_offer = bool(
            re.search(r"\b(?:with me|join|together|joint|we (?:can|could)|against (?!me\b))", self.text)
        )
        return self._heard(Sense.QUESTION) if is_about and not is_offer else None

    def _other_talk(self) -> Heard | None:
        for sense, pattern in (
            (Sense.CHAT, phrases.SMALL_TALK),
            (Sense.STATEMENT, phrases.STATEMENT),
            (Sense.QUESTION, phrases.QUESTION),
            (Sense.THANKS, phrases.THANKS),
            (Sense.CHAT, phrases.CHAT),
        ):
            if pattern.search(self.text):
                return self._heard(sense)
        return None


def _in_small_letters(text: str) -> str:
    """For the patterns, which look at small letters; a negative question asks for the thing itself."""
    return phrases.COULD_YOU.sub("could you", phrases.SHALL_WE.sub("shall we", text.lower()))


def _echoes(clauses: Sequence[str]) -> bool:
    """True for `Peace? With you?`: what was proposed, said again in wonder."""
    return len(clauses) > 1 and bool(re.match(r"\W*\w+\?", clauses[0]))


def _proposes_nothing(clause: str) -> bool:
    """True for what the writer will not do, has not decided, hears from others, or remembers."""
    if phrases.BYGONE.search(clause):
        return True
    return not clause.strip().endswith("?") and bool(
        phrases.DENIED.search(clause) or phrases.UNDECIDED.search(clause)
    )


def _provinces_of(order: str) -> set[Province]:
    return {word[:3] for word in order.split() if len(word) >= 3}


def _verdict(clause: str) -> bool | None:
    """True for a clause that says yes, False for one that says no, None for one that says neither."""
    if clause.strip().endswith("?"):
        return None
    if phrases.DOUBLE_NO.search(clause):
        return True
    if phrases.NO.search(clause):
        return False
    is_yes = phrases.YES.search(phrases.NO_CONSENT.sub("", clause))
    return True if is_yes and not _proposes_nothing(clause) and not phrases.ASKS_BACK.search(clause) else None


def _names(clause: str, commitment: Commitment, board: Board) -> bool:
    """True when the clause speaks of what the commitment is."""
    places = set(provinces_in(clause, board.position.map_name))
    pattern = _OWN_WORDS.get(commitment.kind)
    return bool(places.intersection(commitment.locations) or (pattern and pattern.search(clause.lower())))


def _answering(heard: Heard, accepted: Sequence[Commitment], refused: Sequence[Commitment]) -> Heard:
    return Heard(
        heard.message,
        heard.sense,
        heard.proposals,
        accepts=tuple(accepted),
        refuses=tuple(refused),
        places=heard.places,
        about=heard.about,
    )
