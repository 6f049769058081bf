"""Which programs are being asked in the step in play, as its turns in the journal tell: nobody else has to be told."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from entente.board.types import Power
from entente.floors.recorded import rejected_lines
from entente.players.record import TurnRecord
from entente.players.roster import HUMAN
from graph.state import GameState, board_of, settings_of

Asked: TypeAlias = Mapping[Power, float | None]
"""Since when each power has been asked, in seconds since 1970, UTC; None: since the step began."""


def asked_for_orders(state: GameState, kept: Sequence[TurnRecord]) -> Asked:
    """The powers that are asked for orders: those without any, and once more those whose lines were rejected."""
    settings, board, given = settings_of(state), board_of(state), state.get("orders", {})
    turns: dict[Power, list[TurnRecord]] = {}
    for turn in kept:
        turns.setdefault(turn.power, []).append(turn)
    wanted = [p for p in board.to_order if settings.seat(p) != HUMAN and p not in given]
    again = {p: own[0].at for p, own in turns.items() if len(own) == 1 and rejected_lines(board, own[0])}
    return _in_turn(state, {p: again.get(p) for p in wanted if p not in turns or p in again})


def asked_in_round(state: GameState, turns: Iterable[TurnRecord]) -> Asked:
    """The powers that have not spoken in the next round."""
    settings, number = settings_of(state), state["round"] + 1
    spoken = {turn.power for turn in turns if turn.stage == "talk" and turn.round == number}
    talkers = (p for p in board_of(state).survivors if settings.seat(p) != HUMAN)
    return _in_turn(state, {power: None for power in talkers if power not in spoken})


def _in_turn(state: GameState, asked: Asked) -> Asked:
    """Of the powers that are to be asked, those that are: the first alone where they think one after the other."""
    if settings_of(state).timing == "simultaneous":
        return asked
    return dict([*asked.items()][:1])
