"""`entente bots try`: the table, the JSON, the exit codes, and Ctrl-C."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from entente.cli.reference import JSON_KEYS
from tests.support.patience import PATIENCE
from tests.support.terminal import Ran, apart, entente, json_lines

SHORT = ("--floor", "gunboat", "--max-year", "1901")

FAILING = """
class Failing:
    async def wake(self, handle, events):
        raise ValueError("no plan")

class Late:
    async def wake(self, handle, events):
        if handle.phase == "F1901M" and handle.power != "AUSTRIA":
            raise ValueError("too late")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "failing.py").write_text(FAILING)
    return tmp_path


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-P", "-m", "entente", "bots", "try", *arguments]


def run(folder: Path, *arguments: str) -> Ran:
    return apart("bots", "try", *arguments, cwd=folder)


def test_what_came_of_the_games_is_printed_by_opponent() -> None:
    ran = entente(
        "bots", "try", "dumbbot", "--games", "4", "--against", "hold", "--against", "random", *SHORT
    )
    assert ran.code == 0
    head, _, *rows = ran.out.splitlines()
    assert head.split() == ["Against", "Games", "Solos", "Share", "Centers", "Survived", "Failures"]
    assert [row.split()[:3] for row in rows] == [["hold", "2", "0"], ["random", "2", "0"], ["all", "4", "0"]]
    assert rows[-1].split()[5] == "±"
    games = (
        "AUSTRIA against hold",
        "AUSTRIA against random",
        "ENGLAND against hold",
        "ENGLAND against random",
    )
    assert all(f" of 4  {game}: " in ran.err for game in games)
    assert "4 of 4  " in ran.err


def test_json_has_the_documented_keys_and_the_same_seed_gives_the_same_figures() -> None:
    arguments = ("bots", "try", "random", "--games", "2", "--against", "hold", "--json", *SHORT)
    ran = entente(*arguments)
    (row,) = json_lines(ran.out)
    assert tuple(row) == JSON_KEYS["bots try"]
    assert row["against"] == "hold"
    assert entente(*arguments).out == ran.out


def test_a_program_that_failed_in_every_game_ends_with_4_and_in_some_with_0(folder: Path) -> None:
    ran = run(folder, "failing:Failing", "--games", "2", "--against", "hold", *SHORT)
    assert ran.code == 4
    reason = (
        "AUSTRIA: hold stands in for failing:Failing, which failed: ValueError: no plan (failing.py, line 4)."
    )
    assert f"The first failure: {reason}" in ran.out
    assert ran.err.splitlines()[-1] == f"entente: failing:Failing failed in every game. {reason}"
    some = run(folder, "failing:Late", "--games", "2", "--against", "hold", "--json", *SHORT)
    assert some.code == 0
    (row,) = json_lines(some.out)
    assert (row["failures"], row["failed_games"]) == (1, 1)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["failing:Nobody"], "has no Nobody"),
        (["human"], "a person came"),
        (["hold", "--against", "human"], "a person came"),
        (["hold", "--games", "0"], "games"),
        (["hold", "--max-year", "1900"], "1900 came"),
    ],
)
def test_what_cannot_be_played_is_refused(folder: Path, arguments: list[str], why: str) -> None:
    ran = run(folder, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert why in ran.err


def _as_at_a_terminal() -> None:
    """What a shell starts in the background ignores SIGINT, and so does all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_prints_what_was_played(folder: Path) -> None:
    arguments = command("random", "--games", "1000", "--against", "hold", *SHORT)
    with subprocess.Popen(
        arguments,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_as_at_a_terminal,
    ) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith("1 of 1000")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "hold" in out.splitlines()[2]
    assert "of 1000 games." in err.splitlines()[-1]
