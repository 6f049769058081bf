"""When a game is over, and who has won it.

The engine's own rule is switched off: it wants to know last year's centers, which a restored position does not
have, and it knows nothing of votes or of limits.
"""

from collections.abc import Collection, Set

from entente.board.engine import load_geography
from entente.board.types import GameOutcome, Phase, Position, Power


def decide(
    position_after: Position,
    *,
    decided_in: Phase,
    votes: Set[Power],
    max_year: int | None,
    last_change_year: int,
    stalemate_years: int | None,
) -> GameOutcome | None:
    """How the game ended with the phase `decided_in`, or None while it goes on.

    `votes` are the powers that want a draw now. `max_year` is the last year that is played.
    `last_change_year` is the last year in which a center changed hands, the year before the first while none has.
    None stands for no limit.
    The gravest reason counts: a solo, then being the last one, a draw, the last year, a stalemate.
    """
    alive = position_after.survivors
    soloist = _find_soloist(position_after)
    year = position_after.phase.year
    if soloist:
        return GameOutcome("solo", (soloist,), str(decided_in))
    if len(alive) <= 1:
        return GameOutcome("last_standing", alive, str(decided_in))
    if votes >= set(alive):
        return GameOutcome("draw", alive, str(decided_in))
    if max_year is not None and year > max_year:
        return GameOutcome("max_year", alive, str(decided_in))
    if stalemate_years is not None and year - last_change_year > stalemate_years:
        return GameOutcome("stalemate", alive, str(decided_in))
    return None


def score(position: Position, powers: Collection[Power]) -> float:
    """What these powers have of the game together, by the sum of squares.

    1 for a solo of one of them and 0 for somebody else's; otherwise their centers squared over the sum of everybody's.
    """
    if soloist := _find_soloist(position):
        return float(soloist in powers)
    squares = {power: len(centers) ** 2 for power, centers in position.centers.items()}
    return sum(squares[power] for power in powers) / sum(squares.values())


def _find_soloist(position: Position) -> Power | None:
    """The power with enough centers, and more than any other: Rulebook 2023, "Object of the game"."""
    counts = {power: len(centers) for power, centers in position.centers.items()}
    most = max(counts.values())
    leaders = [power for power, count in counts.items() if count == most]
    enough = most >= load_geography(position.map_name).victory_centers
    return leaders[0] if enough and len(leaders) == 1 else None
