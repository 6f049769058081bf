"""Programs in processes of their own, in JSON lines: played, failed in every way, started anew, and told nothing of
another's.
"""

import asyncio
import json
import re
import shlex
import sys
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
from pydantic import JsonValue

from checkpoints.archive import export_game, import_game
from checkpoints.store import Store, open_store
from entente.errors import PlayerError, SettingsError, UntrustedGame
from entente.events import Event, EventKind
from entente.games.feed import follow
from entente.games.runner import GameMaster, RunEnd
from entente.models.client import Connections
from entente.players.outside import MOST_REQUESTS, OutsideAgent, command_of
from entente.players.program import AgentPlayer, SeatHandle
from entente.players.protocol import Player
from entente.players.seat_events import SeatEvent
from entente.players.seat_protocol import ANSWERS, Answer
from entente.players.seat_protocol import Event as Told
from entente.players.seating import Chair, Programs, Seating
from graph.context import GameSettings
from tests.support.canaries import CANARY, OF_FLOOR, a_cast, foreign
from tests.support.patience import PATIENCE
from tests.support.processes import driver, play
from tests.support.terminal import entente, json_lines
from tests.web.served import served

EXAMPLE = Path(__file__).parents[2] / "examples" / "json_lines_bot.py"

BEGINNING = """
import json, os, pathlib, sys, time
HERE = pathlib.Path(__file__).parent

def tell(**request):
    print(json.dumps(request), flush=True)

def ask(**request):
    tell(**request)
    line = sys.stdin.readline()
    if not line:
        sys.exit()
    with open(HERE / "told", "a") as told:
        told.write(line)
    return json.loads(line)

def turns():
    with open(HERE / "started", "a") as started:
        print(os.getpid(), file=started)
    while True:
        yield ask(do="wait_for_event")

def hold(event):
    if "orders" in event["wants"]:
        units = ask(do="my_possible_orders")["orders"]
        ask(do="submit_orders", phase=event["phase"], orders=[each[0] for each in units.values()])

print("canary-FRANCE-memory", file=sys.stderr, flush=True)
"""

HANGS = "it did not end its turn within 1 s"
NO_REQUEST = "it sent a line that is no request of the seat protocol"
FAULTS = {
    "dies": ("sys.exit(3)", "it ended in the midst of its turn"),
    "is killed": ("os.kill(os.getpid(), 9)", "it ended in the midst of its turn"),
    "hangs": ("time.sleep(3600)", HANGS),
    "hangs with its output closed": ("os.close(1); time.sleep(3600)", "it ended in the midst of its turn"),
    "dies and leaves a child that hangs": (
        "os.fork() and os._exit(0); time.sleep(3600)",
        HANGS,
    ),
    "leaves a child that nobody can find": (
        "os.fork() or (os.setsid(), time.sleep(5)); sys.exit()",
        "it ended in the midst of its turn",
    ),
    "reads nothing": (
        "[tell(do='board_state') for _ in range(400)]; time.sleep(3600)",
        HANGS,
    ),
    "floods with requests": (
        "[ask(do='my_possible_orders') for _ in range(10**6)]",
        f"it made more than {MOST_REQUESTS} requests in one turn",
    ),
    "floods with one line": ("os.write(1, b'a' * 10**6)", "it sent a line of more than 65536 bytes"),
    "floods without end": (
        "while True: os.write(1, b'a' * 65536)",
        "it sent a line of more than 65536 bytes",
    ),
    "floods with lines": ("while True: os.write(1, b'\\n' * 65536)", NO_REQUEST),
    "sends garbage": ("print('A PAR - canary-FRANCE-order', flush=True)", NO_REQUEST),
    "sends bytes": ("os.write(1, bytes(range(128, 250)) + b'\\n')", NO_REQUEST),
    "sends half a line": ("os.write(1, b'{\"do\": '); sys.exit()", NO_REQUEST),
    "sends what is nested deep": ("os.write(1, b'[' * 60000 + b'\\n')", NO_REQUEST),
    "asks for what there is not": ("tell(do='adjudicate')", NO_REQUEST),
    "answers": ("tell(answer='orders_read', is_taken=True, lines=[])", NO_REQUEST),
    "orders for another": (
        "tell(do='submit_orders', phase='F1901M', power='GERMANY', orders=['A MUN - BUR'])",
        NO_REQUEST,
    ),
    "writes for another": (
        "tell(do='send_press', phase='F1901M', sender='GERMANY', to='ITALY', text='canary-GERMANY-to-ITALY')",
        NO_REQUEST,
    ),
    "waits for another": ("tell(do='wait_for_event', power='GERMANY')", NO_REQUEST),
    "acts for a phase that is over": (
        "tell(do='submit_orders', phase='S1901M', orders=['A PAR - BUR'])",
        "it acted for another phase than F1901M, which was in play",
    ),
    "acts for a phase to come": (
        "tell(do='submit_orders', phase='S1902M', orders=['A PAR - BUR'])",
        "it acted for another phase than F1901M, which was in play",
    ),
}
"""What a program does in the autumn, and what is told of it."""
GAMES_AT_ONCE = 4
"""Those whose programs hang are waited for together."""


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., str]:
    """Writes a program and names it as a seat does."""

    return partial(written, tmp_path)


