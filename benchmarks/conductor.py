"""`make bench-conductor`: how soon mail reaches its reader on the conductor's floor, and what a waking costs.

Seven diplomats play over SQLite as it is shipped. A message's clock runs from the commit that makes it stand until a
player is called with it in its inbox; beside it stands what the disk and the journal take by themselves.

python -m benchmarks.conductor [--years N] [--seeds N]
"""

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.ledger import Ledger, process_seconds
from benchmarks.tables import markdown
from benchmarks.yardstick import beside_the_yardstick
from checkpoints.journal import Journal
from checkpoints.store import open_store
from entente.board.types import Power
from entente.games.line import records_on_line
from entente.games.runner import GameMaster
from entente.players.actions import SendMessage
from entente.players.bundle import Bundle
from entente.players.protocol import Player, Reply
from entente.players.record import Segment, TurnRecord
from entente.players.seating import Chair
from entente.press.messages import Message, MessageType
from graph.context import GameSettings

BAR_SECONDS = 0.025
"""Until 95 of 100 messages have reached a reader."""
TRIPS = 300
"""How often the disk and the journal are asked by themselves."""


@dataclass
class Post:
    """When messages were committed, and how long each waited for each of its readers."""

    ledger: Ledger
    _committed: dict[str, float] = field(default_factory=dict[str, float])
    _read: dict[tuple[str, Power], float] = field(default_factory=dict[tuple[str, Power], float])

    def seat(self, chair: Chair) -> Player:
        """The roster's player; what is in its inbox when it is called has arrived."""
        return _Reader(self.ledger.seat(chair), self)

    async def note_commits(self, journal: Journal, game: str) -> None:
        """Note what is committed when it is."""
        sequence = 0
        while True:
            await journal.wait_after(game, sequence)
            now = time.perf_counter()
            records, sequence, _ = await journal.records_after(game, sequence)
            for record in records:
                if isinstance(record, TurnRecord):
                    self._committed |= dict.fromkeys((m.id for m in record.messages), now)

    def deliver(self, bundle: Bundle) -> None:
        """Stop the clocks of what this reader sees for the first time."""
        now = time.perf_counter()
        for message in bundle.inbox:
            self._read.setdefault((message.id, bundle.power), now)

    def waits(self) -> list[float]:
        """Seconds, of each message for each of its readers."""
        return [at - self._committed[message] for (message, _), at in self._read.items()]


@dataclass(frozen=True)
class _Reader:
    player: Player
    post: Post

    async def take_turn(self, bundle: Bundle, /) -> Reply:
        self.post.deliver(bundle)
        return await self.player.take_turn(bundle)


@dataclass(frozen=True)
class Game:
    """One game."""

    waits: list[float]
    turns: list[TurnRecord]
    """Of talk alone."""
    players: float
    """CPU seconds of the players."""
    others: float
    """CPU seconds of all but players and engine."""


async def play(settings: GameSettings, folder: str) -> Game:
    """Play the game to its end in a new store."""
    post = Post(Ledger())
    async with open_store(folder) as store:
        master = GameMaster(store, post.seat)
        game = await master.begin(settings)
        with post.ledger.over_the_engine():
            noting = asyncio.create_task(post.note_commits(store.journal, game))
            with process_seconds() as run:
                standing = await master.run(game)
            noting.cancel()
        records = await records_on_line(store.journal, game, standing.state)
    talk = [record for record in records if isinstance(record, TurnRecord) and record.stage == "talk"]
    engine, players = post.ledger.seconds["engine"], post.ledger.seconds["players"]
    return Game(post.waits(), talk, players, run.seconds - engine - players)


def fsyncs(folder: str) -> list[float]:
    """Seconds of an fsync of four fresh KB, one after the other."""
    seconds: list[float] = []
    with (Path(folder) / "fsync").open("wb", buffering=0) as file:
        for _ in range(TRIPS):
            file.write(bytes(4096))
            began = time.perf_counter()
            os.fsync(file.fileno())
            seconds.append(time.perf_counter() - began)
    return seconds


async def commits(folder: str) -> list[float]:
    """Seconds of a journal's commit of one turn with one message, one after the other."""
    seconds: list[float] = []
    async with open_store(folder) as store, store.leases.hold("g"):
        await store.journal.create_game("g", settings={})
        await store.journal.open_segment(_SEGMENT)
        for number in range(TRIPS):
            turn = _turn(number)
            began = time.perf_counter()
            await store.journal.commit_turn(turn)
            seconds.append(time.perf_counter() - began)
    return seconds


_SEGMENT = Segment(game="g", id="s", checkpoint="c", phase="S1901M", stage="talk", round=1)


def _turn(number: int) -> TurnRecord:
    said = SendMessage(recipient="ITALY", message_type=MessageType.CHAT, content="Let us be friends.")
    message = Message(
        id=f"S1901M.{number}.FRANCE.0",
        phase="S1901M",
        round=number,
        sender="FRANCE",
        recipient=said.recipient,
        message_type=said.message_type,
        content=said.content,
    )
    return TurnRecord(
        game=_SEGMENT.game,
        segment=_SEGMENT.id,
        power="FRANCE",
        number=number,
        phase="S1901M",
        stage="talk",
        round=number,
        player="diplomat",
        read_up_to=0,
        actions=(said,),
        messages=(message,),
    )


def times(name: str, seconds: Sequence[float], bar: str = "") -> tuple[str, ...]:
    """A row of milliseconds."""
    cuts = statistics.quantiles(seconds, n=100)
    figures = (cuts[49], cuts[94], max(seconds))
    return (name, bar, str(len(seconds)), *(f"{1000 * figure:.1f}" for figure in figures))


def amounts(games: Sequence[Game]) -> list[tuple[str, str]]:
    """What a phase of talk and a waking take."""
    turns = [turn for game in games for turn in game.turns]
    phases = sum(len({turn.phase for turn in game.turns}) for game in games)
    wakes = sum(turn.waking is not None and turn.waking.was_asked for turn in turns)
    messages = sum(len(turn.messages) for turn in turns)
    return [
        ("wakings a phase", f"{wakes / phases:.1f}"),
        ("messages a phase", f"{messages / phases:.1f}"),
        ("players' CPU a waking", f"{1000 * sum(game.players for game in games) / wakes:.2f} ms"),
        ("all other CPU a waking, engine left out", f"{1000 * sum(g.others for g in games) / wakes:.2f} ms"),
    ]


async def measure(years: int, seeds: int) -> None:
    """Play the games, and print the tables."""
    games: list[Game] = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(seeds):
            settings = GameSettings(
                everyone="diplomat", floor="conductor", seed=seed, max_year=1900 + years, stalemate_years=0
            )
            games.append(await play(settings, f"{folder}/{seed}"))
        waits = [wait for game in games for wait in game.waits]
        rows = [
            times("a message, from its commit to its reader", waits, f"{1000 * BAR_SECONDS:.0f}"),
            times("one commit of the journal by itself", await commits(f"{folder}/commits")),
            times("one fsync of this disk", fsyncs(folder)),
        ]
    print(markdown(("ms", "bar, p95", "times", "p50", "p95", "max"), rows))
    print(markdown(("on the conductor's floor", "measured"), amounts(games)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--years", type=int, default=5, help="game years of each game")
    parser.add_argument("--seeds", type=int, default=5, help="games that are played")
    args = parser.parse_args()
    with beside_the_yardstick():
        asyncio.run(measure(args.years, args.seeds))


if __name__ == "__main__":
    main()
