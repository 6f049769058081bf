"""`entente arena run`: the table, the lines and the JSON, what a failure leaves, how it stops and how it goes on."""

import asyncio
import json
import re
import signal
from collections.abc import Callable
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from checkpoints.store import open_store
from entente.arena import Batch, BatchReport
from entente.cli.batch_file import read_batch
from entente.cli.main import exit_code
from entente.cli.reference import JSON_KEYS
from entente.games.standing import RunEnd, standing_of
from tests.e2e.test_kill_models import kept, provider
from tests.support.terminal import entente, games_in, json_lines, start, terminal

AGAIN = "To go on, give the same command again: no game is played twice."
BATCH = """\
games: {games}
parallel: 3
store: ./kept
game:
  floor: gunboat
  max_year: {year}
  seats: {{France: "{france}"}}
  everyone: {everyone}
"""


def batch(
    folder: Path, games: int = 3, year: int = 1901, france: str = "dumbbot", everyone: str = "random"
) -> str:
    file = folder / "batch.yaml"
    file.write_text(BATCH.format(games=games, year=year, france=france, everyone=everyone))
    return str(file)


def test_a_batch_is_told_by_a_line_for_each_game_and_a_row_for_each_seat(tmp_path: Path) -> None:
    file = batch(tmp_path)
    ran = entente("arena", "run", file)
    assert ran.code == 0, ran.err
    head, _, *rows = (line.split() for line in ran.out.splitlines())
    assert head == ["Seat", "Player", "Games", "Centers", "Score", "Solos", "Draws", "Survived"]
    assert [row[:3] for row in rows[:3]] == [
        ["AUSTRIA", "random", "3"],
        ["ENGLAND", "random", "3"],
        ["FRANCE", "dumbbot", "3"],
    ]
    games = games_in(str(tmp_path / "kept"))  # beside the file
    for seed, line in zip(
        (42, 43, 44), sorted(ran.err.splitlines(), key=lambda line: line.split("seed")[1]), strict=True
    ):
        assert f"seed {seed}  The last year is over; 7 powers share the draw. (W1901A)" in line
        assert any(f" of 3  {game}  " in line for game in games)

    again = entente("arena", "run", file, "--json")
    *played, report = json_lines(again.out)
    assert (again.code, again.err) == (
        0,
        f"{len(played)} of {len(played)} games were over before this run.\n",
    )
    assert {tuple(each) for each in played} == {JSON_KEYS["arena run"]}
    assert {each["game"] for each in played} == {*games}
    assert all(each["was_over"] for each in played)
    assert [*report] == [name for name in BatchReport.model_fields if name != "games"]
    assert (report["planned"], report["finished"], report["failed"], report["is_paused"]) == (3, 3, 0, False)


def test_a_game_that_fails_is_told_with_its_reason_and_goes_on_when_the_command_is_given_again(
    serve: Callable[[str], str], tmp_path: Path
) -> None:
    spec = serve('{"faults": [{"kind": "401", "calls": [2]}]}')
    file = batch(tmp_path, france=spec, everyone="hold")
    ran = entente("arena", "run", file)
    assert ran.code == 4
    assert ran.err.count("  failed: FRANCE (openai:mock@") == 1
    assert ran.err.count("The last year is over") == 2
    assert ran.err.splitlines()[-1] == f"1 of 3 games failed. {AGAIN}"
    again = entente("arena", "run", file)
    assert again.code == 0, again.err
    assert again.err.count("The last year is over") == 1
    assert again.out.splitlines()[0].split()[-3:] == ["Calls", "Tokens", "Cost"]


def test_what_a_stand_in_has_played_is_told_beside_the_figures(
    serve: Callable[[str], str], tmp_path: Path
) -> None:
    file = batch(
        tmp_path, games=2, france=serve('{"faults": [{"kind": "401", "calls": [1]}]}'), everyone="hold"
    )
    Path(file).write_text(Path(file).read_text() + "  on_failure: dumbbot\n")
    ran = entente("arena", "run", file)
    assert ran.code == 0, ran.err
    head, _, *rows = (line.split() for line in ran.out.splitlines())
    failures = {row[0]: row[head.index("Failures")] for row in rows}
    assert failures == {power: "1" if power == "FRANCE" else "0" for power in failures}
    assert "a stand-in played for it" in ran.err
    *games, report = json_lines(entente("arena", "run", file, "--json").out)
    assert sum(seat["failures"] for game in games for seat in game["seats"]) == 1
    assert sum(seat["failures"] for seat in report["seats"]) == 1


class Interrupting(StringIO):
    """A terminal at which somebody presses Ctrl-C, once, as soon as the first game is over."""

    has_pressed = False

    def write(self, text: str) -> int:
        if "1 of 9" in text and not self.has_pressed:
            self.has_pressed = True
            signal.raise_signal(signal.SIGINT)
        return super().write(text)


