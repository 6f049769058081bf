"""What every player in the roster must do; a new player is held to it by adding its name to PLAYERS."""

import hashlib
import os
import subprocess
import sys
from functools import partial

import pytest

from entente.board.engine import load_geography
from entente.board.maps import SAFE_MAPS
from entente.players.roster import SCRIPTED, make_player
from tests.support.conformance import (
    Factory,
    check_game,
    check_turn,
    game_of,
    memory_sizes,
    moments,
    play_through,
)
from tests.support.table import Game, new_game, play

PLAYERS = SCRIPTED
TALKERS = ("diplomat", "transparent", "honest-joe", "mac-the-knife", "tit-for-tat", "pushover", "dumbbot")
MAPS = [name for name in SAFE_MAPS if load_geography(name).powers]
MOMENTS = moments()


@pytest.fixture(params=PLAYERS)
def factory(request: pytest.FixtureRequest) -> Factory:
    return partial(make_player, request.param)


@pytest.mark.parametrize("moment", MOMENTS, ids=str)
async def test_every_kind_of_turn_is_answered_within_the_rules(factory: Factory, moment: str) -> None:
    check_turn(MOMENTS[moment], (await factory().take_turn(MOMENTS[moment])).actions)


@pytest.mark.parametrize("moment", MOMENTS, ids=str)
async def test_the_same_bundle_gives_the_same_actions(factory: Factory, moment: str) -> None:
    player, bundle = factory(), MOMENTS[moment]
    first = list((await player.take_turn(bundle)).actions)
    assert list((await player.take_turn(bundle)).actions) == first
    assert list((await factory().take_turn(bundle)).actions) == first


@pytest.mark.parametrize("map_name", MAPS)
async def test_each_turn_on_each_map_keeps_the_rules(factory: Factory, map_name: str) -> None:
    phases = 8 if map_name == "standard" else 4
    check_game(await play_through(factory, map_name, rounds=2, phases=phases))


async def test_a_player_kept_through_the_game_plays_as_one_made_anew_each_turn(factory: Factory) -> None:
    anew = await game_of(factory, map_name="standard", years=2, rounds=2)
    kept = new_game("standard", "c")
    await play(kept, {power: factory() for power in kept.board.powers}, years=2, rounds=2)
    assert record(kept) == record(anew)


@pytest.mark.parametrize(
    "seats",
    [
        pytest.param(TALKERS, id="one of each", marks=pytest.mark.slow),
        pytest.param(("diplomat",), id="diplomats"),
    ],
)
async def test_memory_is_no_larger_after_twenty_years_than_after_a_few(seats: tuple[str, ...]) -> None:
    sizes = await memory_sizes([partial(make_player, name) for name in seats], years=20, rounds=2)
    assert len(sizes) == 20
    assert max(sizes) <= 3_000
    assert max(sizes[10:]) <= 1.5 * max(sizes[:10])


def record(game: Game) -> str:
    """Everything that happened in a game, as text."""
    lines = [f"{phase} {round_} {power} {actions}" for phase, round_, power, actions in game.actions]
    return "\n".join([*lines, str(game.board.snapshot())])


_PRINT_DIGESTS = """
import asyncio
from entente.players.roster import SCRIPTED, make_player
from tests.players.test_conformance import digest
print([asyncio.run(digest(name)) for name in SCRIPTED])
"""


async def digest(name: str) -> str:
    """A fingerprint of a game year among players of that name."""
    game = await game_of(lambda: make_player(name), map_name="standard", years=1, rounds=2)
    return hashlib.sha256(record(game).encode()).hexdigest()


def test_games_do_not_depend_on_the_hash_seed() -> None:
    runs = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", _PRINT_DIGESTS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("0", "4242")
    ]
    digests = {run.communicate()[0] for run in runs}
    assert all(run.returncode == 0 for run in runs)
    assert len(digests) == 1
