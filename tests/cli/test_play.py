"""Playing without a terminal: what is told while a game runs and when it stops, and the answers that are piped in."""

import asyncio
import json
import re
from collections.abc import Generator
from contextlib import contextmanager, redirect_stderr
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from checkpoints.store import open_store
from entente.board.engine import Board
from entente.cli.live import Progress, Screen, live_view
from entente.cli.main import exit_code
from entente.cli.output import say, talk_console
from entente.games.line import records_on_line
from entente.games.runner import GameMaster
from graph.context import GameSettings
from tests.cli.conftest import Shelf
from tests.support.terminal import entente, games_in, json_lines

GUNBOAT = ("--all", "dumbbot", "--floor", "gunboat", "--max-year", "1902")


def test_a_finished_game_ends_with_its_result_a_table_and_the_final_map(tmp_path: Path) -> None:
    store = tmp_path / "store"
    ran = entente("play", *GUNBOAT, "--store", str(store))
    assert ran.code == 0
    (game,) = games_in(str(store))
    first, *rows, last = ran.out.splitlines()
    assert "share the draw" in first
    assert len(rows) == 9
    assert last == f"Final map: {store}/maps/{game}.svg"
    assert (store / "maps" / f"{game}.svg").read_text().startswith("<?xml")


def test_without_a_terminal_there_is_a_line_a_phase_on_stderr(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    ran = entente("play", *GUNBOAT, "--store", store)
    (game,) = games_in(store)
    phases = [
        event["phase"]
        for event in json_lines(entente("log", game, "--json", "--store", store).out)
        if event["kind"] == "phase"
    ]
    told = [line.split()[0] for line in ran.err.splitlines() if re.match(r"[SFW]\d{4}[MRA] ", line)]
    assert told == phases
    assert "\x1b" not in ran.err


def test_the_last_line_has_the_centers_of_the_final_board(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    ran = entente("play", *GUNBOAT, "--store", store)
    (game,) = games_in(store)
    board = json.loads(entente("board", game, "--json", "--store", store).out)["board"]
    line = [line for line in ran.err.splitlines() if line.startswith("W1902A")][-1]
    for power, centers in board["centers"].items():
        assert f"{power[:3]} {len(centers)}" in line


def test_the_board_on_a_terminal_has_centers_phase_counts_and_a_bar(shelf: Shelf) -> None:
    progress = asyncio.run(_progress(shelf))
    output = StringIO()
    Console(file=output, width=80, force_terminal=True, color_system=None).print(Screen(progress))
    shown = output.getvalue()
    assert "S1902M" in shown
    assert "1/1 years, to 1901" in shown
    assert f"{progress.turns} turns  {progress.messages} messages" in shown
    assert progress.messages > 10
    assert re.search(r"FRANCE +diplomat +5 +█████", shown)  # who wrote how much is nobody's to see
    assert max(map(len, shown.splitlines())) <= 80


def test_the_board_on_a_narrow_terminal_has_the_centers_alone(shelf: Shelf) -> None:
    output = StringIO()
    Console(file=output, width=40, force_terminal=True, color_system=None).print(
        Screen(asyncio.run(_progress(shelf)))
    )
    shown = output.getvalue()
    assert re.search(r"^AUSTRIA +3 +███ *$", shown, re.MULTILINE)
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= 40


@pytest.mark.parametrize(("france", "has_costs"), [("openai:m", True), ("human", False)])
def test_what_each_power_costs_is_shown_where_no_person_plays(france: str, has_costs: bool) -> None:
    settings = GameSettings(everyone="openai:m", seats={"FRANCE": france})
    progress = Progress("g", settings, Board.start())
    progress.calls["ITALY"].calls = progress.all_calls.calls = 17
    output = StringIO()
    Console(file=output, width=80).print(Screen(progress))
    assert bool(re.search(r"ITALY +openai:m +17 ", output.getvalue())) == has_costs
    assert "  17 calls  " in output.getvalue()


class FakeTerminal(StringIO):
    """A terminal that keeps what was written to it."""

    def isatty(self) -> bool:
        return True


@contextmanager
def a_terminal(kind: str) -> Generator[FakeTerminal]:
    """A terminal of this kind in place of stderr."""
    talk_console.cache_clear()  # it has looked already at what stderr is
    with redirect_stderr(FakeTerminal()) as screen, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", kind)
        yield screen
    talk_console.cache_clear()


async def test_what_is_said_while_the_board_moves_stands_above_it(shelf: Shelf) -> None:
    async with open_store(shelf.store) as store:
        progress = await Progress.of(store, shelf.finished)
        with a_terminal("xterm") as screen:
            async with live_view(store, progress):
                say("Pausing")
    before, _, after = screen.getvalue().partition("Pausing")
    assert before.endswith("\x1b[2K")  # the board was taken away
    assert "AUSTRIA" in after  # and drawn again


def test_a_terminal_that_cannot_move_is_told_a_line_a_phase(tmp_path: Path) -> None:
    with a_terminal("dumb") as screen:
        assert exit_code(["play", *GUNBOAT, "--store", str(tmp_path / "store")]) == 0
    assert "\nW1902A  AUS" in screen.getvalue()
    assert "\x1b" not in screen.getvalue()


async def _progress(shelf: Shelf) -> Progress:
    """As it was when the game had just ended."""
    async with open_store(shelf.store) as store:
        progress = await Progress.of(store, shelf.finished)
        state = (await GameMaster(store).look(shelf.finished)).state
        for record in await records_on_line(store.journal, shelf.finished, state):
            progress.take(record)
        return progress


def test_a_game_that_waits_says_for_whom_and_what_to_call(own_shelf: Shelf) -> None:
    ran = entente("resume", own_shelf.waiting, "--store", own_shelf.store)
    assert (ran.code, ran.out) == (6, "")
    assert f"Waiting for FRANCE: entente turn {own_shelf.waiting} FRANCE" in ran.err


def test_the_next_command_names_the_store_unless_it_is_the_usual_one(
    own_shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = f"{own_shelf.store} of mine"
    Path(own_shelf.store).rename(store)
    turn = f"entente turn {own_shelf.waiting} FRANCE"
    ran = entente("resume", own_shelf.waiting, "--store", store)
    assert f"Waiting for FRANCE: {turn} --store '{store}'\n" in ran.err
    monkeypatch.setenv("ENTENTE_STORE", store)
    for named in ((), ("--store", store)):
        assert f"Waiting for FRANCE: {turn}\n" in entente("resume", own_shelf.waiting, *named).err


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("board 01234567", "games list"),
        ("resume 01234567", "games list"),
        ("turn 01234567 FRANCE", "games list"),
        ("board {finished} --at S1950M", "log {finished}"),
        ("board {opened}", "resume {opened}"),
        ("ask {opened} FRANCE why?", "resume {opened}"),
        ("turn {opened} FRANCE", "resume {opened}"),
    ],
)
def test_an_error_names_the_store_in_its_hint_unless_it_is_the_usual_one(
    own_shelf: Shelf, monkeypatch: pytest.MonkeyPatch, line: str, hint: str
) -> None:
    games = {"finished": own_shelf.finished, "opened": asyncio.run(_opened(own_shelf.store))}
    arguments, command = line.format(**games).split(), f"entente {hint.format(**games)}"
    ran = entente(*arguments, "--store", own_shelf.store)
    assert (ran.code, f"`{command} --store {own_shelf.store}`" in ran.err) == (2, True), ran
    monkeypatch.setenv("ENTENTE_STORE", own_shelf.store)
    assert f"`{command}`" in entente(*arguments).err


async def _opened(location: str) -> str:
    """A game that was never begun."""
    async with open_store(location) as store:
        return await GameMaster(store).begin(GameSettings(everyone="hold"))


def test_a_game_in_memory_that_stops_is_said_to_be_gone() -> None:
    ran = entente("play", *GUNBOAT, "--seat", "FRANCE=human", "--store", "memory")
    assert ran.code == 6
    assert "Waiting for FRANCE: it was kept in memory alone, and is gone\n" in ran.err


def test_a_finished_game_that_is_resumed_only_tells_its_result(own_shelf: Shelf) -> None:
    ran = entente("resume", own_shelf.finished, "--store", own_shelf.store)
    assert ran.code == 0
    assert "share the draw" in ran.out
    assert "0 turns" in ran.err


def test_a_turn_can_be_piped_in_and_the_game_goes_on_to_the_next_question(own_shelf: Shelf) -> None:
    given = ("turn", own_shelf.waiting, "france", "--store", own_shelf.store)
    ran = entente(*given, stdin="GERMANY: Burgundy stays empty.\nall: good luck\n")
    assert ran.code == 6
    assert "to GERMANY: Burgundy stays empty." in ran.err
    assert "Waiting for FRANCE" in ran.err
    press = entente("press", own_shelf.waiting, "--power", "france", "--store", own_shelf.store).out
    assert "S1901M.1 FRANCE to GERMANY: Burgundy stays empty.\n" in press
    assert "S1901M.1 FRANCE to all: good luck\n" in press

    ran = entente(*given, stdin="par-bur\nA MAR S A PAR - BUR\nF BRE H\n")
    assert ran.code == 6
    assert "par-bur was read as A PAR - BUR" in ran.err
    log = entente("log", own_shelf.waiting, "--power", "FRANCE", "--store", own_shelf.store).out
    assert "FRANCE has given its orders: A PAR - BUR, A MAR S A PAR - BUR, F BRE H." in log


def test_piped_lines_are_sent_all_or_none(own_shelf: Shelf) -> None:
    given = ("turn", own_shelf.waiting, "FRANCE", "--store", own_shelf.store)
    assert entente(*given, stdin="\n").code == 6
    ran = entente(*given, stdin="A PAR - BUR\nA MAR - LON\nF BRE dances\n")
    assert ran.code == 2
    assert "2 of the lines cannot be used, so nothing was sent" in ran.err
    assert (
        "FRANCE has given its orders"
        not in entente("log", own_shelf.waiting, "--operator", "--store", own_shelf.store).out
    )
    assert entente(*given, stdin="A PAR - BUR\n").code == 6


def test_a_vote_on_a_draw_can_be_piped_in_with_orders_only(own_shelf: Shelf) -> None:
    given = ("turn", own_shelf.waiting, "FRANCE", "--store", own_shelf.store)
    ran = entente(*given, stdin="/draw\n")
    assert (ran.code, "none was cast" in ran.err) == (2, True)
    assert entente(*given, stdin="\n").code == 6
    ran = entente(*given, stdin="A PAR H\n/draw\n")
    assert ran.code == 6
    assert "a vote for ending the game in a draw" in ran.err


@pytest.mark.parametrize("seat", ["FRANCE=HUMAN", "france = Human"])
def test_a_seat_may_be_written_in_any_case(tmp_path: Path, seat: str) -> None:
    ran = entente("play", *GUNBOAT, "--seat", seat, "--store", str(tmp_path / "store"))
    assert (ran.code, "Waiting for FRANCE" in ran.err) == (6, True)


def test_a_map_may_be_written_in_any_case(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    assert entente("play", *GUNBOAT, "--map", "Standard_Fleet_Rome", "--store", store).code == 0
    assert " on standard_fleet_rome\n" in entente("board", *games_in(store), "--store", store).out


def test_a_quiet_game_says_only_how_it_ended(tmp_path: Path) -> None:
    play = ("play", "--all", "hold", "--rounds", "1", "--max-year", "1901", "--store", str(tmp_path))
    quiet, loud = entente(*play, "-q"), entente(*play, "-v")
    assert (quiet.code, quiet.err, "share the draw" in quiet.out) == (0, "", True)
    (game, _) = games_in(str(tmp_path))
    log = entente("log", game, "--store", str(tmp_path)).out.splitlines()
    assert [line for line in loud.err.splitlines() if line in log] == log
    assert "S1901M  AUS 3" in loud.err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("-q -v", "One of --quiet and --verbose was wanted and both came"),
        ("-v --seat FRANCE=human", "a person plays in this game"),
        ("-v --all human", "a person plays in this game"),
    ],
)
def test_what_may_not_be_said_is_refused(tmp_path: Path, options: str, told: str) -> None:
    ran = entente("play", *options.split(), "--store", str(tmp_path / "store"))
    assert (ran.code, told in ran.err) == (2, True)
    assert not (tmp_path / "store").exists()