def test_ctrl_c_pauses_all_with_the_sentence_how_to_go_on(tmp_path: Path) -> None:
    file = batch(tmp_path, games=9)
    with redirect_stderr(Interrupting()) as err:
        assert exit_code(["arena", "run", file]) == 5
    last = err.getvalue().splitlines()[-1]
    assert last.startswith("Paused: SIGINT. ")
    assert last.endswith(AGAIN)
    again = entente("arena", "run", file)
    assert again.code == 0
    done = err.getvalue().count("The last year is over")
    assert 1 <= done < 9
    assert again.err.count("The last year is over") == 9 - done


def reports(out: str) -> dict[str, Any]:
    """The report of a run without what says how often it was begun."""
    *played, report = (json.loads(line) for line in out.splitlines())
    by_game = {each["game"]: {key: each[key] for key in each if key != "was_over"} for each in played}
    return {"games": by_game, "report": report}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--processes", "2", "--ray", "auto"], "A cluster or several processes were wanted and both came"),
        (
            ["--processes", "2", "--store", "memory"],
            "A store that processes share was wanted and memory came",
        ),
        (["--processes", "0"], "greater than or equal to 1, and '0' came"),
    ],
)
def test_processes_that_cannot_be_had_are_refused_in_one_sentence(
    tmp_path: Path, options: list[str], told: str
) -> None:
    ran = entente("arena", "run", batch(tmp_path), *options)
    assert (ran.code, ran.out) == (2, "")
    assert told in ran.err


def games_of(location: Path) -> dict[str, tuple[bool, int]]:
    """Of each game whether it is over, and how many calls of a model are kept of it."""

    async def read() -> dict[str, tuple[bool, int]]:
        async with open_store(str(location)) as store:
            games = [game.id for game in await store.library.games()]
            over = {game: (await standing_of(store, game)).end is RunEnd.FINISHED for game in games}
        return {
            game: (over[game], sum(len(turn.calls) for turn in await kept(str(location), game)))
            for game in games
        }

    return asyncio.run(read())


@pytest.mark.slow
@pytest.mark.parametrize("processes", ["1", "2"])
def test_killed_with_models_no_finished_game_is_played_again_and_no_kept_call_is_made_twice(
    tmp_path: Path, processes: str
) -> None:
    store = tmp_path / "kept"
    with provider(tmp_path) as server:
        file = batch(tmp_path, games=12, france=f"openai:mock@{server.url}", everyone="hold", year=1902)
        command = ("arena", "run", file, "--processes", processes)
        with start(*command) as process:
            assert "1 of 12" in process.stderr.readline()
            process.kill()
            process.communicate()  # its processes have the pipe too: they are gone when it ends
        before, made = games_of(store), server.calls
        over = {game: stands for game, stands in before.items() if stands[0]}
        assert 0 < len(over) < 12
        again = entente(*command)
        assert again.code == 0, again.err
        after = games_of(store)
        assert {game: after[game] for game in over} == over
        assert again.err.count("The last year is over") == 12 - len(over)
        kept_before, kept_after = (sum(calls for _, calls in games.values()) for games in (before, after))
        assert server.calls - made == kept_after - kept_before


@pytest.mark.slow
def test_killed_it_goes_on_and_comes_to_what_a_whole_run_comes_to(tmp_path: Path) -> None:
    file = batch(tmp_path, games=6)
    whole = entente("arena", "run", file, "--json", "--store", str(tmp_path / "whole"))
    with start("arena", "run", file) as process:
        assert "1 of 6" in process.stderr.readline()
        process.kill()
    again = entente("arena", "run", file, "--json")
    assert (again.code, reports(again.out)) == (0, reports(whole.out))
    assert again.err.count("The last year is over") < 6


def test_a_terminal_shows_how_far_the_batch_is_and_what_is_played(tmp_path: Path) -> None:
    with terminal("arena", "run", batch(tmp_path, games=4, everyone="hold")) as screen:
        screen.expect("0 of 4 games over")
        screen.expect("Phase")
        assert screen.exit_code() == 0
        assert "100%" in screen.screen


DOCUMENT = (Path(__file__).parents[2] / "docs" / "arena.md").read_text()


def test_every_name_of_a_batch_is_documented() -> None:
    assert [name for name in Batch.model_fields if f"| `{name}` |" not in DOCUMENT] == []


def test_the_program_of_the_document_says_what_came_of_each_player(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    exec(compile(program, "docs/arena.md", "exec"), {})
    assert [line.split()[:2] for line in capsys.readouterr().out.splitlines()] == [
        ["random", "42"],
        ["dumbbot", "7"],
    ]


def test_the_file_of_the_document_is_a_batch(tmp_path: Path) -> None:
    (text, *_) = re.findall(r"```yaml\n(.*?)```", DOCUMENT, re.DOTALL)
    (tmp_path / "batch.yaml").write_text(text)
    found, _ = read_batch(tmp_path / "batch.yaml")
    assert (found.games, found.rotate, found.store) == (28, True, str(tmp_path / "games"))
