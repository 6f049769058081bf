"""The ledger of a game's commitments, folded from its journal.

What was adjudicated never changes, so that each phase is folded once and then remembered; a game that is resumed is
read back only as far as a commitment can reach.
"""

from collections.abc import Iterable
from itertools import groupby

from checkpoints.journal import Journal
from entente.board.engine import Board
from entente.board.types import Phase
from entente.caches import GameCache
from entente.players.record import PhaseRecord, TurnRecord, results_of
from entente.press.ledger import Ledger
from entente.press.terms import LONGEST_YEARS
from graph.state import board_from

_known: GameCache[Ledger] = GameCache(4)
"""The ledger after a phase, by its game and id."""


async def ledger_after(journal: Journal, game: str, head: str | None) -> Ledger:
    """Everybody's commitments when the phase was adjudicated; `head` is its id, None before the first."""
    line: list[PhaseRecord] = []
    ledger = Ledger()
    async for record in journal.phases_back(game, head):
        if (game, record.id) in _known or _reaches_far_enough(line):
            ledger = _known.get((game, record.id), ledger)
            break
        line.append(record)
    for record in reversed(line):
        ledger = await _after(ledger, journal, record)
    if head is not None:
        _known[game, head] = ledger
    return ledger


def after_turns(ledger: Ledger, turns: Iterable[TurnRecord], board: Board) -> Ledger:
    """The ledger with what was said in these turns of the board's phase, which are in the journal's order."""
    for _, said in groupby((turn for turn in turns if turn.messages), key=_moment):
        ledger = ledger.after_messages([message for turn in said for message in turn.messages], board)
    return ledger


def _moment(turn: TurnRecord) -> tuple[bool, int]:
    """The same for turns that were taken without knowledge of each other: a round's, or one waking."""
    return (False, turn.round) if turn.waking is None else (True, turn.waking.position)


def _reaches_far_enough(line: list[PhaseRecord]) -> bool:
    """True when all that was proposed before has ended, and in an earlier phase than the latest."""
    return bool(line) and _year(line[0]) - _year(line[-1]) > LONGEST_YEARS


def _year(record: PhaseRecord) -> int:
    return Phase.parse(record.phase).year


async def _after(ledger: Ledger, journal: Journal, record: PhaseRecord) -> Ledger:
    if not Phase.parse(record.phase).is_movement:
        return ledger
    board = board_from(record.board)
    turns = await journal.turns_of(record)
    return after_turns(ledger, turns, board).after_phase(board, results_of(record))
