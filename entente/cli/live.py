"""The view of a game that is being played: a table that moves on a terminal that can, a line a phase elsewhere.

It shows what the journal has committed, on stderr. Letters of press never appear in it, only counts of all powers
together: who has written or was woken how often would tell people at the table of mail that is not theirs.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from checkpoints.journal import Journal
from checkpoints.store import Store
from entente.board.engine import Board, load_geography
from entente.board.types import Order, Power, parse_order
from entente.cli.crew_lines import tell_words
from entente.cli.lines import event_line, waited_text
from entente.cli.output import PlainConsole, cost_text, plain_table, talk_console, tokens_text
from entente.cli.verbosity import Talk
from entente.display import displayable
from entente.errors import StoreUnavailable
from entente.floors.floor import Floor, floor_of
from entente.games.runner import standing_of
from entente.games.waited_for import Waited, waited_for
from entente.models.usage import Tally
from entente.players.projection import events_of
from entente.players.record import PhaseRecord, Record, TurnRecord, Words
from entente.players.roster import HUMAN
from entente.players.seating import SeatKind, kind_of
from graph.context import GameSettings
from graph.state import board_from

_REFRESHES_PER_SECOND = 8
_LOOKS_PER_SECOND = 1
"""For who is waited for: no commit tells of that."""
_LONG_SECONDS = 60.0
"""Where nothing moves, who is waited for is told when it has been for so long, and each time as long again."""
_BAR_WIDTH = 40
_NARROW = 54
_PLAYER_WIDTH = 28
"""A model's address can be longer than all the rest; `games show` has it whole."""
_COSTS = ("Calls", "Tokens", "Cost")


@dataclass
class Progress:
    """What has been seen of a game by this process."""

    game: str
    settings: GameSettings
    board: Board
    """As it stands after the latest phase that was seen."""
    talk: Talk = Talk.USUAL
    """How much of it is said."""
    started: float = field(default_factory=time.monotonic)
    phases: int = 0
    messages: int = 0
    turns: int = 0
    """On the conductor's floor those alone that began with a wake."""
    notices: int = 0
    calls: defaultdict[Power, Tally] = field(default_factory=lambda: defaultdict[Power, Tally](Tally))
    """Of powers whose language models were called; `all_calls` has those of all together."""
    all_calls: Tally = field(default_factory=Tally)
    stand_ins: dict[Power, str] = field(default_factory=dict[Power, str])
    """Who plays for which power, whose own model cannot be called."""
    waited: Sequence[Waited] = ()
    """Programs that are asked, as it was a moment ago."""

    @classmethod
    async def of(cls, store: Store, game: str, talk: Talk = Talk.USUAL) -> "Progress":
        """Nothing seen yet; raises UnknownGame."""
        settings = await store.library.settings(game)
        snapshot = (await standing_of(store, game)).state.get("board")
        board = board_from(snapshot) if snapshot else Board.start(settings.map_name)
        return cls(game, settings, board, talk)

    def take(self, record: Record) -> None:
        """Count what was committed."""
        match record:
            case PhaseRecord():
                self.phases += 1
                self.board = _after(record)
            case TurnRecord():
                self._count(record)
            case Words():
                for call in record.calls:
                    self.all_calls.add(call)

    def _count(self, turn: TurnRecord) -> None:
        self.turns += self._floor.is_counted(turn)
        self.messages += len(turn.messages)
        self.notices += len(turn.notices)
        for call in turn.calls:
            self.calls[turn.power].add(call)
            self.all_calls.add(call)
        if turn.stand_in:
            self.stand_ins[turn.power] = turn.stand_in
        else:
            self.stand_ins.pop(turn.power, None)

    @property
    def _floor(self) -> Floor:
        return floor_of(self.settings)

    @property
    def seconds(self) -> float:
        """Wall time since the run began."""
        return time.monotonic() - self.started

    @property
    def years(self) -> tuple[int, int]:
        """Years that are over, and years in all."""
        first = load_geography(self.settings.map_name).first_phase.year
        last = self.settings.max_year or first
        return min(self.board.phase.year, last + 1) - first, last - first + 1

    @property
    def centers(self) -> dict[Power, int]:
        """How many centers each power owns."""
        return {power: len(self.board.position.centers[power]) for power in self.board.powers}

    def counts(self) -> str:
        """Turns or wakes, messages and notices of this run, and what its language models have cost."""
        counts = f"{self.turns} {self._floor.turns_are}  {self.messages} messages  {self.notices} notices"
        made = self.all_calls
        spent = f"  {made.calls} calls  {tokens_text(made)} tokens  cost {cost_text(made)}"
        return counts + spent if made.calls else counts

    def player(self, power: Power) -> str:
        """Who plays the power now."""
        seat = self.settings.seat(power)
        return f"{self.stand_ins[power]} for {seat}" if power in self.stand_ins else seat

    def line(self, phase: str) -> str:
        """The phase that was just adjudicated, in one line."""
        centers = "  ".join(f"{power[:3]} {count}" for power, count in self.centers.items())
        stand_ins = "".join(f"  {name} for {power}" for power, name in sorted(self.stand_ins.items()))
        return f"{phase}  {centers}  {self.counts()}{stand_ins}  {self.seconds:.1f} s"

    @property
    def has_slow_seats(self) -> bool:
        """True where somebody plays who may think for long."""
        kinds = (kind_of(self.settings.seat(power)) for power in self.board.powers)
        return any(kind in (SeatKind.MODEL, SeatKind.PROGRAM) for kind in kinds)

    def summary(self) -> str:
        """The whole run, in one line."""
        return f"This run: {self.phases} phases  {self.counts()}  {self.seconds:.1f} s"


