"""`log`: everything that happened, or what is asked for, with its time; once, or as it comes."""

import asyncio
import json
import re
import signal
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from checkpoints.store import open_store
from entente.games.runner import GameMaster
from graph.context import GameSettings
from tests.cli.conftest import Shelf
from tests.support.patience import PATIENCE
from tests.support.piped import Piped
from tests.support.postgres import postgres_server
from tests.support.terminal import entente, games_in, json_lines, start

OLD_GAME = Path(__file__).parent.parent / "games" / "fixtures" / "schema-1.entente"
CLOCK = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d ")


def events(shelf: Shelf, *options: str, game: str = "") -> list[Any]:
    ran = entente("log", game or shelf.finished, *options, "--json", "--store", shelf.store)
    assert (ran.code, ran.err) == (0, "")
    return json_lines(ran.out)


@contextmanager
def following(store: str, game: str, *options: str) -> Generator[Piped]:
    """A process that follows the game, ended with the block if it still runs."""
    with start("log", game, "--follow", *options, "--store", store) as process:
        try:
            yield process
        finally:
            process.kill()


def ends(process: Piped) -> tuple[int | None, str, str]:
    """Its exit code, the rest of what it printed, and what it said."""
    out, err = process.communicate()
    return process.returncode, out, err


def test_each_line_has_its_time_and_its_moment(shelf: Shelf) -> None:
    lines = entente("log", shelf.finished, "--store", shelf.store).out.splitlines()
    every = events(shelf)
    assert len(lines) == len(every)
    for line, event in zip(lines, every, strict=True):
        shown = datetime.fromtimestamp(event["at"]).astimezone().strftime("%Y-%m-%d %H:%M:%S")
        assert line.startswith(f"{shown} {event['moment']} ")


def test_events_come_in_the_order_of_their_commits(shelf: Shelf) -> None:
    numbers = [event["sequence"] for event in events(shelf)]
    assert numbers == sorted(numbers)
    assert numbers[0] > 0


def test_press_tells_the_time_of_each_message(shelf: Shelf) -> None:
    told = json_lines(entente("press", shelf.finished, "--json", "--store", shelf.store).out)
    messages = [event for event in events(shelf) if event["kind"] == "message"]
    assert [(m["content"], m["at"]) for m in told] == [(e["data"]["content"], e["at"]) for e in messages]
    lines = entente("press", shelf.finished, "--store", shelf.store).out.splitlines()
    assert all(CLOCK.match(line) for line in lines)


def test_a_game_from_before_times_were_kept_is_shown_without(tmp_path: Path) -> None:
    store = str(tmp_path / "store")
    assert entente("games", "import", str(OLD_GAME), "--store", store).code == 0
    (game,) = games_in(store)
    told = json_lines(entente("log", game, "--json", "--store", store).out)
    assert {event["at"] for event in told} == {None}
    assert [event["sequence"] for event in told] == sorted(event["sequence"] for event in told)
    lines = entente("log", game, "--store", store).out.splitlines()
    assert all(line.startswith(" " * 20 + event["moment"]) for line, event in zip(lines, told, strict=True))
    assert not CLOCK.search(entente("press", game, "--store", store).out)
    since = entente("log", game, "--since", "2020-01-01", "--store", store)
    assert (since.code, since.out) == (0, "")


@pytest.mark.parametrize(
    ("kinds", "wanted"),
    [(["phase"], {"phase"}), (["Phase", "ordered"], {"phase", "ordered"}), (["notice"], set[str]())],
)
def test_kinds_of_event_can_be_chosen(shelf: Shelf, kinds: list[str], wanted: set[str]) -> None:
    chosen = events(shelf, *(part for kind in kinds for part in ("--kind", kind)))
    assert chosen == [event for event in events(shelf) if event["kind"] in wanted]


@pytest.mark.parametrize(
    ("at", "pattern"),
    [
        ("S1901M", r"S1901M(\..*)?"),
        ("s1901m.1", r"S1901M\.1(\..*)?"),
        ("S1901M.orders", r"S1901M\.orders\..*"),
        ("S1901M.1.FRANCE", r"S1901M\.1\.FRANCE"),
        ("W1901A.orders.TURKEY", r"W1901A\.orders\.TURKEY"),
    ],
)
def test_a_moment_can_be_chosen(shelf: Shelf, at: str, pattern: str) -> None:
    chosen = events(shelf, "--at", at)
    assert chosen == [event for event in events(shelf) if re.fullmatch(pattern, event["moment"])]
    assert chosen


def test_a_reader_goes_on_after_the_number_that_it_has_seen(shelf: Shelf) -> None:
    every = events(shelf)
    for number in (0, every[7]["sequence"], every[-1]["sequence"], 10**18):
        expected = [event for event in every if event["sequence"] > number]
        assert events(shelf, "--since", str(number)) == expected


