"""kill -9 at random moments: every game ends as if nothing had happened, and no kept turn is taken again."""

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from checkpoints.store import open_store
from entente.games.digest import journal_digest, state_digest
from entente.games.runner import GameMaster, RunEnd
from graph.context import GameSettings
from graph.state import board_of
from tests.support.processes import play, stopped
from tests.support.stopping import Moment

SEATS = (
    GameSettings(everyone="diplomat", rounds=2, max_year=1902, stalemate_years=0),
    GameSettings(everyone="dumbbot", floor="gunboat", max_year=1904, stalemate_years=0),
    GameSettings(everyone="diplomat", seats={"FRANCE": "human"}, rounds=1, max_year=1901, stalemate_years=0),
)
KILLS_PER_GAME = 6
ON_POSTGRES = pytest.mark.postgres
IN_A_STORE = [
    pytest.param("sqlite", SEATS[0], id="sqlite-press"),
    pytest.param("postgres", SEATS[0], id="postgres-press", marks=ON_POSTGRES),
    pytest.param("sqlite", SEATS[1], id="sqlite-gunboat"),
    pytest.param("postgres", SEATS[2], id="postgres-person", marks=ON_POSTGRES),
]
"""24 kills; `make prove` kills every game in each store, and oftener."""


class End(NamedTuple):
    state: str
    journal: str


async def begin(location: str, settings: GameSettings) -> str:
    async with open_store(location) as store:
        return await GameMaster(store).begin(settings)


async def end_of(location: str, game: str) -> End:
    async with open_store(location) as store:
        standing = await GameMaster(store).look(game)
        assert standing.end is RunEnd.FINISHED
        return End(state_digest(standing.state), await journal_digest(store.journal, game, standing.state))


async def kept(location: str, game: str) -> set[str]:
    """The turns that the journal has, as the trace names them."""
    async with open_store(location) as store:
        segments = [segment.id for segment in await store.journal.segments(game)]
        turns = await store.journal.turns(game, segments)
        return {f"{t.phase} {t.round} {t.power} {t.number}" for t in turns if t.player != "human"}


@pytest.mark.parametrize(("shared_location", "settings"), IN_A_STORE, indirect=["shared_location"])
def test_a_game_that_is_killed_at_random_moments_ends_as_one_that_is_not(
    shared_location: str, settings: GameSettings, tmp_path: Path
) -> None:
    kill_and_compare(shared_location, settings, tmp_path, at_least=KILLS_PER_GAME)


SEQUENTIAL = GameSettings(
    everyone="diplomat", timing="sequential", rounds=1, max_year=1901, stalemate_years=0
)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> End:
    """How a sequential game ends that nobody kills."""
    location = str(tmp_path_factory.mktemp("undisturbed"))
    game = asyncio.run(begin(location, SEQUENTIAL))
    assert play(location, game, Path(location, "trace"), None)
    return asyncio.run(end_of(location, game))


@pytest.mark.parametrize(
    ("moment", "fell"),
    [
        (Moment.BEFORE_COMMIT, "before"),
        (Moment.BETWEEN_COMMITS, "between"),
        (Moment.BEFORE_CHECKPOINT, "after"),
    ],
)
def test_a_kill_before_between_and_after_the_commits_of_a_step_loses_nothing(
    shared_location: str, tmp_path: Path, undisturbed: End, moment: Moment, fell: str
) -> None:
    """Where the kill falls is chosen, and read back from the store: of a round's turns none, some or all stand."""
    killed = asyncio.run(begin(shared_location, SEQUENTIAL))
    with stopped(shared_location, killed, moment, 1, tmp_path / "report") as process:
        process.kill()
    assert asyncio.run(where_it_fell(shared_location, killed)) == fell
    stood = asyncio.run(kept(shared_location, killed))
    assert play(shared_location, killed, tmp_path / "killed", None)
    assert not stood.intersection((tmp_path / "killed").read_text().splitlines())
    assert asyncio.run(end_of(shared_location, killed)) == undisturbed


async def where_it_fell(location: str, game: str) -> str:
    """How much of the round in play stands: `before` its first turn's commit, `between` two, or `after` the last."""
    async with open_store(location) as store:
        standing = await GameMaster(store).look(game)
        turns = len(await store.journal.turns(game, standing.tasks))
    return {0: "before", len(board_of(standing.state).powers): "after"}.get(turns, "between")


@pytest.mark.slow
@pytest.mark.parametrize("settings", SEATS, ids=["press", "gunboat", "person"])
def test_so_it_does_over_hundreds_of_kills(
    shared_location: str, settings: GameSettings, tmp_path: Path
) -> None:
    kill_and_compare(shared_location, settings, tmp_path, at_least=50)


def kill_and_compare(shared_location: str, settings: GameSettings, tmp_path: Path, *, at_least: int) -> None:
    unkilled = asyncio.run(begin(shared_location, settings))
    assert play(shared_location, unkilled, tmp_path / "unkilled", None)
    expected = asyncio.run(end_of(shared_location, unkilled))
    turns = len((tmp_path / "unkilled").read_text().splitlines())

    dice = random.Random(f"{settings.everyone} {shared_location[:8]}")
    kills = 0
    while kills < at_least:
        game = asyncio.run(begin(shared_location, settings))
        trace = tmp_path / game
        trace.touch()
        stored: set[str] = set()
        repeated: list[str] = []
        finished = False
        while not finished:
            seen = len(trace.read_text().splitlines())
            # From the first moments to about the length of the whole game, most of them in its midst.
            limit = dice.uniform(0.0, 0.6) if kills < at_least else None
            finished = play(shared_location, game, trace, limit)
            kills += not finished
            asked = trace.read_text().splitlines()[seen:]
            repeated += [key for key in asked if key in stored]
            stored = asyncio.run(kept(shared_location, game))
        assert repeated == []
        assert asyncio.run(end_of(shared_location, game)) == expected
        asked_in_all = Counter(trace.read_text().splitlines())
        assert len(asked_in_all) == turns
