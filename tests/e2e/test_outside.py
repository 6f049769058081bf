"""Programs in processes of their own, in JSON lines: played, failed in every way, started anew, and told nothing of
another's.
"""

import re
import shlex
import sys
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

import pytest

from checkpoints.archive import export_game, import_game
from checkpoints.store import Store, open_store
from entente.errors import PlayerError, SettingsError, UntrustedGame
from entente.events import Event, EventKind
from entente.games.feed import follow
from entente.games.runner import GameMaster, RunEnd
from entente.models.client import Connections
from entente.players.outside import MOST_REQUESTS, OutsideAgent, command_of
from entente.players.program import AgentPlayer
from entente.players.protocol import Player
from entente.players.seat_protocol import ANSWERS, Answer
from entente.players.seat_protocol import Event as Told
from entente.players.seating import Chair, Programs, Seating
from graph.context import GameSettings
from tests.support.canaries import CANARY, OF_FLOOR, a_cast, foreign

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

NO_REQUEST = "it sent a line that is no request of the seat protocol"
HANG_SECONDS = 3
"""A program that does nothing else answers within it, also on a machine that is busy."""
FAULTS = {
    "dies": ("sys.exit(3)", "it ended in the midst of its turn"),
    "hangs": ("time.sleep(3600)", "it did not end its turn within 3 s"),
    "hangs with its output closed": ("os.close(1); time.sleep(3600)", "it ended in the midst of its turn"),
    "reads nothing": (
        "[tell(do='board_state') for _ in range(400)]; time.sleep(3600)",
        "it did not end its turn within 3 s",
    ),
    "floods with requests": (
        "[ask(do='my_possible_orders') for _ in range(10**6)]",
        f"it made more than {MOST_REQUESTS} requests in one turn",
    ),
    "floods with one line": ("os.write(1, b'a' * 10**6)", "it sent a line of more than 65536 bytes"),
    "sends garbage": ("print('A PAR - canary-FRANCE-order', flush=True)", NO_REQUEST),
    "sends bytes": ("os.write(1, bytes(range(128, 250)) + b'\\n')", NO_REQUEST),
    "sends half a line": ("os.write(1, b'{\"do\": '); sys.exit()", NO_REQUEST),
    "acts for another": (
        "tell(do='submit_orders', phase='F1901M', power='GERMANY', orders=['A MUN - BUR'])",
        NO_REQUEST,
    ),
    "acts for a phase that is over": (
        "tell(do='submit_orders', phase='S1901M', orders=['A PAR - BUR'])",
        "it acted for another phase than F1901M, which was in play",
    ),
}
"""What a program does in the autumn, and what is told of it."""


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., str]:
    """Writes a program and names it as a seat does."""

    def written(body: str, beginning: str = BEGINNING) -> str:
        path = tmp_path / "bot.py"
        path.write_text(beginning + body, encoding="utf-8")
        return named(path)

    return written


def named(path: Path) -> str:
    return f"exec:{shlex.join([sys.executable, '-S', str(path)])}"


@pytest.fixture
async def players() -> AsyncGenerator[Callable[[Chair], Player]]:
    """Programs that have a few seconds for a turn, and the secretive or silent cast in the other seats."""
    async with Connections() as connections, Programs() as programs:
        cast = a_cast()
        seating = Seating(connections, {}, programs)

        def make(chair: Chair) -> Player:
            if chair.player.startswith("exec:"):
                return programs.at(
                    chair, lambda: AgentPlayer(OutsideAgent(command_of(chair.player), HANG_SECONDS))
                )
            return cast(chair) if chair.player.startswith("openai:") else seating(chair)

        yield make


def settings(player: str, floor: str = "rounds", **others: object) -> GameSettings:
    values: dict[str, object] = {"seats": {"FRANCE": player}, "everyone": "hold", "max_year": 1901}
    rounds = {"rounds": 1} if floor == "rounds" else {}
    return GameSettings.model_validate(values | rounds | others | {"floor": floor})


async def told_to(store: Store, game: str, reader: str) -> list[Event]:
    return [event async for event in follow(store, game, reader)]


@pytest.mark.parametrize("floor", ["rounds", "conductor", "gunboat"])
async def test_the_example_plays_a_year_on_every_floor(memory_store: Store, floor: str) -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 45
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


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_program_that_fails_is_stood_in_for_and_started_anew(
    memory_store: Store,
    program: Callable[..., str],
    players: Callable[[Chair], Player],
    tmp_path: Path,
    fault: str,
) -> None:
    does, reason = FAULTS[fault]
    bot = program(f"""
for event in turns():
    if event["phase"] == "F1901M" and "orders" in event["wants"]:
        {does}
    hold(event)
""")
    master = GameMaster(memory_store, players)
    standing = await master.run(await master.begin(settings(bot, on_failure="hold", max_year=1902)))
    assert standing.end is RunEnd.FINISHED
    events = await told_to(memory_store, standing.game, "OPERATOR")
    stood_in = [
        event for event in events if event.kind is EventKind.NOTICE and event.data["kind"] == "stood_in"
    ]
    assert {event.phase for event in stood_in} == {"F1901M"}
    assert all(f"hold stands in for {bot}, which failed: {reason}" in event.text for event in stood_in)
    assert not any("canary" in event.text for event in events)
    assert not any("A MUN - BUR" in event.text for event in events)


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
