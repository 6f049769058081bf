"""What messages do to open commitments: proposals, statements, and the answers to them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from entente.board.engine import Board
from entente.board.types import Phase, Power
from entente.errors import PressError
from entente.press.commitments import Commitment, Status
from entente.press.keeping import at_its_end, lapsed
from entente.press.messages import BROADCAST, Act, Message, MessageType, Statement
from entente.press.statements import (
    is_same_order,
    read_movement_order,
    read_provinces,
    read_subject,
)
from entente.press.terms import BY_ORDER, Term, read_term


class _Said(NamedTuple):
    """A statement in its message."""

    message: Message
    place: int
    statement: Statement

    @property
    def id(self) -> str:
        """What a commitment that it makes is called."""
        return f"{self.message.id}/{self.place}"

    @property
    def sender(self) -> Power:
        return self.message.sender

    @property
    def recipient(self) -> Power:
        return self.message.recipient


_ACTS = (Act.REFUSE, Act.ACCEPT, Act.STATE, Act.PROPOSE)
"""The order in which acts of one moment count: answers are to what was said before, and a proposal that is withdrawn
is not accepted in the same breath."""
_ANSWERS = {MessageType.ACCEPTANCE: Act.ACCEPT, MessageType.REFUSAL: Act.REFUSE}


class Talk:
    """Open commitments into which messages are folded that were sent at one moment of the board's phase."""

    def __init__(self, open_before: Iterable[Commitment], board: Board) -> None:
        self.open = {commitment.id: commitment for commitment in open_before}
        """By id, in the order of making."""
        self.ended: list[Commitment] = []
        """What the messages have ended."""
        self.complaints: list[str] = []
        """A sentence for each statement that has no effect."""
        self._board = board
        self._does: dict[Act, Callable[[_Said], None]] = {
            Act.PROPOSE: self._propose,
            Act.ACCEPT: self._accept,
            Act.REFUSE: self._refuse,
            Act.STATE: self._state,
        }

    def take(self, messages: Iterable[Message]) -> None:
        """Fold the messages in; what comes out does not depend on their order."""
        said = [each for message in messages for each in self._statements(message)]
        for each in sorted(
            said, key=lambda each: (_ACTS.index(each.statement.act), each.message.id, each.place)
        ):
            try:
                self._does[each.statement.act](each)
            except PressError as error:
                self.complaints.append(
                    f"{each.sender} to {each.recipient}, {each.statement.act} {each.statement.kind}: {error}; "
                    "that has no effect."
                )

    def _statements(self, message: Message) -> Iterator[_Said]:
        """What the message states; an acceptance or refusal in so many words answers all that it replies to."""
        statements = message.commitments
        act = _ANSWERS.get(message.message_type)
        if act and message.reply_to and not statements:
            statements = tuple(
                Statement(kind=c.kind, act=act, locations=c.locations, order=c.order)
                for c in self.open.values()
                if message.reply_to in c.messages and _can_accept(c, message.sender, message.recipient)
            )
        yield from (_Said(message, place, statement) for place, statement in enumerate(statements))

    def _propose(self, said: _Said) -> None:
        new = self._new(said, Status.PROPOSED)
        for old in self._alike(new):
            if old.status is Status.PROPOSED:
                self._take_place(old, new)
                return
            if old.term.last.sort_key >= new.term.last.sort_key:
                return  # it is agreed already
        self.open[new.id] = new

    def _take_place(self, old: Commitment, new: Commitment) -> None:
        """Proposed anew, perhaps by the other side or with another term: the later words count."""
        proposers = tuple(dict.fromkeys((*old.proposers, *new.proposers)))
        messages = (*old.messages, *new.messages)
        self.open[old.id] = replace(
            old, subject=new.subject, proposers=proposers, said=new.said, messages=messages
        )

    def _state(self, said: _Said) -> None:
        new = replace(self._new(said, Status.STATED), since=self._board.phase)
        if new.kind in BY_ORDER and new.bound != (said.sender,):
            raise PressError("nobody can state what another will do")
        for old in self._alike(new):
            if old.term.last.sort_key >= new.term.last.sort_key:
                return  # it stands already
            self._renew(old)
        self.open[new.id] = new

    def _new(self, said: _Said, status: Status) -> Commitment:
        parties = (said.sender, said.recipient)
        is_public = said.recipient == BROADCAST
        return Commitment(
            id=said.id,
            parties=parties,
            subject=read_subject(
                said.statement, said.sender, self._board.powers if is_public else parties, self._board
            ),
            status=status,
            is_stated=status is Status.STATED,
            is_public=is_public,
            proposers=(said.sender,),
            made=self._board.phase,
            said=self._board.phase,
            messages=(said.message.id,),
        )

    def _alike(self, commitment: Commitment) -> list[Commitment]:
        kind, key = commitment.kind, commitment.key
        return [other for other in self.open.values() if other.kind is kind and other.key == key]

    def _renew(self, old: Commitment) -> None:
        """End what the same agreement, made anew, takes the place of."""
        self._end(at_its_end(old, self._board.phase, "renewed"))

    def _end(self, commitment: Commitment) -> None:
        del self.open[commitment.id]
        self.ended.append(commitment)

    def _accept(self, said: _Said) -> None:
        offers = [c for c in self.open.values() if _can_accept(c, said.sender, said.recipient)]
        found = self._meant(said, offers)
        if not found:
            raise PressError("it answers no open proposal")
        (offer,) = found
        accepted = self._accepted(offer, said)
        for old in self._alike(accepted):
            if old.status is Status.ACCEPTED:
                self._renew(old)
        self.open[accepted.id] = accepted

    def _accepted(self, offer: Commitment, said: _Said) -> Commitment:
        """The agreement that it makes: of a proposal to all, one between two, and others may accept it as well."""
        now = self._board.phase
        agreed = replace(
            offer,
            subject=offer.subject._replace(term=_from(now, offer)),
            status=Status.ACCEPTED,
            since=now,
            messages=(*offer.messages, said.message.id),
        )
        if not _is_to_all(offer):
            return agreed
        is_public = said.recipient == BROADCAST
        parties = (offer.parties[0], said.sender)
        return replace(agreed, id=said.id, parties=parties, made=now, is_public=is_public)

    def _refuse(self, said: _Said) -> None:
        about = [c for c in self.open.values() if _can_refuse(c, said.sender, said.recipient)]
        for commitment in self._meant(said, about):
            if commitment.status is not Status.PROPOSED:
                self._lapse(commitment, f"called off by {said.sender}")
            elif commitment.proposers == (said.sender,):
                self._lapse(commitment, f"withdrawn by {said.sender}")
            else:
                why = f"by {said.sender}"
                self._end(replace(commitment, status=Status.REFUSED, ended=self._board.phase, why=why))

    def _lapse(self, commitment: Commitment, why: str) -> None:
        self._end(lapsed(commitment, self._board.phase, why))

    def _meant(self, said: _Said, about: Sequence[Commitment]) -> list[Commitment]:
        """Those of the commitments that an answer means, all alike; raises PressError when they are not."""
        about = [c for c in about if c.kind is said.statement.kind]
        about = [c for c in about if said.message.reply_to in c.messages] or about
        about = [c for c in about if not _is_to_all(c)] or about
        about = _narrowed(about, said, self._board)
        if len({c.key for c in about}) > 1:
            raise PressError(
                f"it could mean any of {len(about)}, and neither reply_to nor its details say which"
            )
        return about


