"""People's turns that a game waits for, or would take, read from its interrupts."""

from collections.abc import Sequence
from dataclasses import dataclass

from langgraph.types import StateSnapshot
from pydantic import JsonValue

from entente.board.types import Power
from entente.floors.answers import NOT_YET
from entente.floors.asking import Ask


@dataclass(frozen=True, slots=True)
class PendingSeat:
    """A question that a person may answer."""

    power: Power
    ask: Ask
    phase: str
    round: int
    interrupt: str
    task: str
    text: str
    is_optional: bool = False
    """True on the conductor's floor for one who need not answer: the phase is open, and somebody else is waited for."""


def pending_seats(snapshot: StateSnapshot) -> list[PendingSeat]:
    """The seats that are asked, in the map's order, those that need not answer behind the others."""
    return [
        PendingSeat(
            power=interrupt.value["power"],
            ask=interrupt.value["ask"],
            phase=interrupt.value["phase"],
            round=interrupt.value["round"],
            interrupt=interrupt.id,
            task=task.id,
            text=interrupt.value["text"],
            is_optional=interrupt.value.get("is_optional", False),
        )
        for task in snapshot.tasks
        for interrupt in task.interrupts
    ]


def is_open(pending: Sequence[PendingSeat]) -> bool:
    """True while people may talk and order on the conductor's floor."""
    return any(seat.ask == "open" for seat in pending)


def has_replies(snapshot: StateSnapshot) -> bool:
    """True when somebody who was asked together with those in `pending_seats` has answered, and it is kept."""
    return any(task.result is not None for task in snapshot.tasks)


def not_yet(pending: Sequence[PendingSeat]) -> dict[str, JsonValue]:
    """By interrupt, what stands for people on the conductor's floor who have not answered when somebody has.

    What was answered wakes whoever it concerns, and must not wait for them; they are asked again.
    """
    return {seat.interrupt: NOT_YET for seat in pending if seat.ask == "open"}
