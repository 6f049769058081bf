"""`entente create-leader`: by a dialog, by options and by lines, and the game that is played with its file."""

import json
from pathlib import Path

import pytest

from entente.cli.leader_file import read_leader
from entente.commentary.leader import parse_leader
from tests.support.terminal import Ran, entente, games_in, terminal

LINES = "Marguerite Renard\nshe never forgets\n2\nnot loyal\nboundless\nflo\nA banker.\n"
GRADES = {
    "temper": "hot",
    "honesty": "guarded",
    "loyalty": "faithless",
    "ambition": "boundless",
    "manner_of_speech": "florid",
}
OPTIONS = [
    *("--name", "Marguerite Renard", "--temper", "never forgets", "--honesty", "2", "--loyalty", "not loyal"),
    *("--ambition", "boundless", "--manner-of-speech", "flo", "--description", "A banker."),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def created(*options: str, stdin: str = "") -> Ran:
    return entente("create-leader", "france", *options, stdin=stdin)


def test_a_dialog_makes_a_leader_and_asks_again_for_what_it_does_not_understand(folder: Path) -> None:
    with terminal("create-leader", "FRANCE", cwd=folder, columns=80) as person:
        person.expect("1 of 7. What is your leader called?")
        person.expect("> ")
        person.answer("Marguerite Renard", "2 of 7. ")
        person.expect("> ")
        shown = person.answer("somewhat odd", "please say it another way.")
        assert "'somewhat odd' was not" in shown
        for line in ("never forgets", "2", "not loyal", "boundless", "flo", "A banker."):
            person.expect("> ")
            person.type(f"{line}\r")
        assert person.exit_code() == 0
    assert "entente play --leader france.yaml --seat FRANCE=human" in person.screen
    assert max(map(len, person.screen.splitlines())) <= 80
    assert read_leader(folder / "france.yaml").character_sheet.model_dump() == GRADES


def test_who_leaves_the_interview_writes_nothing(folder: Path) -> None:
    """By Ctrl-D: a Ctrl-C at the very moment at which Python begins to read is seen with the next key alone."""
    (folder / "france.yaml").write_text("mine")
    with terminal("create-leader", "FRANCE", cwd=folder, columns=80) as person:
        person.expect("france.yaml is there already. Write over it? [y/N]: ")
        person.type("y\r")
        person.expect("> ")
        person.answer("Renard", "> ")
        person.type("\x04")
        assert person.exit_code() == 130
    assert "Nothing was written." in person.screen
    assert [(each.name, each.read_text()) for each in folder.iterdir()] == [("france.yaml", "mine")]


@pytest.mark.parametrize(("options", "stdin"), [([], LINES), (OPTIONS, "")], ids=["lines", "options"])
def test_answers_come_by_lines_or_by_options(folder: Path, options: list[str], stdin: str) -> None:
    ran = created(*options, "--json", stdin=stdin)
    assert ran.code == 0, ran
    assert (written := read_leader(folder / "france.yaml")) == parse_leader(json.loads(ran.out))
    assert written.model_dump(mode="json") == {
        "name": "Marguerite Renard",
        "power": "FRANCE",
        "character_description": "A banker.",
        "character_sheet": GRADES,
    }


def test_what_is_not_answered_is_left_to_the_seed(folder: Path) -> None:
    first = json.loads(created("--json", "--temper", "hot").out)
    assert first["character_sheet"]["temper"] == "hot"
    assert json.loads(created("--json", "--temper", "hot", "--replace").out) == first
    assert json.loads(created("--json", "--out", "other.yaml", "--seed", "7").out) != first
    assert {path.name for path in folder.iterdir()} == {"france.yaml", "other.yaml"}


REFUSED: list[tuple[list[str], str, str]] = [
    (["--temper", "odd"], "", "temper: One of calm, even or hot was wanted, and 'odd' was not understood"),
    ([], "Renard\nodd\n", "temper: One of calm, even or hot"),
    ([], LINES + "more\n", "At most 7 answers were wanted"),
    ([], "x" * 100_000, "name: An answer of at most 60 characters was wanted and 100,000 came"),
    ([], "Renard\0\n", "the byte 0x00 came; nothing was written"),
    (["--out", "no/such/folder.yaml"], "", "The leader cannot be written to no/such/folder.yaml"),
    (["--map", "ancmed"], "", "A power of the map ancmed was wanted (CARTHAGE,"),
]


@pytest.mark.parametrize(("options", "stdin", "told"), REFUSED)
def test_what_cannot_be_used_writes_nothing(folder: Path, options: list[str], stdin: str, told: str) -> None:
    ran = created(*options, stdin=stdin)
    assert ran.code in (2, 3), ran
    assert told in ran.err
    assert len(ran.err) < 500
    assert [*folder.iterdir()] == []


def test_a_file_that_is_there_stays_unless_it_is_to_be_replaced(folder: Path) -> None:
    file = folder / "france.yaml"
    file.write_text("mine")
    ran = created()
    assert (ran.code, file.read_text()) == (2, "mine")
    assert "france.yaml is there already and stays as it is; --replace writes over it." in ran.err
    assert created("--replace").code == 0
    assert read_leader(file).power == "FRANCE"


def test_a_person_sees_its_leader_and_the_game_keeps_it(folder: Path) -> None:
    assert created(stdin=LINES).code == 0
    (folder / "game.yaml").write_text(
        "leaders: {france: france.yaml}\nseats: {FRANCE: human}\neveryone: hold\n"
    )
    for place, given in enumerate((["--config", "game.yaml"], ["--leader", "france.yaml"])):
        store = f"store{place}"
        seated = ["--seat", "FRANCE=human", "--all", "hold", "--store", store]
        assert entente("play", *given, *seated).code == 6
        (game,) = games_in(store)
        written = entente("games", "show", game, "--yaml", "--store", store).out
        (folder / f"again{place}.yaml").write_text(written)
        assert "name: Marguerite Renard\n" in written
        assert entente("play", "--config", f"again{place}.yaml", "--store", f"again{place}").code == 6
    with terminal("turn", "--store", "store0", "FRANCE", cwd=folder, columns=80) as person:
        shown = person.expect("FRANCE>")
        person.type("\x04")
        person.exit_code()
    assert (
        "You play\nMarguerite Renard, FRANCE\nA banker.\n  hot: You answer a wrong at once"
        in shown.replace("\r", "")
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "A leader's settings cannot be None; it takes a table."),
        ("name: [", "cannot be read ("),
        ("name: !!python/object:os.system {}", "cannot be read ("),
        ("[" * 600 + "]" * 600, "cannot be read (it is nested too deeply)"),
        ("# " + "x" * 100_000, "cannot be read (it has more than 100,000 bytes)"),
        ("name: \udcff", "cannot be read ("),
        ("name: &a [x]\npower: *a", "cannot be read (a part of it stands for another)"),
    ],
)
def test_a_file_that_is_no_leaders_is_refused_by_its_name(folder: Path, text: str, told: str) -> None:
    (folder / "bad.yaml").write_bytes(text.encode("utf-8", "surrogateescape"))
    ran = entente("play", "--leader", "bad.yaml", "--store", "store")
    assert ran.code == 2
    assert "entente: bad.yaml: A leader" in ran.err
    assert told in ran.err
    assert not (folder / "store").exists()
    assert entente("play", "--leader", "none.yaml", "--store", "store").code == 2
