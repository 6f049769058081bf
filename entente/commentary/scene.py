"""What the crew may know when it speaks: what its listener may know, and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass

from entente.board.engine import Board
from entente.board.types import Adjudication, Power
from entente.commentary.leader import Leader
from entente.commentary.mentions import powers_in
from entente.commentary.router import GamePhase
from entente.press.messages import Message


@dataclass(frozen=True)
class Scene:
    """The table as one listener may see it by now."""

    board: Board
    """The position in play."""
    phase: GamePhase
    """What is going on."""
    played: tuple[Adjudication, ...] = ()
    """The phases before it, the earliest first: public, all of them."""
    power: Power | None = None
    """Whose seat listens; None for whoever only watches."""
    to: Power | None = None
    """Whom the listener talks with in private, if with one."""
    seed: str = ""
    """The game's; decides what is left to chance."""
    leader: Leader | None = None
    """The listener's own character, if it has one."""
    press: Sequence[Message] = ()
    """What the listener may read of the phase in play."""

    def powers_meant(self, action: str) -> tuple[Power, ...]:
        """The powers that an action is about: those that it names, and whom the listener talks with."""
        named = powers_in(action, self.board)
        return named if self.to is None or self.to in named else (self.to, *named)