def test_a_reader_goes_on_at_a_time(shelf: Shelf) -> None:
    every = events(shelf)
    middle = datetime.fromtimestamp(every[len(every) // 2]["at"])  # noqa: DTZ006 - by the clock of this place
    expected = [event for event in every if event["at"] >= middle.timestamp()]
    for since in (middle.isoformat(), middle.astimezone().isoformat()):
        assert events(shelf, "--since", since) == expected


def test_what_is_chosen_is_chosen_of_what_the_reader_may_know(shelf: Shelf) -> None:
    options = ("--kind", "message", "--at", "S1901M", "--since", "3")
    for reader in ("FRANCE", "public"):
        mine = events(shelf, "--power", reader)
        expected = [
            e for e in mine if e["kind"] == "message" and e["phase"] == "S1901M" and e["sequence"] > 3
        ]
        assert events(shelf, "--power", reader, *options) == expected


NO_CHOICE = [
    (["--kind", "messages"], "message, talked, ordered, diary, thought, notice, phase"),
    (["--kind", ""], "'' came"),
    (["--at", "spring"], "A moment such as S1903M"),
    (["--since", "yesterday"], "2026-03-01T14:35"),
    (["--since", ""], "2026-03-01T14:35"),
    (["--since", "9" * 19], "2026-03-01T14:35"),
    (["--since", "9" * 5000], "2026-03-01T14:35"),
    (["--since", "99999-01-01"], "2026-03-01T14:35"),
    (["--power", "NARNIA"], "NARNIA"),
]
NOT_YET = [(["--at", at], "names every moment") for at in ("S1950M", "S1901M.7")]
"""What may come in a game that is followed."""


@pytest.mark.parametrize(
    ("options", "told"),
    [
        *NO_CHOICE,
        *NOT_YET,
        *((["--follow", *options], told) for options, told in NO_CHOICE),
    ],
)
def test_what_cannot_be_chosen_is_told_in_a_sentence(shelf: Shelf, options: list[str], told: str) -> None:
    ran = entente("log", shelf.finished, *options, "--store", shelf.store)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    assert told in ran.err


@pytest.mark.parametrize("options", [(), ("--json",), ("--power", "FRANCE"), ("--kind", "phase")])
def test_to_follow_a_game_that_is_over_is_to_read_it(shelf: Shelf, options: tuple[str, ...]) -> None:
    read = entente("log", shelf.finished, *options, "--store", shelf.store)
    followed = entente("log", shelf.finished, "--follow", *options, "--store", shelf.store)
    assert (followed.code, followed.err) == (0, "")
    if "--json" in options:
        assert followed.out == read.out
    else:
        assert followed.out == read.out


def test_a_game_that_other_processes_play_is_followed_to_its_end(own_shelf: Shelf) -> None:
    """It waits for a person, is answered, waits again, and ends: its follower ends too."""
    store, game = own_shelf.store, own_shelf.waiting
    with (
        following(store, game, "--json", "--operator") as operator,
        following(store, game, "--power", "GERMANY", "--since", "0", "--kind", "phase") as germany,
    ):
        first = json.loads(operator.stdout.readline())
        assert first["moment"].startswith("S1901M.1.")
        for _ in range(20):
            if entente("turn", game, "FRANCE", "--store", store, stdin="\n").code == 0:
                break
        code, rest, err = ends(operator)
        assert (code, err) == (0, "")
        seen = [first, *map(json.loads, rest.splitlines())]
        assert seen == events(own_shelf, game=game)
        phases = entente("log", game, "--power", "GERMANY", "--kind", "phase", "--store", store).out
        assert ends(germany) == (0, phases, "")
        assert phases.count("\n") >= 3


def test_who_follows_is_ended_by_ctrl_c(own_shelf: Shelf) -> None:
    with following(own_shelf.store, own_shelf.waiting, "--operator") as process:
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        code, _, err = ends(process)
    assert (code, err) == (130, "")


def test_who_follows_ends_quietly_when_its_reader_leaves_though_nothing_happens(own_shelf: Shelf) -> None:
    with following(own_shelf.store, own_shelf.waiting, "--operator") as process:
        assert process.stdout.readline()
        process.stdout.close()
        assert process.wait(PATIENCE) == 141
        assert process.stderr.read() == ""


def test_a_game_that_was_opened_and_never_begun_is_followed_from_its_beginning(tmp_path: Path) -> None:
    store = str(tmp_path / "store")

    async def begin() -> str:
        async with open_store(store) as opened:
            settings = GameSettings(everyone="hold", floor="gunboat", max_year=1901)
            return await GameMaster(opened).begin(settings)

    game = asyncio.run(begin())
    assert entente("log", game, "--store", store).code == 2
    with following(store, game, "--power", "FRANCE", "--kind", "phase") as process:
        assert entente("resume", game, "--store", store).code == 0
        code, out, err = ends(process)
    assert (code, err) == (0, "")
    assert out == entente("log", game, "--kind", "phase", "--store", store).out != ""


def test_a_game_that_is_deleted_meanwhile_is_told(own_shelf: Shelf) -> None:
    store, game = own_shelf.store, own_shelf.waiting
    with following(store, game, "--operator") as process:
        assert process.stdout.readline()
        assert entente("games", "delete", game, "--store", store).code == 0
        code, _, err = ends(process)
    assert (code, err.count("\n"), game in err) == (2, 1, True), err


@pytest.mark.postgres
def test_a_server_that_goes_while_a_game_is_followed_is_told_in_a_sentence() -> None:
    with postgres_server() as server:
        store = server.new_database()
        options = ("--seat", "FRANCE=human", "--rounds", "1", "--max-year", "1901")
        assert entente("play", *options, "--store", store).code == 6
        (game,) = games_in(store)
        with following(store, game, "--operator") as process:
            assert process.stdout.readline()
            server.stop()
            code, _, err = ends(process)
    assert (code, err.count("\n")) == (3, 1), err
    assert err.startswith("entente: The store at postgresql://")
