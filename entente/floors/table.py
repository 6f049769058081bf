"""What each power is handed for its turn: the one place where bundles are made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

from pydantic import JsonValue

from checkpoints.journal import Journal
from entente.board.engine import Board
from entente.board.types import OrderResult, Phase, Position, Power
from entente.board.verdicts import LineVerdict
from entente.floors.chronicle import chronicle
from entente.floors.journal_ledger import after_turns, ledger_after
from entente.floors.lives import Lives, read_lives
from entente.floors.past_press import PhasePress, press_before
from entente.floors.recorded import memories_after, spent_after, updates_of
from entente.models.budget import Spent
from entente.models.tokens import Learned, fewest_of
from entente.players.bundle import Bundle, GameRules, JudgedPhase, OwnTurn
from entente.players.lived import echoes, remarks
from entente.players.record import PhaseRecord, Segment, TurnRecord, results_of
from entente.players.seat_events import SeatPhase
from entente.players.seating import SeatKind, kind_of
from entente.press.ledger import Ledger
from entente.press.mailbox import inbox
from entente.press.messages import Message
from graph.context import GameSettings
from graph.state import GameState, board_from, board_of, settings_of

_MODEL_WAKES, _WAKES = 12, 40
"""How often a power is woken in a phase where nothing else is set: a model's waking is paid for."""


class TalkRules(NamedTuple):
    """What a floor lets the players of a phase know of it."""

    rounds: int
    """Rounds of press in the phase; 0 where nobody talks in rounds."""
    has_press: bool
    """False where nobody can be written to."""
    reads_at_once: bool = False
    """True where what is sent is read as soon as it is kept, and not in the next round."""
    lived_by: tuple[Power, ...] = ()
    """Powers whose players are shown the whole game as they have lived it."""


@dataclass(frozen=True, slots=True)
class Table:
    """What stands when a round, or the orders, are played: every power's bundle is cut from it."""

    settings: GameSettings
    rules: TalkRules
    board: Board
    segment: Segment
    """What is being played: a round, or the orders."""
    messages: tuple[Message, ...]
    """Everything that was sent in this phase's earlier rounds."""
    ledger: Ledger
    """Everybody's commitments, those messages counted; `phase_ledger` as it was when the phase began."""
    phase_ledger: Ledger
    last_change_year: int
    """The last game year in which a center changed hands, the year before the first while none has."""
    last_movement: tuple[OrderResult, ...]
    last_movement_phase: str
    since_movement: tuple[JudgedPhase, ...]
    """The phases of retreats and adjustments since, oldest first."""
    memories: Mapping[Power, Mapping[str, JsonValue]]
    """As they are now; `phase_memories` as they were when the phase began."""
    phase_memories: Mapping[Power, Mapping[str, JsonValue]]
    learned: Mapping[Power, Learned]
    """What earlier phases told of the powers' language models."""
    spent: Mapping[Power, Spent]
    """What each power's language models have cost so far, this segment's kept turns included."""
    earlier: tuple[TurnRecord, ...]
    """Every power's turns of this phase's earlier rounds."""
    previous: Position | None
    chronicle: tuple[str, ...]
    press: tuple[PhasePress, ...]
    """Everything that was sent in the movement phases from two game years back on, oldest first."""
    last_position: Position | None
    """The position in which the latest movement phase was ordered."""
    folds: Mapping[Power, TurnRecord]
    """This phase's folds of diaries, once the segment that they were folded beside is over."""
    taken: Mapping[tuple[Power, int], TurnRecord]
    """The segment's turns, by power and number, that an earlier, killed execution of it has kept."""
    lives: Lives

    def bundle(
        self, power: Power, *, rejected: tuple[LineVerdict, ...] = (), first: TurnRecord | None = None
    ) -> Bundle:
        """The power's view of it, and nothing of what is another's; `first` is the turn that is to be mended."""
        segment, known = self.segment, self._learned(power)
        return Bundle(
            power=power,
            board=self.board,
            seed=turn_seed(self.settings.seed, segment.phase, segment.stage, segment.round, power),
            round=segment.round,
            rounds_total=self.rules.rounds,
            rules=self._game_rules(power),
            last_change_year=self.last_change_year,
            inbox=inbox(power, self.messages, before_round=segment.round or None),
            sent=_sent(power, self.messages),
            ledger=self.ledger.seen_by(power),
            phase_ledger=self.phase_ledger.seen_by(power),
            last_movement=self.last_movement,
            last_movement_phase=self.last_movement_phase,
            last_movement_position=self.last_position,
            since_movement=self.since_movement,
            memory=self.memories.get(power, {}),
            phase_memory=self.phase_memories.get(power, {}),
            folded=updates_of(self.folds[power]) if power in self.folds else {},
            earlier=self._own_turns(power, first),
            previous=self.previous,
            chronicle=self.chronicle,
            press=tuple(past.seen_by(power) for past in self.press),
            rejected=rejected,
            letters_a_token=known["letters"] if known else None,
            fewest_letters=fewest_of(known) if known else None,
            drafts=self.settings.drafts,
            press_allowed=self.reachable(power),
            history=self._history(power, first),
        )

    def most_wakes(self, power: Power) -> int:
        """How often the power is woken in one phase at most, on a floor that wakes anybody."""
        return most_wakes(self.settings, power)

    def _game_rules(self, power: Power) -> GameRules:
        in_turn = "at once" if self.rules.reads_at_once else "rounds"
        return GameRules(
            talk=in_turn if self.rules.has_press else "none",
            max_wakes=self.most_wakes(power) if self.rules.reads_at_once else 0,
            last_year=self.settings.max_year,
            stalemate_years=self.settings.stalemate_years,
        )

    def _learned(self, power: Power) -> Learned | None:
        """What is known of the model that has the power's seat now."""
        learned = self.learned.get(power)
        return learned if learned and learned["player"] == self.settings.seat(power) else None

    def _own_turns(self, power: Power, first: TurnRecord | None) -> tuple[OwnTurn, ...]:
        own = [turn for turn in (*self.earlier, first) if turn and turn.power == power]
        return tuple(
            OwnTurn(turn.round, tuple(echoes(turn, self.board)), tuple(remarks(turn)), turn.thinking)
            for turn in own
        )

    def _history(self, power: Power, first: TurnRecord | None) -> tuple[SeatPhase, ...]:
        turns = (*self.earlier, first) if first else self.earlier
        return self.lives.of(power, self.board, turns, self.folds.get(power))

    def reachable(self, power: Power) -> tuple[Power, ...]:
        """Who can be written to: all others who are still in the game; nobody in gunboat."""
        if not self.rules.has_press:
            return ()
        return tuple(other for other in self.board.survivors if other != power)


