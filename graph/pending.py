"""People's turns that a game waits for, read from its interrupts."""

from collections.abc import Sequence
from dataclasses import dataclass

from langgraph.types import StateSnapshot
from pydantic import JsonValue

from entente.board.types import Power
from graph.edges import Ask
from nodes.answers import NOT_YET


@dataclass(frozen=True, slots=True)
class PendingSeat:
    """A person's turn that is being waited for."""

    power: Power
    ask: Ask
    phase: str
    round: int
    interrupt: str
    task: str
    text: str


def pending_seats(snapshot: StateSnapshot) -> list[PendingSeat]:
    """The seats that are asked, in the map's order."""
    return [
        PendingSeat(
            power=interrupt.value["power"],
            ask=interrupt.value["ask"],
            phase=interrupt.value["phase"],
            round=interrupt.value["round"],
            interrupt=interrupt.id,
            task=task.id,
            text=interrupt.value["text"],
        )
        for task in snapshot.tasks
        for interrupt in task.interrupts
    ]


def has_replies(snapshot: StateSnapshot) -> bool:
    """True when somebody who was asked together with those in `pending_seats` has answered, and it is kept."""
    return any(task.result is not None for task in snapshot.tasks)


def not_yet(pending: Sequence[PendingSeat]) -> dict[str, JsonValue]:
    """By interrupt, what stands for people on the conductor's floor who have not answered when somebody has.

    What was answered wakes whoever it concerns, and must not wait for them; they are asked again.
    """
    return {seat.interrupt: NOT_YET for seat in pending if seat.ask == "open"}
