"""Reading a game: text for people, JSON for programs, and to each power only what is its own."""

import asyncio
import json
import os
import re
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from checkpoints.store import JOURNAL_FILE, open_store
from entente.cli import players
from entente.cli.lines import message_line
from entente.cli.situation import Situation
from entente.games.runner import GameMaster
from entente.press.messages import BROADCAST
from tests.cli.conftest import Shelf
from tests.support.players import Cast, secretive
from tests.support.stores import a_message
from tests.support.terminal import COMMAND, entente, games_in

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
    assert json.loads(ran.out)
    assert entente(*arguments, "--store", shelf.store).out != ran.out


def test_a_game_is_found_by_the_beginning_of_its_id_in_any_case(shelf: Shelf) -> None:
    short = shelf.finished[:8].upper()
    whole = entente("press", shelf.finished, "--store", shelf.store)
    assert whole.code == 0
    assert entente("press", short, "--store", shelf.store) == whole


def test_the_board_of_a_phase_comes_with_its_orders_and_results(shelf: Shelf) -> None:
    ran = entente("board", shelf.finished, "--at", "s1901m", "--store", shelf.store)
    assert ran.out.startswith("S1901M on standard\n")
    assert "Orders of S1901M:\n  AUSTRIA  " in ran.out
    assert ran.out.count("\n  FRANCE ") == 3


def test_the_board_is_drawn_with_the_orders_of_the_phase(shelf: Shelf) -> None:
    ran = entente("board", shelf.finished, "--at", "S1901M", "--svg", "--store", shelf.store)
    assert ran.out.startswith("<?xml")
    assert ran.out.rstrip().endswith("</svg>")


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


def test_no_view_of_a_power_has_what_is_anothers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = str(tmp_path / "store")
    cast = Cast(scripts={"secretive": secretive})
    monkeypatch.setattr(players, "Seating", cast.in_place_of_seating)
    options = ("--all", "secretive", "--seat", "FRANCE=human", "--rounds", "2", "--max-year", "1901")
    assert entente("play", *options, "--store", store).code == 6
    (game,) = games_in(store)
    shown = ""
    for answer in ("ITALY: canary-FRANCE-to-ITALY\n", "\n", "A PAR H\nF BRE H\nA MAR H\n", "\n"):
        ran = entente("turn", game, "FRANCE", "--store", store, stdin=answer)
        assert ran.code == 6, ran
        shown += ran.out + ran.err + asyncio.run(_dialog(store, game))
    assert "canary-AUSTRIA" not in shown
    assert "canary-FRANCE-to-ITALY" in shown
    assert "public-AUSTRIA" in shown
    assert foreign_canaries(shown, "FRANCE") == set()
    for power in POWERS:
        for command in ("press", "log"):
            for form in ((), ("--json",)):
                seen = entente(command, game, "--power", power, *form, "--store", store).out
                assert "canary" in seen
                assert foreign_canaries(seen, power) == set(), f"{command} {power}"
    assert "canary" not in entente("log", game, "--power", "public", "--store", store).out
    assert "canary-RUSSIA-order" in entente("log", game, "--json", "--store", store).out


async def _dialog(location: str, game: str) -> str:
    """All that the dialog shows France on a terminal."""
    async with open_store(location) as store:
        standing = await GameMaster(store).look(game)
        situation = Situation(store, standing, standing.pending[0])
        return await situation.text() + await situation.history()


def foreign_canaries(text: str, power: str) -> set[str]:
    """Canaries in the text that this power may not see: neither its own nor written to it."""
    found = set(re.findall(r"canary-[A-Z]+(?:-[A-Za-z0-9-]+)?", text))
    return {mark for mark in found if not mark.startswith(f"canary-{power}") and f"-to-{power}" not in mark}


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
    command = [*COMMAND, *line.format(**shelf._asdict()).split(), "--store", shelf.store]
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (ran.returncode, ran.stderr.count("\n")) == (3, 1), ran
    assert ran.stderr.startswith("entente: The output cannot be written (No space left on device)")


def test_a_closed_output_is_no_defect(shelf: Shelf) -> None:
    line = f'exec "$@" log {shelf.finished} --store "{shelf.store}" >&-'
    ran = subprocess.run(["sh", "-c", line, "sh", *COMMAND], stderr=subprocess.PIPE, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
