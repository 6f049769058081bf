"""Running a batch: the same batch in the same store goes on where it stopped, and plays no game twice."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import NamedTuple, Protocol

from langgraph.runtime import RunControl

from checkpoints.store import Store
from entente.arena.batch import Batch, BatchGame
from entente.arena.budget import budgeted, charge, counted_alone
from entente.arena.playing import GameEnd, Play, failed, play_one, side_by_side
from entente.arena.report import BatchReport, BatchResult, report_of, result_of
from entente.errors import DamagedRow, SettingsError
from entente.games.planned import PlannedGame
from entente.games.runner import GameMaster
from entente.players.seating import PlayerFactory, players_of_process
from graph.context import SCRIPTED_CREW


class Watching(Protocol):
    """Who is told how a batch goes."""

    def begun(self, game: PlannedGame, /) -> None:
        """A game is played from now on."""
        ...

    def ended(self, result: BatchResult, /) -> None:
        """A game is over, has failed or was paused."""
        ...


class Ran(NamedTuple):
    """A batch that was run."""

    report: BatchReport
    exit_code: int
    """Of the first game that failed; 0 when none did."""


async def run_batch(
    store: Store,
    batch: Batch,
    make_player: PlayerFactory | None = None,
    *,
    watching: Watching | None = None,
    control: RunControl | None = None,
    play: Play | None = None,
) -> Ran:
    """Play what of the batch is not played yet, and say what came of all its games.

    A drain of `control` pauses it, and so does the end of its budget; the same batch then goes on. `play` plays a game
    elsewhere (`in_processes`, `on_ray`); `make_player` is then asked for nobody but to check the seats.
    Raises SettingsError before the first game, StoreUnavailable; GameHeld where it has a budget and another run plays
    of it.
    """
    control = control or RunControl()
    make_player, budget = budgeted(make_player or players_of_process(), batch, control)
    if budget is not None and play is not None:
        raise SettingsError(
            "A batch in one process was wanted for its budget and several came; give each game a budget of its own "
            "(game.models.budget_usd, budget_tokens). Nothing was played.",
            setting=("budget_usd" if batch.budget_usd is not None else "budget_tokens",),
        )
    if budget is not None and batch.game.crew not in (None, SCRIPTED_CREW):
        raise SettingsError(
            "A batch with a budget was wanted without a crew's model, whose calls no batch's budget counts, and "
            "crew came; give the crew a budget of its own in each game (crew_model.budget_usd), and the batch none. "
            "Nothing was played.",
            setting=("game", "crew"),
        )
    batch.check(make_player)
    games = batch.plan()
    async with AsyncExitStack() as alone:
        if budget is not None:
            await alone.enter_async_context(counted_alone(store, games))
            await charge(budget, store, games)
        return await _run(store, batch, games, make_player, watching, control, play)


async def _run(
    store: Store,
    batch: Batch,
    games: Sequence[BatchGame],
    make_player: PlayerFactory,
    watching: Watching | None,
    control: RunControl,
    play: Play | None,
) -> Ran:
    by_id = {each.game.id: each for each in games}
    results: dict[str, BatchResult] = {}
    exit_codes: list[int] = []

    async def note(end: GameEnd) -> None:
        game = by_id[end.game.id]
        try:
            result = await result_of(store, game, end)
        except DamagedRow as error:
            end = failed(end.game, error)
            result = await result_of(store, game, end)
        results[end.game.id] = result
        if end.reason:
            exit_codes.append(end.exit_code)
        if watching is not None:
            watching.ended(result)

    await side_by_side(
        store,
        [each.game for each in games],
        play or partial(play_one, store, GameMaster(store, make_player), control),
        batch.parallel,
        watching.begun if watching is not None else None,
        note,
        control,
    )
    ordered = [results[game] for game in by_id if game in results]
    report = report_of(batch, ordered, is_paused=control.drain_requested)
    return Ran(report, exit_codes[0] if exit_codes else 0)
