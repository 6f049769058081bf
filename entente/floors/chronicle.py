"""What phases changed, in words, for people and prompts: captures, dislodgements, ends of powers.

The state has the sentences of the latest phase only. Those of the phases before are derived from the journal's
records, each of which has its board and its results; the board that it led to is the next record's.
"""

from collections.abc import Iterable

from checkpoints.journal import Journal
from entente.board.engine import Board
from entente.board.types import Outcome, Position, Power, Province
from entente.caches import GameCache
from entente.players.record import PhaseRecord, ResultRecord
from graph.state import board_from

CHRONICLE_LINES = 20
"""About two game years."""

_earlier: GameCache[tuple[str, ...]] = GameCache(2)
"""What was to be told when a phase began, by its game and id; a phase's record never changes."""


async def chronicle(journal: Journal, game: str, head: str | None, board: Board) -> tuple[str, ...]:
    """The latest events that led to this board, oldest first; `head` is the phase before, None for none."""
    if head is None:
        return ()
    played = await anext(journal.phases_back(game, head))
    return (*await _before(journal, played), *news(played, board))[-CHRONICLE_LINES:]


def news(played: PhaseRecord, after: Board) -> list[str]:
    """The public events of the phase that led to this board, a sentence each, in the map's order of powers."""
    before = board_from(played.board)
    told = [*_dislodgements(played.results), *_captures(before, after), *_eliminations(before, after)]
    return [f"{before.phase}: {sentence}" for sentence in told]


async def _before(journal: Journal, played: PhaseRecord) -> tuple[str, ...]:
    """The chronicle when the phase began: read from the journal once, and then a phase longer each time."""
    key = (played.game, played.id)
    if key in _earlier:
        return _earlier[key]
    _earlier[key] = lines = await _read(journal, played)
    return lines


async def _read(journal: Journal, phase: PhaseRecord) -> tuple[str, ...]:
    """What led to the phase, back to one whose beginning is known, or until there are lines enough."""
    lines: tuple[str, ...] = ()
    after = board_from(phase.board)
    async for earlier in journal.phases_back(phase.game, phase.parent):
        known = _earlier.get((earlier.game, earlier.id))
        lines = (*(known or ()), *news(earlier, after), *lines)
        if known is not None or len(lines) >= CHRONICLE_LINES:
            break
        after = board_from(earlier.board)
    return lines[-CHRONICLE_LINES:]


def owners(position: Position) -> dict[Province, Power]:
    """Who owns each supply center; those of nobody are left out."""
    return {center: power for power, centers in position.centers.items() for center in centers}


def _dislodgements(results: Iterable[ResultRecord]) -> Iterable[str]:
    for result in results:
        if Outcome.DISLODGED in result.outcomes:
            yield f"{result.power}'s {' '.join(result.order.split()[:2])} was {result.reason}."


def _captures(before: Board, after: Board) -> Iterable[str]:
    old = owners(before.position)
    for center, power in sorted(owners(after.position).items(), key=lambda item: (item[1], item[0])):
        if old.get(center) != power:
            loser = f" from {old[center]}" if center in old else ""
            yield f"{power} took {before.geography.names[center]}{loser}."


def _eliminations(before: Board, after: Board) -> Iterable[str]:
    for power in before.survivors:
        if power not in after.survivors:
            yield f"{power} was eliminated."
