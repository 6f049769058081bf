"""What commands and the page say of damaged stores: thousands of copies of one, each with a value or bytes changed.

What is wanted is a sentence. Whatever ends in a traceback, takes longer than a time limit, hurts the game whose rows
were left alone, or is refused as damaged where `entente selfcheck` has found nothing, is counted and told, with what
was damaged.

python -m benchmarks.damage [--stores N] [--first N]
"""

import argparse
import asyncio
import logging
import re
import shutil
import signal
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from functools import partial
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, cast

from pydantic import JsonValue

from benchmarks.asgi import Browser
from benchmarks.damaged_doors import DOORS, OF_BATCH, WRITING, begin_batch, write
from benchmarks.damaging import damage_bytes, damage_rows
from benchmarks.models import scripted_model
from benchmarks.tables import markdown
from checkpoints.drafts import SeatDraft
from checkpoints.early import EarlyAnswer
from checkpoints.locations import JOURNAL_FILE
from checkpoints.shared import GameError
from checkpoints.store import open_store
from entente.cli.main import exit_code
from entente.errors import EntenteError
from entente.games.roles import OPERATOR, role_of
from entente.games.runner import GameMaster
from entente.players.seating import players_of_process
from entente.web.app import page_app
from entente.web.house import House
from graph.context import GameSettings
from tests.support.answers import an_order

MOST_SECONDS = 30
SHARE_OF_BYTES = 0.25
"""Of the stores, those whose file is damaged; the others have damaged values."""
SHARE_OF_VISITS = 0.5
"""Of the stores, those whose page is looked at."""
ROWS, CONDUCTED, OVER, SOUND = (f"0c1a{number}f04-0000-4000-8000-00000000000{number}" for number in range(4))
"""A game in rounds that waits for orders, one on the conductor's floor, one that is over, one that is never hurt."""
GAMES = (ROWS, CONDUCTED, OVER, *OF_BATCH)

READ = (
    "games list",
    "games list --json",
    "games show GAME",
    "games show GAME --json",
    "board GAME",
    "board GAME --json",
    "board GAME --svg",
    "board GAME --at S1901M",
    "board GAME --at S1901M --svg",
    "log GAME",
    "log GAME --json --operator",
    "log GAME --power FRANCE",
    "log GAME --raw --operator",
    "press GAME",
    "press GAME --json --operator",
    "usage GAME",
    "usage GAME --json",
    "watch GAME",
    "watch GAME --operator",
    "bundle GAME FRANCE",
    "bundle GAME ENGLAND --json --at F1901M",
    "prompts show GAME ENGLAND",
    "prompts show GAME ENGLAND --at S1901M.1",
    "tell GAME",
    "tell GAME --at S1901M",
    "train export GAME",
    "train export GAME --format chat",
    "ask GAME ENGLAND Why?",
    "ask GAME ENGLAND Why? --at F1901M",
    "games export GAME -",
    "links list",
)
WRITTEN = (
    "resume GAME",
    "turn GAME FRANCE",
    "repair GAME",
    "repair",
    "fork GAME --at S1901M",
    "fork GAME --at F1901M",
    "fork GAME --at S1901M.1.FRANCE",
    "games copy GAME",
    "games prune GAME",
    "games rename GAME tea",
    "games note GAME tea",
    "away GAME FRANCE",
    "back GAME FRANCE",
    "games delete GAME",
)
PATHS = ("", "/board", "/board?at=S1901M", "/centers", "/seats", "/commitments", "/seat", "/events")
READERS = (OPERATOR, "FRANCE", "PUBLIC")
SAID = ("I look at the map.", "Why did A PAR fail?")


class TooLong(BaseException):
    """Raised in whatever takes longer than MOST_SECONDS."""


@dataclass
class Found:
    """What was counted; each kind of trouble is told where it is first met."""

    counts: Counter[str] = field(default_factory=Counter[str])
    trouble: Counter[str] = field(default_factory=Counter[str])

    def note(self, kind: str, where: str) -> None:
        """Count a trouble."""
        self.counts[kind.partition(":")[0]] += 1
        self.trouble[kind] += 1
        if self.trouble[kind] == 1:
            print(f"{kind}\n  {where}\n", flush=True)


@dataclass(frozen=True)
class Ran:
    """What a command or a request came to."""

    code: int
    told: str
    trouble: str = ""


