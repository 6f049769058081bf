"""The ledger: every commitment that powers have proposed, made, kept or broken, folded from press and orders.

A ledger is a value. `after_messages` and `after_phase` give the next one, and the same press and phases give the same
ledger whoever folds them, and whether at once or step by step. It stays small: it holds what is open, and what ended
in the latest movement phase or since. docs/commitments.md says what makes each status.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from entente.board.engine import Board
from entente.board.types import OrderResult
from entente.press.commitments import Commitment, Status
from entente.press.keeping import Played, lapsed, settled
from entente.press.mailbox import Reader
from entente.press.messages import Message
from entente.press.talk import Talk


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where all commitments stand at one moment of a game."""

    open: tuple[Commitment, ...] = ()
    """Proposals that wait for an answer, and what was accepted or stated and still binds; in the order of making."""
    ended: tuple[Commitment, ...] = ()
    """What ended in the latest movement phase or has ended since, in the order of ending."""

    def after_messages(self, messages: Iterable[Message], board: Board) -> "Ledger":
        """The ledger when these messages were sent, whose senders had not read each other's, in any order.

        What somebody says to no effect changes nothing; `complaints` says why.
        """
        talk = Talk(self.open, board)
        talk.take(messages)
        return Ledger(tuple(talk.open.values()), (*self.ended, *talk.ended))

    def complaints(self, messages: Iterable[Message], board: Board) -> tuple[str, ...]:
        """A sentence for each statement of these messages, all of one sender, that has no effect."""
        talk = Talk(self.open, board)
        talk.take(messages)
        return tuple(talk.complaints)

    def after_phase(self, board: Board, results: Sequence[OrderResult]) -> "Ledger":
        """The ledger when the movement phase was adjudicated; the orders were given on the board."""
        played = Played(board, results)
        after = [_after(commitment, played) for commitment in self.open]
        since = [commitment for commitment in self.ended if commitment.ended == board.phase]
        return Ledger(
            tuple(commitment for commitment in after if commitment.status.is_open),
            (*since, *(commitment for commitment in after if not commitment.status.is_open)),
        )

    def seen_by(self, reader: Reader) -> "Ledger":
        """What the reader may know: commitments in messages that it could read, and nothing of any other."""
        return Ledger(
            tuple(commitment for commitment in self.open if commitment.is_visible_to(reader)),
            tuple(commitment for commitment in self.ended if commitment.is_visible_to(reader)),
        )


def _after(commitment: Commitment, played: Played) -> Commitment:
    if commitment.status is not Status.PROPOSED:
        return settled(commitment, played)
    # What is sent in a phase's last round can be answered in the next phase only.
    is_over = commitment.term.last == played.phase or commitment.said != played.phase
    return lapsed(commitment, played.phase, "nobody answered") if is_over else commitment
