"""People's questions that a game waits for, or would take an answer to, read from its interrupts."""

from dataclasses import dataclass, field

from langgraph.types import StateSnapshot

from entente.board.types import Power
from entente.floors.asking import Ask
from entente.floors.seat_view import SeatView


@dataclass(frozen=True, slots=True)
class PendingSeat:
    """A question that a person may answer."""

    power: Power
    ask: Ask
    phase: str
    round: int
    interrupt: str
    """LangGraph's id of the interrupt, by which it is answered; empty while the question is not open."""
    view: SeatView = field(compare=False)
    """All that the person is shown."""
    number: int = field(default=0, compare=False)
    """Its place among the seat's questions of the phase: the round of press, or how many answers came before it."""

    @property
    def is_early(self) -> bool:
        """True while others think: the answer is kept, and taken as soon as the game can."""
        return not self.interrupt

    @property
    def name(self) -> str:
        """What it is called whether it is open or not: `S1901M.talk.2`."""
        return f"{self.phase}.{self.ask}.{self.number}"

    @property
    def is_optional(self) -> bool:
        """True where nobody waits for the answer: the phase is open, and somebody else is waited for."""
        return self.view.is_optional


def pending_seats(snapshot: StateSnapshot) -> list[PendingSeat]:
    """The seats that are asked, in the map's order, those that need not answer behind the others."""
    views = [
        (interrupt.id, SeatView.model_validate({"board": snapshot.values["board"], **interrupt.value}))
        for task in snapshot.tasks
        for interrupt in task.interrupts
    ]
    return [PendingSeat(view.power, view.ask, view.phase, view.round, name, view) for name, view in views]
