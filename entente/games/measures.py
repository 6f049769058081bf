"""How one seat played a game, in the numbers by which prompts and models are judged (docs/comparing.md)."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from pydantic import BaseModel

from checkpoints.journal import Journal
from checkpoints.store import Store
from entente.board.engine import Board
from entente.board.types import Phase, Power
from entente.board.victory import score
from entente.floors.journal_ledger import ledger_after
from entente.floors.recorded import gives_orders, rejected_lines
from entente.games.line import records_on_line
from entente.games.reading import begun_state
from entente.players.actions import order_lines
from entente.players.record import PhaseRecord, TurnRecord
from entente.press.commitments import Commitment, Status
from graph.state import GameState, board_from, board_of


class Measures(BaseModel):
    """What a game says of the powers that are measured; None where it says nothing, as of promises that nobody made."""

    score: float | None
    """Sum of squares: 1 for a solo, else own centers squared over the sum of everybody's. None for all powers."""
    legality: float | None
    """Order lines that were legal as written or could be repaired, of all that were written."""
    hold_rate: float | None
    """Units that held, of all units in movement phases; a unit without an order holds."""
    promises_kept: float | None
    """Commitments that the power kept, of those that it kept or broke."""
    tokens: float | None
    """Prompts and replies of the whole game, as the provider counted them; None without a call."""
    malformed: float | None
    """Replies that could not be taken as they were, mended or not, of all replies."""


async def measures_of(store: Store, game: str, powers: Collection[Power]) -> Measures:
    """What a game says of these powers together; raises UnknownGame, NotBegun, DamagedRow."""
    state = await begun_state(store, game)
    records = await records_on_line(store.journal, game, state)
    phases = [record for record in records if isinstance(record, PhaseRecord)]
    turns = [record for record in records if isinstance(record, TurnRecord) and record.power in powers]
    calls = [call for turn in turns for call in turn.calls]
    boards = {record.phase: board_from(record.board) for record in phases}
    written = [turn for turn in turns if not turn.stand_in and turn.phase in boards and _orders(turn)]
    return Measures(
        score=_score(state, powers),
        legality=_mean(legal for turn in written for legal in _legal(turn, boards[turn.phase])),
        hold_rate=_mean(
            result.order.endswith(" H")
            for record in phases
            if Phase.parse(record.phase).is_movement
            for result in record.results
            if result.power in powers
        ),
        promises_kept=_mean(await _promises(store.journal, phases, powers)),
        tokens=sum(call.prompt_tokens + call.completion_tokens for call in calls) if calls else None,
        malformed=_mean(call.faults > 0 for call in calls),
    )


def _mean(values: Iterable[bool]) -> float | None:
    found = [*values]
    return sum(found) / len(found) if found else None


def _score(state: GameState, powers: Collection[Power]) -> float | None:
    board = board_of(state)
    if len(powers) == len(board.powers):
        return None  # all seats share the whole score, whoever plays them
    return score(board.position, powers)


def _orders(turn: TurnRecord) -> bool:
    """True where orders were given; drafts, which are said in rounds of press, are none."""
    return gives_orders(turn) and (turn.stage == "orders" or turn.waking is not None)


def _legal(turn: TurnRecord, board: Board) -> Iterator[bool]:
    """For each line that was written, whether it could be used."""
    lines, rejected = len(order_lines(turn.actions)), len(rejected_lines(board, turn))
    yield from (number >= rejected for number in range(lines))


async def _promises(journal: Journal, phases: Sequence[PhaseRecord], powers: Collection[Power]) -> list[bool]:
    """For each power and each commitment that it kept or broke, whether it kept it."""
    found: list[bool] = []
    for record in phases:
        if not Phase.parse(record.phase).is_movement:
            continue
        ledger = await ledger_after(journal, record.game, record.id)
        for commitment in ledger.ended:
            if str(commitment.ended) == record.phase:
                found += _kept(commitment, powers)
    return found


def _kept(commitment: Commitment, powers: Collection[Power]) -> list[bool]:
    """Of a commitment that another power broke, nothing is said of who was bound beside it."""
    if commitment.status is Status.KEPT:
        return [True for power in commitment.bound if power in powers]
    return [False for breach in commitment.breaches if breach.power in powers]
