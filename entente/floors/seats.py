"""Who answers for a seat at its turn: its own player, or a stand-in while that is a model or a program that fails."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pydantic import JsonValue

from entente.board.types import Power
from entente.errors import LeaseLost, ModelError, PlayerError, SettingsError, StoreUnavailable, UntrustedGame
from entente.floors.reaches import BUDGETS, reaches, seat_settings
from entente.floors.table import Table
from entente.models.budget import Budget, Spent
from entente.models.wire import CallUsage, KeptReplies, RawReply
from entente.players.bundle import Bundle, Fold
from entente.players.loading import what_failed
from entente.players.model.settings import SeatSettings
from entente.players.program import ActAtOnce, AgentPlayer
from entente.players.protocol import Diarist, Player, Reply
from entente.players.roster import make_player as make_scripted
from entente.players.roster import with_knobs
from entente.players.seating import Chair, PlayerFactory, SeatKind
from graph.context import GameSettings

_DEFAULTS = SeatSettings()
"""Made once: every step of a game asks for seven of them."""


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
    act_at_once: ActAtOnce | None = None
    """Where agents' actions are kept at once; None where a turn is kept as a whole."""

    @classmethod
    def at(
        cls,
        table: Table,
        make_player: PlayerFactory,
        replies: KeptReplies,
        *,
        is_trusted: bool,
        crew_spent: Spent | None = None,
    ) -> "Seats":
        """All seats of the table, their budgets charged with what the game has spent so far, its crew's calls among it.

        Raises UntrustedGame.
        """
        chairs = chairs_of(
            table.settings,
            table.board.powers,
            table.segment.game,
            table.spent,
            replies,
            is_trusted=is_trusted,
            crew_spent=crew_spent,
        )
        return cls(table, chairs, make_player)

    def player(self, power: Power) -> Player:
        """Who plays the power; raises SettingsError, ModelError."""
        player = self.make_player(self.chairs[power])
        return replace(player, act_at_once=self.act_at_once) if isinstance(player, AgentPlayer) else player

    async def ask(self, bundle: Bundle) -> Taken:
        """The power's turn; raises PlayerError, which names the seat, when nobody can take it.

        A stand-in stays to the end of its phase: with the next phase's first turn the provider is tried again.
        """
        chair = self.chairs[bundle.power]
        if name := self._standing_in(bundle.power):
            return await _stand_in(name, bundle, f"{name} still stands in for {chair.player}.")
        try:
            return Taken(await self.player(bundle.power).take_turn(bundle))
        except (StoreUnavailable, LeaseLost):
            raise  # what a program does is kept while it is awake, and that failed: the store did, not the program
        except Exception as error:
            name = self.table.settings.on_failure
            if name == "pause" or not _is_replaced_after(error, chair):
                raise self._failed(chair, error) from error
            why = f"{name} stands in for {chair.player}, which failed: {what_failed(error)}"
            taken = await _stand_in(name, bundle, why)
            paid = taken.reply._replace(calls=_calls_before(error), replies=_replies_before(error))
            return taken._replace(reply=paid)

    def diarists(self) -> dict[Power, Diarist]:
        """The players that keep a diary, of powers that are still in the game and have room for one.

        Raises PlayerError for a seat that cannot be filled.
        """
        found: dict[Power, Diarist] = {}
        for power in self.table.board.survivors:
            chair = self.chairs[power]
            if chair.kind is SeatKind.HUMAN or not chair.settings.max_diary_tokens:
                continue
            try:
                player = self.player(power)
            except Exception as error:
                raise self._failed(chair, error) from error
            if isinstance(player, Diarist):
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
            return Folded(
                Reply(calls=_calls_before(error), replies=_replies_before(error)),
                f"{chair.player} failed: {error}",
            )
        except Exception as error:
            raise self._failed(chair, error) from error

    def _standing_in(self, power: Power) -> str:
        """Who has stood in for the power in this phase already; empty for nobody."""
        turns = (*self.table.earlier, *self.table.taken.values())
        return next((turn.stand_in for turn in turns if turn.power == power and turn.stand_in), "")

    def _failed(self, chair: Chair, error: Exception) -> PlayerError:
        return PlayerError(
            f"{chair.power} ({chair.player}) failed in {self.table.segment.phase}: {what_failed(error)} "
            "The game is paused; what the others did is kept."
        )


def chairs_of(
    settings: GameSettings,
    powers: Sequence[Power],
    game: str = "",
    spent: Mapping[Power, Spent] = MappingProxyType({}),
    replies: KeptReplies | None = None,
    *,
    is_trusted: bool,
    crew_spent: Spent | None = None,
) -> dict[Power, Chair]:
    """Every power's seat; each one's calls are held against the whole game's budget and its own.

    No seat is filled but from a chair, so that this is where a game that is not trusted is refused what it would
    use: raises UntrustedGame.
    """
    if not is_trusted and (reached := reaches(settings, powers)):
        raise UntrustedGame(
            f"{f'Game {game}' if game else 'The game'} was imported and nobody has confirmed what it would use: "
            f"{'; '.join(reached)}. Nothing of it was used."
        )
    whole = game_budget(settings, [*spent.values(), *([crew_spent] if crew_spent else [])])
    return {
        power: Chair(
            power,
            _led(settings, power),
            game,
            seat_settings(settings, power),
            Path(settings.prompts) if settings.prompts else None,
            (
                whole,
                _budget(power, settings.seat_models.get(power, {}), [spent[power]] if power in spent else []),
            ),
            replies,
        )
        for power in powers
    }


def game_budget(settings: GameSettings, spent: Iterable[Spent]) -> Budget:
    """The budget of the whole game, charged with what was spent of it."""
    return _budget("the game", settings.models, spent)


def crew_budget(values: Mapping[str, JsonValue], spent: Iterable[Spent]) -> Budget:
    """The crew's own budget by the settings of its model, charged with what its calls have cost."""
    return _budget("the crew", values, spent)


def _led(settings: GameSettings, power: Power) -> str:
    """Who plays the power, a scripted player with the character of its leader."""
    leader = settings.leader(power)
    return with_knobs(settings.seat(power), leader.knobs) if leader else settings.seat(power)


def _budget(name: str, settings: Mapping[str, JsonValue], spent: Iterable[Spent]) -> Budget:
    limits = {key: value for key, value in settings.items() if key in BUDGETS}
    chosen = _DEFAULTS.over(limits) if limits else _DEFAULTS
    usd, tokens = 0.0, 0
    for each in spent:
        usd, tokens = usd + each["usd"], tokens + each["tokens"]
    return Budget(name, chosen.budget_usd, chosen.budget_tokens, usd, tokens)


def _is_replaced_after(error: Exception, chair: Chair) -> bool:
    """True where a stand-in may play on; a program that cannot be seated is wanted first, not replaced."""
    return isinstance(error, ModelError) or (
        chair.kind is SeatKind.PROGRAM and not isinstance(error, SettingsError)
    )


def _calls_before(error: Exception) -> tuple[CallUsage, ...]:
    """What was paid for in the turn before its provider failed."""
    calls = error.calls if isinstance(error, ModelError) else ()
    return tuple(call for call in calls if isinstance(call, CallUsage))


def _replies_before(error: Exception) -> tuple[RawReply, ...]:
    """What those calls had said."""
    replies = error.replies if isinstance(error, ModelError) else ()
    return tuple(reply for reply in replies if isinstance(reply, RawReply))


async def _stand_in(name: str, bundle: Bundle, why: str) -> Taken:
    return Taken(await make_scripted(name).take_turn(bundle), name, f"{bundle.power}: {why}")
