"""What came of a game that is over, seat by seat."""

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

from entente.board.types import Power
from entente.board.victory import score
from entente.players.record import TurnRecord
from graph.state import GameState, board_of


class SeatResult(BaseModel):
    """What came of a game for one power."""

    model_config = ConfigDict(frozen=True)

    power: Power
    centers: int
    """At the end."""
    score: float
    """Sum of squares: 1 for a solo and 0 for somebody else's, else own centers squared over the sum of everybody's."""
    share: float
    """1 for a solo, an equal share for those who survive a draw or the last year, else 0."""
    is_solo: bool
    has_survived: bool
    """True when it had a unit or a center at the end."""


def results_of(state: GameState, powers: Iterable[Power]) -> list[SeatResult]:
    """What came of the game for each of these powers; the state is that of a game that is over."""
    outcome, board = state["outcome"], board_of(state)
    assert outcome is not None  # noqa: S101 - a game that is over has one
    winners = outcome["winners"]
    return [
        SeatResult(
            power=power,
            centers=len(board.position.centers[power]),
            score=score(board.position, (power,)),
            share=1 / len(winners) if power in winners else 0.0,
            is_solo=outcome["kind"] == "solo" and power in winners,
            has_survived=power in board.survivors,
        )
        for power in powers
    ]


def failures_in(turns: Iterable[TurnRecord]) -> int:
    """Phases in which the player of these turns failed and a stand-in played to the end of the phase."""
    return len({turn.phase for turn in turns if turn.stand_in})
