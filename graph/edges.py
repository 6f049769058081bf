"""Where the game goes next, decided on the state alone (an edge that takes more breaks Studio's edit and fork)."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from langgraph.graph import END
from langgraph.types import Send
from typing_extensions import TypedDict

from entente.board.types import Power
from entente.players.record import Stage
from graph.state import GameState, board_of, people, settings_of

Next: TypeAlias = str | Sequence[str | Send]

AFTER_PHASE = ["negotiate", "order", "seat", END]
AFTER_TALK = ["negotiate", "order", "seat"]
AFTER_SEAT = ["negotiate", "adjudicate"]


class SeatTask(TypedDict):
    """What one person is asked: the argument of a `seat` task."""

    power: Power
    ask: Stage
    phase: str
    round: int
    rounds: int
    board: dict[str, object]


def after_phase(state: GameState) -> Next:
    """After opening or summarizing: end, talk, or go straight to orders.

    A game that is opened once more may stand in the midst of a round.
    """
    if state["status"] == "finished":
        return END
    return after_talk(state)


def after_talk(state: GameState) -> Next:
    """After a round: ask the people who have not spoken in it, talk again, or order."""
    if waiting := state.get("waiting"):
        return [_ask(state, power, "talk") for power in waiting]
    return _talk_or_orders(state)


def after_seat(state: GameState) -> Literal["negotiate", "adjudicate"]:
    """After people's answers: the round goes on, or the orders are complete."""
    return "negotiate" if state.get("waiting") else "adjudicate"


def rounds_left(state: GameState) -> bool:
    """True while this phase has another round of negotiation."""
    return board_of(state).phase.is_movement and state["round"] < settings_of(state).talk_rounds


def _talk_or_orders(state: GameState) -> Next:
    if rounds_left(state):
        return "negotiate"
    to_order = board_of(state).to_order
    return ["order", *(_ask(state, power, "orders") for power in people(state) if power in to_order)]


def _ask(state: GameState, power: Power, ask: Stage) -> Send:
    task = SeatTask(
        power=power,
        ask=ask,
        phase=state["phase"],
        round=state["round"] if ask == "talk" else 0,
        rounds=settings_of(state).talk_rounds,
        board=state["board"],
    )
    return Send("seat", task)
