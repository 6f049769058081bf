"""Where the game goes next, decided on the state alone (an edge that takes more breaks Studio's edit and fork).

The edges wait for nothing and are coroutines all the same: LangGraph would run functions in a thread each time.
"""

from collections.abc import Hashable, Sequence
from typing import TypeAlias

from langgraph.graph import END
from langgraph.types import Send

from entente.floors.asking import ask_seat
from entente.floors.floor import floor_in
from graph.state import GameState, board_of, people

Next: TypeAlias = str | Sequence[str | Send]

TALK, PEOPLE, ORDERS, ALL_ORDERED, OVER = (
    "talk",
    "people are asked",
    "orders",
    "all have ordered",
    "game over",
)
"""What the ways are called where the graph is drawn."""

AFTER_TALK: dict[Hashable, str] = {
    TALK: "negotiate",
    PEOPLE: "seat",
    ORDERS: "order",
    ALL_ORDERED: "adjudicate",
}
AFTER_PHASE: dict[Hashable, str] = {**AFTER_TALK, OVER: END}
AFTER_SEAT: dict[Hashable, str] = {TALK: "negotiate", ALL_ORDERED: "adjudicate"}


async def after_phase(state: GameState) -> Next:
    """After opening or summarizing: end, talk, or go straight to orders.

    A game that is opened once more may stand in the midst of a round.
    """
    if state["status"] == "finished":
        return OVER
    return await after_talk(state)


async def after_talk(state: GameState) -> Next:
    """After a stretch of talk: ask the people it waits for, talk on, or order."""
    floor = floor_in(state)
    if questions := floor.questions(state):
        return [Send("seat", question) for question in questions]
    return TALK if floor.is_open(state) else _orders(state)


async def after_seat(state: GameState) -> str:
    """After people's answers: the talk goes on, or the orders are complete."""
    return TALK if state.get("waiting") else ALL_ORDERED


def _orders(state: GameState) -> Next:
    """Ask for the orders of the powers that gave none while they talked."""
    wanting = [power for power in board_of(state).to_order if power not in state.get("orders", {})]
    if not wanting:
        return ALL_ORDERED
    asked = [ask_seat(state, power, "orders") for power in people(state) if power in wanting]
    return [ORDERS, *(Send("seat", question) for question in asked)]
