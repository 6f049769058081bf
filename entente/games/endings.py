"""How a game ended, in a sentence."""

from collections.abc import Sequence

from entente.board.types import Power

_SENTENCES = {
    "solo": "{winners} wins alone.",
    "draw": "A draw agreed by {winners}.",
    "max_year": "The last year is over; {winners} share the draw.",
    "stalemate": "No center changed hands for years; {winners} share the draw.",
    "last_standing": "{winners} is the last power standing.",
}


def end_sentence(kind: str, winners: Sequence[Power], phase: str) -> str:
    """The sentence for a `GameOutcome`'s values."""
    names = winners[0] if len(winners) == 1 else f"{', '.join(winners[:-1])} and {winners[-1]}"
    return f"{_SENTENCES[kind].format(winners=names)} ({phase})"
