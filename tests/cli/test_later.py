"""A package that is put off is the package itself, a little later."""

import importlib
import sys
from collections.abc import Generator
from pathlib import Path
from threading import Barrier, Thread
from types import ModuleType

import pytest

from entente.cli.later import put_off

PACKAGE = "late_package"
OWN_CODE = """
from late_package.near import NEAR
sum(range(1_000_000))  # so that a thread that wants a name meanwhile has its turn
RUNS = globals().get("RUNS", 0) + 1
FAR = NEAR + 1
__all__ = ["FAR"]
"""


@pytest.fixture
def near(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[ModuleType]:
    """A module in a package that waits."""
    (tmp_path / PACKAGE).mkdir()
    (tmp_path / PACKAGE / "__init__.py").write_text(OWN_CODE)
    (tmp_path / PACKAGE / "near.py").write_text("NEAR = 1")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    put_off({PACKAGE})
    yield importlib.import_module(f"{PACKAGE}.near")
    for name in (PACKAGE, f"{PACKAGE}.near"):
        del sys.modules[name]


def test_its_modules_come_without_its_own_code(near: ModuleType) -> None:
    assert near.NEAR == 1
    assert "FAR" not in vars(sys.modules[PACKAGE])


def test_its_names_come_when_they_are_wanted(near: ModuleType) -> None:
    package = sys.modules[PACKAGE]
    assert (package.FAR, package.RUNS) == (2, 1)
    assert package.near is near
    assert package.__name__ == PACKAGE


def test_all_its_names_come_with_a_star(near: ModuleType) -> None:
    found: dict[str, object] = {}
    exec(f"from {PACKAGE} import *", found)
    assert found["FAR"] == 2


def test_a_name_that_it_has_not_is_missed_as_ever(near: ModuleType) -> None:
    with pytest.raises(AttributeError, match="module 'late_package' has no attribute 'FAREST'"):
        _ = sys.modules[PACKAGE].FAREST
    with pytest.raises(ImportError):
        exec(f"from {PACKAGE} import FAREST")


def test_two_threads_that_want_it_at_once_run_it_once(near: ModuleType) -> None:
    both, found = Barrier(2), list[int]()

    def want() -> None:
        both.wait()
        found.append(sys.modules[PACKAGE].FAR)

    threads = [Thread(target=want) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [2, 2]
    assert sys.modules[PACKAGE].RUNS == 1
