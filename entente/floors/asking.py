"""What a person is asked: the argument of a `seat` task."""

from typing import Literal, NotRequired, TypeAlias

from pydantic import JsonValue
from typing_extensions import TypedDict

from entente.board.types import Power
from graph.state import GameState

Ask: TypeAlias = Literal["talk", "orders", "open"]
"""What a person is asked for; `open` where words and orders are read at once: either, or both."""


class SeatTask(TypedDict):
    """One person's question. Checkpoints of older versions lack some keys."""

    power: Power
    ask: Ask
    phase: str
    round: int
    rounds: int
    """Rounds of press in the phase; 0 where nobody talks in rounds."""
    board: dict[str, JsonValue]
    segments: NotRequired[list[str]]
    """Where the phase's turns so far are in the journal."""
    resumes: NotRequired[list[str]]
    """As in the game's state."""
    history: NotRequired[str | None]
    """The journal's record of the phase before."""
    orders_in: NotRequired[list[Power]]
    """Other powers that have given orders."""
    orders_given: NotRequired[list[str] | None]
    """The power's own orders of this phase; None while it has given none."""
    is_optional: NotRequired[bool]
    """True when nobody waits for the answer: a person may write as long as its phase is open."""


def ask_seat(
    state: GameState, power: Power, ask: Ask, *, rounds: int = 0, is_optional: bool = False
) -> SeatTask:
    """The question to a person; `rounds` is how many rounds of press its phase has."""
    orders = state.get("orders", {})
    return SeatTask(
        power=power,
        ask=ask,
        phase=state["phase"],
        round=0 if ask == "orders" else state["round"],
        rounds=rounds,
        board=state["board"],
        segments=state.get("segments", []),
        resumes=state.get("resumes", []),
        history=state.get("history"),
        orders_in=[other for other in orders if other != power],
        orders_given=orders.get(power),
        is_optional=is_optional,
    )
