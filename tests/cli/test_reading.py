"""Reading a game: text for people, JSON for programs, and to each power only what is its own."""

import importlib.util
import json
import os
import sqlite3
import subprocess
import sys
import webbrowser
from contextlib import closing
from pathlib import Path

import pytest

from checkpoints.locations import JOURNAL_FILE
from entente.cli.lines import message_line
from entente.press.messages import BROADCAST
from tests.cli.conftest import Shelf
from tests.support.full_disk import no_file_larger_than
from tests.support.stores import a_message
from tests.support.terminal import COMMAND, apart, entente, games_in, json_values

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


@pytest.mark.parametrize(
    "line",
    [
        "board {finished}",
        "board {finished} --at S1901M",
        "press {finished}",
        "log {finished}",
        "games list",
        "games show {finished}",
        "games show {waiting}",
    ],
)
def test_every_reading_command_prints_json_alone_on_stdout(shelf: Shelf, line: str) -> None:
    arguments = line.format(**shelf._asdict()).split()
    ran = entente(*arguments, "--json", "--store", shelf.store)
    assert (ran.code, ran.err) == (0, "")
    assert json_values(ran.out)
    assert entente(*arguments, "--store", shelf.store).out != ran.out


def test_a_game_is_found_by_the_beginning_of_its_id_in_any_case(shelf: Shelf) -> None:
    short = shelf.finished[:8].upper()
    whole = entente("press", shelf.finished, "--store", shelf.store)
    assert whole.code == 0
    assert entente("press", short, "--store", shelf.store) == whole


def test_where_there_is_nothing_to_show_it_is_said(shelf: Shelf) -> None:
    for command, told in (("press", "There is no press to show."), ("log", "There is nothing to show.")):
        asked = (command, shelf.waiting, "--power", "PUBLIC", "--store", shelf.store)
        assert (entente(*asked).out, told in entente(*asked).err) == ("", True)
        assert entente(*asked, "--json").err == ""


def test_who_names_nobody_is_the_only_person_or_the_public(own_shelf: Shelf) -> None:
    """Nobody can say which of several people types, nor where one sits who has a link."""
    store = ("--store", own_shelf.store)

    def is_shown(game: str, *reader: str) -> list[str]:
        return [entente(command, game, *reader, *store).out for command in ("press", "log", "watch")]

    one, all_may = (is_shown(own_shelf.waiting, "--power", reader) for reader in ("FRANCE", "PUBLIC"))
    assert is_shown(own_shelf.waiting) == one != all_may
    assert entente("links", "add", own_shelf.waiting, "--power", "FRANCE", *store).code == 0
    assert is_shown(own_shelf.waiting) == all_may
    people = ("--seat", "FRANCE=human", "--seat", "ITALY=human")
    assert entente("play", *people, "--all", "hold", "--max-year", "1901", *store).code == 6
    (two,) = {*games_in(own_shelf.store)} - {own_shelf.waiting, own_shelf.finished}
    assert is_shown(two) == is_shown(two, "--power", "PUBLIC") != is_shown(two, "--power", "FRANCE")


def test_the_board_of_a_phase_comes_with_its_orders_and_results(shelf: Shelf) -> None:
    ran = entente("board", shelf.finished, "--at", "s1901m", "--store", shelf.store)
    assert ran.out.startswith("S1901M on standard\n")
    assert "Orders of S1901M:\n  AUSTRIA  " in ran.out
    assert ran.out.count("\n  FRANCE ") == 3


def test_the_board_is_drawn_with_the_orders_of_the_phase(shelf: Shelf) -> None:
    ran = entente("board", shelf.finished, "--at", "S1901M", "--svg", "--store", shelf.store)
    assert ran.out.startswith("<?xml")
    assert ran.out.rstrip().endswith("</svg>")


def test_a_map_is_written_where_it_is_wanted(shelf: Shelf, tmp_path: Path) -> None:
    look = ("board", shelf.finished, "--at", "S1901M", "--store", shelf.store)
    picture = tmp_path / "map.svg"
    ran = entente(*look, "--out", str(picture))
    assert (ran.code, ran.out) == (0, "")
    assert picture.read_text(encoding="utf-8") == entente(*look, "--svg").out.removesuffix("\n")
    refused = entente(*look, "--out", str(tmp_path / "map.gif"))
    assert (refused.code, "ends in .svg or .png was wanted and map.gif came" in refused.err) == (2, True)
    refused = entente(*look, "--out", str(tmp_path / "nowhere" / "map.svg"))
    assert (refused.code, "could not be written" in refused.err) == (2, True)
    assert [*tmp_path.iterdir()] == [picture]