@asynccontextmanager
async def live_view(store: Store, progress: Progress) -> AsyncGenerator[None]:
    """Show the game's commits while the body runs."""
    if progress.talk is Talk.NONE:
        yield
        return
    console = talk_console()
    newest = await store.journal.newest()
    if progress.talk is Talk.ALL or not console.is_terminal or console.is_dumb_terminal:
        async with _alongside(
            _Counting(store.journal, progress, newest, console, console), _Waiting(store, progress, console)
        ):
            yield
        return
    screen = Live(Screen(progress), console=console, refresh_per_second=_REFRESHES_PER_SECOND, transient=True)
    with screen:
        async with _alongside(
            _Counting(store.journal, progress, newest, screen.console), _Waiting(store, progress)
        ):
            yield


@asynccontextmanager
async def _alongside(counting: "_Counting", waiting: "_Waiting") -> AsyncGenerator[None]:
    """Count and look while the body runs; a failure of the store is met, and told, by the run itself."""
    watching = [asyncio.create_task(counting.watch())]
    if counting.progress.has_slow_seats:
        watching.append(asyncio.create_task(waiting.watch()))
    try:
        yield
    finally:
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
        counting.progress.waited = ()
        with suppress(StoreUnavailable):
            await counting.take()


@dataclass
class _Waiting:
    """Looks who is waited for, and prints a line now and then where nothing moves."""

    store: Store
    progress: Progress
    console: PlainConsole | None = None
    _told: float = 0.0
    """When a line was printed last, in seconds since 1970, UTC."""

    async def watch(self) -> None:
        """Look as long as this is not cancelled."""
        while True:
            await asyncio.sleep(1 / _LOOKS_PER_SECOND)
            self.progress.waited = await waited_for(self.store, self.progress.game)
            if self.console and (line := self._line_due()):
                self.console.print(line, soft_wrap=True)

    def _line_due(self) -> str:
        """Who is waited for, where somebody has been for long and it was not told lately; empty otherwise."""
        if not self.progress.waited:
            return ""
        now = time.time()
        since = max(self._told, min(each.since for each in self.progress.waited))
        if now - since < _LONG_SECONDS:
            return ""
        self._told = now
        return f"{self.progress.board.phase}  waiting for {waited_text(self.progress.waited, now)}"


