"""The work of `arena run`: the games, how they go, and the table of what came of each seat."""

import asyncio
import time
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import typer
from langgraph.runtime import RunControl
from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from checkpoints.locations import MEMORY
from checkpoints.store import Store
from entente.arena import (
    Batch,
    BatchReport,
    BatchResult,
    PlannedGame,
    Play,
    SeatFigures,
    in_processes,
    on_ray,
    run_batch,
)
from entente.cli.batch_file import read_batch
from entente.cli.ending import EXITS
from entente.cli.options import print_json_lines, store_at
from entente.cli.output import cost_text, plain_table, print_table, say, talk_console, tokens_text
from entente.cli.pausing import pausable
from entente.cli.players import open_players
from entente.cli.store_option import location_of
from entente.errors import SettingsError
from entente.games.endings import end_sentence
from entente.games.runner import RunEnd

_REFRESHES_PER_SECOND = 4
_LOOKS_PER_SECOND = 1
"""For the phases of the games that are being played."""
_BAR_WIDTH = 40
_SHOWN = 12
"""Games that are being played, of which a terminal shows a line each."""
_NAMED = 3
"""Powers that share a draw, of whom a game's line names each; more are counted."""


async def run_file(
    path: Path, location: str | None, ray: str | None, processes: int, *, as_json: bool
) -> None:
    """Run the batch of a file, and print what came of it; raises SettingsError, and typer.Exit with the exit code.

    `ray` is the address of a cluster on which it is played, and `processes` in how many on this machine.
    """
    batch, file = read_batch(path)
    location = location_of(location or batch.store)
    async with store_at(location) as store, open_players() as players:
        progress = Progress(batch, as_json=as_json)
        with pausable() as control:
            try:
                async with _shown(progress, store), _elsewhere(ray, processes, location, control) as play:
                    ran = await run_batch(
                        store, batch, players, watching=progress, control=control, play=play
                    )
            except SettingsError as error:
                raise file.placed(error) from error
            except asyncio.CancelledError:
                say(f"Stopped. {_how_to_go_on(store)}")
                raise typer.Exit(EXITS[RunEnd.PAUSED]) from None
    report = ran.report
    if progress.over_before:
        say(f"{progress.over_before} of {report.planned} games were over before this run.")
    if as_json:
        print_json_lines([report.model_dump(mode="json", exclude={"games"})])
    else:
        _print(report)
    if report.is_paused:
        over = f"{report.finished} of {report.planned} games are over"
        say(f"Paused: {control.drain_reason}. {over}. {_how_to_go_on(store)}")
        raise typer.Exit(EXITS[RunEnd.PAUSED])
    if report.failed:
        say(f"{report.failed} of {report.planned} games failed. {_how_to_go_on(store)}")
        raise typer.Exit(ran.exit_code)


@asynccontextmanager
async def _elsewhere(
    ray: str | None, processes: int, location: str | None, control: RunControl
) -> AsyncGenerator[Play | None]:
    """How games are played on a cluster or in other processes; None where they are played here."""
    if ray is not None and processes > 1:
        raise SettingsError("A cluster or several processes were wanted and both came; nothing was played.")
    if ray is not None:
        async with on_ray(ray, location, control) as play:
            yield play
    elif processes > 1:
        async with in_processes(processes, location, control) as play:
            yield play
    else:
        yield None


def _how_to_go_on(store: Store) -> str:
    if store.location == MEMORY:
        return "The games were kept in memory alone, and are gone."
    return "To go on, give the same command again: no game is played twice."


@dataclass
class Progress:
    """What has been seen of a batch by this process."""

    batch: Batch
    as_json: bool = False
    """Print each game that is left, for programs."""
    started: float = field(default_factory=time.monotonic)
    playing: dict[str, tuple[float, str]] = field(default_factory=dict[str, tuple[float, str]])
    """Since when each game is played, by the monotonic clock, and its phase as it was a moment ago."""
    over: int = 0
    """Games that are over, those of earlier runs among them."""
    over_before: int = 0
    """Those alone."""
    failed: int = 0

    def begun(self, game: PlannedGame) -> None:
        """Count a game that is played from now on."""
        self.playing[game.id] = (time.monotonic(), "")

    def ended(self, result: BatchResult) -> None:
        """Count a game that is left, and tell of it."""
        began, _ = self.playing.pop(result.game, (time.monotonic(), ""))
        self.over += result.end is RunEnd.FINISHED
        self.over_before += result.was_over
        self.failed += bool(result.reason)
        if self.as_json:
            print_json_lines([result.model_dump(mode="json")])
        if not result.was_over:
            say(f"{self.over} of {self.batch.games}  {_line(result)}  {time.monotonic() - began:.1f} s")

    def counts(self) -> str:
        """How far the batch is."""
        failed = f"  {self.failed} failed" if self.failed else ""
        return f"{self.over} of {self.batch.games} games over  {len(self.playing)} played{failed}"

    @property
    def seconds(self) -> float:
        """Wall time since the run began."""
        return time.monotonic() - self.started


