"""A power's earlier turns of a phase, recorded as the game records them."""

from entente.board.engine import Board
from entente.board.types import Power
from entente.floors.recording import order_record, talk_record
from entente.players.actions import Action
from entente.players.bundle import OwnTurn
from entente.players.lived import echoes, remarks
from entente.players.record import Segment


def own_turn(board: Board, power: Power, round_: int, *actions: Action, thinking: str = "") -> OwnTurn:
    """What the power did in this round of talk, or in its orders for round 0, with what the game said to it."""
    stage = "talk" if round_ else "orders"
    segment = Segment(game="g", id="s", checkpoint="c", phase=str(board.phase), stage=stage, round=round_)
    others = [other for other in board.survivors if other != power]
    record = (
        talk_record(segment, power, "m", actions, reachable=others, read_up_to=None)
        if round_
        else order_record(segment, power, "m", actions, board=board, read_up_to=None, is_asked_again=True)
    )
    return OwnTurn(round_, tuple(echoes(record, board)), tuple(remarks(record)), thinking)
