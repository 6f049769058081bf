"""What a person is asked: the argument of a `seat` task."""

from typing import Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

from entente.board.types import Power
from graph.state import GameState

Ask: TypeAlias = Literal["talk", "orders", "open"]
"""What a person is asked for; `open` on the conductor's floor: words, orders or both."""


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


def ask_seat(
    state: GameState, power: Power, ask: Ask, *, rounds: int = 0, is_optional: bool = False
) -> SeatTask:
    """The question to a person; `rounds` is how many rounds of press its phase has, 0 where it has none."""
    return SeatTask(
        power=power,
        ask=ask,
        phase=state["phase"],
        round=0 if ask == "orders" else state["round"],
        rounds=rounds,
        board=state["board"],
        segments=state.get("segments", []),
        has_ordered=power in state.get("orders", {}),
        is_optional=is_optional,
    )