def written(folder: Path, body: str) -> str:
    folder.mkdir(exist_ok=True)
    path = folder / "bot.py"
    path.write_text(BEGINNING + body, encoding="utf-8")
    return named(path)


def named(path: Path) -> str:
    return f"exec:{shlex.join([sys.executable, '-S', str(path)])}"


class Hurried(OutsideAgent):
    """A program that has a second for what it does in the autumn, and its time for all else."""

    async def wake(self, handle: SeatHandle, events: Sequence[SeatEvent], /) -> None:
        is_hurried = handle.phase == "F1901M" and "orders" in handle.wants
        self._seconds = 1.0 if is_hurried else PATIENCE
        await super().wake(handle, events)


@pytest.fixture
async def players() -> AsyncGenerator[Callable[[Chair], Player]]:
    """Programs as they are started for a game, and the secretive or silent cast in the other seats."""
    async with Connections() as connections, Programs() as programs:
        cast, seating = a_cast(), Seating(connections, {}, programs)
        yield lambda chair: (cast if chair.player.startswith("openai:") else seating)(chair)


def settings(player: str, floor: str = "rounds", **others: object) -> GameSettings:
    values: dict[str, object] = {"seats": {"FRANCE": player}, "everyone": "hold", "max_year": 1901}
    rounds = {"rounds": 1} if floor == "rounds" else {}
    return GameSettings.model_validate(values | rounds | others | {"floor": floor})


async def told_to(store: Store, game: str, reader: str) -> list[Event]:
    return [event async for event in follow(store, game, reader)]


@pytest.mark.parametrize("floor", ["rounds", "conductor", "gunboat"])
async def test_the_example_plays_a_year_on_every_floor(memory_store: Store, floor: str) -> None:
    async with Connections() as connections, Programs() as programs:
        master = GameMaster(memory_store, Seating(connections, {}, programs))
        standing = await master.run(await master.begin(settings(named(EXAMPLE), floor)))
    events = await told_to(memory_store, standing.game, "FRANCE")
    assert standing.end is RunEnd.FINISHED
    wrote = {str(event.data["recipient"]) for event in events if event.kind is EventKind.MESSAGE}
    assert len(wrote) == (0 if floor == "gunboat" else 6)
    assert [event.text for event in events if event.kind is EventKind.NOTICE] == []
    spring = next(event for event in events if event.kind is EventKind.PHASE)
    assert "'FRANCE', 'order': 'A PAR - " in str(spring.data["results"])


async def test_a_program_that_fails_is_stood_in_for_and_started_anew(
    memory_store: Store, tmp_path: Path
) -> None:
    room, programs = asyncio.Semaphore(GAMES_AT_ONCE), Programs()

    def agent_of(chair: Chair, reason: str) -> Player:
        if chair.power != "FRANCE":
            return Seating(Connections(), {})(chair)
        made = (Hurried if reason == HANGS else OutsideAgent)(command_of(chair.player))
        return programs.at(chair, lambda: AgentPlayer(made))

    async def play(fault: str, does: str, reason: str) -> None:
        folder = tmp_path / fault
        bot = written(
            folder,
            f"""
for event in turns():
    if event["phase"] == "F1901M" and "orders" in event["wants"]:
        {does}
    hold(event)
""",
        )
        master = GameMaster(memory_store, partial(agent_of, reason=reason))
        async with room:
            standing = await master.run(await master.begin(settings(bot, on_failure="hold", max_year=1902)))
        assert standing.end is RunEnd.FINISHED
        events = await told_to(memory_store, standing.game, "OPERATOR")
        stood_in = [
            event for event in events if event.kind is EventKind.NOTICE and event.data["kind"] == "stood_in"
        ]
        assert {event.phase for event in stood_in} == {"F1901M"}, fault
        why = f"hold stands in for {bot}, which failed: {reason}"
        assert all(why in event.text for event in stood_in), (fault, stood_in[0].text)
        assert not any("canary" in event.text or "A MUN - BUR" in event.text for event in events), fault
        assert len(set((folder / "started").read_text().split())) == 2, fault

    async with programs, asyncio.TaskGroup() as games:
        for fault, case in FAULTS.items():
            games.create_task(play(fault, *case))