@dataclass
class _Counting:
    """Counts what the game commits, and prints a line for each phase where nothing moves."""

    journal: Journal
    progress: Progress
    sequence: int
    """Up to where it has been counted."""
    teller: Console
    """Where the crew is heard."""
    console: PlainConsole | None = None

    async def watch(self) -> None:
        """Count as long as this is not cancelled."""
        while True:
            await self.journal.wait_after(self.progress.game, self.sequence)
            await self.take()
            await asyncio.sleep(1 / _REFRESHES_PER_SECOND)  # what comes meanwhile is read as one

    async def take(self) -> None:
        """Count what is new."""
        has_more = True
        while has_more:
            records, self.sequence, has_more = await self.journal.records_after(
                self.progress.game, self.sequence
            )
            for record in records:
                self.progress.take(record)
                if isinstance(record, Words) and self.progress.talk is not Talk.ALL:
                    tell_words(self.teller, record)
                if self.console is None:
                    continue
                if self.progress.talk is Talk.ALL:
                    for event in events_of(record, "OPERATOR"):
                        self.console.print(event_line(event), soft_wrap=True)
                if isinstance(record, PhaseRecord):
                    self.console.print(self.progress.line(record.phase), soft_wrap=True)


def _after(record: PhaseRecord) -> Board:
    """The board after the phase: the record has the one before, and judging is deterministic."""
    orders: dict[Power, list[Order]] = {}
    for result in record.results:
        if not result.is_default:
            orders.setdefault(result.power, []).append(parse_order(result.order))
    return Board(board_from(record.board).adjudicate(orders).after)


class Screen:
    """Draws the progress anew at each refresh, so that the clock moves too."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        is_narrow = options.max_width < _NARROW
        waited = self._progress.waited
        lines = [Text(f"waiting for {waited_text(waited, time.time())}")] if waited else []
        yield Group(self._head(), *lines, self._bar(), self._table(is_narrow=is_narrow))

    def _head(self) -> Text:
        progress = self._progress
        return Text(f"{progress.board.phase}  {progress.counts()}  {progress.seconds:.0f} s")

    def _bar(self) -> Table:
        done, total = self._progress.years
        row = Table.grid(padding=(0, 1))
        last = self._progress.settings.max_year
        row.add_row(
            ProgressBar(total=total, completed=done, width=_BAR_WIDTH), f"{done}/{total} years, to {last}"
        )
        return row

    def _table(self, *, is_narrow: bool) -> Table:
        """Where there is little room, the centers alone."""
        progress, has_costs = self._progress, not is_narrow and self._has_costs
        table = plain_table()
        table.add_column("Power", no_wrap=True)
        if not is_narrow:
            table.add_column("Player", max_width=_PLAYER_WIDTH)
        for title in (*(_COSTS if has_costs else ()), "Centers"):
            table.add_column(title, justify="right", no_wrap=True)
        table.add_column("", no_wrap=True)
        for power, count in progress.centers.items():
            name = Text(displayable(progress.player(power)), no_wrap=True, overflow="ellipsis")
            player = () if is_narrow else (name,)
            costs = self._costs(power) if has_costs else ()
            table.add_row(power, *player, *costs, str(count), "█" * count)
        return table

    @property
    def _has_costs(self) -> bool:
        """False where a person plays: a power whose model is called more often than others has more mail."""
        settings = self._progress.settings
        has_people = any(settings.seat(power) == HUMAN for power in self._progress.board.powers)
        return bool(self._progress.calls) and not has_people

    def _costs(self, power: Power) -> tuple[str, ...]:
        made = self._progress.calls.get(power)
        return ("", "", "") if made is None else (str(made.calls), tokens_text(made), cost_text(made))
