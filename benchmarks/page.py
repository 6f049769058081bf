"""`make bench-page`: how soon what is committed reaches who watches it, with 200 spectators over five games.

`entente serve` plays four games, another process plays the fifth, and a third one holds all the streams. A clock
runs from the commit that lets a reader know of something (where people talk in rounds, the round's last one) until
its event has come in over HTTP. Seven players in each game think a second or two at each turn and write to all.

python -m benchmarks.page [--seconds N] [--postgres]
"""

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from benchmarks.conductor import times
from benchmarks.tables import markdown
from benchmarks.yardstick import beside_the_yardstick
from checkpoints.store import Store, open_store
from entente.games.roles import OPERATOR, role_of
from entente.games.runner import GameMaster
from entente.players.actions import SendMessage, SubmitOrders
from entente.players.bundle import Bundle
from entente.players.protocol import Reply
from entente.players.record import Record, TurnRecord
from entente.press.mailbox import Delayed, Reader
from entente.press.messages import BROADCAST, MessageType
from graph.context import GameSettings
from tests.support.postgres import postgres_server

BAR_SECONDS = 0.1
"""Until 95 of 100 events have reached a reader."""
SPECTATORS: dict[Reader, int] = {
    "PUBLIC": 34,
    Delayed(1): 2,
    "FRANCE": 1,
    "TURKEY": 1,
    "ITALY": 1,
    OPERATOR: 1,
}
"""Of each game."""
FLOORS = ("conductor", "rounds", "conductor", "rounds", "conductor")
"""Of each game; the last one is played by a process of its own."""
_THINKS_SECONDS = (1.0, 2.0)
_SEATED = "benchmarks.page:Talker"


class Talker:
    """Thinks, writes to all, and holds."""

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        """A turn, some time later."""
        await asyncio.sleep(random.uniform(*_THINKS_SECONDS))
        orders = SubmitOrders(orders=())
        if bundle.wants_orders:
            return Reply([orders])
        words = SendMessage(recipient=BROADCAST, message_type=MessageType.CHAT, content="Let us be friends.")
        return Reply([words, orders] if bundle.is_open else [words])


