"""A store that cannot be used says so in a sentence, and nothing is changed."""

import asyncio
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Connection

from checkpoints.locations import JOURNAL_FILE, default_folder
from checkpoints.older import FILE as OLDER_FILE
from checkpoints.store import open_store
from entente.board.types import Power
from entente.errors import StoreUnavailable
from entente.games.runner import GameMaster, RunEnd
from entente.players.bundle import Bundle
from entente.players.protocol import Reply
from graph.context import GameSettings
from tests.checkpoints.small_graph import answered, config, played_to_the_question, small_graph
from tests.checkpoints.test_migrations import FIXTURES
from tests.support.full_disk import no_file_larger_than
from tests.support.nobody import as_nobody
from tests.support.stores import a_turn, as_made

GAME = "0c1a7f04-0000-4000-8000-000000000001"


async def _refusal(location: str) -> str:
    with pytest.raises(StoreUnavailable) as caught:
        async with open_store(location):
            pass
    return str(caught.value)


@pytest.mark.parametrize("name", [JOURNAL_FILE, OLDER_FILE])
async def test_a_damaged_file_is_told_and_kept_as_it_is(tmp_path: Path, name: str) -> None:
    folder = shutil.copytree(FIXTURES / "store_v4", tmp_path / "store")
    damaged = b"This is not a database at all." * 500
    (folder / name).write_bytes(damaged)
    assert f"The store at {folder} cannot be used: the file is damaged" in await _refusal(str(folder))
    assert (folder / name).read_bytes() == damaged


async def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for location in (tmp_path / "file", tmp_path / "file" / "store"):
        assert "a file stands where a folder should" in await _refusal(str(location))
    assert (tmp_path / "file").read_text() == "mine"


async def test_a_folder_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    with _read_only(tmp_path), as_nobody():
        told = await _refusal(str(tmp_path / "store"))
    assert "it may not be read or written; nothing was changed" in told
    assert not _has_files(tmp_path)


async def test_a_full_disk_stops_a_turn_and_keeps_what_stands(tmp_path: Path) -> None:
    async with open_store(str(tmp_path)) as store, store.leases.hold(GAME):
        first = await store.journal.commit_turn(a_turn(GAME, "s1", "FRANCE"))
        await store.library.database.read(_no_more_pages)
        long = a_turn(GAME, "s1", "ITALY", says=["x" * 20_000, "y" * 20_000])
        with pytest.raises(StoreUnavailable, match="the disk is full; nothing was changed"):
            await store.journal.commit_turn(long)
        assert await store.journal.turns(GAME, ["s1"]) == [first]
    async with open_store(str(tmp_path)) as store, store.leases.hold(GAME):
        assert as_made(await store.journal.commit_turn(long)) == long


@pytest.mark.parametrize("name", ["", "-wal", "-shm"])
@pytest.mark.parametrize("lose", ["delete", "replace", "put a folder there"])
async def test_a_store_whose_file_is_lost_while_it_is_open_takes_no_more_turns(
    tmp_path: Path, name: str, lose: str
) -> None:
    """SQLite itself would write on, where nobody finds it."""
    file, away = tmp_path / f"{JOURNAL_FILE}{name}", tmp_path / "away"
    async with open_store(str(tmp_path)) as store, store.leases.hold(GAME):
        first = await store.journal.commit_turn(a_turn(GAME, "s1", "FRANCE"))
        file.rename(away)
        if lose == "replace":
            shutil.copy(away, file)
        elif lose == "put a folder there":
            file.mkdir()
        told = f"its file {file.name} was deleted, moved or replaced while it was open; nothing was changed"
        turns = [a_turn(GAME, "s1", power) for power in ("ITALY", "TURKEY")]
        refused = await asyncio.gather(*map(store.journal.commit_turn, turns), return_exceptions=True)
        assert [(type(error), told in str(error)) for error in refused] == [(StoreUnavailable, True)] * 2
        with pytest.raises(StoreUnavailable, match="was deleted, moved or replaced"):
            await store.journal.turns(GAME, ["s1"])
        if file.is_dir():
            file.rmdir()
        away.rename(file)
        assert await store.journal.turns(GAME, ["s1"]) == [first]


async def test_a_file_that_may_not_grow_stops_a_turn_with_what_the_system_says(tmp_path: Path) -> None:
    async with open_store(str(tmp_path)) as store, store.leases.hold(GAME):
        long = a_turn(GAME, "s1", "ITALY", says=["x" * 500_000])
        with no_file_larger_than(400_000), pytest.raises(StoreUnavailable) as caught:
            await store.journal.commit_turn(long)
        assert "the disk fails, or the file may not grow; nothing was changed" in str(caught.value)
        assert "SQLITE_IOERR_WRITE" in str(caught.value)
        assert as_made(await store.journal.commit_turn(long)) == long


