"""The engine's own adjudication and game tests, run on the guarded game in place of the engine's.

Its map tests are left out: they load maps for minutes and leave a cache that slows every later start.
"""

import importlib
import inspect
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from entente.board.engine import GuardedGame

MODULES = ("test_datc", "test_datc_no_check", "test_datc_no_expand", "test_game")


def find_tests(module: ModuleType) -> Iterator[tuple[str, Callable[[], None]]]:
    """The module's own tests by name, functions and methods."""
    for name, value in vars(module).items():
        if inspect.isfunction(value) and name.startswith("test_"):
            yield name, value
        elif inspect.isclass(value) and value.__module__ == module.__name__:
            methods = [m for m in dir(value) if m.startswith("test_")]
            yield from ((f"{name}.{method}", getattr(value(), method)) for method in methods)


def collect() -> list[Any]:
    modules = [importlib.import_module(f"diplomacy.tests.{name}") for name in MODULES]
    return [
        pytest.param(test, id=f"{module.__name__.rpartition('.')[2]}.{name}")
        for module in modules
        for name, test in find_tests(module)
    ]


@pytest.fixture(autouse=True)
def guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in MODULES:
        monkeypatch.setattr(f"diplomacy.tests.{name}.Game", GuardedGame, raising=False)


def test_the_whole_suite_is_found() -> None:
    assert len(collect()) == 503


@pytest.mark.parametrize("engine_test", collect())
def test_the_guarded_engine_passes(engine_test: Callable[[], None]) -> None:
    engine_test()