def _line(result: BatchResult) -> str:
    name = f"{result.game}  seed {result.seed}"
    if result.reason:
        return f"{name}  failed: {result.reason}"
    if result.outcome is None:
        return f"{name}  {result.end}"
    winners = result.winners
    named = winners if len(winners) <= _NAMED else (f"{len(winners)} powers",)
    return f"{name}  {end_sentence(result.outcome, named, result.phase)}"


@asynccontextmanager
async def _shown(progress: Progress, store: Store) -> AsyncGenerator[None]:
    """Show how the batch goes while the body runs, where a terminal can; lines are said everywhere."""
    console = talk_console()
    if not console.is_terminal or console.is_dumb_terminal:
        yield
        return
    looking = asyncio.create_task(_look(progress, store), name="phases of a batch")
    try:
        with Live(
            Screen(progress), console=console, refresh_per_second=_REFRESHES_PER_SECOND, transient=True
        ):
            yield
    finally:
        looking.cancel()
        await asyncio.gather(looking, return_exceptions=True)


async def _look(progress: Progress, store: Store) -> None:
    """Read the phases of the games that are shown, as long as this is not cancelled."""
    while True:
        await asyncio.sleep(1 / _LOOKS_PER_SECOND)
        for game in [*progress.playing][:_SHOWN]:
            phase = (await store.library.glance(game)).phase
            if since := progress.playing.get(game):
                progress.playing[game] = (since[0], phase)


class Screen:
    """Draws the progress anew at each refresh, so that the clock moves too."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        progress = self._progress
        bar = ProgressBar(total=progress.batch.games, completed=progress.over, width=_BAR_WIDTH)
        yield Group(Text(f"{progress.counts()}  {progress.seconds:.0f} s"), bar, self._table())

    def _table(self) -> Table:
        table, now = plain_table(), time.monotonic()
        for title in ("Game", "Phase", "Seconds"):
            table.add_column(title, justify="right" if title == "Seconds" else "left", no_wrap=True)
        playing = [*self._progress.playing.items()]
        for game, (since, phase) in playing[:_SHOWN]:
            table.add_row(game, phase, f"{now - since:.0f}")
        if hidden := playing[_SHOWN:]:
            table.add_row(f"and {len(hidden)} more", "", "")
        return table


def _print(report: BatchReport) -> None:
    if not report.seats:
        return
    has_models = any(row.calls for row in report.seats)
    has_failures = any(row.failures for row in report.seats)
    table = plain_table()
    titles = ("Seat", "Player", "Games", "Centers", "Score", "Solos", "Draws", "Survived")
    failures, costs = ("Failures",) * has_failures, ("Calls", "Tokens", "Cost") * has_models
    for title in (*titles, *failures, *costs):
        table.add_column(title, justify="left" if title in titles[:2] else "right", no_wrap=True)
    for row in report.seats:
        failed = (str(row.failures),) * has_failures
        table.add_row(*_cells(row), *failed, *(_costs(row) if has_models else ()))
    print_table(table)
    if has_failures:
        say(
            "Failures: phases in which a player failed and a stand-in played for it, whose play is counted as its own."
        )


def _cells(row: SeatFigures) -> Sequence[str]:
    error = f" ± {row.centers_error:.1f}" if row.centers_error is not None else ""
    return (
        _seats(row.seats),
        row.player,
        str(row.games),
        f"{row.centers:.1f}{error}",
        f"{row.score:.3f}",
        str(row.solos),
        str(row.draws),
        f"{row.survival:.0%}",
    )


def _seats(seats: Sequence[str]) -> str:
    return seats[0] if len(seats) == 1 else f"{seats[0]} and {len(seats) - 1} more"


def _costs(row: SeatFigures) -> Iterable[str]:
    if not row.calls:
        return "", "", ""
    return str(row.calls), tokens_text(row), cost_text(row)
