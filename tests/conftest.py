"""Fixtures that any test may ask for."""

import gc
from collections.abc import AsyncGenerator, Callable, Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from checkpoints.store import Store, open_store
from tests.support.postgres import Server, postgres_server
from tests.support.stores import BACKENDS, SHARED_BACKENDS, new_location

# How long an example takes says nothing on a machine that does other things too.
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("repeatable", settings.get_profile("explore"), derandomize=True)
# `make test` tries the same examples until a test changes, so that nobody's change is blamed for an old defect;
# `make prove` draws new ones.
settings.load_profile("repeatable")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with Studio: what a worker has at first is not taken from it, so its server is started once."""
    items.sort(key=lambda item: item.path.name != "test_studio.py")


def pytest_collection_finish() -> None:
    """Spare the collector what stays to the end: modules and thousands of tests, which it walked again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


@pytest.fixture(scope="session")
def postgres() -> Generator[Server]:
    """The session's Postgres server, started by the first test that asks for it."""
    with postgres_server() as server:
        yield server


def _marked(backend: str) -> object:
    return pytest.param(backend, marks=pytest.mark.postgres) if backend == "postgres" else backend


@pytest.fixture(params=[_marked(backend) for backend in BACKENDS])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty place for a store, once in each backend."""
    return new_location(request.param, tmp_path, _server(request))


@pytest.fixture(params=[_marked(backend) for backend in SHARED_BACKENDS])
def shared_location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty place for a store that can be opened twice and opened again."""
    return new_location(request.param, tmp_path, _server(request))


@pytest.fixture
async def store(location: str) -> AsyncGenerator[Store]:
    """An open and empty store, once in each backend."""
    async with open_store(location) as opened:
        yield opened


@pytest.fixture
async def memory_store() -> AsyncGenerator[Store]:
    """An open and empty store that ends with the test."""
    async with open_store("memory") as opened:
        yield opened


def _server(request: pytest.FixtureRequest) -> Callable[[], Server]:
    return lambda: request.getfixturevalue("postgres")