def test_a_program_that_fails_is_told_on_every_surface(tmp_path: Path) -> None:
    bot = written(
        tmp_path, 'for event in turns():\n    event["phase"][0] == "F" and sys.exit(3)\n    hold(event)\n'
    )
    store = ("--store", str(tmp_path / "games"))
    options = ("--floor", "gunboat", "--all", "hold", "--max-year", "1901", "--on-failure", "hold")
    played = entente("play", "--seat", f"FRANCE={bot}", *options, *store)
    assert "hold for FRANCE" in played.err
    shown, told = (
        f"{bot} (hold 1 of 2 turns)",
        f"hold stands in for {bot}, which failed: it ended in the midst",
    )
    assert " ".join(shown.split()) in " ".join(played.out.split())
    assert shown in json.loads(entente("games", "show", "--json", *store).out)["played_by"]["FRANCE"]
    assert told in entente("log", *store).out
    (event,) = [
        event for event in json_lines(entente("log", "--json", *store).out) if event["kind"] == "notice"
    ]
    assert told in event["text"]

    async def told_by_the_page() -> str:
        async with open_store(store[1]) as opened, served(opened) as page:
            game = await opened.library.newest() or ""
            async with page.visit(game, "OPERATOR") as visit, visit.stream() as stream:
                await stream.until("end")
                return stream.text

    assert told in asyncio.run(told_by_the_page())


async def test_a_program_that_fails_pauses_the_game_and_goes_on_where_it_stood(
    memory_store: Store, program: Callable[..., str], players: Callable[[Chair], Player], tmp_path: Path
) -> None:
    bot = program("""
for event in turns():
    if event["phase"] == "F1901M" and "orders" in event["wants"] and not (HERE / "mended").exists():
        sys.exit(1)
    if "press" in event["wants"]:
        ask(do="send_press", phase=event["phase"], to="ITALY", text=f"hello of {event['phase']}")
    hold(event)
""")
    master = GameMaster(memory_store, players)
    game = await master.begin(settings(bot))
    with pytest.raises(PlayerError, match=r"^FRANCE \(exec:.*\) failed in F1901M: it ended in the midst"):
        await master.run(game)
    (tmp_path / "mended").touch()
    assert (await master.run(game)).end is RunEnd.FINISHED
    said = [
        event.data["content"]
        for event in await told_to(memory_store, game, "FRANCE")
        if event.kind is EventKind.MESSAGE
    ]
    assert said == ["hello of S1901M", "hello of F1901M"]
    assert len(set((tmp_path / "started").read_text().split())) == 2
    events = [answer for answer in told(tmp_path) if isinstance(answer, Told)]
    (anew,) = [
        event
        for event, before in zip(events[1:], events, strict=False)
        if event.phase == before.phase == "F1901M" and event.wants == before.wants
    ]
    assert (anew.last_phase, anew.wants) == (
        "S1901M",
        ("orders",),
    )  # the new process is told what the other one knew


def told(folder: Path) -> list[Answer]:
    return [ANSWERS.validate_json(line) for line in (folder / "told").read_text().splitlines()]


@pytest.mark.parametrize("floor", OF_FLOOR)
async def test_no_answer_tells_what_is_anothers(
    memory_store: Store,
    program: Callable[..., str],
    players: Callable[[Chair], Player],
    tmp_path: Path,
    floor: str,
) -> None:
    bot = program("""
for event in turns():
    ask(do="board_state")
    if "press" in event["wants"]:
        for to in ("ITALY", "ALL", "NOBODY"):
            ask(do="send_press", phase=event["phase"], to=to, text="Who is your friend?")
    ask(do="submit_orders", phase=event["phase"], orders=["A VIE - GAL", "A MUN - BUR"])
    hold(event)
    ask(do="board_state")
""")
    master = GameMaster(memory_store, players)
    made = settings("", floor, seats={"AUSTRIA": bot}, everyone="openai:secretive", **OF_FLOOR[floor])
    standing = await master.run(await master.begin(made))
    assert standing.end is RunEnd.FINISHED
    heard = (tmp_path / "told").read_text()
    assert {answer.answer for answer in told(tmp_path)} == set(
        ANSWERS.json_schema()["discriminator"]["mapping"]
    )
    assert foreign(heard, "AUSTRIA") == []
    assert CANARY.search(heard)
    for reader in ("GERMANY", "PUBLIC", "OPERATOR"):
        texts = " ".join(event.text for event in await told_to(memory_store, standing.game, reader))
        assert "canary-FRANCE-memory" not in texts  # it wrote that to stderr


ONCE_MORE = """
for event in turns():
    view = ask(do="board_state")
    if "press" in event["wants"] and not view["sent"]:
        ask(do="send_press", phase=event["phase"], to="ITALY", text=f"hello of {event['phase']}")
    hold(event)
    if event["phase"] == "F1901M" and "WANTED" in event["wants"] and not (HERE / "undisturbed").exists():
        (HERE / "undisturbed").touch()
        (HERE / "reached").touch()
        sys.stdin.read()  # until nobody is there any more
        sys.exit()
"""
"""A program that does its turn, and waits to be killed before it has ended it."""


