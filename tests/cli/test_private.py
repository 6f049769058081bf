"""What entente writes is read by its owner alone, also where the umask lets everybody read."""

import asyncio
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from checkpoints.locations import JOURNAL_FILE
from checkpoints.store import open_store
from entente.cli.game_file import write_model
from entente.cli.studio_work import workplace
from tests.cli.conftest import Shelf
from tests.support.nobody import as_nobody
from tests.support.terminal import entente


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def _modes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))}


async def _modes_while_open(store: Path, folder: Path) -> dict[str, int]:
    async with open_store(str(store)) as opened:
        await opened.library.games()
        return await asyncio.to_thread(_modes, folder)


def test_a_store_is_read_by_its_owner_alone(tmp_path: Path) -> None:
    above = tmp_path / "above"
    store = above / "store"
    assert entente("play", "--rounds", "0", "--max-year", "1901", "--store", str(store)).code == 0
    modes = asyncio.run(_modes_while_open(store, above))
    (drawn,) = [name for name in modes if name.endswith(".svg")]
    files = {"journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm", drawn}
    assert modes == dict.fromkeys(["above", "store", "maps"], 0o700) | dict.fromkeys(files, 0o600)


@pytest.mark.parametrize("kind", [[], ["--langgraph"]], ids=["game", "langgraph"])
def test_an_export_is_read_by_its_owner_alone(shelf: Shelf, tmp_path: Path, kind: list[str]) -> None:
    file, planted = tmp_path / "game", tmp_path / "planted"
    file.write_text("an older export, 0644")
    planted.touch()
    (tmp_path / ".game.partial").symlink_to(planted)
    assert entente("games", "export", shelf.waiting, *kind, str(file), "--store", shelf.store).code == 0
    assert _modes(tmp_path)["game"] == 0o600
    assert planted.read_bytes() == b""


@pytest.mark.parametrize(
    "line",
    [
        "board {game} --out {file}.svg",
        "board {game} --out {file}.png",
        "create-leader FRANCE --out {file}.yaml",
    ],
)
def test_what_a_command_writes_into_a_file_is_read_by_its_owner_alone(
    shelf: Shelf, tmp_path: Path, line: str
) -> None:
    words = [word.format(game=shelf.waiting, file=tmp_path / "written") for word in line.split()]
    store = () if line.startswith("create-leader") else ("--store", shelf.store)
    assert entente(*words, *store).code == 0
    assert {*_modes(tmp_path).values()} == {0o700, 0o600}
    (written,) = tmp_path.iterdir()
    if not line.startswith("create-leader"):  # which leaves what is there
        written.chmod(0o644)
        assert entente(*words, *store).code == 0
        assert _modes(tmp_path)[written.name] == 0o644


def test_a_games_file_that_gets_a_model_is_read_by_its_owner_alone(tmp_path: Path) -> None:
    new, shared = tmp_path / "new.yaml", tmp_path / "shared.yaml"
    shared.touch(0o644)
    for file in (new, shared):
        write_model(file, "FRANCE", "openai:m@http://localhost:1/v1", {})
    assert (_modes(tmp_path)["new.yaml"], _modes(tmp_path)["shared.yaml"]) == (0o600, 0o644)


def test_the_folder_of_studios_notes_and_those_above_it_are_entered_by_their_owner_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    asyncio.run(_notes_of(tmp_path / "store"))
    assert {*_modes(tmp_path / "state").values()} == {0o700}


async def _notes_of(folder: Path) -> None:
    async with open_store(str(folder)) as store, workplace(store):
        pass


def test_what_is_there_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "journal.sqlite").touch(0o644)
    modes = asyncio.run(_modes_while_open(tmp_path, tmp_path))
    assert (modes[tmp_path.name], modes["journal.sqlite"]) == (0o755, 0o644)


def test_a_store_that_may_not_be_written_can_be_read(shelf: Shelf) -> None:
    game = shelf.finished
    reading = (("games", "list"), ("games", "show", game), ("log", game), ("board", game), ("press", game))
    with TemporaryDirectory() as folder:  # pytest's own folders are closed to others
        Path(folder).chmod(0o755)
        store = Path(folder) / "a store?"
        store.mkdir()
        shutil.copy(Path(shelf.store) / JOURNAL_FILE, store)
        (store / JOURNAL_FILE).chmod(0o444)
        store.chmod(0o555)
        expected = [entente(*command, "--store", shelf.store) for command in reading]
        with as_nobody():
            read = [entente(*command, "--store", str(store)) for command in reading]
            refused = entente("games", "prune", game, "--store", str(store))
        left = [path.name for path in store.iterdir()]
        store.chmod(0o755)
    assert [ran.out for ran in read] == [ran.out for ran in expected]
    assert {(ran.code, bool(ran.out)) for ran in read} == {(0, True)}
    assert "it may not be written; nothing was changed" in refused.err
    assert left == [JOURNAL_FILE]