async def test_a_disk_without_room_for_what_sqlite_keeps_beside_the_file_is_told_as_full(
    tmp_path: Path,
) -> None:
    async with open_store(str(tmp_path)):
        pass
    with no_file_larger_than(4096):  # SQLite wants 32 KiB for those who have the file open
        assert "the disk is full" in await _refusal(str(tmp_path))
    async with open_store(str(tmp_path)):
        pass


async def test_no_player_is_asked_where_what_it_says_has_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Power] = []

    class Noted:
        async def take_turn(self, bundle: Bundle, /) -> Reply:
            asked.append(bundle.power)
            return Reply()

    async with open_store(str(tmp_path)) as store:
        master = GameMaster(store, lambda chair: Noted())
        game = await master.begin(GameSettings(everyone="hold", floor="gunboat", max_year=1901))
        with monkeypatch.context() as patch:
            patch.setattr("checkpoints.open_file.ROOM_BYTES", 2**62)
            for _ in range(2):
                with pytest.raises(StoreUnavailable, match="nobody was asked"):
                    await master.run(game)
        assert asked == []
        assert (await master.run(game)).end is RunEnd.FINISHED
        assert len(asked) == 14  # once for each season


async def test_of_turns_that_are_kept_as_one_a_full_disk_keeps_none(tmp_path: Path) -> None:
    async with open_store(str(tmp_path)) as store, store.leases.hold(GAME):
        await store.library.database.read(_no_more_pages)
        turns = [a_turn(GAME, "s1", "FRANCE"), a_turn(GAME, "s1", "ITALY", says=["x" * 20_000])]
        with pytest.raises(StoreUnavailable):
            await store.journal.commit_turns(turns)
        assert await store.journal.turns(GAME, ["s1"]) == []


async def test_a_full_disk_stops_a_checkpoint_and_the_game_goes_on_later(tmp_path: Path) -> None:
    async with open_store(str(tmp_path)) as store:
        graph = await played_to_the_question(store.saver, GAME)
        before = [found.checkpoint["id"] async for found in store.saver.alist(config(GAME))]
        await store.library.database.read(_no_more_pages)
        with pytest.raises(StoreUnavailable, match="the disk is full"):
            await answered(graph, GAME, "a long answer" * 10_000)
        assert [found.checkpoint["id"] async for found in store.saver.alist(config(GAME))] == before
    async with open_store(str(tmp_path)) as store:
        assert (await answered(small_graph(store.saver), GAME, "short"))[-1] == "short"


@pytest.mark.parametrize(
    "url", ["postgresql://someone:secret@127.0.0.1:1/games", "postgres://someone:secret@127.0.0.1:1/games"]
)
async def test_an_unreachable_server_is_told_without_its_password(url: str) -> None:
    told = await _refusal(url)
    assert "postgresql://someone:***@127.0.0.1:1/games cannot be used: the database server cannot" in told
    assert "secret" not in told


@pytest.mark.parametrize(
    "url", ["postgresql://[", "postgresql://host:port/x", "postgresql://a?password=secret&host=/no"]
)
async def test_a_url_that_is_none_is_told(url: str) -> None:
    told = await _refusal(url)
    assert "cannot be used" in told
    assert "secret" not in told


async def test_a_store_without_its_driver_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "psycopg", None)
    assert "install entente[postgres]" in await _refusal("postgresql://localhost/games")


async def test_a_store_that_fails_while_a_game_is_played_is_told_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_store(str(tmp_path)) as store, store.leases.hold(GAME):
        await store.library.database.write(
            lambda connection: connection.exec_driver_sql("DROP TABLE messages")
        )
        with pytest.raises(StoreUnavailable) as caught:
            await store.journal.commit_turn(a_turn(GAME, "s1", "FRANCE", says=["A secret plan."]))
        assert "secret plan" not in str(caught.value)
        assert await store.library.database.read(_count_turns) == 0


def test_the_users_own_store_is_in_the_xdg_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert default_folder() == Path("/data/entente")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert default_folder() == Path.home() / ".local/share/entente"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert default_folder() == Path.home() / ".local/share/entente"


async def test_without_a_location_the_users_own_store_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    async with open_store() as store:
        assert store.location == str(tmp_path / "entente")
    assert sorted(path.name for path in (tmp_path / "entente").iterdir()) == [JOURNAL_FILE]


def _no_more_pages(connection: Connection) -> None:
    connection.exec_driver_sql("PRAGMA max_page_count = 1")


def _count_turns(connection: Connection) -> int:
    return connection.exec_driver_sql("SELECT count(*) FROM turns").scalar_one()


def _has_files(folder: Path) -> bool:
    return any(folder.iterdir())


@contextmanager
def _read_only(folder: Path) -> Generator[None]:
    folder.chmod(0o500)
    yield
    folder.chmod(0o700)
