"""What each power is handed for its turn: the one place where bundles are made."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from checkpoints.journal import Journal

from entente.board.engine import Board
from entente.board.orders import LineVerdict
from entente.board.types import OrderResult, Outcome, Phase, Power, parse_order
from entente.players.bundle import Bundle
from entente.players.record import PhaseRecord, Stage, TurnRecord
from entente.press.mailbox import inbox
from entente.press.messages import Message
from graph.state import GameState, board_of, settings_of


@dataclass(frozen=True, slots=True)
class Table:
    """What has happened up to the start of a round, from which every power's bundle is cut."""

    state: GameState
    stage: Stage
    round: int
    """The round that is being played, from 1; 0 for orders."""
    turns: Sequence[TurnRecord]
    """The turns of this phase's earlier rounds."""
    last_movement: PhaseRecord | None

    @property
    def board(self) -> Board:
        """The board in play."""
        return board_of(self.state)

    def bundle(self, power: Power, *, rejected: tuple[LineVerdict, ...] = ()) -> Bundle:
        """The power's view of it, and nothing of what is another's."""
        settings = settings_of(self.state)
        messages = [message for turn in self.turns for message in turn.messages]
        return Bundle(
            power=power,
            board=self.board,
            seed=_seed(settings.seed, self.state["phase"], self.stage, self.round, power),
            round=self.round,
            rounds_total=settings.talk_rounds if self.board.phase.is_movement else 0,
            inbox=inbox(power, messages, before_round=self.round or None),
            sent=_sent(power, messages),
            last_movement=_results(self.last_movement),
            last_movement_phase=self.last_movement.phase if self.last_movement else "",
            memory=self.state.get("memories", {}).get(power, {}),
            rejected=rejected,
            press_allowed=self.reachable(power),
        )

    def reachable(self, power: Power) -> tuple[Power, ...]:
        """Who can be written to: all others who are still in the game; nobody in gunboat."""
        if not settings_of(self.state).talk_rounds:
            return ()
        return tuple(other for other in self.board.survivors if other != power)


async def lay_table(journal: Journal, game: str, state: GameState, stage: Stage, round_: int) -> Table:
    """The table as it stands before the given round, or before orders."""
    turns = await journal.turns(game, state.get("segments", []))
    last = await latest_movement(journal, game, state.get("history"))
    return Table(state, stage, round_, turns, last)


async def latest_movement(journal: Journal, game: str, head: str | None) -> PhaseRecord | None:
    """The last movement phase that was adjudicated, at most two retreats and one adjustment back."""
    while head is not None:
        record = await journal.phase(game, head)
        if record is None or Phase.parse(record.phase).is_movement:
            return record
        head = record.parent
    return None


def _sent(power: Power, messages: Sequence[Message]) -> tuple[Message, ...]:
    return tuple(message for message in messages if message.sender == power)


def _results(record: PhaseRecord | None) -> tuple[OrderResult, ...]:
    if record is None:
        return ()
    return tuple(
        OrderResult(
            result.power,
            parse_order(result.order),
            tuple(Outcome(outcome) for outcome in result.outcomes),
            result.reason,
            result.is_default,
        )
        for result in record.results
    )


def _seed(*parts: object) -> str:
    """A seed for one turn; independent of the process, unlike `hash`."""
    return blake2b("/".join(map(str, parts)).encode(), digest_size=8).hexdigest()
