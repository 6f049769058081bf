"""Floors on which the powers talk in rounds, all at once, and read in each what was sent before it."""

from collections.abc import Iterable, Sequence
from typing import Any

from entente.board.engine import Board
from entente.board.types import Power
from entente.floors.asked import Asked, asked_in_round
from entente.floors.asking import SeatTask, ask_seat
from entente.floors.opened import Stretch
from entente.floors.recorded import draw_votes
from entente.floors.table import Table, TalkRules
from entente.floors.turns import SegmentTurns, gather_all
from entente.players.bundle import Bundle
from entente.players.record import TurnRecord
from entente.players.roster import HUMAN
from entente.press.messages import Message
from graph.context import GameSettings
from graph.state import GameState, board_of, people, settings_of


class RoundsFloor:
    """So many rounds of press before the orders of each movement phase; people are asked after the programs."""

    turns_are = "turns"
    reads_at_once = False
    has_rounds = True

    def count(self, settings: GameSettings) -> int:
        """Rounds of press in a movement phase."""
        return settings.rounds if self.has_rounds else 0

    def rules(self, settings: GameSettings, board: Board) -> TalkRules:
        """What the players of a phase are told of the floor."""
        rounds = self.count(settings)
        return TalkRules(rounds if board.phase.is_movement else 0, has_press=rounds > 0)

    def is_open(self, state: GameState) -> bool:
        """True while the movement phase in play has a round left."""
        return board_of(state).phase.is_movement and state["round"] < self.count(settings_of(state))

    async def play(self, stretch: Stretch) -> dict[str, Any]:
        """Play the next round; people are asked after it, and read what was sent before it."""
        state, settings = stretch.state, settings_of(stretch.state)
        if settings.until_silent and await _was_silent(stretch):
            return {"round": self.count(settings), "waiting": []}
        survivors, number = board_of(state).survivors, state["round"] + 1
        opened = await stretch.open(self.rules(settings, board_of(state)), "talk", number)
        talkers = [power for power in survivors if settings.seat(power) != HUMAN]
        round_ = SegmentTurns(stretch.task, opened.seats)
        turns, _ = await gather_all([round_.play(talkers), opened.diaries.fold()])
        stretch.task.journal.close_segment(opened.segment, turns)
        return {
            "round": number,
            "segments": opened.segments,
            "votes": draw_votes(turns),
            "waiting": [power for power in people(state) if power in survivors],
        }

    def asked(self, state: GameState, turns: Sequence[TurnRecord]) -> Asked:
        """The powers that have not spoken in the next round."""
        return asked_in_round(state, turns)

    def questions(self, state: GameState) -> Sequence[SeatTask]:
        """A question about the round to each person who has not spoken in it."""
        rounds = self.count(settings_of(state))
        return [ask_seat(state, power, "talk", rounds=rounds) for power in state.get("waiting", [])]

    def early(self, state: GameState, turns: Sequence[TurnRecord]) -> Sequence[SeatTask]:
        """The question about the round in play, to each person: it reads the same when the programs have spoken."""
        settings = settings_of(state)
        if not self.is_open(state) or (settings.until_silent and _is_silent(turns, state["round"])):
            return []
        now: GameState = {**state, "round": state["round"] + 1}
        talkers = [power for power in people(state) if power in board_of(state).survivors]
        return [ask_seat(now, power, "talk", rounds=self.count(settings)) for power in talkers]

    def bundle(self, table: Table, power: Power) -> Bundle:
        """What the power is handed in the round or the orders of this table."""
        return table.bundle(power)

    def is_counted(self, turn: TurnRecord) -> bool:
        """True for whatever a power did when it was asked."""
        return not turn.is_note

    def moment_of(self, message: Message) -> str:
        """`S1901M.2`: the phase and the round."""
        return f"{message.phase}.{message.round}"


async def _was_silent(stretch: Stretch) -> bool:
    """True when nobody, people included, wrote in the round before; asked before the next round is opened."""
    state = stretch.state
    turns = await stretch.task.journal.turns_over(stretch.task.game, state["segments"])
    return _is_silent(turns, state["round"])


def _is_silent(turns: Iterable[TurnRecord], round_: int) -> bool:
    """True when nobody wrote in the round; False for 0, before which there was none."""
    return bool(round_) and not any(turn.messages for turn in turns if turn.round == round_)
