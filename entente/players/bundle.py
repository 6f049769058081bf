"""What a player is handed for one turn: everything it may know, and nothing else.

A bundle is made in one place (`nodes.bundles`) from projections of the journal, so that a
player, whatever it is, can neither see nor ask for what is another power's.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import JsonValue

from entente.board.engine import Board
from entente.board.orders import LineVerdict
from entente.board.types import OrderResult, Power
from entente.press.messages import Message


@dataclass(frozen=True, slots=True)
class Bundle:
    """One power's view at the moment of its turn."""

    power: Power
    board: Board
    """The position and its legal orders, which are public."""
    seed: str
    """Differs for each game seed, phase, round and power; all randomness of the turn comes from it."""
    round: int
    """The negotiation round, from 1; 0 when orders are wanted."""
    rounds_total: int
    """Rounds of negotiation in this phase; 0 where there is no press."""
    inbox: tuple[Message, ...] = ()
    """This phase's messages to this power or to all, sent before this turn began, oldest first."""
    sent: tuple[Message, ...] = ()
    """This power's own messages of this phase, oldest first."""
    last_movement: tuple[OrderResult, ...] = ()
    """All powers' orders and results of the latest movement phase, empty in the first."""
    last_movement_phase: str = ""
    memory: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """This power's private memory, as its UpdateMemory actions left it."""
    rejected: tuple[LineVerdict, ...] = ()
    """Lines of this turn's orders that could not be used, when the player is asked once more."""
    press_allowed: tuple[Power, ...] = ()
    """Powers that can be written to: all others that are still in the game; empty in gunboat."""

    @property
    def wants_orders(self) -> bool:
        """True when orders are wanted, false when it is time to talk."""
        return self.round == 0
