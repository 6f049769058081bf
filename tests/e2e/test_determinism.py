"""The same seed gives the same game in every process, whatever its hash seed."""

import os
import subprocess
import sys

_PLAY = """
import asyncio
from checkpoints.store import open_store
from graph.context import GameSettings
from entente.games.digest import journal_digest, state_digest
from entente.games.runner import GameMaster

async def play(floor):
    async with open_store("memory") as store:
        master = GameMaster(store)
        settings = GameSettings(everyone="diplomat", seats={"TURKEY": "random", "ITALY": "mac-the-knife"},
                                floor=floor, max_year=1901)
        standing = await master.run(await master.begin(settings))
        print(state_digest(standing.state), await journal_digest(store.journal, standing.game, standing.state))

for floor in ("rounds", "conductor"):
    asyncio.run(play(floor))
"""


def play(hash_seed: str) -> str:
    environment = os.environ | {"PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", _PLAY], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_state_and_journal_are_the_same_for_every_hash_seed() -> None:
    assert len({play(hash_seed) for hash_seed in ("0", "4711")}) == 1
