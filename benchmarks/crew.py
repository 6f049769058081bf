"""`make bench-crew`: how soon a model's first word is on its way to the page, over the page's own server.

`entente serve --crew` in a process of its own, and a model here that sends one word and waits. The clock runs from the
moment at which the model has sent that word until the first `agent_chunk` has come in over HTTP.

python -m benchmarks.crew [--turns N]
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import AsyncGenerator

import httpx

from benchmarks.conductor import times
from benchmarks.page import running
from benchmarks.tables import markdown
from benchmarks.yardstick import beside_the_yardstick
from checkpoints.store import open_store
from entente.games.runner import GameMaster
from graph.context import GameSettings
from tests.support.gated import Gated, gated

BAR_SECONDS = 0.3
"""Until the first character is there."""
_ACTION = "What does Germany want?"


async def measure(location: str, turns: int) -> list[float]:
    """Seconds from the model's first word to the first character, of each turn."""
    async with open_store(location) as store:
        master = GameMaster(store)
        game = await master.begin(GameSettings(everyone="dumbbot", seats={"FRANCE": "human"}, rounds=1))
        await master.run(game)
    async with gated() as model:
        with running("serve", "--port", "0", "--store", location, "--crew", model.spec) as server:
            assert server.process.stdout is not None
            link = (await asyncio.to_thread(server.process.stdout.readline)).strip()
            return [lag async for lag in _lags(model, link, game, turns)]


async def _lags(model: Gated, link: str, game: str, turns: int) -> AsyncGenerator[float]:
    base, _, token = link.partition("#")
    sent: list[float] = []
    model.on_first_word = lambda: sent.append(time.perf_counter())
    async with httpx.AsyncClient(verify=False, timeout=60) as client:
        await client.post(f"{base}/enter", json={"token": token})
        for _ in range(turns):
            model.begin_anew()
            sent.clear()
            asked = client.stream("GET", f"{base}/games/{game}/action/stream", params={"action": _ACTION})
            async with asked as response:
                async for line in response.aiter_lines():
                    if line == "event: agent_chunk" and not model.go.is_set():
                        yield time.perf_counter() - sent[0]
                        model.go.set()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--turns", type=int, default=100, help="how many turns are measured")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as location, beside_the_yardstick():
        lags = asyncio.run(measure(location, args.turns))
        rows = [times("all turns", lags, f"{1000 * BAR_SECONDS:.0f}")]
        heads = ("ms from the model's first word to the first character", "bar", "turns", "p50", "p95", "max")
        print(markdown(heads, rows))


if __name__ == "__main__":
    main()
