"""What a game leaves in its store, phase by phase: bytes of all values in all rows of checkpoints and journal."""

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from sqlalchemy import Connection, Table, create_engine, inspect, text
from sqlalchemy.engine import URL, make_url

from checkpoints.locations import JOURNAL_FILE
from checkpoints.store import open_store
from checkpoints.tables import HISTORY, THREAD
from entente.board.types import Phase
from entente.errors import PlayerError
from entente.games.runner import GameMaster
from entente.players.bundle import Bundle
from entente.players.protocol import Player, Reply
from entente.players.roster import make_player
from entente.players.seating import Chair
from graph.context import GameSettings


class Sizes(NamedTuple):
    """Bytes: in SQLite as the values were written, in Postgres as the rows are kept (it packs large values)."""

    checkpoints: int
    journal: int


class Meter:
    """Reads the sizes of a store with one game in it, past everything that the game itself uses."""

    def __init__(self, location: str) -> None:
        if location.startswith("postgresql://"):
            url = make_url(location).set(drivername="postgresql+psycopg")
        else:
            url = URL.create("sqlite", database=str(Path(location) / JOURNAL_FILE))
        self._engine = create_engine(url)

    def __enter__(self) -> "Meter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._engine.dispose()

    def read(self) -> Sizes:
        """The sizes now; none before the store was opened."""
        with self._engine.connect() as connection:
            there = set(inspect(connection).get_table_names())
            return Sizes(_bytes(connection, THREAD, there), _bytes(connection, HISTORY, there))


def _bytes(connection: Connection, tables: Sequence[Table], there: set[str]) -> int:
    total = 0
    for table in tables:
        if table.name not in there:
            continue
        if connection.dialect.name == "postgresql":
            row = f'pg_column_size("{table.name}".*)'
        else:
            names = (column.name for column in table.columns)
            row = " + ".join(f'ifnull(length(CAST("{name}" AS BLOB)), 0)' for name in names)
        total += connection.execute(text(f'SELECT coalesce(sum({row}), 0) FROM "{table.name}"')).scalar_one()
    return total


class Growth(NamedTuple):
    """Means of several phases: bytes, and turns that were asked for."""

    checkpoints: float
    journal: float
    turns: float


class Grown(NamedTuple):
    """A phase, and what it added."""

    phase: Phase
    checkpoints: int
    """Bytes."""
    journal: int
    """Bytes."""
    turns: int
    """Turns that were asked for."""


@dataclass
class Scale:
    """A player factory that weighs the store whenever the first turn of a phase is asked for.

    By then all phases before it are committed, and nothing of it but the first segment.
    """

    meter: Meter
    stop_at: str = ""
    """A phase in which every player fails, so that the game pauses there."""
    weighed: list[tuple[Phase, Sizes]] = field(default_factory=list[tuple[Phase, Sizes]])
    turns: Counter[Phase] = field(default_factory=Counter[Phase])

    def __call__(self, chair: Chair) -> Player:
        return _Weighing(make_player(chair.player), self)

    def at(self, phase: Phase) -> None:
        """Count the turn, and weigh at a phase's first; raises PlayerError at the phase to stop at."""
        if not self.weighed or self.weighed[-1][0] != phase:
            self.weighed.append((phase, self.meter.read()))
        if str(phase) == self.stop_at:
            raise PlayerError(f"The game is to stop at {phase}.")
        self.turns[phase] += 1

    def grown(self) -> list[Grown]:
        """What each phase added, but the last that was begun."""
        pairs = zip(self.weighed, self.weighed[1:], strict=False)
        return [
            Grown(
                phase,
                after.checkpoints - before.checkpoints,
                after.journal - before.journal,
                self.turns[phase],
            )
            for (phase, before), (_, after) in pairs
        ]


@dataclass(frozen=True)
class _Weighing:
    player: Player
    scale: Scale

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        self.scale.at(bundle.board.phase)
        return await self.player.take_turn(bundle)


async def play_on_the_scale(location: str, settings: GameSettings) -> list[Grown]:
    """Play a new game to its end; what each of its phases added, but the last."""
    async with open_store(location) as store:
        with Meter(location) as meter:
            scale = Scale(meter)
            master = GameMaster(store, scale)
            await master.run(await master.begin(settings))
    return scale.grown()


def mean_growth(grown: Sequence[Grown], years: range) -> Growth:
    """What a movement phase of these years added, mean of all of them."""
    phases = [g for g in grown if g.phase.is_movement and g.phase.year in years]
    return Growth(
        checkpoints=statistics.mean(g.checkpoints for g in phases),
        journal=statistics.mean(g.journal for g in phases),
        turns=statistics.mean(g.turns for g in phases),
    )