def _narrowed(about: list[Commitment], said: _Said, board: Board) -> list[Commitment]:
    """Those that fit the details which an answer gives."""
    statement = said.statement
    if statement.locations:
        places = read_provinces(statement.locations, board)
        about = [c for c in about if c.locations == places]
    if statement.order:
        about = [
            c
            for c in about
            if is_same_order(c.order, read_movement_order(statement.order, c.bound[0], board))
        ]
    if statement.term:
        about = [c for c in about if _is_term(statement.term, c, board.phase)]
    by = statement.by.strip().upper()
    return [c for c in about if c.subject.by == by] or about


def _is_term(text: str, commitment: Commitment, now: Phase) -> bool:
    return read_term(text, commitment.kind, now, is_possible_now=True).last == commitment.term.last


def _is_to_all(commitment: Commitment) -> bool:
    return commitment.parties[1] == BROADCAST


def _can_accept(commitment: Commitment, sender: Power, recipient: Power) -> bool:
    """True for a proposal of the recipient to the sender, or to all."""
    if commitment.status is not Status.PROPOSED:
        return False
    if _is_to_all(commitment):
        proposer = commitment.parties[0]
        does = commitment.subject.by
        return sender != proposer and recipient in (proposer, BROADCAST) and does in ("", sender, proposer)
    return _is_between(commitment, sender, recipient) and commitment.proposers != (sender,)


def _can_refuse(commitment: Commitment, sender: Power, recipient: Power) -> bool:
    """True for what the sender can end: what it was proposed or agreed with the recipient, and its own words."""
    if commitment.is_stated or _is_to_all(commitment):
        return commitment.parties == (sender, recipient)
    return _is_between(commitment, sender, recipient)


def _is_between(commitment: Commitment, sender: Power, recipient: Power) -> bool:
    is_told = recipient == BROADCAST and commitment.is_public
    return sender in commitment.parties and (recipient == commitment.other(sender) or is_told)


def _from(now: Phase, offer: Commitment) -> Term:
    """The term of an offer that is accepted now: that of an order is its phase, whenever it is agreed."""
    return offer.term if offer.kind in BY_ORDER else Term(now, offer.term.last)
