"""Programs of other people in seats, through the real command: found, played, failed, killed, resumed, forked.

The programs that play are those of docs/bots.md, as they are printed there.
"""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from checkpoints.store import Store
from entente.errors import PlayerError
from entente.games.forks import fork_game
from entente.games.runner import GameMaster, RunEnd
from entente.players.program import SeatHandle
from entente.players.seating import Players
from graph.context import GameSettings
from tests.support.patience import PATIENCE
from tests.support.piped import Piped
from tests.support.players import Cast
from tests.support.terminal import Ran, apart, entente, games_in, json_lines, start

DOCUMENT = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")
BOT, PROGRAM, COUNTER = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
COMMANDS = [line[len("$ entente ") :] for line in re.findall(r"^\$ entente .*", DOCUMENT, re.MULTILINE)]
SHORT = ("--all", "hold", "--max-year", "1901", "--rounds", "1")

FRAIL = """
import pathlib
print("imported", file=open("imported", "a"))

class Frail:
    async def wake(self, handle, events):
        if handle.phase == "F1901M" and pathlib.Path("frail").exists():
            raise ValueError("no plan\\nFRANCE plans A PAR - BUR")
        if "orders" in handle.wants:
            await handle.submit_orders([options[0] for options in handle.my_possible_orders().values()])
"""

SLOW = """
import asyncio, pathlib

class Slow:
    async def wake(self, handle, events):
        with open("trace", "a") as trace:
            print(handle.phase, handle.bundle.round, file=trace)
        if handle.phase == "F1901M" and "orders" in handle.wants and pathlib.Path("slow").exists():
            pathlib.Path("reached").touch()
            await asyncio.sleep(3600)
        if "press" in handle.wants:
            await handle.send_press("ALL", f"hello of {handle.phase}")
        else:
            await handle.submit_orders([options[0] for options in handle.my_possible_orders().values()])
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A working directory with programs in it."""
    texts = {"bots": BOT, "counting": COUNTER, "frail_bots": FRAIL, "slow_bots": SLOW, "program": PROGRAM}
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "graph.py").write_text("raise RuntimeError('not the graph of entente')\n")
    return tmp_path


def run(folder: Path, *arguments: str) -> Ran:
    return apart(*arguments, "--store", str(folder / "games"), cwd=folder)


def read(folder: Path, *arguments: str) -> Ran:
    """A command that seats nobody, in this process."""
    return entente(*arguments, "--store", str(folder / "games"))


def games(folder: Path) -> list[str]:
    """Newest first."""
    return games_in(str(folder / "games"))


def test_the_whole_bot_of_the_document_is_short() -> None:
    assert len(BOT.splitlines()) <= 25


@pytest.mark.parametrize("floor", ["rounds", "conductor", "gunboat"])
def test_the_whole_bot_plays_on_every_floor(folder: Path, floor: str) -> None:
    rounds = ("--rounds", "2") if floor == "rounds" else ()
    ran = run(folder, "play", "--seat", "FRANCE=bots:Scout", "--max-year", "1901", "--floor", floor, *rounds)
    assert ran.code == 0, ran.err
    (game,) = games(folder)
    log = read(folder, "log", game, "--power", "FRANCE").out
    assert "ITALY: FRANCE wants peace. Do you?" in log or floor == "gunboat"
    assert "A MAR - SPA" in log
    assert "could not" not in log
    assert not re.search(r"FRANCE (gave no legal order|: )", log)


def test_the_commands_of_the_document_run(folder: Path) -> None:
    assert COMMANDS
    for line in COMMANDS:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "entente", *line.split()],
            cwd=folder,
            env={"ENTENTE_STORE": str(folder / "games"), "PATH": ""},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr


