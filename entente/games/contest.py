"""Contests: one player in each power in turn, another in all other seats, and what came of it."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from checkpoints.store import Store
from entente.board.engine import load_geography
from entente.board.types import Power
from entente.games.line import records_on_line
from entente.games.planned import PlannedGame, planned
from entente.games.reading import begun_state
from entente.games.results import SeatResult, failures_in, results_of
from entente.players.record import NoticeKind, TurnRecord
from entente.players.seating import SeatKind, kind_of, spelled
from graph.context import GameSettings

_QUANTILE = 1.959964
"""Of the normal distribution, for 95 %."""
_FEWEST = 3
"""Games from which a spread is told."""


@dataclass(frozen=True, slots=True)
class Played:
    """A game that was played, from the one seat's side."""

    against: str
    result: SeatResult
    failures: int
    """Phases in which the player failed and another stood in for it."""
    first_failure: str
    """What is on record of the first of them; empty where there was none."""


class Figures(BaseModel):
    """What came of a number of games."""

    against: str
    """Who had the other seats; `all` for the sum."""
    games: int
    solos: int
    draw_share: float
    """Mean share of the game: 1 for a solo, 1/7 for a draw of seven, 0 for a loss."""
    centers: float
    """Mean number of centers at the end."""
    centers_error: float | None
    """Half the width of the 95 % interval of that mean; null for fewer than three games."""
    survival: float
    """Share of the games in which it had a unit or a center at the end."""
    failures: int
    """Phases in which it failed and a stand-in played to the end of the phase."""
    failed_games: int
    first_failure: str
    """The first failure as it is on record; empty when there was none."""


def pairing(number: int, opponents: Sequence[str], map_name: str = "standard") -> tuple[Power, str]:
    """Where the player sits in the n-th game, from 0, and against whom: each opponent in turn, then the next power."""
    powers = load_geography(map_name).powers
    return powers[number // len(opponents) % len(powers)], opponents[number % len(opponents)]


def contest(settings: GameSettings, player: str, power: Power, against: str) -> PlannedGame:
    """The game in which the player has the power and the other one all other seats.

    A player that fails holds to the end of the phase; scripted players do not fail.
    """
    seats: dict[str, object] = {"seats": {power: player}, "everyone": against}
    if kind_of(spelled(player)) is not SeatKind.SCRIPTED:
        seats["on_failure"] = "hold"
    return planned("try", settings.model_copy(update=seats))


async def played_of(store: Store, game: str, power: Power, against: str) -> Played:
    """What came of a game that is over for this seat; raises UnknownGame, NotBegun, DamagedRow."""
    state = await begun_state(store, game)
    records = await records_on_line(store.journal, game, state)
    turns = [record for record in records if isinstance(record, TurnRecord) and record.power == power]
    reasons = [n.detail for turn in turns for n in turn.notices if n.kind is NoticeKind.STOOD_IN]
    (result,) = results_of(state, [power])
    return Played(
        against=against,
        result=result,
        failures=failures_in(turns),
        first_failure=reasons[0] if reasons else "",
    )


def figures(against: str, played: Sequence[Played]) -> Figures:
    """The figures of these games, at least one."""
    results = [game.result for game in played]
    centers = [result.centers for result in results]
    return Figures(
        against=against,
        games=len(played),
        solos=sum(result.is_solo for result in results),
        draw_share=statistics.mean(result.share for result in results),
        centers=statistics.mean(centers),
        centers_error=half_width(centers),
        survival=statistics.mean(result.has_survived for result in results),
        failures=sum(game.failures for game in played),
        failed_games=sum(game.failures > 0 for game in played),
        first_failure=next((game.first_failure for game in played if game.first_failure), ""),
    )


def half_width(values: Sequence[float]) -> float | None:
    """Half the width of the 95 % interval of the mean, by Student's t; None for fewer than three values.

    The quantile is Abramowitz and Stegun's 26.7.5, 3 % too small for three values and nearer for more.
    """
    if len(values) < _FEWEST:
        return None
    free, z = len(values) - 1, _QUANTILE
    t = z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
    t += (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * free**3)
    return t * statistics.stdev(values) / math.sqrt(len(values))
