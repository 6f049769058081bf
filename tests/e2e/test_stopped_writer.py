"""A process that is stopped inside a transaction of SQLite: others read, say who holds the lock, and go on after it."""

import asyncio
import re
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from checkpoints.store import open_store
from entente.games.runner import GameMaster
from graph.context import GameSettings
from tests.support.processes import Stopped, stopped
from tests.support.stopping import Moment
from tests.support.terminal import entente, start

HELD, OTHER = "0c1a7f04-0000-4000-8000-000000000001", "0c1a9999-0000-4000-8000-000000000002"


@pytest.fixture
def location(tmp_path: Path) -> str:
    """A store with a game that was never run, and one that waits for a person."""
    location = str(tmp_path / "store")

    async def begin() -> None:
        async with open_store(location) as store:
            master = GameMaster(store)
            await master.begin(GameSettings(everyone="hold", floor="gunboat"), HELD)
            settings = GameSettings(everyone="hold", seats={"FRANCE": "human"}, floor="gunboat")
            await master.run(await master.begin(settings, OTHER))

    asyncio.run(begin())
    return location


@pytest.fixture
def writer(location: str, tmp_path: Path) -> Generator[Stopped]:
    """A process that is stopped inside a transaction."""
    with stopped(location, HELD, Moment.IN_TRANSACTION, 1, tmp_path / "report") as writer:
        yield writer


def test_others_read_and_a_write_that_waits_too_long_is_refused_with_the_holder(
    location: str, writer: Stopped, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("checkpoints.write_lock.NOTICE_SECONDS", 0.01)
    monkeypatch.setattr("checkpoints.write_lock.BUSY_SECONDS", 0.1)
    for command in ("games show", "log", "press", "board"):
        ran = entente(*command.split(), OTHER, "--store", location)
        assert (ran.code, "lock" in ran.err) == (0, False), ran
    listed = entente("games", "list", "--store", location)
    assert (listed.code, HELD[:8] in listed.out, listed.err) == (0, True, ""), listed
    assert entente("selfcheck", location).code == 0

    refused = entente("games", "delete", OTHER, "--store", location)
    assert refused.code == 3
    waits, told = refused.err.splitlines()
    assert f"is locked by process {writer.pid}; a write waits" in waits
    assert f"process {writer.pid} has kept it locked" in told
    assert "nothing was changed" in told

    monkeypatch.setattr("checkpoints.write_lock._LOCK", re.compile("this system lists no locks"))
    refused = entente("games", "delete", OTHER, "--store", location)
    assert refused.err.count("another process (which one is not known)") == 2
    assert OTHER[:8] in entente("games", "list", "--store", location).out


@pytest.mark.parametrize("end", [Stopped.wake, Stopped.kill])
def test_a_write_waits_and_goes_on_when_the_lock_is_free(
    location: str, writer: Stopped, end: Callable[[Stopped], object]
) -> None:
    with start("games", "delete", OTHER, "--store", location) as waiting:
        told = ""
        while "is locked by" not in told:
            line = waiting.stderr.readline()
            assert line, told
            told += line
        assert f"is locked by process {writer.pid}" in told
        end(writer)
        told += waiting.stderr.read()
    assert (waiting.returncode, told.count("is locked by")) == (0, 1), told
