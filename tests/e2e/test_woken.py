"""A run that is stopped for longer than its lease, and woken after another has played on, changes nothing.

The process stops itself (SIGSTOP) at a moment of a chosen kind and says so; another then plays on, and has
finished the game, paused it, or is in the middle of a turn when the first is woken (SIGCONT).
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from langgraph.runtime import RunControl
from sqlalchemy import Connection, select

from checkpoints.store import Store, open_store
from checkpoints.tables import GAMES, HISTORY, THREAD
from entente.errors import GameHeld
from entente.games.runner import GameMaster, RunEnd
from entente.players.bundle import Bundle
from entente.players.protocol import Player, Reply
from entente.players.roster import make_player
from entente.players.seating import Chair
from graph.context import GameSettings
from tests.e2e.test_kill import End, begin, end_of, kept
from tests.support.processes import Stopped, stopped
from tests.support.stopping import Moment

Stage = Literal["finished", "paused", "in mid-turn"]
"""How far the other run is when the first is woken."""
STAGES: tuple[Stage, ...] = ("finished", "paused", "in mid-turn")

MOMENTS = [moment for moment in Moment if moment is not Moment.IN_TRANSACTION]
"""A run that is stopped inside a transaction keeps SQLite's lock, and nobody plays on (`test_stopped_writer`)."""

PRESS = GameSettings(everyone="diplomat", timing="sequential", rounds=1, max_year=1901, stalemate_years=0)
CONDUCTED = GameSettings(
    everyone="diplomat", floor="conductor", debounce_ms=0, max_year=1901, stalemate_years=0
)


@dataclass
class Other:
    """The players of the run that goes on; before the first of them is asked in its second step, something is done."""

    does: Callable[[], Awaitable[None]] | None = None
    asked: list[str] = field(default_factory=list[str])
    steps: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    waits: asyncio.Lock = field(default_factory=asyncio.Lock)
    """All who are asked at once wait with the first, so that nothing else is written meanwhile."""

    def __call__(self, chair: Chair) -> Player:
        return _Asked(make_player(chair.player), self)

    async def ask(self, bundle: Bundle) -> None:
        """Note who is asked for what."""
        place = bundle.wake or bundle.round
        self.asked.append(f"{bundle.board.phase} {place} {bundle.power} {int(bool(bundle.rejected))}")
        async with self.waits:
            self.steps.add((str(bundle.board.phase), bundle.round))
            if len(self.steps) == _SECOND and self.does is not None:
                does, self.does = self.does, None
                await does()


_SECOND = 2


@dataclass(frozen=True)
class _Asked:
    player: Player
    other: Other

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        await self.other.ask(bundle)
        return await self.player.take_turn(bundle)


def everything(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables but the leases'."""
    tables = (GAMES, *HISTORY, *THREAD)
    return {table.name: sorted(map(tuple, connection.execute(select(table))), key=repr) for table in tables}


async def takes_over(store: Store, players: Other, game: str, control: RunControl | None = None) -> None:
    """Play the game once its holder is taken for dead."""
    while True:
        try:
            await GameMaster(store, players).run(game, control=control)
        except GameHeld:
            await asyncio.sleep(0.02)
        else:
            return


async def woken_after(location: str, game: str, first: Stopped, stage: Stage) -> list[str]:
    """What the other run's players were asked, the first run woken at this stage of it and refused."""
    async with open_store(location) as store:

        async def wake() -> None:
            before = await store.library.database.read(everything)
            assert await asyncio.to_thread(first.wake) == "LeaseLost"
            assert await store.library.database.read(everything) == before

        if stage == "in mid-turn":
            players = Other(wake)
            await takes_over(store, players, game)
            assert players.does is None
            return players.asked
        control = RunControl()

        async def drain() -> None:
            control.request_drain("the test")

        players = Other(drain if stage == "paused" else None)
        await takes_over(store, players, game, control)
        await wake()
        standing = await GameMaster(store, players).run(game)
        assert standing.end is RunEnd.FINISHED
        return players.asked


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[GameSettings], End]:
    """How a game of these settings ends."""
    ends: dict[str, End] = {}

    def end(settings: GameSettings) -> End:
        key = settings.model_dump_json()
        if key not in ends:
            ends[key] = asyncio.run(_played(str(tmp_path_factory.mktemp("undisturbed")), settings))
        return ends[key]

    return end


async def _played(location: str, settings: GameSettings) -> End:
    game = await begin(location, settings)
    async with open_store(location) as store:
        await GameMaster(store).run(game)
    return await end_of(location, game)


def stop_and_wake(
    location: str, folder: Path, settings: GameSettings, moment: Moment, count: int, stage: Stage
) -> End:
    """The end of a game whose first run was stopped at the moment and woken too late; no kept turn is asked again."""
    game = asyncio.run(begin(location, settings))
    with stopped(location, game, moment, count, folder / game) as first:
        stood = asyncio.run(kept(location, game))
        asked = asyncio.run(woken_after(location, game, first, stage))
    if settings is PRESS:  # on the conductor's floor a power is asked as often as it is woken
        assert not stood.intersection(asked)
        assert len(asked) == len(set(asked))
    return asyncio.run(end_of(location, game))


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_run_that_was_stopped_and_woken_too_late_writes_nothing(
    shared_location: str, tmp_path: Path, undisturbed: Callable[[GameSettings], End], moment: Moment
) -> None:
    stage = STAGES[MOMENTS.index(moment) % len(STAGES)]
    nth = 1 if moment is Moment.IDLE else 4
    assert stop_and_wake(shared_location, tmp_path, PRESS, moment, nth, stage) == undisturbed(PRESS)


@pytest.mark.slow
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("moment", MOMENTS)
def test_so_it_is_for_sixty_runs_at_every_moment_and_stage(
    shared_location: str,
    tmp_path: Path,
    undisturbed: Callable[[GameSettings], End],
    moment: Moment,
    stage: Stage,
) -> None:
    for settings in (PRESS, CONDUCTED):
        nth = 1 if moment is Moment.IDLE else 2
        end, expected = (
            stop_and_wake(shared_location, tmp_path, settings, moment, nth, stage),
            undisturbed(settings),
        )
        if settings is CONDUCTED and stage == "paused":
            # A pause, however it comes about, is noted in the journal: a stretch of talk ends with it.
            assert end.state == expected.state
        else:
            assert end == expected
