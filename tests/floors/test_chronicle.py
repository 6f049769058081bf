"""What happened, as prompts are told it: derived from the journal, the same wherever the game is gone on with."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import NamedTuple

import pytest

from checkpoints.store import Store
from entente.board.engine import Board
from entente.errors import CheckpointError
from entente.floors.chronicle import CHRONICLE_LINES, chronicle, news
from entente.games.forks import fork_game
from entente.games.runner import GameMaster, Standing
from entente.players.bundle import Bundle
from entente.players.record import results_of
from graph.context import GameSettings
from graph.state import board_from, board_of
from tests.support.copied import copy_of, fill
from tests.support.players import Cast

SETTINGS = GameSettings(everyone="dumbbot", floor="gunboat", max_year=1905, stalemate_years=0)


class Played(NamedTuple):
    """A game that was played to its end, long enough for more events than are told."""

    folder: Path
    """The store that has it and nothing else."""
    standing: Standing
    cast: Cast
    """Everybody who played, with all that they were told."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """It is played once; each test has a copy."""
    folder, cast = tmp_path_factory.mktemp("played") / "store", Cast()

    async def play(store: Store) -> Standing:
        master = GameMaster(store, cast)
        return await master.run(await master.begin(SETTINGS))

    return Played(folder, fill(folder, play), cast)


@pytest.fixture
async def kept(played: Played, tmp_path: Path) -> AsyncGenerator[Store]:
    """A store of one's own with the game."""
    async with copy_of(played.folder, tmp_path / "kept") as copy:
        yield copy


async def story(store: Store, standing: Standing) -> list[tuple[str, list[str]]]:
    """Every phase of the game, and all that it changed."""
    phases = await store.journal.phases(standing.game, standing.state["history"])
    after = [*(board_from(phase.board) for phase in phases[1:]), board_of(standing.state)]
    return [(phase.phase, news(phase, board)) for phase, board in zip(phases, after, strict=True)]


def told(events: list[tuple[str, list[str]]], bundle: Bundle) -> tuple[str, ...]:
    """What the bundle should tell: the latest lines of the phases before its own."""
    earlier = [phase for phase, _ in events].index(str(bundle.board.phase))
    return tuple(line for _, lines in events[:earlier] for line in lines)[-CHRONICLE_LINES:]


async def test_every_turn_is_told_the_latest_events_of_all_phases_before(kept: Store, played: Played) -> None:
    _, standing, cast = played
    events = await story(kept, standing)
    assert len(cast.seen[-1].chronicle) == CHRONICLE_LINES
    for bundle in cast.seen:
        assert bundle.chronicle == told(events, bundle)


async def test_every_turn_is_told_all_retreats_and_builds_since_the_latest_movement_phase(
    kept: Store, played: Played
) -> None:
    _, standing, cast = played
    phases = await kept.journal.phases(standing.game, standing.state["history"])
    names = [phase.phase for phase in phases]
    lengths = set[int]()
    for bundle in cast.seen:
        since = list(bundle.since_movement)
        end = names.index(str(bundle.board.phase))
        assert [phase.name for phase in since] == names[end - len(since) : end]
        assert not any(phase.name.endswith("M") for phase in since)
        assert bundle.last_movement_phase == ("" if not end else names[end - len(since) - 1])
        assert all(
            phase.results == results_of(record)
            for phase, record in zip(since, phases[end - len(since) :], strict=False)
        )
        lengths.add(len(since))
    assert lengths == {0, 1, 2}


async def test_the_state_tells_what_the_phase_before_changed_and_no_more(kept: Store, played: Played) -> None:
    events = await story(kept, played.standing)
    fork = await fork_game(kept, played.standing.game, "W1903A", {})
    state = (await GameMaster(kept).look(fork)).state
    place = [phase for phase, _ in events].index("W1903A")
    assert state["chronicle"] == events[place - 1][1]
    assert any(" took " in line for line in state["chronicle"])


async def test_a_fork_is_told_what_happened_before_it(kept: Store, played: Played) -> None:
    cast = Cast()
    fork = await fork_game(kept, played.standing.game, "F1903M", {"FRANCE": "hold"})
    standing = await GameMaster(kept, cast).run(fork)
    events = await story(kept, standing)
    assert cast.seen[0].chronicle == next(
        bundle.chronicle for bundle in played.cast.seen if str(bundle.board.phase) == "F1903M"
    )
    for bundle in cast.seen:
        assert bundle.chronicle == told(events, bundle)


async def test_a_copy_that_nobody_has_read_yet_is_told_the_same(
    store: Store, kept: Store, played: Played
) -> None:
    master = GameMaster(store)
    game = await master.begin(SETTINGS)
    state = (await master.run(game)).state
    copy = await store.library.copy(game)
    of_both = [await chronicle(store.journal, id, state["history"], board_of(state)) for id in (game, copy)]  # noqa: A001
    events = await story(kept, played.standing)
    assert of_both == [tuple(line for _, lines in events for line in lines)[-CHRONICLE_LINES:]] * 2


async def test_a_journal_that_has_lost_a_phase_is_told_of(memory_store: Store) -> None:
    with pytest.raises(CheckpointError, match="the row lost of phases: it is missing"):
        await chronicle(memory_store.journal, "game", "lost", Board.start())
