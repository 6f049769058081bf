"""What the shell completes at Tab."""

import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from entente.board.engine import Board
from entente.cli.completion import PLAYERS, POWERS
from entente.cli.main import exit_code
from entente.players.roster import HUMAN, SCRIPTED
from tests.cli.conftest import Shelf
from tests.support.postgres import Server
from tests.support.terminal import entente

_OF_BASH = "_ENTENTE_COMPLETE", "complete_bash"


def completed(line: str) -> list[str]:
    """What bash is offered for the last word of this line, which may be empty."""
    out, words = StringIO(), line.split(" ")
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out):
        patch.setenv(*_OF_BASH)
        patch.setenv("COMP_WORDS", line)
        patch.setenv("COMP_CWORD", str(len(words) - 1))
        with pytest.raises(SystemExit):
            exit_code([])
    return out.getvalue().split()


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("board ", "{waiting} {finished}"),
        ("board {finished[0]}{finished[1]}{finished[2]}{finished[3]}", "{finished}"),
        ("board nobody", ""),
        ("turn {waiting} F", "FRANCE"),
        ("ask {waiting} A", "AUSTRIA"),
        ("press --power P", "PUBLIC"),
        ("press --power FR", "FRANCE"),
        ("board {finished} --at W", "W1901A"),
        ("log {finished} --at F1901M", "F1901M F1901M.1 F1901M.orders"),
        ("fork {finished} --at S1901M.o", "S1901M.orders"),
        ("fork {finished} --seat ITALY=du", "ITALY=dumbbot"),
        ("games list --status fin", "finished"),
    ],
)
def test_ids_powers_players_and_moments_complete(shelf: Shelf, line: str, offered: str) -> None:
    command, *rest = line.format(**shelf._asdict()).split(" ")
    group = [rest.pop(0)] if command == "games" else []
    given = " ".join(["entente", command, *group, "--store", shelf.store, *rest])
    assert completed(given) == offered.format(**shelf._asdict()).split()


def test_the_players_and_powers_of_a_new_game_complete(tmp_path: Path) -> None:
    store = f"--store {tmp_path}/none"
    assert completed(f"entente play {store} --all di") == ["diplomat"]
    assert completed(f"entente play {store} --seat T") == ["TURKEY="]
    assert completed(f"entente board {store} ") == []
    assert set(PLAYERS) == {HUMAN, *SCRIPTED}
    assert tuple(sorted(Board.start().powers)) == POWERS


@pytest.mark.postgres
def test_a_store_on_a_server_completes_too(shelf: Shelf, tmp_path: Path, postgres: Server) -> None:
    url, file = postgres.new_schema(), str(tmp_path / "game")
    assert entente("games", "export", shelf.finished, file, "--store", shelf.store).code == 0
    assert entente("games", "import", file, "--store", url).code == 0
    assert completed(f"entente board --store {url} ") == [shelf.finished]
    assert completed(f"entente press --store {url} {shelf.finished} --power FR") == ["FRANCE"]
    assert completed(f"entente board --store {url} {shelf.finished} --at W") == ["W1901A"]
    nowhere = url.replace("host=/", "host=/nowhere/")
    assert completed(f"entente board --store {nowhere} ") == []


def test_a_name_completes_where_the_shell_takes_it_as_it_is(own_shelf: Shelf) -> None:
    for game, name in ((own_shelf.finished, "cup-1"), (own_shelf.waiting, "cup 2")):
        assert entente("games", "rename", game, name, "--store", own_shelf.store).code == 0
    assert completed(f"entente board --store {own_shelf.store} cu") == ["cup-1"]
    assert completed(f"entente board --store {own_shelf.store} cup-1 --at W") == ["W1901A"]


def test_to_complete_loads_neither_the_graph_nor_what_opens_a_store(shelf: Shelf) -> None:
    words = f"entente board --store {shelf.store} "
    environment = os.environ | {"COMP_WORDS": words, "COMP_CWORD": "4", _OF_BASH[0]: _OF_BASH[1]}
    code = (
        "import atexit, sys; from entente.cli.main import exit_code;"
        "atexit.register(lambda: print('\\n'.join(sys.modules), file=sys.stderr)); exit_code([])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert ran.stdout.split() == [shelf.waiting, shelf.finished]
    assert not {"sqlalchemy", "langgraph", "diplomacy", "rich.console"} & set(ran.stderr.split())