@pytest.mark.parametrize(
    ("floor", "wanted"), [("rounds", "press"), ("rounds", "orders"), ("conductor", "press")]
)
def test_a_game_that_is_killed_in_the_midst_of_a_programs_turn_is_the_same_game(
    tmp_path: Path, floor: str, wanted: str
) -> None:
    bot = written(tmp_path, ONCE_MORE.replace("WANTED", wanted))
    location = str(tmp_path / "games")
    undisturbed, killed = (asyncio.run(begun(location, settings(bot, floor))) for _ in range(2))
    (tmp_path / "undisturbed").touch()
    assert play(location, undisturbed, tmp_path / "trace", None)
    (tmp_path / "undisturbed").unlink()
    (tmp_path / "told").unlink()
    with driver(location, killed, tmp_path / "trace") as process:
        until(lambda: (tmp_path / "reached").exists())
        process.kill()
    first = (tmp_path / "started").read_text().split()
    assert play(location, killed, tmp_path / "trace", None)
    assert asyncio.run(happened(location, killed)) == asyncio.run(happened(location, undisturbed))
    started = (tmp_path / "started").read_text().split()
    assert len(started) == len(first) + 1
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started))
    events = [answer for answer in told(tmp_path) if isinstance(answer, Told)]
    (anew,) = [
        event
        for event, before in zip(events[1:], events, strict=False)
        if event.phase == before.phase == "F1901M" and event.wants == before.wants and not event.rejected
    ]
    assert anew.last_phase == "S1901M"  # the new process is told where the game stands


async def begun(location: str, made: GameSettings) -> str:
    async with open_store(location) as store:
        return await GameMaster(store).begin(made)


async def happened(location: str, game: str) -> list[tuple[str, object]]:
    """What was said, and what became of all orders; who is woken first differs from game to game."""
    async with open_store(location) as store:
        events = await told_to(store, game, "OPERATOR")
    kinds = (EventKind.MESSAGE, EventKind.NOTICE, EventKind.PHASE)
    return [(event.text, event.data.get("results")) for event in events if event.kind in kinds]


def until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


HOLD: dict[str, JsonValue] = {"talk": {"messages": []}, "orders": {"orders": []}}


async def test_a_programs_process_ends_with_its_game_and_lives_while_people_think(
    memory_store: Store, program: Callable[..., str], players: Callable[[Chair], Player], tmp_path: Path
) -> None:
    bot = program("for event in turns():\n    hold(event)\n")

    def lives(number: int) -> bool:
        return Path(f"/proc/{(tmp_path / 'started').read_text().split()[number]}").exists()

    async with Connections() as connections, Programs() as programs:
        master = GameMaster(memory_store, Seating(connections, {}, programs))
        over = await master.begin(settings(bot, seats={"FRANCE": bot, "ITALY": "human"}))
        standing = await master.run(over)
        while standing.pending:
            assert lives(0)
            (seat,) = standing.pending
            standing = await master.answer(over, {seat: HOLD[seat.ask]})
        assert standing.end is RunEnd.FINISHED
        assert not lives(0)
        paused = await master.begin(settings(bot, seats={"FRANCE": bot, "GERMANY": "exec:false"}))
        with pytest.raises(PlayerError, match="it ended in the midst of its turn"):
            await master.run(paused)
        assert not lives(1)


async def test_an_imported_games_program_is_not_started_until_somebody_trusts_it(
    memory_store: Store, program: Callable[..., str], players: Callable[[Chair], Player], tmp_path: Path
) -> None:
    bot = program("for event in turns():\n    hold(event)\n")
    master = GameMaster(memory_store, players)
    game = await master.begin(settings(bot, seats={"FRANCE": bot, "ITALY": "human"}))
    await master.run(game)
    (tmp_path / "started").unlink()
    await export_game(memory_store.library, game, tmp_path / "game.entente")
    async with open_store("memory") as other:
        await import_game(other.library, tmp_path / "game.entente")
        elsewhere = GameMaster(other, players)
        (seat,) = (await elsewhere.look(game)).pending
        with pytest.raises(UntrustedGame, match=re.escape(f"FRANCE: the program {bot}, whose code is run")):
            await elsewhere.answer(game, {seat: {"messages": []}})
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize("text", ["exec:", "exec:./no_such_bot", "exec:'unclosed", "exec:/etc/passwd"])
def test_what_cannot_be_started_is_refused_before_a_game_is_begun(text: str) -> None:
    with pytest.raises(
        SettingsError,
        match=r"^A program that can be started was wanted behind exec: and .* no player was made\.$",
    ):
        Seating(Connections(), {})(Chair("FRANCE", text))
