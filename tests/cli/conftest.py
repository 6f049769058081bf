"""Games that the tests of the command line read, and may copy."""

import shutil
from collections.abc import Callable, Generator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.terminal import entente, games_in, start


class Shelf(NamedTuple):
    """A store with two games."""

    store: str
    finished: str
    """Seven diplomats, a round of press, 1901."""
    waiting: str
    """France is a person's, and is asked for its press of S1901M."""


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    """A store that is only read."""
    store = str(tmp_path_factory.mktemp("shelf") / "store")
    options = ("--rounds", "1", "--max-year", "1901", "--store", store)
    assert entente("play", *options).code == 0
    (finished,) = games_in(store)
    assert entente("play", "--seat", "FRANCE=human", *options).code == 6
    waiting = next(game for game in games_in(store) if game != finished)
    return Shelf(store, finished, waiting)


@pytest.fixture
def own_shelf(shelf: Shelf, tmp_path: Path) -> Shelf:
    """The same store for one test alone."""
    shutil.copytree(shelf.store, tmp_path / "store")
    return shelf._replace(store=str(tmp_path / "store"))


@pytest.fixture
def serve() -> Generator[Callable[[str], str]]:
    """Starts a scripted server by plan, and gives the spec of its model."""
    with ExitStack() as running:

        def served(plan: str = "{}") -> str:
            server = running.enter_context(start("mock-model", "--port", "0", "--plan", plan))
            running.callback(server.terminate)
            line = server.stderr.readline()
            return f"openai:mock@{line.split(' at ')[1].split(';')[0]}"

        yield served