@dataclass
class Stream:
    """What came to one reader, and when."""

    game: str
    reader: Reader
    came: list[tuple[float, bytes]] = field(default_factory=list[tuple[float, bytes]])

    async def read(self, port: int, path: str, cookie: str) -> None:
        """Read until the server ends."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n"
        writer.write(head.encode())
        while part := await reader.read(65536):
            self.came.append((time.time(), part))
        writer.close()

    def told(self) -> Generator[tuple[float, dict[str, Any]]]:
        """Each event with the moment at which its last byte was there."""
        rest = b""
        for at, part in self.came:
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                if line.startswith(b'data: {"id"'):
                    yield at, json.loads(line[len(b"data: ") :])


class Process:
    """A command of ours, and what it takes."""

    def __init__(self, *arguments: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "entente", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
        )

    def cpu_seconds(self) -> float:
        """By now; proc(5): fields 14 and 15."""
        fields = self._proc("stat").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def most_memory(self) -> float:
        """Of all that it has had, in MB."""
        found = re.search(r"VmHWM:\s+(\d+) kB", self._proc("status"))
        return int(found[1]) / 1024 if found else 0.0

    def _proc(self, name: str) -> str:
        return Path(f"/proc/{self.process.pid}/{name}").read_text()


@contextmanager
def running(*arguments: str) -> Generator[Process]:
    """The command, until the block ends."""
    started = Process(*arguments)
    try:
        yield started
    finally:
        started.process.terminate()
        started.process.wait()


@dataclass(frozen=True)
class Measured:
    """What came of it all."""

    lags: dict[str, list[float]]
    """Seconds, by who played the game and on which floor."""
    cpu: float
    """Of the server, seconds in a second."""
    memory: float
    """Of the server, MB."""
    commits: float
    """A second, of turns and phases."""


async def measure(location: str, seconds: float) -> Measured:
    """Play, watch for so long, and compare what came with what was committed."""
    async with open_store(location) as store:
        games = [await _begun(store, floor) for floor in FLOORS]
        hosts = ["the server"] * (len(games) - 1) + ["another process"]
        names = [f"{floor}, {host}" for floor, host in zip(FLOORS, hosts, strict=True)]
        with ExitStack() as until_the_end:
            server = until_the_end.enter_context(running("serve", "--port", "0", "--store", location))
            assert server.process.stdout is not None
            link = await asyncio.to_thread(server.process.stdout.readline)
            until_the_end.enter_context(running("resume", games[-1], "--store", location))
            streams, reading = await _watch(store, link.strip(), games)
            await asyncio.sleep(5)  # all have come in
            began, cpu = time.time(), server.cpu_seconds()
            await asyncio.sleep(seconds)
            ended, cpu = time.time(), server.cpu_seconds() - cpu
            memory = server.most_memory()
        await asyncio.gather(*reading)
        lags: dict[str, list[float]] = {name: [] for name in sorted(names)}
        commits = 0
        for game, floor, name in zip(games, FLOORS, names, strict=True):
            due, count = await _due(store, game, floor, began, ended)
            commits += count
            for stream in streams:
                if stream.game == game and not isinstance(stream.reader, Delayed):
                    lags[name] += _lags(stream, due)
    return Measured(lags, cpu / (ended - began), memory, commits / (ended - began))


async def _begun(store: Store, floor: str) -> str:
    wakes: dict[str, Any] = {"max_wakes": 4} if floor == "conductor" else {"rounds": 3}
    return await GameMaster(store).begin(
        GameSettings(everyone=_SEATED, floor=floor, stalemate_years=0, **wakes)
    )


async def _watch(
    store: Store, operators: str, games: Sequence[str]
) -> tuple[list[Stream], list[asyncio.Task[None]]]:
    """All streams, open; and the games of the server played."""
    streams: list[Stream] = []
    reading: list[asyncio.Task[None]] = []
    base, _, token = operators.partition("#")
    root, port = base.partition("/at/")[0], int(base.split(":")[2].split("/")[0])
    async with httpx.AsyncClient(verify=False, timeout=60) as client:
        await client.post(f"{base}/enter", json={"token": token})
        csrf = {"x-csrf-token": (await client.get(f"{base}/me")).json()["csrf"]}
        for game in games[:-1]:
            (await client.post(f"{base}/games/{game}/run", json={}, headers=csrf)).raise_for_status()
        for game in games:
            for reader, count in SPECTATORS.items():
                made = await store.links.make(game, role_of(reader), seconds=3600)
                path = f"/at/{made.link.id}"
                entered = await client.post(f"{root}{path}/enter", json={"token": made.token})
                cookie = entered.headers["set-cookie"].partition(";")[0]
                for _ in range(count):
                    streams.append(stream := Stream(game, reader))
                    reading.append(
                        asyncio.create_task(stream.read(port, f"{path}/games/{game}/events", cookie))
                    )
    return streams, reading


async def _due(
    store: Store, game: str, floor: str, began: float, ended: float
) -> tuple[dict[float, float], int]:
    """By when something was committed: when its readers might know of it; and how many commits that were."""
    records: list[Record] = []
    sequence, has_more = 0, True
    while has_more:
        page, sequence, has_more = await store.journal.records_after(game, sequence)
        records += page
    over: dict[tuple[str, int], float] = {}
    for record in records:
        over[_round(record)] = max(over.get(_round(record), 0.0), record.at or 0.0)
    known = {
        record.at or 0.0: over[_round(record)] if floor == "rounds" else record.at or 0.0
        for record in records
    }
    return {at: due for at, due in known.items() if began < due < ended - 1}, sum(
        began < at < ended for at in known
    )


def _round(record: Record) -> tuple[str, int]:
    """The round of press that it belongs to; what is none is told by itself."""
    if isinstance(record, TurnRecord) and record.stage == "talk":
        return record.phase, record.round
    return record.phase, -record.sequence


def _lags(stream: Stream, due: dict[float, float]) -> Iterable[float]:
    for came, event in stream.told():
        if event["at"] in due:
            yield came - (event["at"] if stream.reader == OPERATOR else due[event["at"]])


def print_page(location: str, seconds: float) -> None:
    """The tables."""
    measured = asyncio.run(measure(location, seconds))
    every = [lag for lags in measured.lags.values() for lag in lags]
    rows = [times("all events", every, f"{1000 * BAR_SECONDS:.0f}")]
    rows += [times(name, lags) for name, lags in measured.lags.items()]
    print(markdown(("ms from commit to event", "bar, p95", "events", "p50", "p95", "max"), rows))
    spectators = len(FLOORS) * sum(SPECTATORS.values())
    rows = [
        ("spectators", f"{spectators}"),
        ("commits a second", f"{measured.commits:.1f}"),
        ("events a second", f"{len(every) / seconds:.0f}"),
        ("CPU of the server, games that it plays included", f"{measured.cpu:.0%} of a core"),
        ("memory of the server, at most", f"{measured.memory:.0f} MB"),
    ]
    print(markdown(("the page", "measured"), rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="how long is measured")
    parser.add_argument("--postgres", action="store_true", help="keep the games in a Postgres server")
    args = parser.parse_args()
    with ExitStack() as until_the_end:
        if args.postgres:
            location = until_the_end.enter_context(postgres_server()).new_database()
        else:
            location = until_the_end.enter_context(tempfile.TemporaryDirectory())
        until_the_end.enter_context(beside_the_yardstick())
        print_page(location, args.seconds)


if __name__ == "__main__":
    main()
