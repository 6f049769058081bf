"""What entente writes is read by its owner alone, also where the umask lets everybody read."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from checkpoints.store import open_store
from tests.cli.conftest import Shelf
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


def test_what_is_there_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "journal.sqlite").touch(0o644)
    modes = asyncio.run(_modes_while_open(tmp_path, tmp_path))
    assert (modes[tmp_path.name], modes["journal.sqlite"]) == (0o755, 0o644)