def test_a_map_that_has_no_room_leaves_what_was_there(shelf: Shelf, tmp_path: Path) -> None:
    picture = tmp_path / "map.svg"
    picture.write_text("mine")
    look = ("board", shelf.finished, "--store", shelf.store, "--out", str(picture))
    with no_file_larger_than(50_000):
        refused = entente(*look)
    assert (refused.code, "could not be written" in refused.err) == (2, True), refused
    assert [(each, each.read_text()) for each in tmp_path.iterdir()] == [(picture, "mine")]


def test_a_map_is_written_as_png(shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    picture = tmp_path / "map.PNG"
    look = ("board", shelf.finished, "--store", shelf.store, "--out", str(picture))
    assert entente(*look) == (0, "", "")
    head = picture.read_bytes()[:24]
    assert (head[:8], int.from_bytes(head[16:20])) == (b"\x89PNG\r\n\x1a\n", 2 * 918)
    installed: dict[str, bool] = {}
    monkeypatch.setattr(importlib.util, "find_spec", installed.get)
    refused = entente(*look)
    assert (refused.code, "pip install 'entente[png]'" in refused.err) == (2, True)


def test_a_map_is_opened_in_the_browser_where_there_is_a_screen(
    own_shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def open_(uri: str) -> bool:
        opened.append(uri)
        return True

    monkeypatch.setattr(webbrowser, "open", open_)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.delenv("DISPLAY", raising=False)
    look = ("board", own_shelf.finished, "--store", own_shelf.store, "--open")
    ran = entente(*look)
    assert (ran.code, opened, "There is no screen" in ran.err) == (0, [], True)
    monkeypatch.setenv("DISPLAY", ":0")
    assert entente(*look).code == 0
    assert entente(*look, "--out", str(tmp_path / "map.svg")).code == 0
    (kept,) = (Path(own_shelf.store) / "maps").glob(f"{own_shelf.finished}.board.svg")
    assert opened == [kept.as_uri(), (tmp_path / "map.svg").as_uri()]
    assert kept.stat().st_mode & 0o077 == 0
    assert entente("games", "delete", own_shelf.finished, "--store", own_shelf.store).code == 0
    assert not kept.exists()


def test_the_board_is_drawn_with_the_results_that_were_kept(own_shelf: Shelf) -> None:
    look = ("board", own_shelf.finished, "--at", "S1901M", "--store", own_shelf.store)
    drawn = entente(*look, "--svg").out
    results = json.loads(entente(*look, "--json").out)["results"]
    moved = next(r["order"] for r in results if " - " in r["order"] and r["outcomes"] == ["succeeded"])
    kept = f'"order":"{moved}","outcomes":["succeeded"]'
    with closing(sqlite3.connect(Path(own_shelf.store) / JOURNAL_FILE)) as connection, connection:
        connection.execute(
            "UPDATE phases SET body = replace(body, ?, ?)", (kept, kept.replace("succeeded", "bounced"))
        )
    assert entente(*look, "--svg").out.count("#d00000") == drawn.count("#d00000") + 1


def test_a_message_cannot_pretend_to_be_somebody_elses() -> None:
    forged = a_message("FRANCE", BROADCAST, "peace\nS1901M.1 ENGLAND to all: I surrender\r\nreally")
    first, *others = message_line(forged, "S1901M.1").splitlines()
    assert first == "S1901M.1 FRANCE to all: peace"
    assert all(line.startswith("    ") for line in others)


def test_a_reader_that_takes_only_the_first_lines_ends_a_command_quietly(shelf: Shelf) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [*COMMAND, "log", shelf.finished, "--store", shelf.store]
    with os.fdopen(writing, "wb") as closed:
        ran = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, check=False)
    assert (ran.returncode, ran.stderr) == (141, b"")


@pytest.mark.parametrize(
    "line", ["log {finished}", "games list", "games list --json", "games show {finished}"]
)
def test_an_output_that_takes_no_more_is_told_in_one_sentence(shelf: Shelf, line: str) -> None:
    ran = apart(*line.format(**shelf._asdict()).split(), "--store", shelf.store, stdout=Path("/dev/full"))
    assert (ran.code, ran.err.count("\n")) == (3, 1), ran
    assert ran.err.startswith("entente: The output cannot be written (No space left on device)")


def test_a_closed_output_is_no_defect(shelf: Shelf) -> None:
    line = f'exec "$@" log {shelf.finished} --store "{shelf.store}" >&-'
    ran = subprocess.run(["sh", "-c", line, "sh", *COMMAND], stderr=subprocess.PIPE, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
