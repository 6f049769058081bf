"""The view of a game that is being played: a table that moves on a terminal, a line a phase elsewhere.

It shows what the journal has committed, on stderr. Letters of press never appear in it, only counts.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from checkpoints.journal import Committed
from checkpoints.store import Store
from entente.board.engine import load_geography
from entente.board.types import Phase, Power
from entente.players.record import PhaseRecord, TurnRecord
from graph.context import GameSettings
from graph.state import board_from

_REFRESHES_PER_SECOND = 8


@dataclass
class Progress:
    """What has been seen of a run."""

    settings: GameSettings
    started: float = field(default_factory=time.monotonic)
    phase: str = ""
    centers: dict[Power, int] = field(default_factory=dict[Power, int])
    messages: Counter[Power] = field(default_factory=Counter[Power])
    turns: Counter[Power] = field(default_factory=Counter[Power])
    notices: int = 0

    def take(self, record: Committed) -> None:
        """Count a committed turn or phase."""
        if isinstance(record, PhaseRecord):
            board = board_from(record.board)
            self.centers = {power: len(board.position.centers[power]) for power in board.powers}
        else:
            self._count(record)
        self.phase = record.phase

    def _count(self, turn: TurnRecord) -> None:
        self.turns[turn.power] += 1
        self.messages[turn.power] += len(turn.messages)
        self.notices += len(turn.notices)

    @property
    def seconds(self) -> float:
        """Wall time of the run so far."""
        return time.monotonic() - self.started

    @property
    def years_done(self) -> tuple[int, int]:
        """Years begun before the present one, and years in all."""
        last = self.settings.max_year or 0
        first = load_geography(self.settings.map_name).first_phase.year
        year = Phase.parse(self.phase).year if self.phase else first
        return year - first, last - first + 1

    def line(self) -> str:
        """The phase that was just adjudicated, in one line."""
        centers = "  ".join(f"{power[:3]} {count}" for power, count in self.centers.items())
        counts = f"{self.turns.total()} turns  {self.messages.total()} messages  {self.notices} notices"
        return f"{self.phase}  {centers}  {counts}  {self.seconds:.1f} s"


@asynccontextmanager
async def live_view(store: Store, game: str) -> AsyncGenerator[Progress]:
    """Show the game's commits while the body runs."""
    summary = await store.library.summary(game)
    progress = Progress(GameSettings.model_validate(summary.settings), phase=summary.phase)
    console = Console(stderr=True)
    with store.journal.subscribe(game) as records:
        if console.is_terminal:
            watching = asyncio.create_task(_count(records, progress))
            with Live(
                _Screen(progress), console=console, refresh_per_second=_REFRESHES_PER_SECOND, transient=True
            ):
                async with _until_done(watching):
                    yield progress
        else:
            async with _until_done(asyncio.create_task(_print_lines(records, progress, console))):
                yield progress


@asynccontextmanager
async def _until_done(task: "asyncio.Task[None]") -> AsyncGenerator[None]:
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _count(records: AsyncIterator[Committed], progress: Progress) -> None:
    async for record in records:
        progress.take(record)


async def _print_lines(records: AsyncIterator[Committed], progress: Progress, console: Console) -> None:
    async for record in records:
        progress.take(record)
        if isinstance(record, PhaseRecord):
            console.print(progress.line(), highlight=False, soft_wrap=True)


class _Screen:
    """Draws the progress anew at each refresh, so that the clock moves too."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def __rich__(self) -> Group:
        progress = self._progress
        done, total = progress.years_done
        head = Text(
            f"{progress.phase}   {progress.turns.total()} turns   {progress.messages.total()} messages   "
            f"{progress.notices} notices   {progress.seconds:.0f} s"
        )
        return Group(head, ProgressBar(total=total, completed=done, width=60), self._table())

    def _table(self) -> Table:
        progress = self._progress
        table = Table(show_edge=False, pad_edge=False)
        for title in ("Power", "Player", "Centers", "", "Turns", "Messages"):
            table.add_column(title)
        for power, player in progress.settings.seats.items():
            count = progress.centers.get(power, 0)
            table.add_row(
                power,
                player,
                str(count),
                "█" * count,
                str(progress.turns[power]),
                str(progress.messages[power]),
            )
        return table
