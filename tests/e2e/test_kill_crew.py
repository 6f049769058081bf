"""kill -9 while the crew tells a game: each phase is told once, and words that are kept are not paid for again."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from checkpoints.store import open_store
from entente.games.runner import GameMaster
from entente.players.record import Words
from graph.context import GameSettings
from tests.e2e.test_kill import begin
from tests.e2e.test_kill_models import Moment, play_until, provider


async def told(location: str, game: str) -> tuple[list[Words], list[str]]:
    """What the crew has told of the game, and its phases that are over."""
    async with open_store(location) as store:
        state = (await GameMaster(store).look(game)).state
        played = await store.journal.phases(game, state["history"])
        return await store.words.of(game), [phase.phase for phase in played]


def tell_and_kill(location: str, folder: Path, moments: Sequence[Moment], max_year: int) -> None:
    """Play a game that a model tells, killed at each of the moments, and count its words and calls."""
    with provider(folder) as server:
        crew = f"openai:mock@{server.url}"
        settings = GameSettings(everyone="dumbbot", floor="gunboat", max_year=max_year, crew=crew)
        game = asyncio.run(begin(location, settings))
        kills = 0
        for moment in (*moments, None):
            server.noted()  # leaves out what was answered to a process that was gone
            kills += not play_until(moment, server, location, game, folder / "trace")
        words, phases = asyncio.run(told(location, game))
        calls = server.calls
    assert kills == len(moments)
    for voice in ("keeper", "narrator"):
        assert [each.phase for each in words if each.voice == voice] == phases
    assert sum(len(each.calls) for each in words) == len(phases)
    assert len(phases) <= calls <= len(phases) + kills


@pytest.mark.parametrize("shared_location", ["sqlite"], indirect=True)
def test_each_phase_is_told_once_though_the_process_is_killed(shared_location: str, tmp_path: Path) -> None:
    """While a call is under way, and just after it was answered."""
    tell_and_kill(shared_location, tmp_path, [Moment(1, 0.0), Moment(2, 0.0)], 1901)


@pytest.mark.slow
def test_so_it_is_over_scores_of_kills(shared_location: str, tmp_path: Path) -> None:
    dice = Random(shared_location[:8])
    moments = [Moment(dice.randrange(1, 4), dice.uniform(0.0, 0.05)) for _ in range(20)]
    tell_and_kill(shared_location, tmp_path, moments, 1920)