async def lay_table(
    journal: Journal,
    state: GameState,
    segment: Segment,
    kept: Sequence[TurnRecord],
    rules: TalkRules,
    calling: GameSettings | None = None,
) -> Table:
    """The table at which the segment is played; what all powers see is made once for all of them.

    `kept` are the turns that the segment, and the diaries folded beside it, have already. Language models are
    called as `calling` says, where that is given.
    """
    board, head = board_of(state), state.get("history")
    over = await journal.turns_over(segment.game, state.get("segments", []))
    earlier = tuple(turn for turn in over if turn.stage != "diary")
    since = await _since_movement(journal, segment.game, head)
    last = since[0] if since else None
    settings = settings_of(state).called_as(calling)
    memories, spent = state.get("memories", {}), state.get("spent", {})
    ledger = await ledger_after(journal, segment.game, head) if rules.has_press else Ledger()
    return Table(
        settings=settings,
        rules=rules,
        board=board,
        segment=segment,
        messages=tuple(message for turn in earlier for message in turn.messages),
        ledger=after_turns(ledger, earlier, board),
        phase_ledger=ledger,
        last_change_year=state["last_change_year"],
        last_movement=results_of(last) if last else (),
        last_movement_phase=last.phase if last else "",
        since_movement=tuple(JudgedPhase(record.phase, results_of(record)) for record in since[1:]),
        memories={**memories, **memories_after(memories, over)},
        phase_memories=memories,
        learned=state.get("learned", {}),
        spent={**spent, **spent_after(spent, [*over, *kept])},
        earlier=earlier,
        previous=board_from(since[-1].board).position if since else None,
        chronicle=await chronicle(journal, segment.game, head, board),
        press=await press_before(journal, segment.game, head, board.phase.year),
        last_position=board_from(last.board).position if last else None,
        folds={turn.power: turn for turn in over if turn.stage == "diary"},
        taken={(turn.power, turn.number): turn for turn in kept if turn.segment == segment.id},
        lives=await read_lives(journal, segment.game, head, board, rules.lived_by),
    )


async def latest_movement(journal: Journal, game: str, head: str | None) -> PhaseRecord | None:
    """The last movement phase that was adjudicated; None in a game's first phase."""
    return next(iter(await _since_movement(journal, game, head)), None)


async def _since_movement(journal: Journal, game: str, head: str | None) -> list[PhaseRecord]:
    """The last movement phase that was adjudicated, and then the retreats and the adjustments since."""
    records: list[PhaseRecord] = []
    async for record in journal.phases_back(game, head):
        records.insert(0, record)
        if Phase.parse(record.phase).is_movement:
            break
    return records


def _sent(power: Power, messages: Sequence[Message]) -> tuple[Message, ...]:
    return tuple(message for message in messages if message.sender == power)


def turn_seed(*parts: object) -> str:
    """A seed for one turn; independent of the process, unlike `hash`."""
    return blake2b("/".join(map(str, parts)).encode(), digest_size=8).hexdigest()


def most_wakes(settings: GameSettings, power: Power) -> int:
    """How often the power is woken in one phase at most, on a floor that wakes anybody."""
    is_model = kind_of(settings.seat(power)) is SeatKind.MODEL
    return settings.max_wakes or (_MODEL_WAKES if is_model else _WAKES)