async def _play(location: str, address: str) -> None:
    """The games, with something in every table."""
    async with open_store(location) as store:
        players = players_of_process()
        master = GameMaster(store, players)
        seats = {"FRANCE": "human", "ENGLAND": f"openai:mock@{address}", "TURKEY": "diplomat"}
        for game, floor in ((ROWS, "rounds"), (CONDUCTED, "conductor")):
            rounds = {"rounds": 1} if floor == "rounds" else {}
            settings = GameSettings.model_validate(
                {"seats": seats, "everyone": "dumbbot", "max_year": 1902, "floor": floor, **rounds}
            )
            await master.begin(settings, game)
            standing = await master.run(game)
            while standing.state["phase"] == "S1901M" or (
                standing.pending and standing.pending[0].ask == "talk"
            ):
                seat = standing.pending[0]
                talk: JsonValue = {"messages": [{"to": "ITALY", "text": "Peace?"}]}
                standing = await master.answer(game, {seat: talk if seat.ask == "talk" else an_order(seat)})
            phase = standing.state["phase"]
            await store.drafts.keep(
                game, "FRANCE", phase, SeatDraft(messages=("ALL: hello",), orders=("A PAR H",))
            )
            early = EarlyAnswer(
                game=game, power="FRANCE", phase=phase, ask="orders", number=7, answer={"orders": []}
            )
            await store.early.keep(early, has_written=False, has_ordered=False)
        for game, everyone in ((OVER, "diplomat"), (SOUND, "hold")):
            settings = GameSettings(everyone=everyone, rounds=1, max_year=1901)
            await master.run(await master.begin(settings, game))
        await begin_batch(store)
        for game in GAMES:
            await store.links.make(game, role_of("FRANCE"), seconds=3600)
            async with _page(location, game, "OPERATOR") as browser:
                for action in SAID:
                    await browser.ask("POST", f"/games/{game}/action", {"action": action})


@asynccontextmanager
async def _page(location: str, game: str, reader: str) -> AsyncGenerator[Browser]:
    """The page as a reader of the game has it; whoever forks comes by a link to all games."""
    async with open_store(location) as store:
        house = House.over(store, players_of_process())
        try:
            made = await store.links.make(game, role_of(reader), seconds=60)
            yield await Browser.enter(page_app(house), made)
        finally:
            await house.close()


async def _look(location: str, game: str, reader: str, path: str) -> Ran:
    async with _page(location, game, reader) as browser:
        ran = await browser.ask("GET", f"/games/{game}{path}")
        if path == "/board":
            ran = await browser.ask("POST", f"/games/{game}/action", {"action": SAID[0]})
        return Ran(*ran)


async def _write(location: str, game: str, reader: str, path: str) -> Ran:
    async with _page(location, "" if path == "/fork" else game, reader) as browser:
        return Ran(*await write(browser, game, reader, path))


async def _enter(location: str, game: str, name: str) -> Ran:
    async with open_store(location) as store:
        try:
            return Ran(*await DOORS[name](store, game))
        except GameError as error:  # as a server tells any error of ours
            return Ran(500, str(error))


def _logged(action: Coroutine[Any, Any, Ran]) -> Ran:
    """What it came to, with the traceback that stands in the log instead of being raised, if one does."""
    err = StringIO()
    with redirect_stderr(err):
        ran = asyncio.run(action)
    told = err.getvalue()
    return replace(ran, trouble="a traceback in the log", told=told) if "Traceback" in told else ran


def _entente(*arguments: str, stdin: str = "") -> Ran:
    out, err = TextIOWrapper(BytesIO(), "utf-8", write_through=True), StringIO()
    given, sys.stdin = sys.stdin, StringIO(stdin)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = exit_code(arguments)
    finally:
        sys.stdin = given
    out.seek(0)
    told = out.buffer.read().decode(errors="replace") + err.getvalue()
    return Ran(code, told, "a traceback in the log" if "Traceback" in told else "")


