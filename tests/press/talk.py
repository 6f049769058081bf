"""Short words for tests of the ledger: messages about commitments, and phases played with a few orders."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from entente.board.engine import Board
from entente.board.types import parse_order
from entente.press.commitments import Commitment
from entente.press.ledger import Ledger
from entente.press.messages import Act, CommitmentKind, Message, MessageType, Statement
from tests.support.conformance import mail


def about(act: str, kind: str, *places: str, order: str = "", by: str = "", term: str = "") -> Statement:
    """A statement in short."""
    return Statement(kind=CommitmentKind(kind), act=Act(act), by=by, locations=places, order=order, term=term)


def said(
    sender: str,
    to: str,
    *statements: Statement,
    phase: str = "S1901M",
    round: int = 1,  # noqa: A002 - the message's own word
    number: int = 0,
    reply_to: str | None = None,
    message_type: MessageType = MessageType.CHAT,
) -> Message:
    """A message with these statements."""
    return mail(
        sender,
        to,
        "as typed",
        message_type=message_type,
        phase=phase,
        round=round,
        number=number,
        commitments=statements,
        reply_to=reply_to,
    )


@dataclass
class Match:
    """A game of which only the press and some orders matter, and its ledger."""

    board: Board = field(default_factory=Board.start)
    ledger: Ledger = field(default_factory=Ledger)
    rounds: int = 0

    def say(
        self,
        sender: str,
        to: str,
        *statements: Statement,
        reply_to: str | None = None,
        message_type: MessageType = MessageType.CHAT,
    ) -> Message:
        """A message that everybody has read when the next one is written."""
        self.rounds += 1
        message = said(
            sender,
            to,
            *statements,
            phase=str(self.board.phase),
            round=self.rounds,
            reply_to=reply_to,
            message_type=message_type,
        )
        self.complaints = self.ledger.complaints([message], self.board)
        self.ledger = self.ledger.after_messages([message], self.board)
        return message

    def agree(
        self, one: str, other: str, kind: str, *places: str, order: str = "", by: str = "", term: str = ""
    ) -> None:
        """A proposal of the one, which the other accepts."""
        asked = self.say(one, other, about("propose", kind, *places, order=order, by=by, term=term))
        self.say(other, one, about("accept", kind), reply_to=asked.id)

    def play(self, **orders: Sequence[str]) -> None:
        """Adjudicate the phase with these orders, and all that follows, up to the next movement phase."""
        self.rounds = 0
        judged = self.board.adjudicate(
            {p: [parse_order(line) for line in lines] for p, lines in orders.items()}
        )
        if self.board.phase.is_movement:
            self.ledger = self.ledger.after_phase(self.board, judged.results)
        self.board = Board(judged.after)
        if not self.board.phase.is_movement:
            self.play()

    @property
    def only(self) -> Commitment:
        """The one commitment that there is, open or ended."""
        (commitment,) = (*self.ledger.open, *self.ledger.ended)
        return commitment

    @property
    def lines(self) -> list[str]:
        """All commitments as text."""
        return [str(commitment) for commitment in (*self.ledger.open, *self.ledger.ended)]
