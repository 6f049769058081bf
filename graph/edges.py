"""Where the game goes next, decided on the state alone (an edge that takes more breaks Studio's edit and fork).

The edges wait for nothing and are coroutines all the same: LangGraph would run functions in a thread each time.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from langgraph.graph import END
from langgraph.types import Send

from entente.floors.asking import ask_seat
from entente.floors.floor import floor_in
from graph.state import GameState, board_of, people

Next: TypeAlias = str | Sequence[str | Send]

AFTER_PHASE = ["negotiate", "order", "seat", END]
AFTER_OPENING = [*AFTER_PHASE, "adjudicate"]
AFTER_TALK = ["negotiate", "order", "seat", "adjudicate"]
AFTER_SEAT = ["negotiate", "adjudicate"]


async def after_phase(state: GameState) -> Next:
    """After opening or summarizing: end, talk, or go straight to orders.

    A game that is opened once more may stand in the midst of a round.
    """
    if state["status"] == "finished":
        return END
    return await after_talk(state)


async def after_talk(state: GameState) -> Next:
    """After a stretch of talk: ask the people it waits for, talk on, or order."""
    floor = floor_in(state)
    if questions := floor.questions(state):
        return [Send("seat", question) for question in questions]
    return "negotiate" if floor.is_open(state) else _orders(state)


async def after_seat(state: GameState) -> Literal["negotiate", "adjudicate"]:
    """After people's answers: the talk goes on, or the orders are complete."""
    return "negotiate" if state.get("waiting") else "adjudicate"


def _orders(state: GameState) -> Next:
    """Ask for the orders of the powers that gave none while they talked."""
    wanting = [power for power in board_of(state).to_order if power not in state.get("orders", {})]
    if not wanting:
        return "adjudicate"
    asked = [ask_seat(state, power, "orders") for power in people(state) if power in wanting]
    return ["order", *(Send("seat", question) for question in asked)]