@contextmanager
def _limited() -> Generator[None]:
    def stop(_number: int, frame: FrameType | None) -> None:
        raise TooLong("".join(traceback.format_stack(frame)[-6:]))

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(MOST_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


def tried(action: Callable[[], Ran]) -> Ran:
    """What came of it, whatever it was."""
    try:
        with _limited():
            return action()
    except SystemExit as stop:
        return Ran(int(str(stop.code or 0)), "")
    except EntenteError as error:
        return Ran(error.exit_code, str(error))
    except TooLong as error:
        return Ran(-1, str(error), f"hang: {_where(error)}")
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is counted
        return Ran(-1, "".join(traceback.format_exception(error)), f"traceback: {_where(error)}")


def _where(error: BaseException) -> str:
    """The kind of the error, and where in our own code it was raised."""
    if isinstance(error, BaseExceptionGroup):
        return _where(cast("BaseExceptionGroup[BaseException]", error).exceptions[0])
    frames = [
        f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
        if "site-packages" not in frame.filename and "/lib/python" not in frame.filename
    ]
    return f"{type(error).__name__} at {' < '.join(reversed(frames[-4:]))}"


def try_store(template: Path, number: int, found: Found) -> None:
    """Damage a copy of the store, and run commands on it."""
    random = Random(number)
    with tempfile.TemporaryDirectory() as folder:
        location = shutil.copytree(template, Path(folder, "store"))
        game, file = random.choice(GAMES), location / JOURNAL_FILE
        is_of_bytes = random.random() < SHARE_OF_BYTES
        done = damage_bytes(file, random) if is_of_bytes else damage_rows(file, game, random)
        found.counts["stores with flipped bytes" if is_of_bytes else "stores with changed values"] += 1
        before = file.read_bytes()
        checked = _note(found, partial(_entente, "selfcheck", str(location)), f"{number}: selfcheck ({done})")
        if file.read_bytes() != before:
            found.note("selfcheck changed the store", f"{number} ({done})")
        for name, action in _actions(str(location), game, random):
            ran = _note(found, action, f"{number}: {name} ({done})")
            is_refused = ran.code in (3, 500) and "damaged" in ran.told
            if is_refused and checked.code == 0:
                found.note(f"missed by selfcheck: {_outline(ran.told)}", f"{number}: {name} ({done})")
        if not is_of_bytes:
            left = tried(partial(_entente, "log", SOUND, "--store", str(location)))
            if left.code or "damaged" in left.told:
                found.note(f"another game hurt: {_outline(left.told)}", f"{number} ({done})")


def _actions(location: str, game: str, random: Random) -> Iterator[tuple[str, Callable[[], Ran]]]:
    for command in random.sample(READ, 3):
        yield command, partial(_entente, *_words(command, game), "--store", location)
    path, reader = random.choice(PATHS), random.choice(READERS)
    if random.random() < SHARE_OF_VISITS:
        yield f"page {reader} {path}", lambda: _logged(_look(location, game, reader, path))
    role, written = random.choice(WRITING)
    if random.random() < SHARE_OF_VISITS:
        yield f"page {role} writes {written}", lambda: _logged(_write(location, game, role, written))
    door = random.choice(("arena goes on",) if game in OF_BATCH and random.random() < 0.5 else [*DOORS])
    if random.random() < SHARE_OF_VISITS:
        yield door, lambda: _logged(_enter(location, game, door))
    command, stdin = random.choice(WRITTEN), random.choice(("ITALY: Peace?\n", "A PAR H\n"))
    yield command, partial(_entente, *_words(command, game), "--store", location, stdin=stdin)


def _words(command: str, game: str) -> list[str]:
    return [game if word == "GAME" else word for word in command.split()]


def _note(found: Found, action: Callable[[], Ran], where: str) -> Ran:
    found.counts["commands and requests"] += 1
    ran = tried(action)
    if ran.trouble:
        found.note(ran.trouble, f"{where}\n{ran.told[-1500:]}")
    return ran


def _outline(told: str) -> str:
    """The sentence without what differs from game to game."""
    return re.sub(r"[0-9a-f]{8}[-0-9a-f/.]*", "…", told.strip().splitlines()[-1] if told.strip() else "")[
        :200
    ]


def _table(counts: Mapping[str, int]) -> str:
    return markdown(("what", "how many"), [(name, f"{count:,}") for name, count in sorted(counts.items())])


def main() -> None:
    """Print each kind of trouble with the first store that has it, then the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--stores", type=int, default=3000)
    parser.add_argument("--first", type=int, default=0)
    wanted = parser.parse_args()
    logging.disable(logging.WARNING)
    found = Found()
    with tempfile.TemporaryDirectory() as folder, scripted_model(latency_seconds=0) as address:
        template = Path(folder, "template")
        asyncio.run(_play(str(template), address))
        for number in range(wanted.first, wanted.first + wanted.stores):
            try_store(template, number, found)
            if number % 100 == 99:
                print(_table(found.counts), file=sys.stderr, flush=True)
    print(_table(found.counts))


if __name__ == "__main__":
    main()
