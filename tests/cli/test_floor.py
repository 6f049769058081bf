"""The conductor's floor from the command line: its command, and the counts of wakes, calls and messages."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Shelf
from tests.support.terminal import entente, games_in, json_lines


@pytest.fixture(scope="module")
def conducted(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, str]:
    """A store, its one game and what was said while it was played."""
    store = str(tmp_path_factory.mktemp("floor") / "store")
    ran = entente("conductor", "--max-year", "1901", "--store", store)
    assert ran.code == 0, ran
    return store, games_in(store)[0], ran.err


def test_the_conductors_command_is_play_on_that_floor_with_seed_42(
    conducted: tuple[str, str, str], tmp_path: Path
) -> None:
    store, game, _ = conducted
    other = str(tmp_path / "store")
    entente("play", "--floor", "conductor", "--seed", "42", "--max-year", "1901", "--store", other)
    shown = [
        entente("games", "show", name, "--store", where).out
        for where, name in ((store, game), (other, games_in(other)[0]))
    ]
    digests = [[line for line in text.splitlines() if "_digest" in line] for text in shown]
    assert digests[0] == digests[1]
    assert digests[0]


def test_wakes_and_messages_are_counted_whoever_plays(conducted: tuple[str, str, str]) -> None:
    store, game, said = conducted
    counts = json.loads(entente("usage", game, "--json", "--store", store).out)["floor"]
    assert list(counts) == ["S1901M", "F1901M"]
    press = entente("press", game, "--store", store).out.splitlines()
    assert sum(phase["messages"] for phase in counts.values()) == len(press)
    assert all(phase["wakes"] >= 7 and phase["calls"] == 0 for phase in counts.values())
    wakes = sum(phase["wakes"] for phase in counts.values())
    (total,) = (
        line for line in entente("usage", game, "--store", store).out.splitlines() if line.startswith("all")
    )
    assert total.split() == ["all", str(wakes), "0", str(len(press))]
    last = said.splitlines()[-1]
    assert last.startswith("This run: ")
    assert f"  {wakes} wakes  {len(press)} messages  " in last


def test_other_floors_have_no_wakes(shelf: Shelf) -> None:
    assert json.loads(entente("usage", shelf.finished, "--json", "--store", shelf.store).out)["floor"] == {}


def test_a_moment_is_copied_from_the_log_into_a_fork(conducted: tuple[str, str, str]) -> None:
    store, game, _ = conducted
    events = json_lines(entente("log", game, "--json", "--store", store).out)
    lines = [line for line in entente("log", game, "--store", store).out.splitlines() if line[0] != " "]
    assert [line.split()[2] for line in lines] == [event["moment"] for event in events]
    second = next(line for line in lines if "FRANCE.2 " in line and " talked " in line).split()[2]
    ran = entente("fork", game, "--at", second, "--store", store)
    assert (second, ran.code, ran.err) == ("S1901M.1.FRANCE.2", 0, "")


def test_press_of_the_floor_names_no_round(conducted: tuple[str, str, str]) -> None:
    store, game, _ = conducted
    assert "S1901M RUSSIA to AUSTRIA: " in entente("press", game, "--store", store).out
