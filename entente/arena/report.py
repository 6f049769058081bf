"""What came of a batch: each game, and each seat over all games that are over."""

import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pydantic import BaseModel, ConfigDict

from checkpoints.store import Store
from entente.arena.batch import Batch, BatchGame
from entente.arena.playing import GameEnd
from entente.board.types import Power
from entente.games.contest import half_width
from entente.games.line import records_on_line
from entente.games.reading import begun_state
from entente.games.results import SeatResult, failures_in, results_of
from entente.games.runner import RunEnd
from entente.models.usage import UsageSummary, summarize
from entente.players.record import TurnRecord
from entente.players.seating import SeatKind, kind_of
from graph.context import GameSettings
from graph.state import GameState


class BatchSeat(SeatResult):
    """What came of one game for one seat of the batch."""

    seat: Power
    """The power that it has in the batch's first game; `power` is the one that it has in this game."""
    player: str
    usage: UsageSummary | None
    """Its calls of a language model; null for a seat without one."""
    failures: int
    """Phases in which the player failed and a stand-in played to the end of the phase."""


class BatchResult(BaseModel):
    """How one game of a batch stands."""

    model_config = ConfigDict(frozen=True)

    game: str
    seed: int
    end: RunEnd
    reason: str
    """Why it failed, a sentence; empty when it did not."""
    was_over: bool
    """True for a game that was finished before, so that nothing was played."""
    outcome: str | None
    """`solo`, `draw` …; null while it is not over."""
    winners: tuple[Power, ...]
    phase: str
    """In which it was decided; empty while it is not over."""
    seats: tuple[BatchSeat, ...]
    """In the map's order of their first powers; empty while the game is not over."""


class SeatFigures(BaseModel):
    """What came of a player over the games that are over."""

    model_config = ConfigDict(frozen=True)

    seats: tuple[Power, ...]
    """The seats that it has in the batch's first game."""
    player: str
    games: int
    """Seats taken in games that are over."""
    centers: float
    """Mean number at the end."""
    centers_error: float | None
    """Half the width of the 95 % interval of that mean; null for fewer than three."""
    score: float
    """Mean, by the sum of squares."""
    solos: int
    draws: int
    """Games whose end it shared with others."""
    survival: float
    """Share of the games in which it had a unit or a center at the end."""
    failures: int
    """Phases in which it failed and a stand-in played to the end of the phase."""
    calls: int
    tokens: int
    cost_usd: float | None
    """Of the calls whose price is known; null when that is none of them."""
    unpriced_calls: int


class BatchReport(BaseModel):
    """What came of a batch."""

    model_config = ConfigDict(frozen=True)

    games: tuple[BatchResult, ...]
    """In the order in which they were planned; those that were not begun are left out."""
    seats: tuple[SeatFigures, ...]
    """Each seat where seats do not rotate; where they do, each player with its settings."""
    planned: int
    """How many games the batch has."""
    finished: int
    failed: int
    is_paused: bool
    """True when it was stopped before all its games were over, by a signal or since its budget is spent."""


async def result_of(store: Store, planned: BatchGame, ended: GameEnd) -> BatchResult:
    """The game as it stands; raises DamagedRow."""
    game, end = planned.game, ended.end
    standing = BatchResult(
        game=game.id,
        seed=game.settings.seed,
        end=end,
        reason=ended.reason,
        was_over=ended.was_over,
        outcome=None,
        winners=(),
        phase="",
        seats=(),
    )
    if end is not RunEnd.FINISHED:
        return standing
    state = await begun_state(store, game.id)
    outcome = state["outcome"]
    assert outcome is not None  # noqa: S101 - a game that is over has one
    turns = await _turns(store, game.id, state) if _can_fail(game.settings) else {}
    return standing.model_copy(
        update={
            "outcome": outcome["kind"],
            "winners": tuple(outcome["winners"]),
            "phase": outcome["phase"],
            "seats": tuple(
                BatchSeat(
                    **dict(result),
                    seat=seat,
                    player=game.settings.seat(result.power),
                    usage=_usage(turns.get(result.power, [])),
                    failures=failures_in(turns.get(result.power, [])),
                )
                for seat, result in zip(
                    planned.sits_at, results_of(state, planned.sits_at.values()), strict=True
                )
            ),
        }
    )


def report_of(batch: Batch, results: Sequence[BatchResult], *, is_paused: bool) -> BatchReport:
    """The report over the games that were begun."""
    by_seat: dict[Power, list[BatchSeat]] = defaultdict(list)
    for result in results:
        for each in result.seats:
            by_seat[each.seat].append(each)
    return BatchReport(
        games=tuple(results),
        seats=tuple(
            _figures(seats, [each for seat in seats for each in by_seat[seat]])
            for seats in _players(batch, {seat: taken[0].player for seat, taken in by_seat.items()})
        ),
        planned=batch.games,
        finished=sum(result.end is RunEnd.FINISHED for result in results),
        failed=sum(bool(result.reason) for result in results),
        is_paused=is_paused,
    )


def _players(batch: Batch, players: Mapping[Power, str]) -> list[tuple[Power, ...]]:
    """The seats that are told of together: those of one player, where it has had every power."""
    if not batch.rotate:
        return [(seat,) for seat in players]
    same: dict[str, list[Power]] = defaultdict(list)
    for seat in players:
        same[f"{players[seat]} {batch.game.seat_models.get(seat)}"].append(seat)
    return [tuple(each) for each in same.values()]


def _figures(seats: tuple[Power, ...], taken: Sequence[BatchSeat]) -> SeatFigures:
    centers = [each.centers for each in taken]
    usage = [each.usage for each in taken if each.usage is not None]
    known = [each.cost_usd for each in usage if each.cost_usd is not None]
    return SeatFigures(
        seats=seats,
        player=taken[0].player,
        games=len(taken),
        centers=statistics.mean(centers),
        centers_error=half_width(centers),
        score=statistics.mean(each.score for each in taken),
        solos=sum(each.is_solo for each in taken),
        draws=sum(each.share > 0 and not each.is_solo for each in taken),
        survival=statistics.mean(each.has_survived for each in taken),
        failures=sum(each.failures for each in taken),
        calls=sum(each.calls for each in usage),
        tokens=sum(each.prompt_tokens + each.completion_tokens for each in usage),
        cost_usd=sum(known) if known else None,
        unpriced_calls=sum(each.unpriced_calls for each in usage),
    )


def _can_fail(settings: GameSettings) -> bool:
    """False for a game of scripted players, which call no model either, so that its turns need not be read."""
    return any(kind_of(player) is not SeatKind.SCRIPTED for player in settings.seats.values())


async def _turns(store: Store, game: str, state: GameState) -> dict[Power, list[TurnRecord]]:
    """The game's turns by power; powers without any are left out."""
    turns: dict[Power, list[TurnRecord]] = defaultdict(list)
    for record in await records_on_line(store.journal, game, state):
        if isinstance(record, TurnRecord):
            turns[record.power].append(record)
    return turns


def _usage(turns: Iterable[TurnRecord]) -> UsageSummary | None:
    calls = [call for turn in turns for call in turn.calls]
    return summarize(calls) if calls else None
