"""Who answers for a seat at its turn: its own player, or a stand-in while a language model's provider fails."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from entente.board.types import Power
from entente.errors import EntenteError, ModelError, PlayerError
from entente.models.wire import CallUsage, KeptReplies
from entente.players.bundle import Bundle, Fold
from entente.players.protocol import Diarist, Reply
from entente.players.roster import HUMAN
from entente.players.roster import make_player as make_scripted
from entente.players.seating import Chair
from nodes.bundles import Table
from nodes.services import PlayerFactory


class Taken(NamedTuple):
    """A turn that was taken."""

    reply: Reply
    stand_in: str = ""
    """Who gave it in place of the seat's own player; empty when that gave it."""
    why: str = ""
    """A sentence about that, for the record."""


class Folded(NamedTuple):
    """What came of a fold."""

    reply: Reply
    why_not: str = ""
    """Why it failed, a sentence; empty when it did not."""


@dataclass(frozen=True, slots=True)
class Seats:
    """The seats at a table while one segment is played; the budgets that they share are in their chairs."""

    table: Table
    chairs: Mapping[Power, Chair]
    make_player: PlayerFactory

    @classmethod
    def at(cls, table: Table, make_player: PlayerFactory, replies: KeptReplies) -> "Seats":
        """All seats of the table, their budgets charged with what the game has spent so far."""
        settings, spent = table.settings, table.spent
        whole = settings.budget(spent.values())
        chairs: dict[Power, Chair] = {}
        for power in table.board.powers:
            own = settings.seat_budget(power, [spent[power]] if power in spent else [])
            chairs[power] = settings.chair(power, (whole, own), replies)
        return cls(table, chairs, make_player)

    async def ask(self, bundle: Bundle) -> Taken:
        """The power's turn; raises PlayerError, which names the seat, when nobody can take it.

        A stand-in stays to the end of its phase: with the next phase's first turn the provider is tried again.
        """
        chair = self.chairs[bundle.power]
        if name := self._standing_in(bundle.power):
            return await _stand_in(name, bundle, f"{name} still stands in for {chair.player}.")
        try:
            return Taken(await self.make_player(chair).take_turn(bundle))
        except ModelError as error:
            name = self.table.settings.on_failure
            if name == "pause":
                raise self._failed(chair, error) from error
            taken = await _stand_in(
                name, bundle, f"{name} stands in for {chair.player}, which failed: {error}"
            )
            return taken._replace(reply=taken.reply._replace(calls=_calls_before(error)))
        except Exception as error:
            raise self._failed(chair, error) from error

    def diarists(self) -> dict[Power, Diarist]:
        """The players that keep a diary, of powers that are still in the game and have room for one."""
        found: dict[Power, Diarist] = {}
        for power in self.table.board.survivors:
            chair = self.chairs[power]
            if chair.player == HUMAN or not chair.settings.max_diary_tokens:
                continue
            if isinstance(player := self.make_player(chair), Diarist):
                found[power] = player
        return found

    async def keep_diary(self, diarist: Diarist, fold: Fold) -> Folded:
        """The power's diary, or why there is none in games where somebody stands in; raises PlayerError."""
        chair = self.chairs[fold.bundle.power]
        try:
            return Folded(await diarist.keep_diary(fold))
        except ModelError as error:
            if self.table.settings.on_failure == "pause":
                raise self._failed(chair, error) from error
            return Folded(Reply(calls=_calls_before(error)), f"{chair.player} failed: {error}")
        except Exception as error:
            raise self._failed(chair, error) from error

    def _standing_in(self, power: Power) -> str:
        """Who has stood in for the power in this phase already; empty for nobody."""
        turns = (*self.table.earlier, *self.table.taken.values())
        return next((turn.stand_in for turn in turns if turn.power == power and turn.stand_in), "")

    def _failed(self, chair: Chair, error: Exception) -> PlayerError:
        told = str(error) if isinstance(error, EntenteError) else f"{type(error).__name__}: {error}."
        return PlayerError(
            f"{chair.power} ({chair.player}) failed in {self.table.segment.phase}: {told} "
            "The game is paused; what the others did is kept."
        )


def _calls_before(error: ModelError) -> tuple[CallUsage, ...]:
    """What was paid for in the turn before its provider failed."""
    return tuple(call for call in error.calls if isinstance(call, CallUsage))


async def _stand_in(name: str, bundle: Bundle, why: str) -> Taken:
    return Taken(await make_scripted(name).take_turn(bundle), name, f"{bundle.power}: {why}")
