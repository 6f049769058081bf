"""Where the game goes next, decided on the state alone (an edge that takes more breaks Studio's edit and fork).

The edges wait for nothing and are coroutines all the same: LangGraph would run functions in a thread each time.
"""

from collections.abc import Sequence
from typing import Literal, NotRequired, TypeAlias

from langgraph.graph import END
from langgraph.types import Send
from typing_extensions import TypedDict

from entente.board.types import Power
from graph.state import GameState, board_of, people, settings_of

Next: TypeAlias = str | Sequence[str | Send]

Ask: TypeAlias = Literal["talk", "orders", "open"]
"""What a person is asked for; `open` on the conductor's floor: words, orders or both."""

AFTER_PHASE = ["negotiate", "order", "seat", END]
AFTER_OPENING = [*AFTER_PHASE, "adjudicate"]
AFTER_TALK = ["negotiate", "order", "seat", "adjudicate"]
AFTER_SEAT = ["negotiate", "adjudicate"]


class SeatTask(TypedDict):
    """What one person is asked: the argument of a `seat` task."""

    power: Power
    ask: Ask
    phase: str
    round: int
    rounds: int
    board: dict[str, object]
    segments: NotRequired[list[str]]
    """Where the phase's turns so far are in the journal."""
    has_ordered: NotRequired[bool]
    """True when its orders of this phase are in."""
    is_optional: NotRequired[bool]
    """True when nobody waits for the answer: a person may write as long as its phase is open."""


async def after_phase(state: GameState) -> Next:
    """After opening or summarizing: end, talk, or go straight to orders.

    A game that is opened once more may stand in the midst of a round.
    """
    if state["status"] == "finished":
        return END
    return await after_talk(state)


async def after_talk(state: GameState) -> Next:
    """After a round: ask the people who have not spoken in it, talk again, or order.

    On the conductor's floor all people may write while one of them is waited for.
    """
    waiting = state.get("waiting")
    if not waiting:
        return _talk_or_orders(state)
    if settings_of(state).floor != "conductor":
        return [_ask(state, power, "talk") for power in waiting]
    alive = board_of(state).survivors
    others = [power for power in people(state) if power in alive and power not in waiting]
    asked = [_ask(state, power, "open") for power in waiting]
    return [*asked, *(_ask(state, power, "open", is_optional=True) for power in others)]


async def after_seat(state: GameState) -> Literal["negotiate", "adjudicate"]:
    """After people's answers: the round goes on, or the orders are complete."""
    return "negotiate" if state.get("waiting") else "adjudicate"


def rounds_left(state: GameState) -> bool:
    """True while this phase has another round of negotiation, or its floor has not come to rest."""
    if not board_of(state).phase.is_movement:
        return False
    settings = settings_of(state)
    if settings.is_conducted:
        return not state.get("talk_over", False)
    return state["round"] < settings.talk_rounds


def _talk_or_orders(state: GameState) -> Next:
    """Orders are wanted of who has given none while it talked: of all but on the conductor's floor."""
    if rounds_left(state):
        return "negotiate"
    wanting = [power for power in board_of(state).to_order if power not in state.get("orders", {})]
    if not wanting:
        return "adjudicate"
    return ["order", *(_ask(state, power, "orders") for power in people(state) if power in wanting)]


def _ask(state: GameState, power: Power, ask: Ask, *, is_optional: bool = False) -> Send:
    task = SeatTask(
        power=power,
        ask=ask,
        phase=state["phase"],
        round=0 if ask == "orders" else state["round"],
        rounds=settings_of(state).talk_rounds,
        board=state["board"],
        segments=state.get("segments", []),
        has_ordered=power in state.get("orders", {}),
        is_optional=is_optional,
    )
    return Send("seat", task)
