"""What a player is handed for one turn: everything it may know, and nothing else.

A bundle is made in one place (`entente.floors.table`) from projections of the journal, so that a
player, whatever it is, can neither see nor ask for what is another power's.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from pydantic import JsonValue

from entente.board.engine import Board
from entente.board.types import OrderResult, Phase, Position, Power
from entente.board.verdicts import LineVerdict
from entente.players.actions import Action
from entente.players.seat_events import SeatEvent, SeatPhase
from entente.press.commitments import Commitment
from entente.press.ledger import Ledger
from entente.press.messages import Message

DIARY = "diary"
"""The key of the memory under which a diary stands."""


Talk: TypeAlias = Literal["rounds", "at once", "none"]
"""When press is read: in the next round, as soon as it is sent, or there is none."""


@dataclass(frozen=True, slots=True)
class GameRules:
    """How this game is played, beside the rules of the board: the same in all its phases, and no secret."""

    talk: Talk = "rounds"
    last_year: int | None = None
    """The last game year that is played; None for no limit."""
    max_wakes: int = 0
    """Where press is read at once, how often this power is woken in one phase at most."""
    stalemate_years: int = 0
    """The game ends after so many years in which no center changes hands; 0: it does not."""


@dataclass(frozen=True, slots=True)
class OwnTurn:
    """What this power did in an earlier turn of the phase, so that a player without a memory can go on from it."""

    round: int
    """The negotiation round; 0 for orders that were given and are asked for again."""
    said: tuple[tuple[Action, SeatEvent], ...]
    """What the player did, each action with its echo."""
    remarks: tuple[SeatEvent, ...] = ()
    """What was noted of the turn that no echo tells."""
    thinking: str = ""
    """What its language model wrote before its calls."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """As the player said them."""
        return tuple(action for action, _ in self.said)


@dataclass(frozen=True, slots=True)
class PastPhase:
    """A phase that was adjudicated, as one power knows it."""

    position: Position
    """In which the orders were given."""
    results: tuple[OrderResult, ...]
    """All powers' orders and results, which are public."""
    messages: tuple[Message, ...]
    """What the power wrote and could read in it, oldest first."""
    events: tuple[str, ...]
    """The chronicle's lines of it."""
    commitments: tuple[Commitment, ...] = ()
    """Those with a part of the power's that were first spoken of in it, or ended in it, as they stood after it."""


class PastPress(NamedTuple):
    """The press of a movement phase that was adjudicated, as one power knows it."""

    phase: Phase
    messages: tuple[Message, ...] = ()
    """What the power wrote and could read in it, oldest first."""
    commitments: tuple[Commitment, ...] = ()
    """Those with a part of the power's that were spoken of in it, or ended in it, as they stood after it."""


@dataclass(frozen=True, slots=True)
class JudgedPhase:
    """A phase that was adjudicated, as everybody knows it."""

    name: str
    """`F1901R`."""
    results: tuple[OrderResult, ...]
    """All powers' orders and results."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """One power's view at the moment of its turn."""

    power: Power
    board: Board
    """The position and its legal orders, which are public."""
    seed: str
    """Differs for each game seed, phase, round and power, not for each waking; all randomness of the turn is its."""
    round: int
    """The negotiation round, from 1; 0 when orders are wanted."""
    rounds_total: int
    """Rounds of negotiation in this phase; 0 where there is no press."""
    rules: GameRules = GameRules()
    last_change_year: int | None = None
    """The last game year in which a center changed hands, the year before the first while none has; None: untold."""
    wake: int = 0
    """On the conductor's floor, how often the power has been woken in this phase, this time included; else 0."""
    inbox: tuple[Message, ...] = ()
    """This phase's messages to this power or to all, sent before this turn began, oldest first."""
    sent: tuple[Message, ...] = ()
    """This power's own messages of this phase, oldest first."""
    last_movement: tuple[OrderResult, ...] = ()
    """All powers' orders and results of the latest movement phase, empty in the first."""
    last_movement_phase: str = ""
    last_movement_position: Position | None = None
    """The position in which those orders were given; None in the first movement phase."""
    since_movement: tuple[JudgedPhase, ...] = ()
    """The phases of retreats and adjustments since, oldest first."""
    ledger: Ledger = field(default_factory=Ledger)
    """The commitments that this power knows of: what is open, and what ended in the latest movement phase or since."""
    phase_ledger: Ledger = field(default_factory=Ledger)
    """The same as it stood when the phase began, before this phase's messages."""
    memory: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """This power's private memory, as its UpdateMemory actions left it."""
    phase_memory: Mapping[str, JsonValue] | None = None
    """The memory as it stood when the phase began, before this phase's updates; None where it is the same."""
    folded: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """What the power's fold of its diary has put into the memory, in this phase and before this segment."""
    earlier: tuple[OwnTurn, ...] = ()
    """This power's own turns of this phase before this one, oldest first."""
    previous: Position | None = None
    """The position of the phase before this one, in which its orders were given; None in the first."""
    chronicle: tuple[str, ...] = ()
    """The latest public events in words, oldest first, bounded."""
    press: tuple[PastPress, ...] = ()
    """What this power wrote and could read in the movement phases before this one, oldest first, from two game years
    back on; phases in which nothing was said are among them."""
    rejected: tuple[LineVerdict, ...] = ()
    """Lines of this turn's orders that could not be used, when the player is asked once more."""
    letters_a_token: float | None = None
    """Of the power's language model, by what its server counted in its first phase; None while that is not known."""
    fewest_letters: float | None = None
    """A token's, of the same model, in any phase before this one; None while that is not known."""
    drafts: bool = False
    """True in games whose language models state in each round what they would order now."""
    press_allowed: tuple[Power, ...] = ()
    """Powers that can be written to: all others that are still in the game; empty in gunboat."""
    history: tuple[SeatPhase, ...] = ()
    """On the conductor's floor, for a language model or a program, the whole game as this power has lived it, oldest
    phase first, the one in play last; empty elsewhere."""

    @property
    def last_messages(self) -> tuple[Message, ...]:
        """What this power wrote and could read in the latest movement phase before this one, oldest first."""
        return self.press[-1].messages if self.press else ()

    @property
    def wants_orders(self) -> bool:
        """True when orders are wanted, false when it is time to talk."""
        return self.round == 0

    @property
    def is_open(self) -> bool:
        """True when a language model or an agent may talk and give orders in one turn, as often as it is woken."""
        return self.wake > 0 and not self.wants_orders

    @property
    def wants_draft(self) -> bool:
        """True when orders may be given beside the talk, as a draft."""
        return self.drafts and not self.wants_orders


@dataclass(frozen=True, slots=True)
class Fold:
    """What a power is handed when it folds its diary: its view of the phase that begins, and what lies behind it."""

    bundle: Bundle
    past: tuple[PastPhase, ...]
    """The phases since its diary was folded last, that one's own among them, oldest first."""