def test_the_program_of_the_document_runs(folder: Path) -> None:
    (folder / "graph.py").unlink()  # a script's own folder comes first, before anything can be done about it
    done = subprocess.run(
        [sys.executable, "program.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "max_year\n"), done.stderr


def test_a_program_that_holds_nothing_plays_the_same_game_every_time(folder: Path) -> None:
    for _ in range(2):
        assert run(folder, "play", "--seat", "FRANCE=counting:Counter", *SHORT).code == 0
    shown = [json.loads(read(folder, "games", "show", game, "--json").out) for game in games(folder)]
    assert len({(game["state_digest"], game["journal_digest"]) for game in shown}) == 1
    assert shown[0]["outcome"]["kind"] == "max_year"


@pytest.mark.parametrize(
    ("seat", "why"),
    [
        ("no_bots:Scout", "no module no_bots"),
        ("bots:Scoot", "has no Scoot"),
        ("bots:Move", "has neither take_turn"),
        ("scout", "a program as MODULE:CLASS was wanted and 'scout' came"),
    ],
)
def test_what_cannot_be_seated_is_refused_before_there_is_a_game(folder: Path, seat: str, why: str) -> None:
    ran = run(folder, "play", "--seat", f"FRANCE={seat}", *SHORT)
    assert ran.code == 2
    assert why in ran.err
    assert len(ran.err.splitlines()) == 1
    assert not (folder / "games").exists() or games(folder) == []


def test_a_program_that_fails_pauses_the_game_which_goes_on_when_it_is_mended(folder: Path) -> None:
    (folder / "frail").touch()
    ran = run(folder, "play", "--seat", "FRANCE=frail_bots:Frail", *SHORT)
    assert ran.code == 4
    assert (
        "FRANCE (frail_bots:Frail) failed in F1901M: ValueError: no plan (frail_bots.py, line 8)." in ran.err
    )
    assert "PAR - BUR" not in ran.err
    (game,) = games(folder)
    (folder / "frail").unlink()
    assert run(folder, "resume", game).code == 0


def test_a_stand_in_plays_for_a_program_that_fails_until_the_phase_ends(folder: Path) -> None:
    (folder / "frail").touch()
    seats = ("--seat", "FRANCE=frail_bots:Frail", "--on-failure", "dumbbot")
    assert run(folder, "play", *seats, *SHORT[:3], "1902", "--rounds", "1").code == 0
    (game,) = games(folder)
    told = read(folder, "log", game, "--json").out
    events = json_lines(told)
    stood_in = [event["phase"] for event in events if event["data"].get("stand_in")]
    assert stood_in == ["F1901M", "F1901M"]
    reasons = [event["text"] for event in events if event["data"].get("kind") == "stood_in"]
    said = "ValueError: no plan (frail_bots.py, line 8)."
    assert reasons == [
        f"FRANCE: dumbbot stands in for frail_bots:Frail, which failed: {said}",
        "FRANCE: dumbbot still stands in for frail_bots:Frail.",
    ]
    assert "FRANCE plans" not in told


def test_a_program_is_not_loaded_to_list_or_to_show_a_game(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(folder, "play", "--seat", "FRANCE=frail_bots:Frail", *SHORT).code == 0
    (game,) = games(folder)
    (folder / "imported").unlink()
    monkeypatch.chdir(folder)  # where it would be found
    for shown in (
        ["games", "list"],
        ["games", "show", game],
        ["board", game],
        ["press", game],
        ["log", game],
        ["usage", game],
        ["games", "export", game, str(folder / "file")],
    ):
        assert read(folder, *shown).code == 0, shown
    assert read(folder, "ask", game, "FRANCE", "Whom do you trust?").code == 2
    assert not (folder / "imported").exists()


def test_a_game_that_is_killed_while_a_program_thinks_goes_on_and_takes_no_kept_turn_again(
    folder: Path,
) -> None:
    (folder / "slow").touch()
    store = ("--store", str(folder / "games"))
    with start("play", "--seat", "FRANCE=slow_bots:Slow", *SHORT, *store, cwd=folder) as process:
        wait_for(folder / "reached", process)
        process.kill()
    (folder / "slow").unlink()
    (game,) = games(folder)
    ran = run(folder, "resume", game)
    assert ran.code == 0, ran.err
    asked = (folder / "trace").read_text().splitlines()
    assert asked == ["S1901M 1", "S1901M 0", "F1901M 1", "F1901M 0", "F1901M 0"]
    press = read(folder, "press", game).out
    assert [line.split(": ")[1] for line in press.splitlines()] == ["hello of S1901M", "hello of F1901M"]


def test_a_fork_keeps_a_program_in_its_seat_or_seats_another(folder: Path) -> None:
    assert run(folder, "play", "--seat", "FRANCE=slow_bots:Slow", *SHORT).code == 0
    (original,) = games(folder)
    (folder / "trace").unlink()
    kept = run(folder, "fork", original, "--at", "F1901M.1.FRANCE")
    assert kept.code == 0, kept.err
    assert run(folder, "resume", kept.out.strip()).code == 0
    assert (folder / "trace").read_text().splitlines() == ["F1901M 0"]
    replaced = run(folder, "fork", original, "--at", "F1901M", "--seat", "FRANCE=bots:Scout")
    assert run(folder, "resume", replaced.out.strip()).code == 0
    assert "FRANCE wants peace" in read(folder, "press", replaced.out.strip()).out
    refused = run(folder, "fork", original, "--at", "F1901M", "--seat", "FRANCE=bots:Scoot")
    assert (refused.code, refused.out) == (2, "")
    assert len(games(folder)) == 3


def wait_for(path: Path, process: Piped) -> None:
    """Until the file is there; the process makes it, and has to live until then."""
    while not path.exists():
        assert process.returncode is None, f"the process ended before it made {path.name}"
        time.sleep(0.02)


class Quiet:
    """Holds, and says nothing."""

    async def wake(self, handle: SeatHandle, events: object, /) -> None:
        if "orders" in handle.wants:
            await handle.submit_orders(options[0] for options in handle.my_possible_orders().values())


async def test_a_game_with_players_of_your_own_goes_on_and_forks_where_they_are_given_again(
    store: Store,
) -> None:
    seated = Players({"mine": Quiet}, Cast())
    game = await waiting_for_italy(GameMaster(store, seated))
    with pytest.raises(PlayerError, match=r"FRANCE \(mine\) failed in F1901M: .*has to be given again"):
        await italy_holds(GameMaster(store), game)
    assert (await GameMaster(store, seated).run(game)).pending
    fork = await fork_game(store, game, "F1901M", {"ITALY": "mine"}, seated)
    assert (await GameMaster(store, seated).run(fork)).end is RunEnd.FINISHED


async def test_a_player_that_was_not_given_again_is_not_replaced(memory_store: Store) -> None:
    game = await waiting_for_italy(GameMaster(memory_store, Players({"mine": Quiet}, Cast())), "dumbbot")
    with pytest.raises(PlayerError, match="has to be given again"):
        await italy_holds(GameMaster(memory_store), game)


async def waiting_for_italy(master: GameMaster, on_failure: str = "pause") -> str:
    """A game that waits for the orders of a person in S1901M; FRANCE is played by `mine`."""
    seats = {"FRANCE": "mine", "ITALY": "human"}
    values = {"seats": seats, "everyone": "hold", "rounds": 0, "max_year": 1901, "on_failure": on_failure}
    game = await master.begin(GameSettings.model_validate(values))
    assert (await master.run(game)).pending
    return game


async def italy_holds(master: GameMaster, game: str) -> None:
    standing = await master.look(game)
    await master.answer(game, {standing.pending[0]: {"orders": []}})
