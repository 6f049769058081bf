"""What a floor decides, and which one a game is played on.

A floor decides who may speak when in the movement phases of a game. It is a value without state: all that it needs is
in the game's state and its journal, so that a game can be killed between any two stretches of talk.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any, Protocol, cast

from entente.board.engine import Board
from entente.board.types import Power
from entente.floors.asked import Asked
from entente.floors.asking import SeatTask
from entente.floors.opened import Stretch
from entente.floors.table import Table, TalkRules
from entente.players.bundle import Bundle
from entente.players.record import TurnRecord
from entente.press.messages import Message
from graph.context import FLOORS, GameSettings
from graph.state import GameState, settings_of


class Floor(Protocol):
    """Decides who may speak when; there is one class for each floor."""

    turns_are: str
    """What turns of talk are called where they are counted: `turns`, `wakes`."""

    reads_at_once: bool
    """True where what a power says is read as soon as it is kept, and not in the next round."""

    def rules(self, settings: GameSettings, board: Board) -> TalkRules:
        """What the players of a phase are told of the floor."""
        ...

    def is_open(self, state: GameState) -> bool:
        """True while the phase in play has another stretch of talk."""
        ...

    async def play(self, stretch: Stretch) -> dict[str, Any]:
        """Play the next stretch of talk of all powers that programs play; the changes to the state.

        `waiting` names the people who have to be asked before the game goes on.
        """
        ...

    def asked(self, state: GameState, turns: Sequence[TurnRecord]) -> Asked:
        """The powers whose programs are asked while the next stretch of talk is played.

        `turns` are those of the phase so far, this stretch's included, in the journal's order.
        """
        ...

    def questions(self, state: GameState) -> Sequence[SeatTask]:
        """What people are asked now; empty when nobody is waited for."""
        ...

    def early(self, state: GameState, turns: Sequence[TurnRecord]) -> Sequence[SeatTask]:
        """What people may answer while the next stretch of talk is played, before their questions are open.

        The stretch is among the state's segments, and its turns so far among `turns`, which are the phase's.
        """
        ...

    def bundle(self, table: Table, power: Power) -> Bundle:
        """What the power would be handed if it were asked now."""
        ...

    def is_counted(self, turn: TurnRecord) -> bool:
        """True for a turn that `turns_are` counts."""
        ...

    def moment_of(self, message: Message) -> str:
        """When the message was sent, as lists of press show it: `S1901M.2`, `S1901M`."""
        ...


@lru_cache
def floor_named(name: str) -> Floor:
    """The floor of this name, one of FLOORS."""
    module, _, attribute = FLOORS[name].place.partition(":")
    return cast("type[Floor]", getattr(import_module(module), attribute))()


def floor_of(settings: GameSettings) -> Floor:
    """The floor that a game with these settings is played on."""
    return floor_named(settings.floor)


def floor_in(state: GameState) -> Floor:
    """The floor that the game in this state is played on."""
    return floor_of(settings_of(state))
