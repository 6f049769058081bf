"""`entente games`: whole games listed, shown, copied, pruned, deleted and carried away."""

import asyncio
import json
import os
import sqlite3
import sys
from contextlib import closing
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from checkpoints.store import open_store
from entente.cli.main import exit_code
from tests.cli.conftest import Shelf
from tests.support.terminal import entente, games_in, json_lines, terminal


def test_the_list_fits_80_columns_and_says_how_each_game_stands(shelf: Shelf) -> None:
    lines = entente("games", "list", "--store", shelf.store).out.splitlines()
    assert max(map(len, lines)) <= 80
    newest, oldest = lines[2:]
    assert newest.split()[0] == shelf.waiting[:8]
    assert "waiting" in newest
    assert "diplomat ×6, human ×1" in newest
    assert oldest.split()[0] == shelf.finished[:8]
    assert "finished" in oldest


def test_a_table_that_is_piped_has_whole_lines_and_nothing_behind_them(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    player = "diplomat(honesty=0.5, loyalty=0.25, forgiveness=0.75, chattiness=2)"
    options = ("--floor", "gunboat", "--max-year", "1901", "--store", store)
    assert entente("play", "--all", player, "--seat", "FRANCE=hold", *options).code == 0
    head, _, *rows = entente("games", "list", "--store", store).out.splitlines()
    assert len(rows) == 1
    assert rows[0].endswith(f"{player} ×6, hold ×1")
    assert head.rstrip() == head


def test_a_shown_game_tells_its_players_its_settings_and_its_result(shelf: Shelf) -> None:
    shown = entente("games", "show", shelf.finished, "--store", shelf.store).out
    for part in (
        shelf.finished,
        "finished",
        "diplomat ×7",
        "max_year         1901",
        "share the draw",
        "FRANCE",
    ):
        assert part in shown
    plain = json.loads(entente("games", "show", shelf.waiting, "--json", "--store", shelf.store).out)
    assert (plain["status"], plain["waiting_for"], plain["outcome"]) == ("waiting", ["FRANCE"], None)


def test_a_shown_game_tells_settings_as_they_are_given(tmp_path: Path) -> None:
    options = ("--model-setting", "temperature=0.5", "--budget-tokens", "FRANCE=900", "--until-silent")
    store = ("--store", str(tmp_path / "store"))
    assert entente("play", "--all", "hold", "--rounds", "0", "--max-year", "1901", *options, *store).code == 0
    shown = entente("games", "show", *games_in(store[1]), *store).out
    facts = dict(line.split(maxsplit=1) for line in shown.split("\n\n")[0].splitlines())
    assert (facts["models"], facts["seat_models"]) == ("temperature=0.5", "FRANCE.budget_tokens=900")
    assert (facts["until_silent"], facts["drafts"]) == ("yes", "no")
    assert "None" not in shown
    assert len({line.index(facts[line.split()[0]], 12) for line in shown.split("\n\n")[0].splitlines()}) == 1


def test_a_finished_game_keeps_its_settings(own_shelf: Shelf) -> None:
    show = ("games", "show", own_shelf.finished, "--json", "--store", own_shelf.store)
    before = entente(*show).out
    ran = entente("resume", own_shelf.finished, "--on-failure", "hold", "--store", own_shelf.store)
    assert (ran.code, ran.out) == (2, "")
    assert "The game is over and its settings stay as they were; nothing was changed." in ran.err
    assert entente(*show).out == before


def test_a_finished_game_stands_where_it_ended_with_its_winners(shelf: Shelf) -> None:
    plain = json_lines(entente("games", "list", "--status", "finished", "--json", "--store", shelf.store).out)
    assert [(game["game"], game["phase"]) for game in plain] == [(shelf.finished, "W1901A")]
    outcome = plain[0]["outcome"]
    assert (outcome["kind"], outcome["phase"], len(outcome["winners"])) == ("max_year", "W1901A", 7)
    assert "7 share" in entente("games", "list", "--store", shelf.store).out
    shown = json.loads(entente("games", "show", shelf.finished, "--json", "--store", shelf.store).out)
    assert (shown["phase"], shown["outcome"]) == ("W1901A", outcome)


def test_a_game_is_named_and_noted_and_found_by_its_name(own_shelf: Shelf) -> None:
    where = ("--store", own_shelf.store)
    assert entente("games", "rename", own_shelf.finished[:8], "Summer  cup", *where).code == 0
    ran = entente("games", "note", "The newest", *where)
    assert (ran.code, own_shelf.waiting in ran.err) == (0, True)
    assert _press(own_shelf.store, "summer CUP") == _press(own_shelf.store, own_shelf.finished)
    copy = entente("games", "copy", "summer", *where).out.strip()
    rows = json_lines(entente("games", "list", "--json", *where).out)
    assert [(row["game"], row["name"], row["note"], row["forked_from"]) for row in rows] == [
        (copy, "", "", own_shelf.finished),
        (own_shelf.waiting, "", "The newest", None),
        (own_shelf.finished, "Summer cup", "", None),
    ]
    head, _, first, _, last = entente("games", "list", *where).out.splitlines()
    assert (head.split()[1], head.split()[-1]) == ("Name", "From")
    assert (first.split()[-1], last.split()[1:3]) == (own_shelf.finished[:8], ["Summer", "cup"])
    assert "The newest" in entente("games", "show", own_shelf.waiting, *where).out
    assert entente("games", "note", "summer", "to", "be", "played", "on", *where).code == 0
    assert "to be played on\n" in entente("games", "show", "summer", *where).out
    assert entente("games", "rename", "summer", "Autumn", "cup", *where).code == 0
    assert entente("games", "rename", "autumn", "Summer", "cup", *where).code == 0
    ran = entente("games", "rename", "summer", "x" * 61, *where)
    assert (ran.code, "nothing was changed" in ran.err) == (2, True)
    ran = entente("games", "rename", *where)
    assert (ran.code, "Missing argument 'NAME'" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("options", "listed"),
    [
        ("", "waiting finished"),
        ("--status waiting", "waiting"),
        ("--status KILLED", ""),
        ("--floor rounds", "waiting finished"),
        ("--floor gunboat", ""),
        ("--player HUM", "waiting"),
        ("--player diplomat --status finished", "finished"),
        ("--player gpt", ""),
        ("--name cup", ""),
        ("--since 2020-01-01", "waiting finished"),
        ("--since 2999-01-01T00:00", ""),
    ],
)
def test_a_list_has_the_games_that_were_asked_for(shelf: Shelf, options: str, listed: str) -> None:
    ran = entente("games", "list", *options.split(), "--store", shelf.store)
    games = [line.split()[0] for line in ran.out.splitlines()[2:]]
    assert (ran.code, games) == (0, [getattr(shelf, name)[:8] for name in listed.split()])
    assert ("None of the 2 games" in ran.err) == (not listed)


@pytest.mark.parametrize("option", ["--status=won", "--floor=disco", "--since=yesterday"])
def test_a_list_of_what_cannot_be_is_refused(shelf: Shelf, option: str) -> None:
    ran = entente("games", "list", option, "--store", shelf.store)
    assert (ran.code, ran.out) == (2, "")
    assert f"{option.split('=')[1]!r} came; nothing was printed." in ran.err


async def test_a_list_credits_those_who_stood_in(own_shelf: Shelf) -> None:
    async with open_store(own_shelf.store) as store, store.leases.hold(own_shelf.waiting):
        (segment, *_) = await store.journal.segments(own_shelf.waiting)
        (turn, *_) = await store.journal.turns(own_shelf.waiting, [segment.id])
        await store.journal.commit_turn(turn.model_copy(update={"number": 9, "stand_in": "dumbbot"}))
    ran = await asyncio.to_thread(entente, "games", "list", "--store", own_shelf.store)
    assert "diplomat (dumbbot stood in) ×1, diplomat ×5, human ×1" in ran.out
    ran = await asyncio.to_thread(entente, "games", "list", "--json", "--store", own_shelf.store)
    assert [game["stood_in"] for game in json_lines(ran.out)] == [{turn.power: ["dumbbot"]}, {}]


def test_a_deleted_game_is_named_and_gone(own_shelf: Shelf) -> None:
    ran = entente("games", "delete", own_shelf.finished, "--store", own_shelf.store)
    assert ran.out == f"Deleted {own_shelf.finished} (W1901A, finished, diplomat ×7).\n"
    assert games_in(own_shelf.store) == [own_shelf.waiting]


@pytest.mark.parametrize(
    "command",
    [
        "games show {game}",
        "games export {game}",
        "board {game}",
        "press {game}",
        "log {game}",
        "usage {game}",
        "resume {game}",
        "turn {game} FRANCE",
        "bundle {game} FRANCE",
        "prompts show {game} FRANCE",
        "ask {game} FRANCE Why?",
        "fork {game} --at S1950M",
        "mcp {game} FRANCE",
    ],
    ids=lambda line: line.replace(" {game}", "").replace(" ", "-"),
)
def test_without_an_id_the_newest_game_is_meant(
    own_shelf: Shelf, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    newest = entente("games", "copy", own_shelf.finished, "--store", own_shelf.store).out.strip()
    ran, named = (
        entente(*command.format(game=game).split(), "--store", own_shelf.store) for game in ("", newest)
    )
    assert (ran.code, ran.out) == (named.code, named.out)
    assert f"The newest game: {newest}" in ran.err


def test_a_store_without_games_says_how_to_begin_one(own_shelf: Shelf) -> None:
    for game in games_in(own_shelf.store):
        entente("games", "delete", game, "--store", own_shelf.store)
    ran = entente("board", "--store", own_shelf.store)
    assert (ran.code, "has none; `entente play" in ran.err) == (2, True), ran


def test_a_terminal_is_asked_before_a_game_is_deleted_with_its_map(own_shelf: Shelf) -> None:
    delete = ("games", "delete", own_shelf.finished, "--store", own_shelf.store)
    drawn = Path(own_shelf.store) / "maps" / f"{own_shelf.finished}.svg"
    drawn.parent.mkdir(exist_ok=True)
    drawn.write_text("<svg/>")
    with terminal(*delete) as person:
        person.expect(f"Delete {own_shelf.finished} (W1901A, finished, diplomat ×7)? [y/N]")
        person.type("\r")
        person.expect("The game stays; nothing was deleted.")
        assert person.exit_code() == 2
    assert own_shelf.finished in games_in(own_shelf.store)
    assert drawn.exists()
    with terminal(*delete) as person:
        person.expect("[y/N]")
        person.type("y\r")
        person.expect(f"Deleted {own_shelf.finished}")
        assert person.exit_code() == 0
    assert games_in(own_shelf.store) == [own_shelf.waiting]
    assert not drawn.exists()


def test_a_copy_is_a_game_of_its_own_with_the_same_history(own_shelf: Shelf) -> None:
    copy = entente("games", "copy", own_shelf.finished, "--store", own_shelf.store).out.strip()
    assert copy in games_in(own_shelf.store)
    assert _press(own_shelf.store, copy) == _press(own_shelf.store, own_shelf.finished)


def test_a_pruned_game_keeps_its_press_and_loses_its_moments(own_shelf: Shelf) -> None:
    before = _press(own_shelf.store, own_shelf.finished)
    assert entente("games", "prune", own_shelf.finished, "--store", own_shelf.store).code == 0
    assert _press(own_shelf.store, own_shelf.finished) == before
    ran = entente("fork", own_shelf.finished, "--at", "S1901M", "--store", own_shelf.store)
    assert (ran.code, "pruned" in ran.err) == (2, True)


def test_a_game_travels_in_a_file_and_goes_on_elsewhere(own_shelf: Shelf, tmp_path: Path) -> None:
    file, other = str(tmp_path / "file"), str(tmp_path / "other")
    ran = entente("games", "export", own_shelf.waiting, file, "--store", own_shelf.store)
    assert (ran.code, ran.out) == (0, f"{file}\n")
    assert entente("games", "import", file, "--store", other).out == f"{own_shelf.waiting}\n"
    assert entente("turn", own_shelf.waiting, "FRANCE", "--store", other, stdin="\n").code == 6


def test_a_game_is_exported_to_stdout(shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert entente("games", "export", shelf.finished, "file", "--store", shelf.store).code == 0
    out = TextIOWrapper(BytesIO())
    monkeypatch.setattr(sys, "stdout", out)
    assert exit_code(["games", "export", shelf.finished, "-", "--store", shelf.store]) == 0
    out.seek(0)
    assert out.buffer.read() == (tmp_path / "file").read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_game_is_exported_for_langgraphs_own_saver(shelf: Shelf, tmp_path: Path) -> None:
    file = str(tmp_path / "file.sqlite")
    ran = entente("games", "export", shelf.waiting, "--langgraph", file, "--store", shelf.store)
    assert (ran.code, ran.out) == (0, f"{file}\n")
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT DISTINCT thread_id FROM checkpoints").fetchall() == [
            (shelf.waiting,)
        ]


def test_an_export_follows_a_link_and_takes_no_devices_place(shelf: Shelf, tmp_path: Path) -> None:
    file, link, pipe = tmp_path / "file", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(file)
    os.mkfifo(pipe)
    ran = entente("games", "export", shelf.finished, str(link), "--store", shelf.store)
    assert (ran.code, ran.out, link.is_symlink()) == (0, f"{link}\n", True)
    assert file.read_bytes().startswith(b"PK")
    ran = entente("games", "export", shelf.finished, str(pipe), "--store", shelf.store)
    assert (ran.code, f"{pipe} is something else" in ran.err, pipe.is_fifo()) == (2, True, True)


def test_a_fork_prints_the_new_game_which_says_where_it_came_from(own_shelf: Shelf) -> None:
    where = ("--at", "F1901M.orders", "--seat", "italy=hold")
    fork = entente("fork", own_shelf.finished, *where, "--store", own_shelf.store).out.strip()
    shown = entente("games", "show", fork, "--store", own_shelf.store).out
    assert f"forked_from      {own_shelf.finished}" in shown
    assert "hold ×1" in shown
    ran = entente("resume", fork, "--store", own_shelf.store)
    assert ran.code == 0
    assert "F1901M" in ran.err


def _press(store: str, game: str) -> str:
    ran = entente("press", game, "--store", store)
    assert ran.code == 0
    return ran.out
