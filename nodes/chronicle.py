"""What a phase changed, in words, for people and prompts: captures, dislodgements, builds, ends of powers."""

from collections.abc import Iterable, Sequence

from entente.board.engine import Board
from entente.board.types import Outcome, Position, Power, Province
from entente.players.record import ResultRecord


def events_of(before: Board, results: Sequence[ResultRecord], after: Board) -> list[str]:
    """The phase's public events, a sentence each, in the map's order of powers."""
    phase = str(before.phase)
    told = [*_dislodgements(results), *_captures(before, after), *_eliminations(before, after)]
    return [f"{phase}: {sentence}" for sentence in told]


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
