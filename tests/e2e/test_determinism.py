"""The same seed gives the same game in every process, whatever its hash seed."""

import os
import subprocess
import sys

import pytest

_PLAY = """
import asyncio
from checkpoints.store import open_store
from graph.context import GameSettings
from graph.digest import journal_digest, state_digest
from graph.master import GameMaster

async def main():
    async with open_store("memory") as store:
        master = GameMaster(store)
        settings = GameSettings(everyone="diplomat", seats={"TURKEY": "random", "ITALY": "mac-the-knife"},
                                rounds=2, max_year=1902)
        standing = await master.run(await master.begin(settings))
        print(state_digest(standing.state), await journal_digest(store.journal, standing.game, standing.state))

asyncio.run(main())
"""


def play(hash_seed: str) -> str:
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", _PLAY], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture(scope="module")
def first() -> str:
    return play("0")


@pytest.mark.parametrize("hash_seed", ["1", "4711", "random"])
def test_state_and_journal_are_the_same_for_every_hash_seed(first: str, hash_seed: str) -> None:
    assert play(hash_seed) == first
