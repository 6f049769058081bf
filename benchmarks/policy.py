"""How much of a policy server's time four episodes at once use: `python -m benchmarks.policy`.

The server is a process of its own with so many slots, each of which takes 200 ms for a call. A slot is busy while it
has a call. The whole batch is counted, from its first call to its last, so that phases in which fewer seats are asked
and the last episodes, which end one after another, count as idle slots.
"""

import argparse
import asyncio
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import NamedTuple

import httpx2
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from benchmarks.models import core_of_its_own
from benchmarks.tables import markdown
from benchmarks.yardstick import beside_the_yardstick
from checkpoints.store import open_store
from entente.board.engine import load_geography
from entente.games.runner import RunEnd
from entente.local_only import LocalOnly
from entente.loopback import LOOPBACK, serve_until_signal
from entente.training.config import parse_config
from entente.training.environment import DiplomacyEnvironment
from entente.training.policy import CompletionRequest, DiplomacyPolicyHandler, ScriptedPolicy

LATENCY_SECONDS = 0.2
PARALLEL = 4


class Slots:
    """A policy server's slots, and how long they have been busy."""

    def __init__(self, slots: int, latency_seconds: float) -> None:
        self._free = asyncio.Semaphore(slots)
        self._latency_seconds = latency_seconds
        self._policy = DiplomacyPolicyHandler(ScriptedPolicy())
        self._busy_seconds = 0.0
        self._first: float | None = None
        self._last = 0.0
        self._calls = 0

    def application(self) -> Starlette:
        """Answers completions, and says how busy it was."""
        return Starlette(
            routes=[
                Route("/v1/completions", self._answer, methods=["POST"]),
                Route("/busy", self._tell),
            ],
            middleware=[Middleware(LocalOnly)],
        )

    async def _answer(self, request: Request) -> JSONResponse:
        asked = CompletionRequest.model_validate(await request.json())
        async with self._free:
            began = time.monotonic()
            self._first = began if self._first is None else self._first
            answer = await self._policy.handle_completion(asked)
            await asyncio.sleep(max(0.0, self._latency_seconds - (time.monotonic() - began)))
            self._last = time.monotonic()
            self._busy_seconds += self._last - began
            self._calls += 1
        return JSONResponse(answer)

    async def _tell(self, _: Request) -> JSONResponse:
        wall = self._last - (self._first or 0)
        return JSONResponse({"busy": self._busy_seconds, "wall": wall, "calls": self._calls})


class Kept(NamedTuple):
    """A batch, as its server saw it."""

    slots: int
    busy: float
    """Share of the slots' time."""
    calls: int
    wall_seconds: float
    cpu_seconds: float
    """Of the process that plays."""


async def play(url: str, slots: int, episodes: int) -> float:
    """Play the episodes, four at once; seconds of CPU."""
    with TemporaryDirectory() as folder:
        config = parse_config(
            {
                "game_settings": {
                    "max_turns": 1,
                    "rounds": 2,
                    "powers": [
                        {"name": power, "model": "policy"} for power in load_geography("standard").powers
                    ],
                },
                "server_config": {"url": url, "concurrency": slots},
                "training": {"batch_size": PARALLEL, "save_replays": False},
            }
        )
        async with open_store(folder) as store, DiplomacyEnvironment(config, store) as environment:
            began = time.process_time()
            ends = await environment.run([f"episode-{number}" for number in range(episodes)])
            assert all(end.end is RunEnd.FINISHED for end in ends), ends
            return time.process_time() - began


def measure(slots: int, episodes: int) -> Kept:
    """A batch against a new server."""
    with served(slots) as url:
        cpu = asyncio.run(play(url, slots, episodes))
        told = httpx2.get(f"{url}/busy").json()
    return Kept(slots, told["busy"] / (slots * told["wall"]), told["calls"], told["wall"], cpu)


@contextmanager
def served(slots: int, latency_seconds: float = LATENCY_SECONDS) -> Generator[str]:
    """The address of a server in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.policy",
        "--serve",
        str(slots),
        "--latency",
        str(latency_seconds),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            with core_of_its_own(server.pid):
                yield server.stdout.readline().strip()
        finally:
            server.terminate()


async def serve(slots: int, latency_seconds: float) -> None:
    """Be the server until a signal comes."""

    def tell(address: str) -> None:
        print(address, flush=True)

    await serve_until_signal(
        Slots(slots, latency_seconds).application(), asyncio.Event(), LOOPBACK, 0, on_ready=tell
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=12)
    parser.add_argument("--slots", type=int, nargs="+", default=[4, 8, 16])
    parser.add_argument("--serve", type=int, metavar="SLOTS", help="be the server")
    parser.add_argument("--latency", type=float, default=LATENCY_SECONDS, help="of the server, in seconds")
    given = parser.parse_args()
    if given.serve:
        asyncio.run(serve(given.serve, given.latency))
        return
    with beside_the_yardstick():
        rows = [
            (
                str(kept.slots),
                f"{kept.busy:.0%}",
                str(kept.calls),
                f"{kept.wall_seconds:.1f} s",
                f"{1000 * kept.cpu_seconds / kept.calls:.1f} ms",
                f"{kept.cpu_seconds / kept.wall_seconds:.0%}",
            )
            for kept in (measure(slots, given.episodes) for slots in given.slots)
        ]
        print(markdown(("slots", "busy", "calls", "wall", "our CPU a call", "our CPU ÷ wall"), rows))


if __name__ == "__main__":
    main()
