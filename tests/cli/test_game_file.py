"""A game as a file: what one command writes another plays, and what is wrong in it is told with its line."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Shelf
from tests.support.terminal import entente, games_in

DIGESTS = ("state_digest", "journal_digest")


def shown(store: str, game: str) -> dict[str, object]:
    return json.loads(entente("games", "show", game, "--json", "--store", store).out)


def digests(store: str, game: str) -> list[object]:
    return [shown(store, game)[name] for name in DIGESTS]


def test_a_game_is_played_again_from_the_file_that_its_settings_fill(shelf: Shelf, tmp_path: Path) -> None:
    written = entente("games", "show", shelf.finished, "--yaml", "--store", shelf.store)
    assert (written.code, written.err) == (0, "")
    file, store = tmp_path / "game.yaml", str(tmp_path / "store")
    file.write_text(written.out)
    assert entente("play", "--config", str(file), "--store", store).code == 0
    (game,) = games_in(store)
    assert digests(store, game) == digests(shelf.store, shelf.finished)
    assert entente("games", "show", game, "--yaml", "--store", store).out == written.out


@pytest.mark.parametrize("floor", ["conductor", "gunboat"])
def test_so_it_is_on_every_floor_and_with_every_kind_of_setting(tmp_path: Path, floor: str) -> None:
    file, first, second = tmp_path / "game.json", str(tmp_path / "first"), str(tmp_path / "second")
    settings = {
        "floor": floor,
        "everyone": "hold",
        "seats": {"france": "diplomat(honesty=0.5, loyalty=0.9)", "ITALY": "random"},
        "max_year": 1901,
        "seed": 7,
        "seat_models": {"France": {"temperature": 0.5, "instructions": "no: yes # \u00e9"}},
    }
    file.write_text(json.dumps(settings, indent="\t"))
    assert entente("play", "--config", str(file), "--store", first).code == 0
    (game,) = games_in(first)
    again = tmp_path / "again.yaml"
    again.write_text(entente("games", "show", game, "--yaml", "--store", first).out, encoding="utf-8")
    assert entente("play", "--config", str(again), "--store", second).code == 0
    assert digests(second, games_in(second)[0]) == digests(first, game)


def test_options_go_over_the_file_entry_by_entry(tmp_path: Path) -> None:
    file, store = tmp_path / "game.yaml", str(tmp_path / "store")
    file.write_text("""\
everyone: hold
seats: {FRANCE: random, ITALY: random}
rounds: 1
drafts: true
seat_models: {FRANCE: {temperature: 1, max_attempts: 2}}
max_year: 1901
""")
    ran = entente(
        *("play", "--config", str(file), "--seat", "FRANCE=human", "--rounds", "2", "--no-drafts"),
        *("--model-setting", "FRANCE.temperature=0", "--store", store),
    )
    assert ran.code == 6, ran
    kept = shown(store, games_in(store)[0])["settings"]
    assert isinstance(kept, dict)
    assert (kept["rounds"], kept["drafts"], kept["max_year"]) == (2, False, 1901)
    assert (kept["seats"]["FRANCE"], kept["seats"]["ITALY"], kept["seats"]["RUSSIA"]) == (
        "human",
        "random",
        "hold",
    )
    assert kept["seat_models"] == {"FRANCE": {"temperature": 0.0, "max_attempts": 2}}


def test_prompts_are_looked_for_beside_the_file(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text("prompts: mine\n")
    ran = entente("play", "--config", str(file), "--store", "memory")
    assert (ran.code, f"'{tmp_path / 'mine'}'" in ran.err) == (2, True), ran


def test_the_conductors_command_takes_a_file_too(tmp_path: Path) -> None:
    file, store = tmp_path / "game.yaml", str(tmp_path / "store")
    file.write_text("everyone: hold\nmax_year: 1901\n")
    assert entente("conductor", "--config", str(file), "--store", store).code == 0
    written = entente("games", "show", games_in(store)[0], "--yaml", "--store", store).out
    assert "floor: conductor\n" in written
    assert "rounds:" not in written


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("seed: 1\nroundz: 3\n", "line 2: There is no setting roundz; did you mean rounds?"),
        (
            "seed: 1\n\nrounds: many\n",
            "line 3: The setting rounds cannot be 'many'; it takes an integer from 0 to 20",
        ),
        ("seats:\n  FRANCE: hold\n  Italy: dumbot\n", "line 3: A player of human"),
        ("seats:\n  FRANCE: 3\n", "line 2: The setting seats.FRANCE cannot be 3; it takes a text"),
        ("seats:\n  NARNIA: hold\n", "line 2: A seat is wanted for 'NARNIA'"),
        ("everyone: nobody\n", "line 1: A player of human"),
        ("max_year: 1800\n", "line 1: The last year must be 1901 or later"),
        (
            "models:\n  temprature: 1\n",
            "line 2: There is no model setting 'temprature'; did you mean temperature?",
        ),
        (
            "seat_models:\n  FRANCE:\n    concurrency: 0\n",
            "line 3: A value cannot be used for the model setting",
        ),
        ("floor: gunboat\nrounds: 3\n", "line 2: The setting rounds has no effect on the floor gunboat"),
        ("seed: 1\nrounds: 2\nseed: 2\n", "line 3: The setting seed was given in line 1 already"),
        (
            "seats: {FRANCE: hold,\n  france: hold}\n",
            "line 2: The setting seats.FRANCE was given in line 1 already",
        ),
        ("seed: [1\n", "line 2: The settings of a game were wanted and cannot be read"),
        ("- seed\n", "it is no table of names and values"),
        ("seats: &all {FRANCE: hold}\nseat_models: *all\n", "it has an alias"),
        ("", "it is no table of names and values"),
        ("seed: !!python/object:os.system {}\n", "line 1: The settings of a game were wanted"),
        ("[" * 600 + "]" * 600, "The settings of a game were wanted and cannot be read (RecursionError)"),
        ("seed: " + "9" * 5000, "The settings of a game were wanted and cannot be read"),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    file, store = tmp_path / "game.yaml", tmp_path / "store"
    file.write_text(text)
    ran = entente("play", "--config", str(file), "--store", str(store))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), ran
    assert f"entente: {file}" in ran.err
    assert told in ran.err
    assert games_in(str(store)) == []


def test_an_option_that_cannot_be_used_is_not_told_as_the_files(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text("rounds: 2\nseats: {FRANCE: hold}\n")
    for option in ("--rounds=x", "--seat=FRANCE=nobody"):
        ran = entente("play", "--config", str(file), option, "--store", str(tmp_path / "store"))
        assert (ran.code, str(file) in ran.err) == (2, False), ran


def test_a_file_that_is_not_there_or_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_bytes(b"seed: \xff\n")
    for name in ("none.yaml", "game.yaml"):
        ran = entente("play", "--config", str(tmp_path / name), "--store", "memory")
        assert (ran.code, name in ran.err, ran.err.count("\n")) == (2, True, 1), ran
